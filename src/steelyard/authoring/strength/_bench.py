"""A suite and a solution that passes it: programs are measured only against both."""

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from steelyard.authoring.strength._matrix import KillMatrix, Row, each_in_parallel
from steelyard.authoring.strength._mutants import Mutant
from steelyard.authoring.strength._running import alone, in_both_orders, together
from steelyard.errors import ToolchainError, UsageError
from steelyard.judging import Checker, Judge, Runs
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import CaseResult, Entry, Limits, TestCase, TestSuite, Verdict
from steelyard.toolchains import Artifact, CompileCache, Toolchain

__all__ = ["Bench", "OnRow"]

OnRow = Callable[[Row], None]
"""Called with each row as it comes, in order."""

_CALLED = ("function", "class")
_LEAST_MS, _TIMES_SLOWER = 100, 10
"""A mutant is killed by time after this CPU time and this multiple of the solution's slowest case:
far from what a loaded machine adds."""
_ROOM_MS, _ROOM_TIMES = 20, 10
"""Time of a shared process beyond one case's limit: for its start, and for all cases together."""
_ROOM_MIB = 256
"""Memory of a mutant beyond the solution's peak: one that takes without end is stopped early."""
_PLANTED = b"raise RuntimeError('planted')\n"


class Bench:
    """A suite with a solution that passes it, and what runs other programs over the same cases.

    Args:
        solution: The solution's text.
        toolchain: Its toolchain.
        suite: The cases.
        entry: How programs are entered.
        checker: Decides on outputs.
        pool: Where programs run.
        limits: The limits of each case.

    Raises:
        TestsError: if there is no case, or one that cannot be checked.
        UsageError: if the solution does not pass every case.
        ToolchainError: if a program that always fails passes a case.
        InfrastructureError: if the machine failed.
    """

    def __init__(
        self,
        solution: bytes,
        toolchain: Toolchain,
        suite: TestSuite,
        *,
        entry: Entry,
        checker: Checker,
        pool: CellPool,
        limits: Limits,
    ) -> None:
        self.solution, self.toolchain, self.suite = solution, toolchain, suite
        self.entry, self.checker, self.pool, self.limits = entry, checker, pool, limits
        judge = Judge(toolchain, checker, pool, limits, cache=CompileCache(), entry=entry)
        result = judge.judge(solution, suite)
        if not result.success:
            raise UsageError(_fault(result.compile.errors, result.cases))
        self.results = result.cases
        """What each case gives for the solution."""
        self.artifact = self.compiled(solution, toolchain, "the solution")
        self._mutant_limits = _for_mutants(limits, result.cases)
        self._mutant_cases = tuple(_without_limit(case) for case in suite.cases)
        self._extra_ms = 0.0
        self.shares = len(suite) > 1 and entry.kind in _CALLED and self._is_stateless()
        """True if the cases of a mutant may share a process."""

    def compiled(self, source: bytes, toolchain: Toolchain, name: str) -> Artifact:
        """Return a program, compiled.

        Raises:
            UsageError: if it does not compile, or cannot run here.
        """
        compilation = toolchain.compile(source, self.pool, cache=CompileCache())
        if compilation.artifact is None:
            first = next(iter(compilation.result.errors), "the compiler printed nothing")
            raise UsageError(f"{name} does not compile: {first}; fix it")
        if not compilation.artifact.runnable:
            raise UsageError(f"{name} was compiled for another system; use another compiler")
        return compilation.artifact

    def mutated(self, source: bytes) -> Artifact:
        """Return the solution with another text, which is known to compile."""
        return dataclasses.replace(self.artifact, files={self.artifact.source: Blob(source)})

    def mutants(self, mutants: Sequence[Mutant], on_row: OnRow | None = None) -> KillMatrix:
        """Return the kills of the solution's mutants.

        Raises:
            ToolchainError: if a program that always fails passes a case: no result could be
                trusted then.
            InfrastructureError: if the machine failed.
        """
        planted = self._mutant_row("planted", _PLANTED + self.solution)
        passed = [case for case, verdict in zip(self.suite.cases, planted.verdicts, strict=True)
                  if verdict is Verdict.AC]  # fmt: skip
        if passed:
            raise ToolchainError(
                f'a program that always fails passes case "{passed[0].name}"; please report it'
            )

        def row_of(mutant: Mutant) -> Row:
            return self._mutant_row(mutant.name, mutant.source)

        return self._matrix(each_in_parallel(row_of, mutants, self.pool.size), on_row)

    def programs(
        self, programs: Sequence[tuple[str, bytes, Toolchain]], on_row: OnRow | None = None
    ) -> KillMatrix:
        """Return the kills of whole programs; each case runs in processes of its own.

        Raises:
            UsageError: if one does not compile, so that any suite would kill it.
            InfrastructureError: if the machine failed.
        """
        every = [
            (name, self._runs(self.compiled(source, toolchain, name), toolchain))
            for name, source, toolchain in programs
        ]

        def row_of(program: tuple[str, Runs]) -> Row:
            name, runs = program
            return Row.of(name, alone(runs, self.suite.cases))

        return self._matrix(each_in_parallel(row_of, every, self.pool.size), on_row)

    def _mutant_row(self, name: str, source: bytes) -> Row:
        artifact = self.mutated(source)
        runs = self._runs(artifact, self.toolchain, self._mutant_limits)
        if self.shares:
            return Row.of(name, in_both_orders(runs, self._mutant_cases, self._extra_ms))
        return Row.of(name, alone(runs, self._mutant_cases))

    def _runs(self, artifact: Artifact, toolchain: Toolchain, limits: Limits | None = None) -> Runs:
        limits = limits or self.limits
        return Runs(artifact, toolchain, self.entry, self.checker, self.pool, limits)

    def _matrix(self, rows: Iterable[Row], on_row: OnRow | None) -> KillMatrix:
        found = []
        for row in rows:
            found.append(row)
            if on_row is not None:
                on_row(row)
        return KillMatrix(tuple(case.name for case in self.suite.cases), tuple(found))

    def _is_stateless(self) -> bool:
        """Return True if the solution passes all cases in shared processes, in both orders."""
        runs = self._runs(self.artifact, self.toolchain)
        cases = self._mutant_cases
        room_ms = sum(case.cpu_ms for case in self.results)
        every = together(runs, cases, room_ms), together(runs, cases[::-1], room_ms)
        self._extra_ms = _ROOM_MS + _ROOM_TIMES * max(
            sum(case.cpu_ms for case in results) for results in every
        )
        return all(case.verdict is Verdict.AC for results in every for case in results)


def _fault(errors: Sequence[object], cases: Sequence[CaseResult]) -> str:
    if errors:
        return f"the solution does not compile: {errors[0]}; fix it"
    failed = next(case for case in cases if case.verdict is not Verdict.AC)
    what = f"{failed.verdict} {failed.message}".strip()
    return (
        f'the solution fails case "{failed.name}" ({what}); give a solution that passes the '
        "suite, or fix the case"
    )


def _for_mutants(limits: Limits, results: Sequence[CaseResult]) -> Limits:
    slowest_ms = max(case.cpu_ms for case in results)
    peak_mib = max(case.memory_mib for case in results)
    return limits.replace(
        cpu_ms=min(limits.cpu_ms, max(_LEAST_MS, round(_TIMES_SLOWER * slowest_ms))),
        memory_mib=min(limits.memory_mib, round(peak_mib) + _ROOM_MIB),
    )


def _without_limit(case: TestCase) -> TestCase:
    return case if case.timeout is None else case.model_copy(update={"timeout": None})
