"""Counted work over growing inputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assayer.errors import GeneratorError
from assayer.profiling._records import CountedRun, Counter, InputSource, Point
from assayer.sandbox import stay_beside_cells
from assayer.schemas import Limits, StopReason

_CAP_MS = 300.0
"""CPU time of a counted run, beyond that of the smallest, after which no larger input is tried.
Measured: classes from runs up to 300 ms are as right as those from runs up to 1 s; up to 100 ms
they are worse."""
_CAP_OF_FEW_MS = 1_000.0
"""The same where there are fewer than `_FEW_SIZES` by then."""
_FEW_SIZES = 7
_FAR_BEYOND, _FAR_BEYOND_OF_FEW = 4.0, 2.0
"""A run expected to take so many times the cap is left out."""
_ENOUGH_SIZES = 6


@dataclass(frozen=True)
class Counted:
    """What was counted, by size."""

    runs: tuple[CountedRun, ...]
    """Those that left their counts, ascending."""
    notes: tuple[str, ...] = ()
    threads: bool = False

    @property
    def all_work(self) -> int:
        """Work of the largest run."""
        return sum((self.runs[-1].work or {}).values()) if self.runs else 0


def count_work(
    points: Sequence[Point],
    source: InputSource,
    counter: Counter,
    limits: Limits,
    *,
    seed: int,
    budget_ms: float,
    progress: Callable[[CountedRun], None] | None = None,
) -> Counted:
    """Counts from the smallest input up, until a run takes longer than the cap.

    Args:
        points: The sizes.
        source: Gives the inputs.
        counter: Of the program.
        limits: What each run may use.
        seed: Of the inputs.
        budget_ms: CPU time of all runs together.
        progress: Called after each run.

    Raises:
        GeneratorError: where not even the smallest input can be had.
        InfrastructureError: where the machine failed.
    """
    runs: list[CountedRun] = []
    notes: list[str] = []
    threads, left_ms = False, budget_ms
    with stay_beside_cells():
        for point in sorted(points, key=lambda point: (point.n * max(point.m, 1), point)):
            few = len(runs) < _FEW_SIZES
            most_ms = _FAR_BEYOND_OF_FEW * _CAP_OF_FEW_MS if few else _FAR_BEYOND * _CAP_MS
            if len(runs) >= _ENOUGH_SIZES and _expected_ms(runs) > min(most_ms, left_ms):
                break
            try:
                given = source.get(point, seed)
            except GeneratorError:
                if not runs:
                    raise
                break  # the timing, which goes further, says so
            run = counter.run(given, limits)
            left_ms -= run.execution.cpu_ms
            threads |= run.threads
            if progress is not None:
                progress(run)
            if run.note and run.note not in notes:
                notes.append(run.note)
            if run.work is not None:
                runs.append(run)
            if run.execution.stop is not StopReason.EXITED or (run.work is None and not runs):
                break
            base_ms = runs[0].execution.cpu_ms
            cap_ms = _CAP_MS if len(runs) >= _FEW_SIZES else _CAP_OF_FEW_MS
            if run.execution.cpu_ms - base_ms > cap_ms or left_ms < 0:
                break
    return Counted(tuple(runs), tuple(notes), threads)


def _expected_ms(runs: Sequence[CountedRun]) -> float:
    """What the next size will take if it grows as the last two did, at the least."""
    before, last = (run.execution.cpu_ms for run in runs[-2:])
    return last * max(last / max(before, 1e-3), 1.0)
