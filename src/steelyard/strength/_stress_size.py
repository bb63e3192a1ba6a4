"""Find the size of stress inputs, and propose a time limit, from runs at doubling sizes."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from steelyard.errors import SpecificationError, UsageError
from steelyard.judging import as_entry
from steelyard.profiling import Input, Point, ProfileOptions, Profiler, Subject
from steelyard.sandbox import Blob, CellPool, shared_pool
from steelyard.schemas import Limits, StopReason, StressSize, values
from steelyard.toolchains import find_toolchain, source_bytes

_SHARE, _TIMES = 0.3, 2.0
"""The solution takes less than this share of the limit, the brute force more than these times."""
_LIMITS_MS = (500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0)
"""Limits that are proposed, the preferred one first."""
_SHORT_LIMITS_MS = (200.0, 100.0)
"""Limits that are proposed if the brute force is too fast for the others at every size. A shorter
one would not be far from what starting a process takes."""
_EVERY_LIMIT_MS = (*_LIMITS_MS, *_SHORT_LIMITS_MS)
_LEAST_UNSEPARATED_MS = 200.0
"""The shortest limit where no size separates: nothing speaks for a shorter one."""
_EASILY = 0.1
"""A suite's limit is the shortest of which the solution takes under this share, if there is one:
slow programs that nobody has seen exceed it too, and right ones have time to spare."""
_MARGIN = 1.5
"""The brute force exceeds twice a short limit by this factor: its time was measured just once."""
_DOUBLINGS = 9
"""Sizes below the largest one by more doublings are not run: no time limit is met there."""
_APART_MS, _NEARLY = 50.0, 0.5
"""Kinds of inputs are compared at the first size at which one takes so long. Those that take at
least this share of the longest time are equal: noise cannot choose between kinds that differ."""
_RUNS = 2
_PROFILE_S = 0.4
"""Rough bound on the time of each profile, which names a class."""


class SizedInputs(Protocol):
    """Inputs of growing size, of one or several kinds."""

    def kinds(self, n: int) -> Sequence[str]:
        """Return the kinds of inputs of a size, at least one."""
        ...

    def args(self, n: int, kind: str) -> Sequence[JsonValue]:
        """Return the arguments of a size and a kind, as `solve` gets them.

        If this size has no such input, it is one of another kind.
        """
        ...


def stress_size(
    solution: str | bytes,
    brute_force: str | bytes | None,
    inputs: SizedInputs,
    *,
    most_n: int,
    least_n: int = 1,
    limit_ms: float | None = None,
    entry: str = "class:Solution.solve",
    budget_s: float = 10.0,
    pool: CellPool | None = None,
    seed: int = 0,
) -> StressSize:
    """Return the smallest size at which the solution is fast and the brute force is too slow.

    The solution takes under 30 % of the time limit there, and the brute force over twice the limit.
    Sizes double until that is so.

    Args:
        solution: The solution's text.
        brute_force: The text of a slow solution; None if there is none.
        inputs: Inputs of each size. Of several kinds, the one that takes the slow program longest
            is used.
        most_n: The largest size that the constraints allow.
        least_n: The smallest.
        limit_ms: CPU time for each case; None proposes it from the measurements.
        entry: How the programs are entered.
        budget_s: Bound on the CPU time of the search, in seconds; its last run may exceed it.
        pool: Where they run; None is the pool that the process shares.
        seed: Of hashing and `random` in the programs.

    Raises:
        UsageError: if a program does not compile, or fails.
        InfrastructureError: if the machine failed.
    """
    pool = pool or shared_pool()

    def compiled(source: str | bytes, name: str) -> Subject:
        toolchain = find_toolchain("python", seed=seed)
        return Subject.compiled(toolchain, source_bytes(source), as_entry(entry), pool, name=name)

    fast = compiled(solution, "the solution")
    slow = None if brute_force is None else compiled(brute_force, "the brute force")
    sizes = _doubling(least_n, most_n)
    found = _SizeSearch(inputs, fast, slow, sizes, limit_ms, budget_s).found()

    def grows_as(program: str | bytes) -> str:
        options = ProfileOptions.of(
            max_n=found.n,
            min_n=sizes[0],
            language="python",
            entry=entry,
            budget_s=_PROFILE_S,
            pool=pool,
            seed=seed,
        )
        with suppress(SpecificationError):  # some size between has no inputs
            return str(Profiler(OneKind(inputs, found.kind), options).profile(program).time)
        return "unsure"

    growth = {"solution_growth": grows_as(solution)}
    if brute_force is not None:
        growth["brute_force_growth"] = grows_as(brute_force)
    return found.model_copy(update=growth)


def fit_limit(
    found: StressSize, sizes: Sequence[int], fast_ms: Sequence[float], slow_ms: Sequence[float]
) -> StressSize:
    """Return a size and a limit that suit the cases of a suite too.

    Args:
        found: The size that was found with inputs of its own.
        sizes: The size of each case.
        fast_ms: CPU time of the solution on each case.
        slow_ms: CPU time of the brute force; 0 where it is not known.
    """
    longest = max(fast_ms, default=0.0)
    if found.separates and longest < _SHARE * found.time_limit_ms:
        return _shortened(found, longest)
    slow, at = max(((ms, at) for at, ms in enumerate(slow_ms)), default=(0.0, 0))
    for limit in _EVERY_LIMIT_MS:
        if longest < _SHARE * limit and slow > _TIMES * limit:
            separating = found.model_copy(
                update={
                    "n": sizes[at],
                    "kind": "",
                    "time_limit_ms": limit,
                    "separates": True,
                    "reason": "",
                    "solution_ms": fast_ms[at],
                    "brute_force_ms": slow,
                }
            )
            return _shortened(separating, longest)
    limit = max(found.time_limit_ms, _easy_limit(longest))
    reason = found.reason or (
        f"the solution takes {longest:,.0f} ms on a case of the suite, which asks for a limit that "
        "the brute force does not exceed twice"
    )
    return found.model_copy(update={"time_limit_ms": limit, "separates": False, "reason": reason})


def _shortened(found: StressSize, longest_ms: float) -> StressSize:
    """Return a size that separates with the shortest limit that the solution meets easily.

    What exceeds a limit twice exceeds a shorter one too.
    """
    limit = _easy_limit(max(longest_ms, found.solution_ms), min(_EVERY_LIMIT_MS))
    shorter = limit < found.time_limit_ms
    return found.model_copy(update={"time_limit_ms": limit}) if shorter else found


def _easy_limit(fast_ms: float, least_ms: float = _LEAST_UNSEPARATED_MS) -> float:
    """Return the shortest limit that a solution meets easily, else the longest."""
    limits = sorted(each for each in _EVERY_LIMIT_MS if each >= least_ms)
    return next((each for each in limits if fast_ms < _EASILY * each), limits[-1])


def _doubling(least: int, most: int) -> list[int]:
    """Return the largest size and its halves, ascending."""
    sizes = [most]
    while len(sizes) <= _DOUBLINGS and sizes[-1] // 2 >= max(1, least):
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


_MEMORY_MIB = 1_024
_TOO_MUCH = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT, StopReason.MEMORY_LIMIT)


class OneKind:
    """Inputs of one kind, as the profiler takes them."""

    description = "inputs of growing size"

    def __init__(self, inputs: SizedInputs, kind: str) -> None:
        self._inputs, self._kind = inputs, kind

    def get(self, point: Point, seed: int) -> Input:  # noqa: ARG002 - the same for every seed
        """Return the call of this size."""
        args = list(self._inputs.args(point.n, self._kind))
        return Input(point, Blob(values.encode([args, None, 0]).encode()))


@dataclass
class _SizeSearch:
    """The search for a size and a limit."""

    inputs: SizedInputs
    fast: Subject
    slow: Subject | None
    sizes: Sequence[int]
    limit_ms: float | None
    budget_s: float
    kind: str | None = None
    """The kind of inputs, once it is chosen."""
    spent_ms: float = 0.0
    """The CPU time of all runs."""

    @property
    def limits(self) -> Sequence[float]:
        return _LIMITS_MS if self.limit_ms is None else (self.limit_ms,)

    def found(self) -> StressSize:
        """Return the smallest size that separates; else the largest that the solution solves."""
        if self.slow is None:
            return self._largest(self.fast, "there is no brute force to tell apart")
        separating = self._separating(self.slow)
        if isinstance(separating, StressSize):
            return separating
        return self._largest(self.slow, separating)

    def _separating(self, slow: Subject) -> StressSize | str:
        """Return the size that separates, or the reason why there is none.

        Raises:
            UsageError: if the solution fails, or the brute force does at the smallest size.
        """
        longer = iter(self.limits)
        limit, n, slow_ms = next(longer), self.sizes[0], 0.0
        for n in self.sizes:
            if self.spent_ms > 1_000 * self.budget_s:
                return f"it was not found within {self.budget_s:g} s of CPU time, before n = {n:,}"
            try:
                slow_ms = self._hardest_ms(slow, n, _TIMES * limit)
            except UsageError as error:
                if n == self.sizes[0]:
                    raise
                return str(error)
            while slow_ms > _TIMES * limit:
                if size := self._at(n, limit, slow_ms):
                    return size
                next_limit = next(longer, None)
                if next_limit is None:
                    return f"the solution, too, takes over {_SHARE * limit:,.0f} ms at n = {n:,}"
                limit = next_limit
                slow_ms = self._ms(slow, n, _TIMES * limit)
        for short in _SHORT_LIMITS_MS if self.limit_ms is None else ():
            if slow_ms > _MARGIN * _TIMES * short and (size := self._at(n, short, slow_ms)):
                return size
        return (
            f"the brute force takes {slow_ms:,.0f} ms at n = {n:,}, which is not more than "
            f"{_TIMES:g} times a limit that the solution meets easily"
        )

    def _at(self, n: int, limit: float, slow_ms: float) -> StressSize | None:
        """Return this size if the solution is fast there."""
        fast_ms = self._ms(self.fast, n, limit, _RUNS)
        if fast_ms >= _SHARE * limit:
            return None
        return StressSize(
            n=n,
            kind=self._kind_at(n),
            time_limit_ms=limit,
            separates=True,
            solution_ms=fast_ms,
            brute_force_ms=_TIMES * limit if math.isinf(slow_ms) else slow_ms,
        )

    def _largest(self, hard: Subject, reason: str) -> StressSize:
        """Return the largest size that the solution solves within its share of a limit.

        Args:
            hard: Chooses the kind of inputs.
            reason: The reason why the size separates nothing.

        Raises:
            UsageError: if the solution fails there, or is too slow at every size.
        """
        most_ms = _SHARE * self.limits[-1]
        for n in reversed(self.sizes):
            self._hardest_ms(hard, n, self.limits[0])
            fast_ms = self._ms(self.fast, n, most_ms, _RUNS)
            if fast_ms < most_ms:
                break
        else:
            raise UsageError(
                f"the solution takes over {most_ms:,.0f} ms at n = {n:,}; give a faster one"
            )
        limit = _easy_limit(fast_ms) if self.limit_ms is None else self.limit_ms
        slow_ms = None
        if self.slow is not None:
            with suppress(UsageError):  # the reason says that it fails
                slow_ms = min(_TIMES * limit, self._ms(self.slow, n, _TIMES * limit))
        return StressSize(
            n=n,
            kind=self._kind_at(n),
            time_limit_ms=limit,
            separates=False,
            solution_ms=fast_ms,
            brute_force_ms=slow_ms,
            reason=reason,
        )

    def _hardest_ms(self, program: Subject, n: int, most_ms: float) -> float:
        """Return a program's time on the hardest kind of inputs, and choose this kind."""
        kinds = self.inputs.kinds(n) if self.kind is None else (self.kind,)
        times = {each: self._ms(program, n, most_ms, kind=each) for each in kinds}
        longest = max(times.values())
        if longest >= _APART_MS:
            self.kind = next(each for each, ms in times.items() if ms >= _NEARLY * longest)
        return longest

    def _ms(
        self, program: Subject, n: int, most_ms: float, runs: int = 1, *, kind: str | None = None
    ) -> float:
        """Return the least CPU time of several runs; infinite if it is more than a bound.

        Raises:
            UsageError: if the program fails.
        """
        given = OneKind(self.inputs, self._kind_at(n) if kind is None else kind).get(Point(n), 0)
        limits = Limits(cpu_ms=math.ceil(most_ms), memory_mib=_MEMORY_MIB)
        return min(self._run(program, given, limits) for _ in range(runs))

    def _run(self, program: Subject, given: Input, limits: Limits) -> float:
        execution = program.pool.run(program.command(given, limits))
        self.spent_ms += execution.cpu_ms
        if execution.stop in _TOO_MUCH:
            return math.inf
        if fault := program.fault(execution):
            name = "the solution" if program is self.fast else "the brute force"
            raise UsageError(
                f"{name} fails at n = {given.point.n:,}: it {fault}; "
                "give a program that is right at this size"
            )
        return execution.cpu_ms

    def _kind_at(self, n: int) -> str:
        return self.inputs.kinds(n)[0] if self.kind is None else self.kind
