"""Judge, profile and analyse a program of a run."""

from typing import Literal

from steelyard.errors import GeneratorError, ReplyError
from steelyard.runs import Run
from steelyard.schemas import (
    CodeMessage,
    Evidence,
    GeneratorReply,
    Isolation,
    PlanMessage,
    ProblemInput,
    ProfileReport,
    PruneFinding,
    VerdictMessage,
    VerifyResult,
)
from steelyard.solving._analysis import (
    Attempt,
    Cost,
    Finding,
    cost_of,
    finding_of,
    finding_of_tests,
    gain_of,
)
from steelyard.solving._evaluator import Evaluator
from steelyard.solving._evidence import Examiner, missing_claims
from steelyard.solving._roles import Agents, first_of, in_words
from steelyard.solving.pruning import Pruner

NO_TESTS = "the problem has no unit tests: nothing shows that the program is correct"
_Basis = Literal["tests", "figures", "model"]


class Assessor:
    """Finds whether a program is right and efficient.

    Args:
        problem: What is solved.
        evaluator: Judges and profiles.
        agents: Talks to the analyst.
        pruner: The static rules.
        run: Keeps decisions and reports stages.
    """

    def __init__(
        self,
        problem: ProblemInput,
        evaluator: Evaluator,
        agents: Agents,
        pruner: Pruner,
        run: Run,
    ) -> None:
        self._problem, self._evaluator, self._agents = problem, evaluator, agents
        self._pruner, self._run = pruner, run
        self._examiner = Examiner(problem, evaluator.trials, agents, run)
        self._revealed: set[int] = set()
        self._other: str | None = None
        """The generator that was asked for in place of that of a plan."""
        self._asked_for: PlanMessage | None = None
        self._unknown = ""
        """Why growth was not measured."""
        self.isolation: Isolation | None = None
        """Isolation of the last program that was judged."""

    async def attempt(
        self, plan: PlanMessage, code: CodeMessage, *, cost_before: Cost | None, patched: bool
    ) -> Attempt:
        """Judge, profile and analyse a program.

        Args:
            plan: The plan that the program follows.
            code: The program.
            cost_before: Cost of the cheapest earlier program with a known cost.
            patched: Whether the coder was asked to make a program of this plan cheaper.
        """
        self._run.notify("judge", f"{len(self._problem.unit_tests)} tests")
        judged: VerifyResult = await self._run.done(
            "tests", VerifyResult, lambda: self._evaluator.judge(code)
        )
        self.isolation = judged.isolation
        passed = sum(case.verdict == "AC" for case in judged.cases)
        wrong = finding_of_tests(judged)
        right = wrong is None and bool(judged.cases)
        attempt = Attempt(code, plan, passed, right, compiles=judged.compile.ok)
        found = self._run.decided(
            "prune_code",
            tuple[PruneFinding, ...],
            self._pruner.check_code(
                code.code_cpp, code.language, plan.input_bounds, plan.constraints
            ),
        )
        finding: Finding
        basis: _Basis
        if wrong is not None:
            finding, basis = wrong, "tests"
            failed = (index for index, case in enumerate(judged.cases) if case.verdict != "AC")
            self._revealed.update(list(failed)[:1])
        else:
            finding, basis = await self._of_cost(attempt, found, patched=patched)
        attempt.is_of_cost = finding.is_of_cost
        missing = self._missing(attempt) if finding.efficient else ()
        attempt.verdict = VerdictMessage(
            task_id=code.task_id,
            iteration=code.iteration,
            efficient=None if missing else bool(finding.efficient),
            target_agent=finding.target,
            patch=finding.patch,
            perf_gain=gain_of(attempt.cost, cost_before),
            basis=basis,
            reason="; ".join(dict.fromkeys((finding.reason, *missing))),
        )
        return attempt

    def _missing(self, attempt: Attempt) -> tuple[str, ...]:
        """Return what is missing for a program that nothing speaks against."""
        if not self._problem.unit_tests:
            return (NO_TESTS,)
        return tuple(missing_claims(tuple(attempt.evidence)).values())

    async def _of_cost(
        self, attempt: Attempt, found: tuple[PruneFinding, ...], *, patched: bool
    ) -> tuple[Finding, _Basis]:
        """Return the finding on a right program's cost, and what it rests on."""
        plan = attempt.plan
        generator = await self._profile(attempt)
        if generator is None or attempt.profile is None:
            attempt.evidence += self._examiner.of_tests(self._revealed)
            attempt.evidence.append(
                Evidence(name="growth", claim="efficient", outcome="missing", detail=self._unknown)
            )
            return _unmeasured(found, tested=bool(self._problem.unit_tests)), "tests"
        attempt.cost = cost_of(attempt.profile, plan.constraints)
        finding = finding_of(attempt.profile, plan, plan.constraints, patched=patched)
        basis: _Basis = "figures"
        if finding.efficient is None:
            finding, basis = await self._analysed(attempt, finding), "model"
        if finding.efficient:
            finding = await self._examiner.examined(attempt, generator, finding, self._revealed)
        return finding, basis

    async def _profile(self, attempt: Attempt) -> str | None:
        """Profile a program, with another generator if the first cannot be used.

        Returns:
            The generator; None if no input was available.
        """
        own = self._problem.input_generator or attempt.plan.input_generator
        if own is not None and await self._has_profile(attempt, own, "profile"):
            return own
        if own is None:
            self._unknown = "there is no input generator"
        if self._problem.input_generator is None:
            if attempt.plan != self._asked_for:
                self._other, self._asked_for = (
                    await self._other_generator(attempt.plan),
                    attempt.plan,
                )
            other = self._other
            if other is not None and await self._has_profile(attempt, other, "profile_again"):
                return other
        self._run.note(f"growth was not measured: {self._unknown}")
        return None

    async def _has_profile(self, attempt: Attempt, generator: str, name: str) -> bool:
        code, bounds = attempt.code, dict(attempt.plan.input_bounds)
        self._run.notify("profile")
        report: ProfileReport = await self._run.done(
            name, ProfileReport, lambda: self._profiled(code, generator, bounds)
        )
        if report.measured:
            attempt.profile = report
        else:
            self._unknown = "; ".join(report.notes) or "no input was available"
        return report.measured

    async def _other_generator(self, plan: PlanMessage) -> str | None:
        """Ask for a generator in place of the plan's."""
        fault, bounds, checks = self._unknown, dict(plan.input_bounds), 0

        async def fault_of(reply: GeneratorReply) -> str | None:
            nonlocal checks
            text = reply.input_generator
            checks += 1
            if text is None:
                return "There is no input_generator: it is needed."
            found: str = await self._run.done(
                f"generator_{checks}", str, lambda: self._evaluator.fault_of(text, bounds) or ""
            )
            return f"The input_generator cannot be used: {found}" if found else None

        self._run.notify("generator")
        reply = await self._agents.generator(fault, fault_of)
        return None if isinstance(reply, str) else reply.input_generator

    def _profiled(self, code: CodeMessage, generator: str, bounds: dict[str, int]) -> ProfileReport:
        try:
            return self._evaluator.profile(code, generator, bounds)
        except GeneratorError as error:
            return ProfileReport(
                task_id=code.task_id, iteration=code.iteration, notes=(str(error),)
            )

    async def _analysed(self, attempt: Attempt, doubt: Finding) -> Finding:
        """Return the analyst's finding on undecided figures."""
        assert attempt.profile is not None
        self._run.notify("analyse", doubt.reason)
        try:
            reply = await self._agents.analyse(attempt.plan, attempt.code, attempt.profile)
        except ReplyError as error:
            self._agents.crashed(error)
            reason = f"{doubt.reason}, and the analyst gave no valid answer"
            return Finding(
                False, reason, "CODER", "Reduce its cost until it clearly meets its limits."
            )
        answer = "efficient" if reply.efficient else "not efficient"
        reason = f"{doubt.reason}; the analyst's verdict: {answer}"
        return Finding(reply.efficient, reason, reply.target_agent, reply.patch)


def _unmeasured(found: tuple[PruneFinding, ...], *, tested: bool) -> Finding:
    """Return the finding of the static rules, for a program that was not measured."""
    if found:
        return Finding(False, first_of(found), "CODER", in_words(found))
    known = (
        "it passes all tests; its growth was not measured, so its efficiency is not proved"
        if tested
        else "it compiles; there are no tests and its growth was not measured, so nothing else is "
        "proved"
    )
    return Finding(True, known)
