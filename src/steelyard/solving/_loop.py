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
from steelyard.reports import count, visible
from steelyard.schemas import (
    CodeMessage,
    CodeReply,
    OnEvent,
    PlanMessage,
    PlanReply,
    ProblemInput,
    ProfileReport,
    PruneFinding,
    RunResult,
    SolveStatus,
    StopCause,
    VerdictMessage,
    main_bound,
)
from steelyard.solving._agents import PLAN_BYTES, Agents
from steelyard.solving._analysis import Attempt, Cost
from steelyard.solving._evaluate_program import NO_TESTS, Assessor
from steelyard.solving._evaluator import Evaluator
from steelyard.solving._evidence import missing_claims
from steelyard.solving._options import SolveOptions
from steelyard.solving._steps import Steps, Stopped, first_of, in_words
from steelyard.solving.pruning import Pruner

_ENDINGS = {"cpp": "cpp", "python": "py"}


class Loop:
    """The loop over one problem.

    Args:
        problem: What is solved.
        options: The options.
        journal: Keeps the result of each step.
        evaluator: Judges and profiles.
        agents: Talks to the models.
        pruner: The static rules.
        on_event: Receives each stage as it begins.
    """

    def __init__(
        self,
        problem: ProblemInput,
        options: SolveOptions,
        journal: Journal,
        evaluator: Evaluator,
        agents: Agents,
        pruner: Pruner,
        on_event: OnEvent,
    ) -> None:
        self._problem, self._options, self._journal = problem, options, journal
        self._agents, self._pruner = agents, pruner
        self._steps = steps = Steps(journal, on_event)
        self._planning = _Planning(problem, options, journal, evaluator, agents, pruner, steps)
        self._assessor = Assessor(problem, evaluator, agents, pruner, steps)
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
        reply: CodeReply = await self._steps.asked(lambda: self._agents.code(plan, before, why))
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
        for note in self._agents.notes:
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
            spending=self._agents.spending,
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


class _Planning:
    """The plans of one run.

    Args:
        problem: What is solved.
        options: The options.
        journal: Keeps each plan.
        evaluator: Runs the plans' generators.
        agents: Talks to the planner.
        pruner: The static rules.
        steps: Keeps decisions and reports stages.
    """

    def __init__(
        self,
        problem: ProblemInput,
        options: SolveOptions,
        journal: Journal,
        evaluator: Evaluator,
        agents: Agents,
        pruner: Pruner,
        steps: Steps,
    ) -> None:
        self._problem, self._options, self._journal = problem, options, journal
        self._evaluator, self._agents, self._pruner, self._steps = evaluator, agents, pruner, steps
        self.last: PlanMessage | None = None
        """The last plan, even if it was rejected."""

    async def good_plan(self, why: str) -> PlanMessage:
        """Return a plan that passes the static rules, based on the last rejected one if any."""
        for refused in range(self._options.max_plans):
            suffix = f"_{refused + 1}" if refused else ""
            plan = await self._one_plan(f"plan{suffix}", why)
            self.last = plan
            found = self._steps.decided(
                f"prune{suffix}", tuple[PruneFinding, ...], self._pruned_by_rules(plan)
            )
            if not found:
                self._steps.has_plan = True
                return plan
            self._steps.pruned, why = found, in_words(found)
            self._steps.notify("pruned", first_of(found))
        raise Stopped("static_prune_failed", "pruned", first_of(self._steps.pruned))

    async def _one_plan(self, name: str, why: str) -> PlanMessage:
        self._steps.notify("plan")
        checks = 0

        async def fault_of(reply: PlanReply) -> str | None:
            nonlocal checks
            checks += 1
            if (size := _bytes_of(reply)) > PLAN_BYTES:
                return (
                    f"The plan is too long: without its generator it has {size} bytes, and "
                    f"the limit is {PLAN_BYTES}. Shorten it."
                )
            return await self._generator_fault(f"{name}_generator_{checks}", reply)

        reply: PlanReply = await self._steps.asked(
            lambda: self._agents.plan(self.last, why, fault_of)
        )
        return self._journal.keep(name, PlanMessage, self._plan_of(reply))

    def _plan_of(self, reply: PlanReply) -> PlanMessage:
        """Return the message of a reply; the problem's bounds override the planner's."""
        stated = self._problem.input_bounds or reply.input_bounds
        return PlanMessage(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            constraints=self._problem.constraints,
            **reply.model_dump(exclude={"input_bounds"}),
            input_bounds=dict(stated),
        )

    def _pruned_by_rules(self, plan: PlanMessage) -> tuple[PruneFinding, ...]:
        return self._pruner.check_plan(plan, self._options.language)

    async def _generator_fault(self, name: str, reply: PlanReply) -> str | None:
        """Return the fault of the plan's generator if it would be used."""
        text = reply.input_generator
        if text is None or self._problem.input_generator is not None:
            return None
        if self._pruned_by_rules(self._plan_of(reply)):
            return None  # the static rules decide, and cost less
        bounds = dict(self._problem.input_bounds or reply.input_bounds)
        self._steps.notify("generator")
        fault: str = await self._steps.done(
            name, str, lambda: self._evaluator.fault_of(text, bounds) or ""
        )
        return f"The input_generator cannot be used: {fault}" if fault else None


def _bytes_of(reply: PlanReply) -> int:
    """Return the size of a plan as JSON, without its generator."""
    return len(reply.model_dump_json(exclude={"input_generator"}, exclude_none=True).encode())
