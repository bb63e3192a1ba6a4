"""Count work over growing inputs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from steelyard.errors import GeneratorError
from steelyard.profiling._fault import MOST_FAILURES, FaultOf
from steelyard.profiling._records import CountedRun, Counter, InputSource, Point
from steelyard.sandbox import stay_on_cell_cores
from steelyard.schemas import Limits, StopReason

_CAP_MS = 300.0
"""CPU time of a counted run, beyond that of the smallest, after which no larger input is tried.
Measured: classes from runs up to 300 ms are as right as those from runs up to 1 s; up to 100 ms
they are worse."""
_CAP_OF_FEW_MS = 1_000.0
"""The cap if fewer than `_FEW_SIZES` sizes have run."""
_FEW_SIZES = 7
_FAR_BEYOND, _FAR_BEYOND_OF_FEW = 4.0, 2.0
"""A run expected to take this multiple of the cap is left out."""
_ENOUGH_SIZES = 6
_ENDS = (StopReason.EXITED, StopReason.SIGNALED)
"""Other ends are limits: no larger size is run after one."""


@dataclass(frozen=True)
class Counted:
    """The counted sizes."""

    runs: tuple[CountedRun, ...] = ()
    """Successful runs, ascending."""
    faults: Mapping[Point, str] = field(default_factory=dict)
    """Faults of the other runs, as the end of the sentence `the program ...`."""
    threads: bool = False
    cut_short: bool = False
    """Whether the budget ended the sizes, and not the largest size or a run's time."""

    @property
    def with_work(self) -> tuple[CountedRun, ...]:
        """The runs with counts."""
        return tuple(run for run in self.runs if run.work is not None)

    @property
    def notes(self) -> tuple[str, ...]:
        """Reasons why counts or heap are missing, each once, with its smallest size."""
        first = {run.note: run.point for run in reversed(self.runs) if run.note}
        return tuple(f"at {point} {note}" for note, point in first.items())


def count_work(
    points: Sequence[Point],
    source: InputSource,
    counter: Counter,
    limits: Limits,
    *,
    seed: int,
    budget_ms: float,
    fault_of: FaultOf,
    progress: Callable[[CountedRun], None] | None = None,
) -> Counted:
    """Count from the smallest input up, until a run takes longer than the cap.

    Args:
        points: The sizes.
        source: Gives the inputs.
        counter: Counter of the program.
        limits: What each run may use.
        seed: Of the inputs.
        budget_ms: CPU time of all runs together.
        fault_of: Returns the fault of a run; empty if none. The work of a failed run is not
            that of its input.
        progress: Called after each run.

    Raises:
        GeneratorError: if not even the smallest input is available.
        InfrastructureError: if the machine failed.
    """
    runs: list[CountedRun] = []
    faults: dict[Point, str] = {}
    threads, cut_short, left_ms = False, False, budget_ms
    with stay_on_cell_cores():
        for point in sorted(points, key=lambda point: (point.n * max(point.m, 1), point)):
            few = len(runs) < _FEW_SIZES
            most_ms = _FAR_BEYOND_OF_FEW * _CAP_OF_FEW_MS if few else _FAR_BEYOND * _CAP_MS
            expected_ms = _expected_ms(runs)
            if len(runs) >= _ENOUGH_SIZES and expected_ms > most_ms:
                break
            if left_ms < 0 or (len(runs) >= _ENOUGH_SIZES and expected_ms > left_ms):
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
                    break
                continue
            runs.append(run)
            base_ms = runs[0].execution.cpu_ms
            cap_ms = _CAP_MS if len(runs) >= _FEW_SIZES else _CAP_OF_FEW_MS
            if run.execution.cpu_ms - base_ms > cap_ms:
                break
    return Counted(tuple(runs), faults, threads, cut_short)


def _expected_ms(runs: Sequence[CountedRun]) -> float:
    """Return the least time of the next size if growth continues as over the last two."""
    if len(runs) < 2:
        return 0.0
    before, last = (run.execution.cpu_ms for run in runs[-2:])
    return last * max(last / max(before, 1e-3), 1.0)
