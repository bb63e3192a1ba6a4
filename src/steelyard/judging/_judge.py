"""Compile once, run every case in the pool, check, aggregate, reward."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from steelyard.errors import TestsError
from steelyard.judging._cases import EARLIER_FAILED, OnCase, skipped
from steelyard.judging._entries import CaseIsolation, check_entry
from steelyard.judging._outcome import Checker
from steelyard.judging._rewards import Reward, graduated
from steelyard.judging._runs import Runs
from steelyard.judging._shared import run_shared
from steelyard.sandbox import CellPool, settle_beside_cells, stay_beside_cells
from steelyard.schemas import (
    CaseResult,
    CompileResult,
    Entry,
    Limits,
    Policy,
    TestCase,
    TestSuite,
    Verdict,
    VerifyResult,
)
from steelyard.toolchains import Artifact, CompileCache, Toolchain

__all__ = ["Judge", "OnCase"]

_STDIO = Entry()
_SUITES_FOR = {
    "stdio": ("stdio",),
    "function": ("function", "class"),
    "class": ("function", "class"),
    "asserts": ("asserts",),
}


@dataclass(frozen=True)
class Judge:
    """How programs are judged; it holds no tests and no state, so threads may share it."""

    toolchain: Toolchain
    checker: Checker
    pool: CellPool
    limits: Limits
    """For each case; a case's own `timeout` goes before `cpu_ms`."""
    compile_limits: Limits | None = None
    """The language's own where it is None."""
    cache: CompileCache | None = None
    """Where compiled programs are kept; none are where it is None."""
    fail_fast: bool = False
    """Stop at the first case that fails; the rest are skipped."""
    reward: Reward = graduated
    entry: Entry = _STDIO
    isolation: CaseIsolation = "per_case"
    """`per_candidate`: cases of calls share a process for as long as all goes well."""
    policy: Policy | None = None
    """What a program must keep to, besides having what the entry names; for Python."""

    def judge(
        self,
        source: bytes,
        suite: TestSuite,
        *,
        workers: int | None = None,
        on_case: OnCase | None = None,
    ) -> VerifyResult:
        """Judges one program.

        Args:
            source: The program's text.
            suite: The cases; with none, only compiling is judged.
            workers: Cases in flight at once; one for each cell where it is None.
            on_case: Called with each case's result as it comes.

        Raises:
            TestsError: where a case cannot be checked against.
            InfrastructureError: where the machine failed; nothing is scored then.
        """
        check_entry(self.entry, self.toolchain, self.checker, self.isolation)
        if suite.cases and suite.entry_kind not in _SUITES_FOR[self.entry.kind]:
            raise TestsError(
                f"the tests are for {suite.entry_kind}, not for {self.entry}; load them for it"
            )
        if self.entry.kind != "asserts":  # which decide by themselves
            for case in suite.cases:
                self.checker.validate(case)
        compilation = self.toolchain.compile(
            source,
            self.pool,
            limits=self.compile_limits,
            cache=self.cache,
            policy=self.policy and self.policy.for_entry(self.entry),
        )
        artifact = compilation.artifact
        if artifact is None:
            why = _why_not(compilation.result)
            cases = tuple(_not_compiled(case, why) for case in suite.cases)
        elif not artifact.runnable:
            why = "programs for another system are compiled, and not run"
            cases = tuple(skipped(case, why) for case in suite.cases)
        else:
            cases = self._run_all(artifact, suite.cases, workers or self.pool.size, on_case)
        return self._result(compilation.result, cases, ran=bool(artifact and artifact.runnable))

    def _run_all(
        self,
        artifact: Artifact,
        cases: Sequence[TestCase],
        workers: int,
        on_case: OnCase | None,
    ) -> tuple[CaseResult, ...]:
        runs = Runs(artifact, self.toolchain, self.entry, self.checker, self.pool, self.limits)
        if self.isolation == "per_candidate":
            return run_shared(runs, cases, fail_fast=self.fail_fast, on_case=on_case)
        results: list[CaseResult] = []
        failed = threading.Event()

        def run(case: TestCase) -> CaseResult:
            if failed.is_set():
                return skipped(case, EARLIER_FAILED)
            result = runs.run(case)
            if self.fail_fast and result.verdict is not Verdict.AC:
                failed.set()
            if on_case:
                on_case(result)
            return result

        with _workers(min(workers, len(cases))) as each:
            for result in each(run, cases):
                results.append(result)
                if self.fail_fast and result.verdict is not Verdict.AC:
                    break
        # Cases that were already in flight behind a failure count as not run, so that the
        # answer does not depend on how many there were.
        results += [skipped(case, EARLIER_FAILED) for case in cases[len(results) :]]
        return tuple(results)

    def _result(
        self, compiled: CompileResult, cases: tuple[CaseResult, ...], *, ran: bool
    ) -> VerifyResult:
        passed = sum(case.verdict is Verdict.AC for case in cases)
        result = VerifyResult(
            success=compiled.ok and bool(cases) and passed == len(cases),
            reward=0.0,
            details=_details(compiled, cases, passed),
            compile=compiled,
            cases=cases,
            isolation=self.pool.isolation if ran and cases else None,
        )
        return result.model_copy(update={"reward": self.reward(result)})


def _not_compiled(case: TestCase, why: str) -> CaseResult:
    return CaseResult(name=case.name, verdict=Verdict.CE, category=case.category, message=why)


def _why_not(compiled: CompileResult) -> str:
    """What each case says: the policy's objection, for which nobody should have to look further."""
    first = next(iter(compiled.errors), None)
    return str(first) if first and first.message.startswith("policy: ") else "did not compile"


def _details(compiled: CompileResult, cases: Sequence[CaseResult], passed: int) -> str:
    if not compiled.ok:
        first = str(compiled.errors[0]) if compiled.errors else "the compiler said nothing"
        return f"did not compile: {first}"
    count = len(compiled.warnings)
    how = f"compiled with {count} warning{'s' * (count != 1)}" if count else "compiled"
    if not cases:
        return f"{how}; no tests"
    failed = next((case for case in cases if case.verdict is not Verdict.AC), None)
    first = f"; first: {failed.name} {failed.verdict} {failed.message}".rstrip() if failed else ""
    return f"{how}; {passed} of {len(cases)} tests passed{first}"


_Each = Callable[[Callable[[TestCase], CaseResult], Sequence[TestCase]], Iterator[CaseResult]]


@contextmanager
def _workers(count: int) -> Iterator[_Each]:
    """An ordered map over this many threads; what is not begun when it is left is dropped."""
    if count <= 1:
        with stay_beside_cells():
            yield map
        return
    executor = ThreadPoolExecutor(count, "steelyard-case", initializer=settle_beside_cells)
    try:
        yield executor.map
    except BaseException as error:
        executor.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    executor.shutdown(cancel_futures=True)
