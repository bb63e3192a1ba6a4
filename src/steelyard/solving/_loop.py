"""Plan, prune, code, judge, profile and analyse until a program is right and efficient."""

from typing import NoReturn

from steelyard.reports import count, visible
from steelyard.runs import FAULTS, Run, ended_by
from steelyard.schemas import (
    CodeMessage,
    PlanMessage,
    PlanReply,
    ProfileReport,
    PruneFinding,
    RunResult,
    SolveStatus,
    StopCause,
    VerdictMessage,
    main_bound,
)
from steelyard.solving._analysis import Attempt, Cost
from steelyard.solving._evaluate_program import NO_TESTS, Assessor
from steelyard.solving._evaluator import Evaluator
from steelyard.solving._evidence import missing_claims
from steelyard.solving._history import RunHead
from steelyard.solving._roles import PLAN_BYTES, Agents, Stopped, first_of, in_words
from steelyard.solving.pruning import Pruner
from steelyard.toolchains import language_table


class Loop:
    """The loop over one problem.

    Args:
        head: The problem and the options.
        run: Asks the models, and keeps the result of each step.
        pruner: The static rules.
        evaluator: Judges and profiles.
    """

    def __init__(self, head: RunHead, run: Run, pruner: Pruner, evaluator: Evaluator) -> None:
        self._problem, self._options = head.problem, head.options
        self._run, self._pruner = run, pruner
        self._agents = agents = Agents(head, run)
        self._planning = _Planning(head, run, pruner, evaluator, agents)
        self._assessor = Assessor(head.problem, evaluator, agents, pruner, run)
        self._best: Attempt | None = None
        self._cost_before: Cost | None = None
        """Cost of the cheapest program with a known cost."""
        self._patched = False
        """Whether the coder was asked to make a program of this plan cheaper."""
        self._turns = 0
        self._programs = 0

    async def run(self) -> RunResult:
        """Run to the end; return a result in any case."""
        try:
            await self._all_turns()
            raise Stopped("failed", "max-iterations", self._after_all())
        except Stopped as end:
            return self._result(end.status, end.stop, end.reason)
        except FAULTS as error:
            return self._result(*ended_by(error), str(error))

    # ------------------------------------------------------------------------------ the turns

    async def _all_turns(self) -> None:
        code: CodeMessage | None = None
        why, plan = "", None
        for turn in range(self._options.max_iter):
            self._run.turn_to(turn)
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
        verdict = self._run.decided("verdict", VerdictMessage, attempt.verdict)
        attempt.verdict = verdict
        if self._best is None or attempt.rank >= self._best.rank:
            self._best = attempt
        self._run.notify("verdict", verdict.reason)
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
        self._run.notify("code")
        reply = await self._agents.code(plan, before, why)
        code = CodeMessage(
            task_id=self._problem.task_id,
            iteration=self._run.iteration,
            language=self._options.language,
            **reply.model_dump(),
        )
        self._programs += 1
        self._run.keep_text(
            f"code{language_table().row(code.language).extensions[0]}", code.code_cpp
        )
        return self._run.keep("code", CodeMessage, code)

    # -------------------------------------------------------------------------------- its end

    def _result(self, status: SolveStatus, stop: StopCause, reason: str) -> RunResult:
        best = self._best
        for problem in self._pruner.problems:
            self._run.note(f"{problem}; the last valid rules were used")
        if best and best.profile:
            self._note_whose_bound(best.plan, best.profile)
        return RunResult(
            task_id=self._problem.task_id,
            iteration=self._run.iteration,
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
            pruned=self._agents.pruned,
            growth="measured" if best and best.profile else "not-measured",
            evidence=tuple(best.evidence) if best else (),
            isolation=self._assessor.isolation,
        )

    def _note_whose_bound(self, plan: PlanMessage, profile: ProfileReport) -> None:
        """Note that growth was measured up to a size that a model chose, not the problem."""
        problem = self._problem
        named = main_bound(plan.input_bounds) is not None
        if problem.input_bounds or not (named or problem.input_generator is None):
            return
        own = ", ".join(f"{name} = {size}" for name, size in plan.input_bounds.items())
        self._run.note(
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
        head: The problem and the options.
        run: Keeps each plan.
        pruner: The static rules.
        evaluator: Runs the plans' generators.
        agents: Talks to the planner.
    """

    def __init__(
        self, head: RunHead, run: Run, pruner: Pruner, evaluator: Evaluator, agents: Agents
    ) -> None:
        self._problem, self._options, self._run = head.problem, head.options, run
        self._evaluator, self._agents, self._pruner = evaluator, agents, pruner
        self.last: PlanMessage | None = None
        """The last plan, even if it was rejected."""

    async def good_plan(self, why: str) -> PlanMessage:
        """Return a plan that passes the static rules, based on the last rejected one if any."""
        for refused in range(self._options.max_plans):
            suffix = f"_{refused + 1}" if refused else ""
            plan = await self._one_plan(f"plan{suffix}", why)
            self.last = plan
            found = self._run.decided(
                f"prune{suffix}", tuple[PruneFinding, ...], self._pruned_by_rules(plan)
            )
            if not found:
                self._agents.has_plan = True
                return plan
            self._agents.pruned, why = found, in_words(found)
            self._run.notify("pruned", first_of(found))
        raise Stopped("static_prune_failed", "pruned", first_of(self._agents.pruned))

    async def _one_plan(self, name: str, why: str) -> PlanMessage:
        self._run.notify("plan")
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

        reply = await self._agents.plan(self.last, why, fault_of)
        return self._run.keep(name, PlanMessage, self._plan_of(reply))

    def _plan_of(self, reply: PlanReply) -> PlanMessage:
        """Return the message of a reply; the problem's bounds override the planner's."""
        stated = self._problem.input_bounds or reply.input_bounds
        return PlanMessage(
            task_id=self._problem.task_id,
            iteration=self._run.iteration,
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
        self._run.notify("generator")
        fault: str = await self._run.done(
            name, str, lambda: self._evaluator.fault_of(text, bounds) or ""
        )
        return f"The input_generator cannot be used: {fault}" if fault else None


def _bytes_of(reply: PlanReply) -> int:
    """Return the size of a plan as JSON, without its generator."""
    return len(reply.model_dump_json(exclude={"input_generator"}, exclude_none=True).encode())
