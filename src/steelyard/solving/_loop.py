"""Plan, prune, code, judge, profile and analyse until a program is right and efficient."""

import time
from typing import NoReturn

from steelyard.errors import (
    ArtefactError,
    BudgetError,
    InfrastructureError,
    ModelError,
    RecordingError,
    ScriptError,
)
from steelyard.journal import Journal
from steelyard.rendering import count, visible
from steelyard.schemas import (
    CodeMessage,
    CodeReply,
    OnEvent,
    PlanMessage,
    ProblemInput,
    ProfileReport,
    RunResult,
    SolveStatus,
    StopCause,
    VerdictMessage,
    main_bound,
)
from steelyard.solving._analysis import Cost
from steelyard.solving._assessing import NO_TESTS, Assessor
from steelyard.solving._attempt import Attempt
from steelyard.solving._bench import Bench
from steelyard.solving._crew import Crew
from steelyard.solving._examining import missing_claims
from steelyard.solving._options import SolveOptions
from steelyard.solving._planning import Planning
from steelyard.solving._steps import Steps, Stopped
from steelyard.solving.pruning import Pruner

_ENDINGS = {"cpp": "cpp", "python": "py"}


class Loop:
    """The loop over one problem.

    Args:
        problem: What is solved.
        options: The options.
        journal: Keeps the result of each step.
        bench: Judges and profiles.
        crew: Talks to the models.
        pruner: The static rules.
        on_event: Receives each stage as it begins.
    """

    def __init__(
        self,
        problem: ProblemInput,
        options: SolveOptions,
        journal: Journal,
        bench: Bench,
        crew: Crew,
        pruner: Pruner,
        on_event: OnEvent,
    ) -> None:
        self._problem, self._options, self._journal = problem, options, journal
        self._crew, self._pruner = crew, pruner
        self._steps = steps = Steps(journal, on_event)
        self._planning = Planning(problem, options, journal, bench, crew, pruner, steps)
        self._assessor = Assessor(problem, bench, crew, pruner, steps)
        self._best: Attempt | None = None
        self._cost_before: Cost | None = None
        """Cost of the cheapest program with a known cost."""
        self._patched = False
        """Whether the coder was asked to make a program of this plan cheaper."""
        self._turns = 0
        self._programs = 0

    async def run(self) -> RunResult:
        """Run to the end; return a result in any case."""
        begun = time.monotonic()
        try:
            await self._all_turns()
            raise Stopped("failed", "max-iterations", self._after_all())
        except Stopped as end:
            status, stop, reason = end.status, end.stop, end.reason
        except BudgetError as error:
            status, stop, reason = "failed", "budget", str(error)
        except ArtefactError as error:
            status, stop, reason = "sandbox_error", "logs", str(error)
        except (ModelError, ScriptError, RecordingError) as error:
            status, stop, reason = "failed", "models", str(error)
        except InfrastructureError as error:
            status, stop, reason = "sandbox_error", "sandbox", str(error)
        self._steps.notify("end", reason)
        return self._result(status, stop, reason, time.monotonic() - begun)

    # ------------------------------------------------------------------------------ the turns

    async def _all_turns(self) -> None:
        code: CodeMessage | None = None
        why, plan = "", None
        for turn in range(self._options.max_iter):
            self._journal.turn_to(turn)
            if plan is None:
                plan, code = await self._planning.good_plan(why), None
                self._patched = False
            self._turns = turn + 1
            code = await self._code(plan, code, why)
            attempt = await self._assessor.attempt(
                plan, code, cost_before=self._cost_before, patched=self._patched
            )
            verdict = self._settled(attempt)
            why = verdict.patch or verdict.reason
            if verdict.target_agent == "PLANNER":
                plan = None

    def _settled(self, attempt: Attempt) -> VerdictMessage:
        """Keep the verdict; end the run if it is final."""
        assert attempt.verdict is not None
        verdict = self._steps.decided("verdict", VerdictMessage, attempt.verdict)
        attempt.verdict = verdict
        if self._best is None or attempt.rank >= self._best.rank:
            self._best = attempt
        self._steps.notify("verdict", verdict.reason)
        if verdict.efficient is not False:
            if not self._problem.unit_tests:
                raise Stopped("failed", "unproved", NO_TESTS)
            self._end_of(attempt, verdict)
        if attempt.cost is not None and attempt.cost.is_finite:
            if self._cost_before is not None and verdict.perf_gain < self._options.diminish_delta:
                raise Stopped(
                    "failed",
                    "diminishing",
                    f"this program costs {1 - verdict.perf_gain:.0%} of the best earlier program, "
                    f"and a gain of {self._options.diminish_delta:.0%} is required to continue: "
                    f"{verdict.reason}",
                )
            self._cost_before = attempt.cost
        if attempt.is_of_cost and verdict.target_agent == "CODER":
            self._patched = True
        return verdict

    def _end_of(self, attempt: Attempt, verdict: VerdictMessage) -> NoReturn:
        """End the run with a program that no evidence speaks against."""
        if verdict.efficient:
            raise Stopped("success", "efficient", verdict.reason)
        if self._options.allow_unmeasured:
            raise Stopped("success", "right", verdict.reason)
        missing = missing_claims(tuple(attempt.evidence))
        stop: StopCause = "unproved" if "right" in missing else "unmeasured"
        raise Stopped("failed", stop, f"{verdict.reason}; accept it with --allow-unmeasured")

    # -------------------------------------------------------------------------------- coding

    async def _code(self, plan: PlanMessage, before: CodeMessage | None, why: str) -> CodeMessage:
        self._steps.notify("code")
        reply: CodeReply = await self._steps.asked(lambda: self._crew.code(plan, before, why))
        code = CodeMessage(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            language=self._options.language,
            **reply.model_dump(),
        )
        self._programs += 1
        self._journal.keep_text(f"code.{_ENDINGS[code.language]}", code.code_cpp)
        return self._journal.keep("code", CodeMessage, code)

    # -------------------------------------------------------------------------------- its end

    def _result(
        self, status: SolveStatus, stop: StopCause, reason: str, seconds: float
    ) -> RunResult:
        best, folder = self._best, self._journal.folder
        for note in self._crew.notes:
            self._steps.note(note)
        for problem in self._pruner.problems:
            self._steps.note(f"{problem}; the last valid rules were used")
        if best and best.profile:
            self._note_whose_bound(best.plan, best.profile)
        result = RunResult(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            status=status,
            stop=stop,
            reason=reason,
            code=best.code if best else None,
            plan=best.plan if best else self._planning.last,
            profile=best.profile if best else None,
            verdict=best.verdict if best else None,
            tests_passed=best.passed if best else 0,
            tests=len(self._problem.unit_tests),
            iterations=self._turns,
            programs=self._programs,
            pruned=self._steps.pruned,
            growth="measured" if best and best.profile else "not-measured",
            evidence=tuple(best.evidence) if best else (),
            spending=self._crew.spending,
            notes=self._steps.notes,
            logs=str(folder) if folder is not None else "",
            seconds=seconds,
            isolation=self._assessor.isolation,
        )
        try:
            self._journal.write("result", result)
        except ArtefactError as error:
            return result.model_copy(update={"notes": (*result.notes, str(error))})
        return result

    def _note_whose_bound(self, plan: PlanMessage, profile: ProfileReport) -> None:
        """Note that growth was measured up to a size that a model chose, not the problem."""
        problem = self._problem
        named = main_bound(plan.input_bounds) is not None
        if problem.input_bounds or not (named or problem.input_generator is None):
            return
        own = ", ".join(f"{name} = {size}" for name, size in plan.input_bounds.items())
        self._steps.note(
            f"growth was judged up to n = {count(profile.prediction.n)} by the planner's own "
            f"bounds ({visible(own) or 'given by its generator'}): the problem has no "
            "input_bounds"
        )

    def _after_all(self) -> str:
        verdict = self._best.verdict if self._best else None
        best = f"; the best program: {verdict.reason}" if verdict else ""
        programs = f"{self._programs} program{'s' * (self._programs != 1)}"
        return f"none of {programs} is both correct and efficient{best}"
