"""Find out about mutants that no case kills: the work that they do, and inputs that kill them.

A slow mutant gives right outputs and does far more work than the solution (`work_of`). Inputs that
kill others are searched without a model (`search_inputs`).
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.judging import in_order
from steelyard.profiling import CountedRun, CountingUnavailable, Input, Point, Subject
from steelyard.sandbox import Blob
from steelyard.schemas import Limits, TestCase
from steelyard.strength._bench import Bench
from steelyard.strength._mutants import Mutant
from steelyard.toolchains import Artifact, CompileCache

SLOW = 1 / 0.3
"""A program that does so many times the solution's work exceeds the time limit on a stress input,
on which the solution takes 30 % of it."""
_LIMITS = Limits(cpu_ms=20_000, wall_ms=40_000, memory_mib=1_024)
_COUNTED_TIMES, _LEAST_MS = 5, 2_000
"""A counted mutant may take this multiple of the counted solution's time, and at least this."""
_INPUTS = 2


def work_of(bench: Bench, mutants: Sequence[Mutant]) -> Mapping[str, float]:
    """Return each mutant's work divided by the solution's, on the inputs with most work.

    Counts do not depend on how loaded the machine is.

    Returns:
        The largest quotient by the mutant's name; infinite for one that met a limit. A mutant
        without one could not be counted.

    Raises:
        InfrastructureError: if the machine failed.
    """
    stress = _largest(bench)
    runs = _counted(bench, bench.artifact, stress, _LIMITS)
    own = [(case, work) for case, run in zip(stress, runs, strict=False) if (work := _work(run))]
    if not own:
        return {}
    slowest_ms = max(run.execution.cpu_ms for run in runs)
    limit_ms = max(_LEAST_MS, round(_COUNTED_TIMES * slowest_ms))
    limits = _LIMITS.replace(cpu_ms=min(limit_ms, _LIMITS.cpu_ms))

    def quotient(mutant: Mutant) -> float | None:
        artifact, cases = bench.mutated(mutant.source), [case for case, _ in own]
        counted = map(_work, _counted(bench, artifact, cases, limits))
        pairs = zip(counted, own, strict=False)
        return max((work / base for work, (_, base) in pairs if work), default=None)

    found = zip(mutants, in_order(quotient, mutants, bench.pool.size), strict=True)
    return {mutant.name: times for mutant, times in found if times is not None}


def _largest(bench: Bench) -> list[TestCase]:
    """Return the case on which the solution took longest, and those with the largest inputs."""
    times = {case.name: case.cpu_ms for case in bench.results}
    by_time = sorted(bench.suite.cases, key=lambda case: times[case.name], reverse=True)
    by_size = sorted(bench.suite.cases, key=lambda case: len(case.input), reverse=True)
    chosen = {case.name: case for case in (*by_time[:1], *by_size)}
    return list(chosen.values())[:_INPUTS]


def _counted(
    bench: Bench, artifact: Artifact, cases: Sequence[TestCase], limits: Limits
) -> list[CountedRun]:
    """Return one counted run for each case; none if work cannot be counted."""
    subject = Subject(
        bench.toolchain, bench.solution, bench.entry, artifact, bench.pool, CompileCache()
    )
    counter = subject.counter()
    if isinstance(counter, CountingUnavailable):
        return []
    limits = bench.toolchain.run_limits(limits)
    return [counter.run(Input(Point(1), Blob(case.input)), limits) for case in cases]


def _work(run: CountedRun) -> float:
    """Return the work of a run: infinite if it met a time limit, 0 if it is unknown."""
    if run.execution.stop.out_of_time:
        return math.inf
    return float(sum((run.work or {}).values()))


_BATCH = 32


@dataclass(frozen=True)
class KillingInput:
    """Arguments on which mutants fail that survived so far."""

    args: tuple[JsonValue, ...]
    case: TestCase
    """The call, with the solution's outcome as the expected one."""
    kills: tuple[str, ...]
    """The names of these mutants."""


def search_inputs(
    bench: Bench,
    survivors: Sequence[Mutant],
    inputs: Iterable[tuple[JsonValue, ...]],
    call_of: Callable[[tuple[JsonValue, ...]], bytes],
    *,
    most: int,
    on_run: Callable[[int], None] = lambda _: None,
) -> Iterator[KillingInput]:
    """Yield inputs that kill survivors, each of them new kills, until none is left.

    The solution's outcomes are taken as the right ones. Inputs on which the solution fails or takes
    long are left out; they count as tried.

    Args:
        bench: The suite that they survived, with its solution.
        survivors: The mutants.
        inputs: Candidates, in the order in which they are tried; may be endless.
        call_of: Returns the call with these arguments, as the harness reads it.
        most: Largest number of candidates that are tried.
        on_run: Receives the number of candidates on which survivors are about to run.

    Raises:
        InfrastructureError: if the machine failed.
    """
    left = list(survivors)
    candidates = itertools.islice(inputs, most)
    while left and (batch := list(itertools.islice(candidates, _BATCH))):
        calls = [call_of(args) for args in batch]
        cases = bench.recorded(calls)
        if not cases:
            continue
        on_run(len(cases))
        matrix = bench.mutants(left, cases=cases)
        dead: set[str] = set()
        args_of = dict(zip(calls, batch, strict=True))
        for position, case in enumerate(cases):
            kills = tuple(name for name in matrix.kills(position) if name not in dead)
            if kills:
                yield KillingInput(args_of[case.input], case, kills)
            dead.update(kills)
        left = [mutant for mutant in left if mutant.name not in dead]
