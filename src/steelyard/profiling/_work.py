"""Count work over growing inputs.

Counted work decides which sizes are run, so the sizes are the same on every machine:

1. Sizes grow until the work of a run is enough to show its class (`Counter.enough_work`), or until
   the next run is expected to do many times as much.
2. All runs together may do a multiple of that work.
3. CPU time is only the last bound, for programs whose time is not in their counts, such as work
   inside a library. If it ends the sizes, the result is `cut_short`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from steelyard.errors import GeneratorError
from steelyard.profiling._fault import MOST_FAILURES, FaultOf
from steelyard.profiling._records import CountedRun, Counter, InputSource, Point
from steelyard.sandbox import stay_on_cell_cores
from steelyard.schemas import Limits, StopReason

MOST_RUN_MS = 4_000
"""CPU time of one counted run; it takes a tenth of that where the counts are enough."""
_LONG_RUN_MS = 2_000.0
"""CPU time of a run, beyond that of the smallest, after which no larger input is tried."""
_MOST_CPU_MS = 15_000.0
"""CPU time of all counted runs on one seed."""
_ENOUGH, _ENOUGH_OF_FEW = 1.0, 3.0
"""Share of `Counter.enough_work` after which no larger input is tried; the second one if fewer
than `_FEW_SIZES` sizes have run."""
_FAR_BEYOND, _FAR_BEYOND_OF_FEW = 4.0, 6.0
"""A run that is expected to do this share is left out."""
_MOST_SHARES = 10.0
"""The share that all runs on one seed may do together."""
_FEW_SIZES, _ENOUGH_SIZES = 7, 6
_ENDS = (StopReason.EXITED, StopReason.SIGNALED)
"""Other ends are limits: no larger size is run after one."""
_OUT_OF_TIME = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)


@dataclass(frozen=True)
class Counted:
    """The counted sizes."""

    runs: tuple[CountedRun, ...] = ()
    """Successful runs, ascending."""
    faults: Mapping[Point, str] = field(default_factory=dict)
    """Faults of the other runs, as the end of the sentence `the program ...`."""
    threads: bool = False
    cut_short: bool = False
    """Whether CPU time ended the sizes, and not the largest size or the counted work."""

    @property
    def with_work(self) -> tuple[CountedRun, ...]:
        """The runs with counts."""
        return tuple(run for run in self.runs if run.work is not None)

    @property
    def most_cpu_ms(self) -> float:
        """CPU time of the longest run."""
        return max((run.execution.cpu_ms for run in self.runs), default=0.0)

    @property
    def notes(self) -> tuple[str, ...]:
        """Reasons why counts or heap are missing, each once, with its smallest size."""
        first = {run.note: run.point for run in reversed(self.runs) if run.note}
        return tuple(f"at {point} {note}" for note, point in first.items())


def share_of(run: CountedRun, counter: Counter) -> float:
    """Return the work of a run as a share of what is enough; reading its input is work too."""
    work = sum((run.work or {}).values())
    return work / counter.enough_work + run.input_bytes / counter.enough_bytes


def count_work(
    points: Sequence[Point],
    source: InputSource,
    counter: Counter,
    limits: Limits,
    *,
    seed: int,
    fault_of: FaultOf,
    progress: Callable[[CountedRun], None] | None = None,
) -> Counted:
    """Count from the smallest input up, until the counts are enough.

    Args:
        points: The sizes.
        source: Gives the inputs.
        counter: Counter of the program.
        limits: What each run may use.
        seed: Of the inputs.
        fault_of: Returns the fault of a run; empty if none. The work of a failed run is not
            that of its input.
        progress: Called after each run.

    Raises:
        GeneratorError: if not even the smallest input is available.
        InfrastructureError: if the machine failed.
    """
    runs: list[CountedRun] = []
    faults: dict[Point, str] = {}
    threads, cut_short, left_ms, left_shares = False, False, _MOST_CPU_MS, _MOST_SHARES
    ascending = sorted(points, key=lambda point: (point.n * max(point.m, 1), point))
    with stay_on_cell_cores():
        for point in ascending:
            if len(runs) >= _ENOUGH_SIZES:
                share = _expected([share_of(run, counter) for run in runs])
                far = _FAR_BEYOND_OF_FEW if len(runs) < _FEW_SIZES else _FAR_BEYOND
                if share > min(far, left_shares):
                    break
            expected_ms = _expected([run.execution.cpu_ms for run in runs])
            if left_ms < 0 or (len(runs) >= _ENOUGH_SIZES and expected_ms > MOST_RUN_MS):
                cut_short = True
                break
            try:
                given = source.get(point, seed)
            except GeneratorError:
                if not (runs or faults):
                    raise
                break  # the timing, which uses larger inputs, notes it
            run = counter.run(given, limits)
            left_ms -= run.execution.cpu_ms
            threads |= run.threads
            if progress is not None:
                progress(run)
            fault = fault_of(run.execution)
            if fault:
                faults[point] = fault
                if runs or len(faults) >= MOST_FAILURES or run.execution.stop not in _ENDS:
                    cut_short = bool(runs) and run.execution.stop in _OUT_OF_TIME
                    break
                continue
            runs.append(run)
            left_shares -= share_of(run, counter)
            enough = _ENOUGH_OF_FEW if len(runs) < _FEW_SIZES else _ENOUGH
            if share_of(run, counter) - share_of(runs[0], counter) > enough:
                break
            if run.execution.cpu_ms - runs[0].execution.cpu_ms > _LONG_RUN_MS:
                cut_short = point != ascending[-1]
                break
    return Counted(tuple(runs), faults, threads, cut_short)


def _expected(figures: Sequence[float]) -> float:
    """Return the least figure of the next size if growth continues as over the last two."""
    if len(figures) < 2:
        return 0.0
    before, last = figures[-2:]
    return last * max(last / max(before, 1e-3), 1.0)
