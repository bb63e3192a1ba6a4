"""Time a program: CPU time of runs in cells, in rounds over growing inputs."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from steelyard.errors import GeneratorError, ToolchainError
from steelyard.profiling._records import Input, InputSource, Point
from steelyard.profiling._subject import MOST_FAILURES, FaultOf, fault_of
from steelyard.sandbox import CellPool, Command, stay_on_cell_cores
from steelyard.schemas import Limits, StopReason

_CAP_MS = 1_000.0
_BUDGET_MS = 10_000.0
_SHORT_MS, _SHORT_REPETITIONS, _REPETITIONS = 50.0, 5, 3
_ENOUGH_SIZES = 6
"""From this time on, a run expected to exceed the cap by far is left out."""
_FAR_BEYOND = 3.0
_OWN_MS = 2.0
"""Cost of a run in addition to the program's own time."""
_MOST_WAITING = 3.0
"""Wall time over CPU time that the budget allows for: on a loaded machine runs wait."""

CommandFor = Callable[[Input, Limits], Command]
"""Makes the command of one run under the given limits, adjusted for the language."""

Ended = Literal["largest", "cap", "waits", "budget", "failure", "limit", "inputs", "none"]
"""Why no larger size was timed: the largest was timed; a run took longer than the cap; a run
waited for much longer than the cap; the budget is spent; the program failed; it met a limit; no
larger input is available; it fails from the start."""


@dataclass(frozen=True)
class TimedSize:
    """Time and memory of the runs on one input."""

    point: Point
    input_bytes: int
    cpu_ms: float
    """The least of the repetitions, user and system."""
    cpu_ms_max: float
    wall_ms: float
    """The least of the repetitions."""
    memory_mib: float
    """Peak resident set of the largest process, the most of the repetitions."""
    charged_mib: float
    """Peak memory as a limit counts it, the most of the repetitions."""
    repetitions: int
    stop: StopReason
    """How the first failed run ended, else `exited`."""
    exit_code: int | None
    fault: str = ""
    """The fault of a run, in words; empty if all succeeded."""

    @property
    def ok(self) -> bool:
        """Tell whether every run ended well, so that the time is that of the whole work."""
        return not self.fault


@dataclass(frozen=True)
class Timing:
    """The timed sizes."""

    sizes: tuple[TimedSize, ...]
    """Ascending (on a grid by n * m), including failed ones."""
    ended: Ended
    notes: tuple[str, ...] = ()
    """Notes for the report, one line each."""

    @property
    def usable(self) -> tuple[TimedSize, ...]:
        """The sizes whose times are those of whole runs."""
        return tuple(size for size in self.sizes if size.ok)

    @property
    def cut_short(self) -> bool:
        """Tell whether the clock, and not the program, ended the sizes."""
        return self.ended in ("budget", "waits")

    @property
    def base_cpu_ms(self) -> float:
        """CPU time of the smallest run: the start of the process."""
        return self.usable[0].cpu_ms if self.usable else 0.0

    @property
    def base_memory_mib(self) -> float:
        """The resident set of the smallest run."""
        return self.usable[0].memory_mib if self.usable else 0.0


Progress = Callable[[TimedSize], None]
"""Called after each run with the figures of its size so far."""


def time_once(
    given: Input,
    command_for: CommandFor,
    pool: CellPool,
    limits: Limits,
    *,
    fault_of: FaultOf = fault_of,
) -> TimedSize:
    """Run once on one input. Failures of the program are recorded, never raised.

    Args:
        given: The input.
        command_for: Makes the command.
        pool: Where it runs, pinned to a core.
        limits: What the run may use.
        fault_of: Returns the fault of a run; empty if none.

    Raises:
        InfrastructureError: if the machine failed.
    """
    command = dataclasses.replace(command_for(given, limits), fixed_addresses=True)
    execution = pool.run(command)
    if execution.stop is StopReason.NOT_STARTED:  # no fault of a program that was compiled
        raise ToolchainError(f"{execution.message}; see `steelyard doctor`")
    return TimedSize(
        point=given.point,
        input_bytes=given.content.size,
        cpu_ms=execution.cpu_ms,
        cpu_ms_max=execution.cpu_ms,
        wall_ms=execution.wall_ms,
        memory_mib=execution.max_rss_mib,
        charged_mib=execution.memory_mib,
        repetitions=1,
        stop=execution.stop,
        exit_code=execution.exit_code,
        fault=fault_of(execution),
    )


