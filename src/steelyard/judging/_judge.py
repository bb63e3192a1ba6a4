"""Compile once, run every case in the pool, check, aggregate, reward."""

import itertools
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from steelyard.errors import ForkServerError, TestsError
from steelyard.judging._entries import CaseIsolation
from steelyard.judging._isolation import run_separately, run_shared
from steelyard.judging._reward_ladder import Reward, graduated, rewarded
from steelyard.judging._runs import OnCase, Runs, skipped
from steelyard.judging.checkers import ProgramChecker
from steelyard.judging.checkers._outcome import Checker
from steelyard.judging.replies import take_code
from steelyard.logs import logger
from steelyard.sandbox import CellPool, StoppedError, stay_on_cell_cores
from steelyard.schemas import (
    CaseResult,
    CompileResult,
    Diagnostic,
    Entry,
    Event,
    Limits,
    OnEvent,
    Policy,
    TestCase,
    TestSuite,
    Verdict,
    VerifyResult,
)
from steelyard.toolchains import Artifact, Compilation, CompileCache, Toolchain

_log = logger("judging")
_STDIO = Entry()
_EMPTY = CompileResult(
    ok=False, errors=(Diagnostic(severity="error", message="the program is empty"),)
)
_BLANK = b" \t\r\n\f\v\xef\xbb\xbf"
_NOTHING = {"stdio": b"", "function": b'["ok",null]', "class": b'["ok",null]'}
"""What a program that does nothing gives."""
_SHORT, _MOST_NAMED = 64, 3
_SUITES_FOR = {
    "stdio": ("stdio",),
    "function": ("function", "class"),
    "class": ("function", "class"),
    "methods": ("methods",),
    "asserts": ("asserts",),
}


