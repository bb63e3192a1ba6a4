"""Find the size of stress inputs, and propose a time limit, from measured growth."""

import itertools
import math
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.judging import as_entry
from steelyard.profiling import Input, Point, ProfileOptions, Profiler, Subject
from steelyard.sandbox import Blob, CellPool, shared_pool
from steelyard.schemas import Limits, StopReason, StressSize, values
from steelyard.toolchains import find_toolchain, source_bytes

__all__ = ["stress_size"]

_SHARE, _TIMES = 0.3, 2.0
"""The solution takes less than this share of the limit, the brute force more than these times."""
_LIMITS_MS = (500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0)
"""Limits that are proposed. A shorter one would not be far from what starting a process takes."""
_FAR_BEYOND = 2.5
"""Profiled runs are ended at this multiple of a given limit: further times would not be used."""
_DOUBLINGS = 9
"""Sizes below the largest one by more doublings are not profiled: no time limit is met there."""
_RUNS = 2
_MOST_CONFIRMED = 4
_OUT_OF_TIME = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)


def stress_size(
    solution: str | bytes,
    brute_force: str | bytes | None,
    args_of: Callable[[int], Sequence[JsonValue]],
    *,
    most_n: int,
    least_n: int = 1,
    limit_ms: float | None = None,
    entry: str = "class:Solution.solve",
    budget_s: float = 4.0,
    pool: CellPool | None = None,
    seed: int = 0,
) -> StressSize:
    """Return the smallest size at which the solution is fast and the brute force is too slow.

    The solution takes under 30 % of the time limit there, and the brute force over twice the limit.
    Profiles predict the size, and runs at that size confirm it.

    Args:
        solution: The solution's text.
        brute_force: The text of a slow solution; None if there is none.
        args_of: Returns the arguments of a call of size n, as `solve` gets them.
        most_n: The largest size that the constraints allow.
        least_n: The smallest.
        limit_ms: CPU time for each case; None proposes it from the measurements.
        entry: How the programs are entered.
        budget_s: Rough bound on the time of each profile, in seconds.
        pool: Where they run; None is the pool that the process shares.
        seed: Of hashing and `random` in the programs.

    Raises:
        UsageError: if a program does not compile, or fails at every size.
        InfrastructureError: if the machine failed.
    """
    least_n = max(least_n, most_n >> _DOUBLINGS)
    options = ProfileOptions.of(
        max_n=most_n, min_n=least_n, language="python", entry=entry, budget_s=budget_s,
        run_limit_ms=None if limit_ms is None else _FAR_BEYOND * limit_ms,
        pool=pool or shared_pool(), seed=seed,
    )  # fmt: skip
    inputs, limits = _Sizes(args_of), _LIMITS_MS if limit_ms is None else (limit_ms,)
    sizes = _ladder(least_n, most_n)
    fast = _Growth(solution, "the solution", inputs, options)
    if brute_force is None:
        return _without_brute_force(fast, limits, sizes)
    slow = _Growth(brute_force, "the brute force", inputs, options)
    growths = {"solution_growth": fast.complexity, "brute_force_growth": slow.complexity}
    predicted = (
        (limit, n)
        for limit in limits
        for n in sizes
        if fast.ms(n) < _SHARE * limit and slow.ms(n) > _TIMES * limit
    )
    for limit, n in itertools.islice(predicted, _MOST_CONFIRMED):
        fast_ms, slow_ms = fast.run(n, limit), slow.run(n, _TIMES * limit)
        if fast_ms < _SHARE * limit and slow_ms > _TIMES * limit:
            return StressSize(
                n=n, time_limit_ms=limit, separates=True, solution_ms=fast_ms,
                brute_force_ms=slow.ms(n), **growths,
            )  # fmt: skip
    found = _without_brute_force(fast, limits, sizes)
    reason = (
        f"at n = {found.n:,} the brute force takes {slow.ms(found.n):,.0f} ms, which is not more "
        f"than {_TIMES:g} times the limit of {found.time_limit_ms:,.0f} ms"
    )
    if slow.ms(found.n) > _TIMES * found.time_limit_ms:
        reason = f"runs at n = {found.n:,} did not confirm the predicted times"
    return found.model_copy(
        update={"reason": reason, "brute_force_ms": slow.ms(found.n), **growths}
    )