def measure_times(
    points: Sequence[Point],
    source: InputSource,
    command_for: CommandFor,
    pool: CellPool,
    limits: Limits,
    *,
    seed: int = 1,
    at_least: Point | None = None,
    cap_ms: float = _CAP_MS,
    budget_ms: float = _BUDGET_MS,
    fault_of: FaultOf = fault_of,
    progress: Progress = lambda _: None,
) -> Timing:
    """Time a program from its smallest input up, then again in rounds over all sizes.

    Sizes grow until a run takes longer than the cap, the largest is reached, the budget is spent,
    or the program fails. Rounds over all sizes follow, so that drift of the machine
    affects all sizes alike: 3 runs of each size, or 5 of one under 50 ms. The same
    failures on the smallest inputs do not end it before the third.

    Args:
        points: The sizes.
        source: Gives the inputs.
        command_for: Makes the command of one run.
        pool: Where they run, pinned to a core.
        limits: What each run may use.
        seed: Of the inputs.
        at_least: Sizes up to this one run once, whatever the budget.
        cap_ms: CPU time of a run after which no larger input is tried.
        budget_ms: CPU time of all runs together.
        fault_of: As for `time_once`.
        progress: Called after each run.

    Raises:
        GeneratorError: if not even the smallest input is available.
        InfrastructureError: if the machine failed.
    """
    rounds = _Rounds(source, command_for, pool, limits, seed, budget_ms, fault_of, progress)
    least = _extent(at_least) if at_least else (0, Point(0))
    with stay_on_cell_cores():
        ended, notes = rounds.grow(sorted(points, key=_extent), cap_ms, least)
        rounds.repeat()
    sizes = tuple(rounds.sizes)
    notes += [f"at {size.point} the program {size.fault}" for size in sizes if size.fault]
    if sizes and not any(size.ok for size in sizes):
        ended = "none"
        failed = f"the program {sizes[0].fault} on its smallest input ({sizes[0].point})"
        notes = [f"{failed}; check that the program accepts this input"]
    return Timing(sizes, ended, tuple(notes))


class _Rounds:
    """Runs over growing sizes, and their results."""

    def __init__(
        self,
        source: InputSource,
        command_for: CommandFor,
        pool: CellPool,
        limits: Limits,
        seed: int,
        budget_ms: float,
        fault_of: FaultOf,
        progress: Progress,
    ) -> None:
        self._source = source
        self._command_for = command_for
        self._pool = pool
        self._limits = limits
        self._seed = seed
        self._left_ms = budget_ms
        self._fault_of = fault_of
        self._progress = progress
        self.sizes: list[TimedSize] = []

    def grow(
        self, points: Sequence[Point], cap_ms: float, least: tuple[int, Point]
    ) -> tuple[Ended, list[str]]:
        """Run each size once, from the smallest up; return why it ended, and notes."""
        good: list[TimedSize] = []
        for point in points:
            expected = _expected_ms(good)
            if len(good) >= _ENOUGH_SIZES and expected > _FAR_BEYOND * cap_ms:
                return "cap", []
            spent = self._left_ms <= 0
            spent |= len(good) >= _ENOUGH_SIZES and expected > self._left_ms
            if spent and _extent(point) > least:
                return "budget", []
            try:
                given = self._source.get(point, self._seed)
            except GeneratorError as error:
                if not self.sizes:
                    raise
                return "inputs", [str(error)]
            size = self._run(given)
            self.sizes.append(size)
            self._progress(size)
            if size.stop is not StopReason.EXITED and size.stop is not StopReason.SIGNALED:
                return "limit", []
            if size.fault and (good or len(self.sizes) >= MOST_FAILURES):
                return "failure", []
            if not size.fault:
                good.append(size)
            if size.cpu_ms > cap_ms:
                return "cap", []
            if size.wall_ms > _MOST_WAITING * cap_ms and _extent(point) >= least:
                return "waits", []
        return "largest", []

    def repeat(self) -> None:
        """Run the rounds; a size that exceeds the rest of the budget is skipped."""
        for done in range(1, _SHORT_REPETITIONS):
            for index, size in enumerate(self.sizes):
                wanted = _SHORT_REPETITIONS if size.cpu_ms < _SHORT_MS else _REPETITIONS
                if not size.ok or size.repetitions != done or done >= wanted:
                    continue
                if size.cpu_ms > self._left_ms:
                    continue
                again = self._run(self._source.get(size.point, self._seed))
                self.sizes[index] = _joined(size, again)
                self._progress(self.sizes[index])

    def _run(self, given: Input) -> TimedSize:
        size = time_once(
            given, self._command_for, self._pool, self._limits, fault_of=self._fault_of
        )
        self._left_ms -= max(size.cpu_ms, size.wall_ms / _MOST_WAITING) + _OWN_MS
        return size


def _joined(one: TimedSize, other: TimedSize) -> TimedSize:
    """Merge two sets of runs; the times are those of the successful runs."""
    base = other if other.fault and not one.fault else one
    times = (one.cpu_ms_max, other.cpu_ms_max)
    return dataclasses.replace(
        base,
        cpu_ms=one.cpu_ms if base is other else min(one.cpu_ms, other.cpu_ms),
        cpu_ms_max=max(times),
        wall_ms=one.wall_ms if base is other else min(one.wall_ms, other.wall_ms),
        memory_mib=max(one.memory_mib, other.memory_mib),
        charged_mib=max(one.charged_mib, other.charged_mib),
        repetitions=one.repetitions + other.repetitions,
    )


def _expected_ms(good: Sequence[TimedSize]) -> float:
    """Return the least time of the next size if growth continues as over the last two."""
    if len(good) < 2:
        return 0.0
    base = good[0].cpu_ms
    before, last = (max(size.cpu_ms - base, 0.0) for size in good[-2:])
    if last < 10 * base or before <= 0:
        return good[-1].cpu_ms  # too little to extrapolate
    return base + last * max(last / before, 1.0)


def _extent(point: Point) -> tuple[int, Point]:
    """Return a sort key by which points of a grid take longer and longer, roughly."""
    return point.n * max(point.m, 1), point