@dataclass(frozen=True)
class Judge:
    """Judges the programs of one task; holds no state, so threads may share it.

    `judge_of` makes it.
    """

    toolchain: Toolchain
    checker: Checker
    suite: TestSuite
    pool: CellPool
    limits: Limits
    """For each case; a case's own `timeout` overrides `cpu_ms`."""
    compile_limits: Limits | None = None
    """None is the language's own."""
    cache: CompileCache | None = None
    """Stores compiled programs; None stores nothing."""
    fail_fast: bool = False
    """Stop at the first case that fails; the rest are skipped."""
    reward: Reward = graduated
    entry: Entry = _STDIO
    isolation: CaseIsolation = "per_case"
    """`per_candidate`: cases of calls share a process until one of them fails."""
    policy: Policy | None = None
    """Restricts a Python program's source, which must also define what the entry names."""
    compile_only: bool = False
    """Judge compiling alone: cases are skipped, and there may be none."""
    form: str = ""
    """The task's form, for the result."""
    form_note: str = ""
    """One line for the result: what the form does not prove."""
    usual_names: bool = False
    """Python scripts may use the names of contest sites, and recurse deep."""

    def judge(
        self,
        source: bytes,
        *,
        workers: int | None = None,
        on_event: OnEvent | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> VerifyResult:
        """Judge one program.

        Args:
            source: The program's text, or a model's reply that holds it (see `code_of_reply`).
            workers: Most cases in flight at once; one for each cell if it is None. While
                others use the pool, the first milliseconds are one worker's.
            on_event: Called with an `Event` for each finished case, from any thread.
            stopped: Called after each case; True skips the rest.

        Raises:
            TestsError: if there is no case, or a case that cannot be checked.
            StoppedError: if `stopped` returned True.
            InfrastructureError: if the machine failed; nothing is scored then.
        """
        workers = min(workers or self.pool.at_once, max(len(self.suite), 1))
        with stay_on_cell_cores():
            return self._judge(source, workers, on_event, stopped)

    def _judge(
        self,
        source: bytes,
        workers: int,
        on_event: OnEvent | None,
        stopped: Callable[[], bool] | None,
    ) -> VerifyResult:
        started = time.monotonic()
        suite = self.suite
        self._check_suite(suite)
        taken = take_code(source, self.toolchain.language, self.entry)
        first: CaseResult | None = None
        if taken.code.strip(_BLANK):
            compilation, first = self._compile_and_run(taken.code, suite.cases)
            compiled, artifact = compilation.result, compilation.artifact
        else:
            compiled, artifact = _EMPTY, None
        runs = artifact is not None and artifact.runnable and not self.compile_only
        if artifact is None:
            why = _why_not(compiled)
            cases = tuple(skipped(case, why, Verdict.CE) for case in suite.cases)
        elif not runs:
            why = (
                "only compiling is judged"
                if artifact.runnable
                else "programs for another system are compiled, and not run"
            )
            cases = tuple(skipped(case, why) for case in suite.cases)
        else:
            on_case = _reporter(len(suite), on_event, stopped)
            if first is None:
                cases = self._run_all(artifact, suite.cases, workers, on_case)
            else:
                cases = (first,)
                if on_case:
                    on_case(first)
        passed = sum(case.verdict is Verdict.AC for case in cases)
        result = VerifyResult(
            success=compiled.ok and bool(cases) and passed == len(cases),
            reward=0.0,
            details=_details(compiled, cases, passed),
            compile=compiled,
            cases=cases,
            compile_only=self.compile_only,
            isolation=self.pool.isolation if runs and cases else None,
            form=self.form,
            notes=tuple(
                filter(None, (taken.note, self.form_note, self.vacuous if compiled.ok else ""))
            ),
            seconds=time.monotonic() - started,
        )
        result = rewarded(result, self.reward)
        _log.debug(
            "judged",
            language=self.toolchain.language,
            compiled=compiled.ok,
            cases=len(cases),
            passed=passed,
            reward=result.reward,
            ms=round(result.seconds * 1000, 1),
        )
        return result

    @cached_property
    def passed_by_nothing(self) -> tuple[str, ...]:
        """Names of the cases that a program passes which does nothing."""
        nothing = _NOTHING.get(self.entry.kind)
        if nothing is None or isinstance(self.checker, ProgramChecker):
            return ()
        return tuple(
            case.name
            for case in self.suite.cases
            if len(case.expected) <= _SHORT and self.checker.check(case, nothing).passed
        )

    @cached_property
    def vacuous(self) -> str:
        """A note on the cases that a program passes which does nothing; empty if none do."""
        passed = self.passed_by_nothing
        if not passed:
            return ""
        some = ", ".join(passed[:_MOST_NAMED]) + (", ..." if len(passed) > _MOST_NAMED else "")
        count = f"{len(passed)} of {len(self.suite)} cases"
        return f"a program that does nothing passes {count}: {some}"

    def _compile_and_run(
        self, code: bytes, cases: Sequence[TestCase]
    ) -> tuple[Compilation, CaseResult | None]:
        """Compile a program; return the result of its only case too if one process could do both.

        A candidate of assertions uses nothing of its standard output, which can so hold what the
        check found.
        """
        policy = self.policy and self.policy.for_entry(self.entry)
        if self.entry.kind == "asserts" and len(cases) == 1 and not self.compile_only:
            artifact = self.toolchain.unchecked(code, self.pool, self.compile_limits)
            if artifact is not None:
                with suppress(ForkServerError):  # compiling it alone tells what is wrong
                    run = self._runs(artifact).run_asserts(cases[0], policy=policy, checks=True)
                    found = self.toolchain.checked(artifact, run.candidate, self.pool)
                    if found is not None and found.artifact is None:
                        return found, None
                    if found is not None:
                        return found, run.result(found.cpu_ms, found.result.wall_ms)
        compilation = self.toolchain.compile(
            code, self.pool, limits=self.compile_limits, cache=self.cache, policy=policy
        )
        return compilation, None

    def _runs(self, artifact: Artifact) -> Runs:
        return Runs(
            artifact,
            self.toolchain,
            self.entry,
            self.checker,
            self.pool,
            self.limits,
            self.usual_names,
        )

    def _check_suite(self, suite: TestSuite) -> None:
        if not suite.cases:
            if self.compile_only or not self.toolchain.runnable:
                return
            raise TestsError(
                "there are no tests, so nothing would be proved; give tests, or set compile_only"
            )
        if suite.entry_kind not in _SUITES_FOR[self.entry.kind]:
            raise TestsError(
                f"the tests are for {suite.entry_kind}, not for {self.entry}; load them for it"
            )
        if self.entry.kind != "asserts":  # assertions need no checker
            for case in suite.cases:
                self.checker.validate(case)

    def _run_all(
        self,
        artifact: Artifact,
        cases: Sequence[TestCase],
        workers: int,
        on_case: OnCase | None,
    ) -> tuple[CaseResult, ...]:
        runs = self._runs(artifact)
        if self.isolation == "per_candidate":
            return run_shared(runs, cases, fail_fast=self.fail_fast, on_case=on_case)
        return run_separately(runs, cases, workers, fail_fast=self.fail_fast, on_case=on_case)


def _reporter(
    total: int, on_event: OnEvent | None, stopped: Callable[[], bool] | None
) -> OnCase | None:
    """Return the function that reports each finished case, if anybody listens."""
    if on_event is None and stopped is None:
        return None
    counter = itertools.count(1)

    def report(case: CaseResult) -> None:
        if stopped is not None and stopped():
            raise StoppedError
        if on_event is not None:
            done = next(counter)
            on_event(
                Event(
                    job="judge",
                    stage=f"{done} of {total} cases",
                    share=done / total,
                    message=f"{case.name} {case.verdict} {case.message}".rstrip(),
                    case=case,
                )
            )

    return report


def _why_not(compiled: CompileResult) -> str:
    """Return the message of each skipped case: a short reason that needs no other text."""
    first = next(iter(compiled.errors), None)
    if first is None:
        return "did not compile"
    if compiled is _EMPTY:
        return first.message
    return str(first) if first.message.startswith("policy: ") else "did not compile"


def _details(compiled: CompileResult, cases: Sequence[CaseResult], passed: int) -> str:
    if not compiled.ok:
        first = str(compiled.errors[0]) if compiled.errors else "the compiler printed nothing"
        return f"did not compile: {first}"
    count = len(compiled.warnings)
    how = f"compiled with {count} warning{'s' * (count != 1)}" if count else "compiled"
    if not cases:
        return f"{how}; no tests"
    failed = next((case for case in cases if case.verdict is not Verdict.AC), None)
    first = f"; first: {failed.name} {failed.verdict} {failed.message}".rstrip() if failed else ""
    return f"{how}; {passed} of {len(cases)} tests passed{first}"