def _without_brute_force(
    fast: "_Growth", limits: Sequence[float], sizes: Sequence[int]
) -> StressSize:
    """Return the largest size that the solution solves within its share of a limit.

    Raises:
        UsageError: if the solution fails at this size.
    """
    for limit in limits:
        n = max((n for n in sizes if fast.ms(n) < _SHARE * limit), default=sizes[0])
        if n == sizes[-1]:
            break
    return StressSize(
        n=n, time_limit_ms=limit, separates=False, solution_ms=fast.confirmed(n, limit),
        solution_growth=fast.complexity,
    )  # fmt: skip


def _ladder(least: int, most: int) -> tuple[int, ...]:
    """Return the powers of two between two sizes, and the two."""
    powers = (1 << k for k in range(least.bit_length(), most.bit_length()))
    return tuple(sorted({least, *(n for n in powers if least < n < most), most}))


class _Sizes:
    """Calls of growing size, as the profiler takes them."""

    description = "inputs of growing size"

    def __init__(self, args_of: Callable[[int], Sequence[JsonValue]]) -> None:
        self._args_of = args_of

    def get(self, point: Point, seed: int) -> Input:  # noqa: ARG002 - the same for every seed
        """Return the call of this size."""
        return Input(point, Blob(values.encode([list(self._args_of(point.n)), None, 0]).encode()))


class _Growth:
    """The CPU time of one program by size: measured, and predicted between and beyond."""

    def __init__(
        self, program: str | bytes, name: str, inputs: _Sizes, options: ProfileOptions
    ) -> None:
        self._name, self._inputs, self._fault = name, inputs, ""
        report = Profiler(inputs, options).profile(program)
        self.complexity = str(report.time)
        times = {each.n: each.cpu_ms for each in report.measurements if each.cpu_ms}
        predicted = report.prediction
        if predicted.cpu_ms is not None:
            times.setdefault(predicted.n, predicted.cpu_ms.mid)
        if not times:
            why = report.notes[0] if report.notes else "it was too fast"
            raise UsageError(f"{name} was not timed at any size: {why}; fix it")
        self._points = sorted(times.items())
        self._subject = Subject.compiled(
            find_toolchain("python", seed=options.seed), source_bytes(program),
            as_entry(options.entry), options.cells, name=name,
        )  # fmt: skip

    def ms(self, n: int) -> float:
        """Return the time at a size, along a straight line between logarithms."""
        above = next((i for i, (size, _) in enumerate(self._points) if size >= n), None)
        if above is None:
            above = len(self._points) - 1
        (low, low_ms), (high, high_ms) = self._points[max(0, above - 1)], self._points[above]
        if low == high:
            return high_ms
        slope = math.log(high_ms / low_ms) / math.log(high / low)
        return float(high_ms * (n / high) ** slope)

    def confirmed(self, n: int, most_ms: float) -> float:
        """Return the measured time at a size.

        Raises:
            UsageError: if the program fails there.
        """
        measured_ms = self.run(n, most_ms)
        if math.isnan(measured_ms):
            raise UsageError(f"{self._name} fails at n = {n:,}: it {self._fault}; fix it")
        return min(measured_ms, most_ms)

    def run(self, n: int, most_ms: float) -> float:
        """Return the least CPU time of a few runs; infinite beyond the limit, NaN if it fails."""
        given = self._inputs.get(Point(n), 0)
        limits = Limits(cpu_ms=math.ceil(most_ms), memory_mib=1_024)
        times = []
        for _ in range(_RUNS):
            execution = self._subject.pool.run(self._subject.command(given, limits))
            if execution.stop in _OUT_OF_TIME:
                times.append(math.inf)
            elif fault := self._subject.fault(execution):
                self._fault = fault
                return math.nan
            else:
                times.append(execution.cpu_ms)
        return min(times)
