"""Plan, prune, code, judge, profile and analyse until a program is right and efficient."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar

from steelyard.errors import (
    ArtefactError,
    BudgetError,
    GeneratorError,
    InfrastructureError,
    ModelError,
    RecordingError,
    ReplyError,
    ScriptError,
)
from steelyard.rendering import count, visible
from steelyard.schemas import (
    CodeMessage,
    CodeReply,
    Event,
    Isolation,
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
    VerdictReply,
    VerifyResult,
    main_bound,
)
from steelyard.solving._analysis import (
    Cost,
    Finding,
    cost_of,
    finding_of,
    finding_of_tests,
    gain_of,
)
from steelyard.solving._attempt import Attempt
from steelyard.solving._bench import Bench
from steelyard.solving._crew import Crew
from steelyard.solving._journal import Journal
from steelyard.solving._options import SolveOptions
from steelyard.solving._roles import PLAN_BYTES
from steelyard.solving.pruning import Pruner

__all__ = ["Loop"]

T = TypeVar("T")
"""Receives each stage with the turn of the loop, from 0, and a message."""
_MOST_CRASHES = 2
_ENDINGS = {"cpp": "cpp", "python": "py"}
_Basis = Literal["tests", "figures", "model"]


class _Stopped(Exception):  # noqa: N818 - the run's end, not an error
    """Ends the run."""

    def __init__(self, status: SolveStatus, stop: StopCause, reason: str) -> None:
        super().__init__(reason)
        self.status, self.stop, self.reason = status, stop, reason


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
        self._bench, self._crew, self._pruner, self._on_event = bench, crew, pruner, on_event
        self._best: Attempt | None = None
        self._isolation: Isolation | None = None
        self._cost_before: Cost | None = None
        """Cost of the cheapest program with a known cost."""
        self._crashes = 0
        self._pruned: tuple[PruneFinding, ...] = ()
        self._patched = False
        """Whether the coder was asked to make a program of this plan cheaper."""
        self._plan: PlanMessage | None = None
        self._turns = 0
        self._programs = 0
        self._notes: list[str] = []

    async def run(self) -> RunResult:
        """Run to the end; return a result in any case."""
        begun = time.monotonic()
        try:
            await self._all_turns()
            raise _Stopped("failed", "max-iterations", self._after_all())
        except _Stopped as end:
            status, stop, reason = end.status, end.stop, end.reason
        except BudgetError as error:
            status, stop, reason = "failed", "budget", str(error)
        except ArtefactError as error:
            status, stop, reason = "sandbox_error", "logs", str(error)
        except (ModelError, ScriptError, RecordingError) as error:
            status, stop, reason = "failed", "models", str(error)
        except InfrastructureError as error:
            status, stop, reason = "sandbox_error", "sandbox", str(error)
        self._notify("end", reason)
        return self._result(status, stop, reason, time.monotonic() - begun)

    # ------------------------------------------------------------------------------ the turns

    async def _all_turns(self) -> None:
        code: CodeMessage | None = None
        why, plan = "", None
        for turn in range(self._options.max_iter):
            self._journal.turn_to(turn)
            if plan is None:
                plan, code = await self._good_plan(why), None
                self._patched = False
            self._turns = turn + 1
            code = await self._code(plan, code, why)
            attempt = await self._attempt(plan, code)
            verdict = self._settled(attempt)
            why = verdict.patch or verdict.reason
            if verdict.target_agent == "PLANNER":
                plan = None

    def _settled(self, attempt: Attempt) -> VerdictMessage:
        """Keep the verdict; end the run if it is final."""
        assert attempt.verdict is not None
        verdict = self._decided("verdict", VerdictMessage, attempt.verdict)
        attempt.verdict = verdict
        if self._best is None or attempt.rank >= self._best.rank:
            self._best = attempt
        self._notify("verdict", verdict.reason)
        if verdict.efficient:
            if not self._problem.unit_tests:
                raise _Stopped(
                    "failed", "unproved",
                    "the problem has no unit tests: nothing shows that the program is correct",
                )  # fmt: skip
            raise _Stopped("success", "efficient" if attempt.profile else "right", verdict.reason)
        if attempt.cost is not None and attempt.cost.is_finite:
            if self._cost_before is not None and verdict.perf_gain < self._options.diminish_delta:
                raise _Stopped(
                    "failed", "diminishing",
                    f"this program costs {1 - verdict.perf_gain:.0%} of the best earlier program, "
                    f"and a gain of {self._options.diminish_delta:.0%} is required to continue: "
                    f"{verdict.reason}",
                )  # fmt: skip
            self._cost_before = attempt.cost
        if attempt.is_of_cost and verdict.target_agent == "CODER":
            self._patched = True
        return verdict

    # ------------------------------------------------------------------------------- planning

    async def _good_plan(self, why: str) -> PlanMessage:
        """Return a plan that passes the static rules, based on the last rejected one if any."""
        for refused in range(self._options.max_plans):
            suffix = f"_{refused + 1}" if refused else ""
            plan = await self._one_plan(f"plan{suffix}", why)
            self._plan = plan
            found = self._decided(
                f"prune{suffix}", tuple[PruneFinding, ...], self._pruned_by_rules(plan)
            )
            if not found:
                return plan
            self._pruned, why = found, _in_words(found)
            self._notify("pruned", _first_of(found))
        raise _Stopped("static_prune_failed", "pruned", _first_of(self._pruned))

    async def _one_plan(self, name: str, why: str) -> PlanMessage:
        self._notify("plan")
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

        reply: PlanReply = await self._asked(lambda: self._crew.plan(self._plan, why, fault_of))
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
        self._notify("generator")
        fault: str = await self._done(name, str, lambda: self._bench.fault_of(text, bounds) or "")
        return f"The input_generator cannot be used: {fault}" if fault else None

    # -------------------------------------------------------------------------------- coding

    async def _code(self, plan: PlanMessage, before: CodeMessage | None, why: str) -> CodeMessage:
        self._notify("code")
        reply: CodeReply = await self._asked(lambda: self._crew.code(plan, before, why))
        code = CodeMessage(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            language=self._options.language,
            **reply.model_dump(),
        )
        self._programs += 1
        self._journal.keep_text(f"code.{_ENDINGS[code.language]}", code.code_cpp)
        return self._journal.keep("code", CodeMessage, code)

    async def _asked(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return a reply, from a second request if the first could not be used."""
        while True:
            try:
                return await ask()
            except ReplyError as error:
                self._crashed(error)
            except (ModelError, ScriptError, RecordingError) as error:
                self._end_if_pruned(error)
                raise

    def _crashed(self, error: ReplyError) -> None:
        """Count an unusable reply; end the run at the second."""
        self._crashes += 1
        self._note(str(error))
        if self._crashes >= _MOST_CRASHES:
            self._end_if_pruned(error)
            raise _Stopped("failed", "agent-crashes", str(error)) from error

    def _end_if_pruned(self, error: Exception) -> None:
        """End the run as pruned if no plan has passed the static rules yet."""
        if self._pruned and not self._turns:
            reason = f"{_first_of(self._pruned)}; then no other plan was received: {error}"
            raise _Stopped("static_prune_failed", "pruned", reason) from error

    # --------------------------------------------------------------------- judging, measuring

    async def _attempt(self, plan: PlanMessage, code: CodeMessage) -> Attempt:
        """Judge, profile and analyse a program."""
        self._notify("judge", f"{len(self._problem.unit_tests)} tests")
        judged: VerifyResult = await self._done(
            "tests", VerifyResult, lambda: self._bench.judge(code)
        )
        self._isolation = judged.isolation
        passed = sum(case.verdict == "AC" for case in judged.cases)
        wrong = finding_of_tests(judged)
        right = wrong is None and bool(judged.cases)
        attempt = Attempt(code, plan, passed, right, compiles=judged.compile.ok)
        found = self._decided(
            "prune_code",
            tuple[PruneFinding, ...],
            self._pruner.check_code(
                code.code_cpp, code.language, plan.input_bounds, plan.constraints
            ),
        )
        if wrong is not None:
            return self._with_verdict(attempt, wrong, "tests")
        attempt.profile = await self._profile(plan, code)
        if attempt.profile is None:
            return self._with_verdict(attempt, _unmeasured(found), "tests")
        attempt.cost = cost_of(attempt.profile, plan.constraints)
        finding = finding_of(attempt.profile, plan, plan.constraints, patched=self._patched)
        if finding.efficient is not None:
            return self._with_verdict(attempt, finding, "figures")
        return self._with_verdict(attempt, await self._analysed(attempt, finding), "model")

    def _with_verdict(self, attempt: Attempt, finding: Finding, basis: _Basis) -> Attempt:
        attempt.is_of_cost = finding.is_of_cost
        attempt.verdict = VerdictMessage(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            efficient=bool(finding.efficient),
            target_agent=finding.target,
            patch=finding.patch,
            perf_gain=gain_of(attempt.cost, self._cost_before),
            basis=basis,
            reason=finding.reason,
        )
        return attempt

    async def _profile(self, plan: PlanMessage, code: CodeMessage) -> ProfileReport | None:
        """Return the profile; None if there are no inputs to measure on."""
        generator = self._problem.input_generator or plan.input_generator
        if generator is None:
            self._note("growth was not measured: there is no input generator")
            return None
        bounds = dict(plan.input_bounds)
        self._notify("profile")
        report: ProfileReport = await self._done(
            "profile", ProfileReport, lambda: self._profiled(code, generator, bounds)
        )
        if report.measured:
            return report
        self._note(
            f"growth was not measured: {'; '.join(report.notes) or 'no input was available'}"
        )
        return None

    def _profiled(self, code: CodeMessage, generator: str, bounds: dict[str, int]) -> ProfileReport:
        try:
            return self._bench.profile(code, generator, bounds)
        except GeneratorError as error:
            return ProfileReport(
                task_id=code.task_id, iteration=code.iteration, notes=(str(error),)
            )

    async def _analysed(self, attempt: Attempt, doubt: Finding) -> Finding:
        """Return the analyst's finding on undecided figures."""
        assert attempt.profile is not None
        self._notify("analyse", doubt.reason)
        try:
            reply: VerdictReply = await self._crew.analyse(
                attempt.plan, attempt.code, attempt.profile
            )
        except ReplyError as error:
            self._crashed(error)
            reason = f"{doubt.reason}, and the analyst gave no valid answer"
            return Finding(
                False, reason, "CODER", "Reduce its cost until it clearly meets its limits."
            )
        answer = "efficient" if reply.efficient else "not efficient"
        reason = f"{doubt.reason}; the analyst's verdict: {answer}"
        return Finding(reply.efficient, reason, reply.target_agent, reply.patch)

    # -------------------------------------------------------------------------------- its end

    def _result(
        self, status: SolveStatus, stop: StopCause, reason: str, seconds: float
    ) -> RunResult:
        best, folder = self._best, self._journal.folder
        for name in sorted(self._crew.temperature_refused):
            self._note(f"{name} does not accept a temperature: it was called without a temperature")
        for why in sorted(self._crew.not_kept):
            self._note(f"a reply is stored in this run's artefacts only: {why}")
        for problem in self._pruner.problems:
            self._note(f"{problem}; the last valid rules were used")
        if best and best.profile:
            self._note_whose_bound(best.plan, best.profile)
        result = RunResult(
            task_id=self._problem.task_id,
            iteration=self._journal.iteration,
            status=status,
            stop=stop,
            reason=reason,
            code=best.code if best else None,
            plan=best.plan if best else self._plan,
            profile=best.profile if best else None,
            verdict=best.verdict if best else None,
            tests_passed=best.passed if best else 0,
            tests=len(self._problem.unit_tests),
            iterations=self._turns,
            programs=self._programs,
            pruned=self._pruned,
            growth="measured" if best and best.profile else "not-measured",
            spending=self._crew.spending,
            notes=tuple(self._notes),
            logs=str(folder) if folder is not None else "",
            seconds=seconds,
            isolation=self._isolation,
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
        self._note(
            f"growth was judged up to n = {count(profile.prediction.n)} by the planner's own "
            f"bounds ({visible(own) or 'given by its generator'}): the problem has no "
            "input_bounds"
        )

    def _after_all(self) -> str:
        verdict = self._best.verdict if self._best else None
        best = f"; the best program: {verdict.reason}" if verdict else ""
        programs = f"{self._programs} program{'s' * (self._programs != 1)}"
        return f"none of {programs} is both correct and efficient{best}"

    def _decided(self, name: str, form: Any, decision: T) -> T:
        """Return the earlier decision in a resumed run; a replay decides anew."""
        kept = self._journal.keep(name, form, decision)
        return decision if self._journal.reads_only else kept

    async def _done(self, name: str, form: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a blocking step: from its artefact, or run in a thread."""
        known = self._journal.known(name, form)
        if known is not None or self._journal.reads_only:
            return self._journal.keep(name, form, known)
        return self._journal.keep(name, form, await asyncio.to_thread(make))

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)

    def _notify(self, stage: str, message: str = "") -> None:
        iteration = self._journal.iteration
        self._on_event(Event(job="solve", stage=stage, message=message, iteration=iteration))


def _bytes_of(reply: PlanReply) -> int:
    """Return the size of a plan as JSON, without its generator."""
    return len(reply.model_dump_json(exclude={"input_generator"}, exclude_none=True).encode())


def _unmeasured(found: tuple[PruneFinding, ...]) -> Finding:
    """Return the finding of the static rules, for a program that was not measured."""
    if found:
        return Finding(False, _first_of(found), "CODER", _in_words(found))
    return Finding(
        True, "it passes all tests; its growth was not measured, so its efficiency is not proved"
    )


def _in_words(found: tuple[PruneFinding, ...]) -> str:
    return "\n".join(f"{each.message} ({each.evidence})" for each in found)


def _first_of(found: tuple[PruneFinding, ...]) -> str:
    return f"{found[0].rule}: {found[0].message}"
