"""A suite and a solution that passes it: programs are measured only against both.

1. The solution must pass every case. If it also passes them in a shared process, in both orders,
   the cases of a mutant may share one, which costs a fraction.
2. A mutant runs the light cases first: twice, in both orders, since it may leave state behind, and
   its first failure runs again alone. If its results depend on the order, every case runs alone.
3. Heavy cases run one by one, with mutants that the light ones do not kill.
4. Whole programs, such as planted wrong ones, run each case in processes of their own.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence

from steelyard.errors import ToolchainError, UsageError
from steelyard.judging import (
    CallOutcome,
    Checker,
    RunningOptions,
    Runs,
    in_order,
    judge_of,
    may_share,
    skipped,
    verdict_of,
)
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import (
    CaseResult,
    Entry,
    Execution,
    Limits,
    Task,
    TestCase,
    TestSuite,
    Verdict,
)
from steelyard.strength._matrix import ALIVE, KillMatrix, ProgramVerdicts
from steelyard.strength._mutants import Mutant
from steelyard.toolchains import Artifact, CompileCache, Toolchain

OnRow = Callable[[ProgramVerdicts], None]
"""Called with each row as it comes, in order."""
_LEAST_MS, _TIMES_SLOWER = 60, 10
"""A mutant is killed by time after this CPU time and this multiple of the solution's: far from what
a loaded machine adds."""
_LIGHT_MS = 200.0
"""Time of the cases, all together, that run with every mutant. The others take too long for that:
they run, one by one, with mutants that these do not kill."""
_ROOM_MS, _ROOM_TIMES = 20, 4
"""Time of a shared process beyond one case's limit: for its start, and for all cases together."""
_ROOM_MIB = 256
"""Memory of a mutant beyond the solution's peak: one that takes without end is stopped early."""
_HEAVY = "not run: a case that takes less time kills the mutant"
_FEW = 3
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
        task = Task(id="suite", prompt="", entry=str(entry))
        options = RunningOptions(checker=checker, pool=pool, limits=limits)
        judge = judge_of(task, options, suite=suite, language=toolchain.language)
        result = judge.judge(solution)
        if not result.success:
            raise UsageError(_fault(result.compile.errors, result.cases))
        self.results = result.cases
        """What each case gives for the solution."""
        self.artifact = self.compiled(solution, toolchain, "the solution")
        self._cases = tuple(case.model_copy(update={"timeout": None}) for case in suite.cases)
        self.shares, times = len(suite) > 1 and entry.is_call, _times(result.cases)
        """True if the cases of a mutant may share a process."""
        if self.shares:
            self.shares, times = self._tried_together()
        self._light, self._heavy = _split(times)
        self._limits = tuple(_for_mutants(limits, result.cases, ms) for ms in times)
        self._light_limits = max(
            (self._limits[i] for i in self._light), key=lambda each: each.cpu_ms
        )
        self._extra_ms = _ROOM_MS + _ROOM_TIMES * sum(times[i] for i in self._light)

    def compiled(self, source: bytes, toolchain: Toolchain, name: str) -> Artifact:
        """Return a program, compiled.

        Raises:
            UsageError: if it does not compile, or cannot run here.
        """
        compilation = toolchain.compile(source, self.pool, cache=CompileCache())
        if compilation.artifact is None:
            first = next(iter(compilation.result.errors), "the compiler printed nothing")
            raise UsageError(f"{name} does not compile: {first}; correct this line")
        if not compilation.artifact.runnable:
            raise UsageError(f"{name} was compiled for another system; use another compiler")
        return compilation.artifact

    def mutated(self, source: bytes) -> Artifact:
        """Return the solution with another text, which is known to compile."""
        return dataclasses.replace(self.artifact, files={self.artifact.source: Blob(source)})

    def mutants(
        self,
        mutants: Sequence[Mutant],
        on_row: OnRow | None = None,
        *,
        cases: Sequence[TestCase] | None = None,
    ) -> KillMatrix:
        """Return the kills of the solution's mutants.

        Args:
            mutants: The mutants.
            on_row: Called with each row as it comes.
            cases: Other cases, from `recorded`; None for the suite's.

        Raises:
            ToolchainError: if a program that always fails passes a case: no result could be
                trusted then.
            InfrastructureError: if the machine failed.
        """

        def row_of(mutant: Mutant) -> ProgramVerdicts:
            runs = self._runs(self.mutated(mutant.source), self.toolchain, self._light_limits)
            if cases is not None:
                return ProgramVerdicts.of(mutant.name, self._run_light(runs, cases))
            return ProgramVerdicts.of(mutant.name, self._run_mutant(runs))

        planted = self._runs(self.mutated(_PLANTED + self.solution), self.toolchain)
        for result in self._run_light(
            planted, self._cases[:_FEW] if cases is None else cases[:_FEW]
        ):
            if result.verdict is Verdict.AC:
                raise ToolchainError(
                    f'a program that always fails passes case "{result.name}"; please report it'
                )
        rows = in_order(row_of, mutants, self.pool.size)
        return _matrix(self._cases if cases is None else cases, rows, on_row)

    def recorded(self, calls: Sequence[bytes]) -> tuple[TestCase, ...]:
        """Return a case for each call that the solution answers, which is the expected answer.

        A call is left out if it raises, takes long, or gets another answer in another order.

        Args:
            calls: Calls as the harness reads them, without duplicates.

        Raises:
            InfrastructureError: if the machine failed.
        """
        runs = self._runs(self.artifact, self.toolchain, self._light_limits)
        if not self.shares:
            each = (answered(runs, [call], self._extra_ms) for call in calls)
            return tuple(case for found in each for case, _ in found)
        found = answered(runs, calls, self._extra_ms)
        light, _ = _split([cpu_ms for _, cpu_ms in found])
        cases = [found[position][0] for position in light if found[position][1] <= _LIGHT_MS]
        again = together(runs, cases[::-1], self._extra_ms)[::-1]
        pairs = zip(cases, again, strict=True)
        return tuple(case for case, result in pairs if result.verdict is Verdict.AC)

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

        cases = self.suite.cases
        # Nothing runs after a case that meets a limit, so small ones go first.
        order = sorted(range(len(cases)), key=lambda position: len(cases[position].input))

        def row_of(program: tuple[str, Runs]) -> ProgramVerdicts:
            name, runs = program
            results = alone(runs, [cases[position] for position in order])
            placed = dict(zip(order, results, strict=True))
            return ProgramVerdicts.of(name, [placed[position] for position in range(len(cases))])

        return _matrix(self.suite.cases, in_order(row_of, every, self.pool.size), on_row)

    def _run_mutant(self, runs: Runs) -> list[CaseResult]:
        """Return the results of a mutant: heavy cases run only until one kills it."""
        results = [skipped(case, _HEAVY) for case in self._cases]
        light = self._run_light(runs, [self._cases[position] for position in self._light])
        for position, result in zip(self._light, light, strict=True):
            results[position] = result
        for position in self._heavy:
            if any(each.verdict not in ALIVE for each in results):
                break
            own = self._runs(runs.artifact, self.toolchain, self._limits[position])
            results[position] = alone(own, [self._cases[position]])[0]
        return results

    def _run_light(self, runs: Runs, cases: Sequence[TestCase]) -> list[CaseResult]:
        if self.shares and len(cases) > 1:
            return in_both_orders(runs, cases, self._extra_ms)
        return alone(runs, cases)

    def _runs(self, artifact: Artifact, toolchain: Toolchain, limits: Limits | None = None) -> Runs:
        limits = limits or self.limits
        return Runs(artifact, toolchain, self.entry, self.checker, self.pool, limits)

    def _tried_together(self) -> tuple[bool, list[float]]:
        """Return whether the solution passes in shared processes, and the CPU time of each call.

        It must pass in both orders.
        """
        runs = self._runs(self.artifact, self.toolchain)
        room_ms = sum(_times(self.results))
        forward = together(runs, self._cases, room_ms)
        backward = together(runs, self._cases[::-1], room_ms)[::-1]
        passed = all(case.verdict is Verdict.AC for case in (*forward, *backward))
        return passed, list(map(max, _times(forward), _times(backward)))


def _matrix(
    cases: Sequence[TestCase], rows: Iterable[ProgramVerdicts], on_row: OnRow | None
) -> KillMatrix:
    found = []
    for row in rows:
        found.append(row)
        if on_row is not None:
            on_row(row)
    return KillMatrix(tuple(case.name for case in cases), tuple(found))


def _fault(errors: Sequence[object], cases: Sequence[CaseResult]) -> str:
    if errors:
        return f"the solution does not compile: {errors[0]}; correct this line"
    failed = next(case for case in cases if case.verdict is not Verdict.AC)
    what = f"{failed.verdict} {failed.message}".strip()
    return (
        f'the solution fails case "{failed.name}" ({what}); give a solution that passes the '
        "suite, or fix the case"
    )


def _times(results: Sequence[CaseResult]) -> list[float]:
    return [case.cpu_ms for case in results]


def _split(times: Sequence[float]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of the light cases, at least one, and of the heavy ones by time."""
    order = sorted(range(len(times)), key=times.__getitem__)
    ends = itertools.accumulate(times[position] for position in order)
    count = max(1, sum(end <= _LIGHT_MS for end in ends))
    return tuple(sorted(order[:count])), tuple(order[count:])


def _for_mutants(limits: Limits, results: Sequence[CaseResult], own_ms: float) -> Limits:
    """Return the limits of mutants for a case that takes the solution this time."""
    start_ms = min(_times(results))
    peak_mib = max(case.memory_mib for case in results)
    return limits.replace(
        cpu_ms=min(limits.cpu_ms, max(_LEAST_MS, round(_TIMES_SLOWER * (start_ms + own_ms)))),
        memory_mib=min(limits.memory_mib, round(peak_mib) + _ROOM_MIB),
    )


_COSTLY = (Verdict.TLE, Verdict.MLE, Verdict.OLE)
"""The cases after one that met a limit are not run: an endless loop would cost it in each."""
_UNSURE = (*_COSTLY, Verdict.SK)
"""Verdicts that may differ between two orders without any state."""
_SERIES = 16
_NOT_RUN = "not run: an earlier case met a limit"


def alone(runs: Runs, cases: Sequence[TestCase]) -> list[CaseResult]:
    """Return the results of all cases, each in processes of its own.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    while len(results) < len(cases) and not _met_limit(results):
        # A series ends with a run that does not end well.
        results += runs.run_series(cases[len(results) : len(results) + _SERIES])
    return _filled(results, cases)


def together(runs: Runs, cases: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of all cases, in as few processes as these end.

    Args:
        runs: Runs the program, which is entered by a call.
        cases: The cases.
        extra_ms: Time of a shared process beyond the limit of one case.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    while len(results) < len(cases) and not _met_limit(results):
        chunk = may_share(cases[len(results) :])
        results += _run_chunk(runs, chunk, extra_ms) or alone(runs, chunk[:1])
    return _filled(results, cases)


def in_both_orders(runs: Runs, cases: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of all cases, as if each had run alone; see `together`."""
    forward = together(runs, cases, extra_ms)
    if not _met_limit(forward):
        backward = together(runs, cases[::-1], extra_ms)[::-1]
        pairs = zip(forward, backward, strict=True)
        if any(
            one.verdict is not other.verdict and other.verdict not in _UNSURE
            for one, other in pairs
        ):
            return alone(runs, cases)
    failed = next((i for i, case in enumerate(forward) if case.verdict is not Verdict.AC), 0)
    # Nothing ran before the first case that could have left state.
    if failed and alone(runs, cases[failed : failed + 1])[0].verdict is Verdict.AC:
        return alone(runs, cases)
    return forward


def answered(runs: Runs, calls: Sequence[bytes], extra_ms: float) -> list[tuple[TestCase, float]]:
    """Return a case for each call that the program answers, with its CPU time in ms.

    The answer is the expected outcome.

    Args:
        runs: Runs the program.
        calls: One request each, as the harness reads it.
        extra_ms: As in `together`.

    Raises:
        InfrastructureError: if the machine failed.
    """
    left = [TestCase(name=str(number), input=call) for number, call in enumerate(calls, start=1)]
    cases: list[tuple[TestCase, float]] = []
    while left:
        chunk = may_share(left)
        limits, outcomes, _ = _answers(runs, chunk, extra_ms)
        for case, (cpu_ms, wall_ms, outcome) in zip(chunk, outcomes, strict=False):
            in_time = cpu_ms <= limits.cpu_ms and wall_ms <= limits.wall_ms
            if in_time and outcome.startswith(b'["ok"'):
                cases.append((case.model_copy(update={"expected": outcome}), cpu_ms))
        left = left[max(1, len(outcomes)) :]  # one without an answer ended the process
    return cases


def _met_limit(results: Sequence[CaseResult]) -> bool:
    return any(case.verdict in _COSTLY for case in results)


def _filled(results: list[CaseResult], cases: Sequence[TestCase]) -> list[CaseResult]:
    return [*results, *(skipped(case, _NOT_RUN) for case in cases[len(results) :])]


def _run_chunk(runs: Runs, chunk: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of the first cases of it: those that one process decided."""
    limits, outcomes, execution = _answers(runs, chunk, extra_ms)
    results: list[CaseResult] = []
    cpu_left, wall_left = execution.cpu_ms, execution.wall_ms
    for case, (cpu_ms, wall_ms, outcome) in zip(chunk, outcomes, strict=False):
        results.append(_result(runs, case, limits, cpu_ms, wall_ms, outcome))
        cpu_left, wall_left = cpu_left - cpu_ms, wall_left - wall_ms
    if outcomes and outcomes[-1][2].startswith(b'["failed"'):  # nothing to call, in any case
        last = outcomes[-1]
        results += [_result(runs, case, limits, *last) for case in chunk[len(results) :]]
    if len(results) < len(chunk) and execution.stop.out_of_time:
        case = chunk[len(results)]
        late = cpu_left > limits.cpu_ms or wall_left > limits.wall_ms
        results += [_result(runs, case, limits, cpu_left, wall_left, b"")] if late else []
    return results


def _answers(
    runs: Runs, chunk: Sequence[TestCase], extra_ms: float
) -> tuple[Limits, list[CallOutcome], Execution]:
    """Return the limits of each case, and the whole outcomes of one process; none if it forges."""
    limits, extra = runs.limits_of(chunk[0]), round(extra_ms)
    wider = limits.replace(cpu_ms=limits.cpu_ms + extra, wall_ms=limits.wall_ms + extra)
    execution, outcomes = runs.run_together(chunk, wider, to_the_end=True)
    if len(outcomes) > len(chunk):  # the harness answers once: which of them are its own?
        outcomes = []
    elif execution.stdout[-1:] != b"\n":  # the last was cut short
        outcomes = outcomes[:-1]
    return limits, outcomes, execution


def _result(
    runs: Runs, case: TestCase, limits: Limits, cpu_ms: float, wall_ms: float, outcome: bytes
) -> CaseResult:
    if cpu_ms > limits.cpu_ms or wall_ms > limits.wall_ms:
        verdict, message = Verdict.TLE, f"used more than {limits.cpu_ms:,} ms of CPU time"
        if cpu_ms <= limits.cpu_ms:
            message = f"was not done after {limits.wall_ms:,} ms by the clock"
    else:
        checked = runs.checker.check(case, outcome)
        verdict, message = verdict_of(checked), checked.message
    return CaseResult(
        name=case.name,
        verdict=verdict,
        category=case.category,
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        message=message,
    )
