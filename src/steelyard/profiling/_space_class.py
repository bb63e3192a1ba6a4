"""Combine the memory of counted runs with that of timed ones into a complexity class."""

from collections.abc import Sequence

from steelyard.profiling._classes import FEWEST_SIZES, IN_CACHE_MIB, grows_mib
from steelyard.profiling._records import CountedRun
from steelyard.profiling._timing import TimedSize
from steelyard.profiling.fitting import (
    WorkClass,
    classify_space,
    classify_space_two,
    even_odds,
    growth_between,
)

_FAR_BEYOND = 4
"""Timed sizes that reach this multiple of the counted ones are evidence of their own..."""
_PLAIN_GROWTH_MIB = 2.0
"""...where the resident set grows by as much, which no start, buffer or allocator explains, or
where much more was to be expected."""
_LESS_THAN_EXPECTED, _SLACK_MIB = 4.0, 0.5
_BYTES = 1 << 20


def space_class(runs: Sequence[CountedRun], timed: Sequence[TimedSize], *, grid: bool) -> WorkClass:
    """Return the class of memory, from counted runs if there are enough, else from timed ones.

    Args:
        runs: Counted runs, whose heap and resident set are exact.
        timed: Timed runs.
        grid: Whether the runs vary n and m independently.
    """
    if len({run.point for run in runs}) >= FEWEST_SIZES:
        points = [run.point for run in runs]
        lengths = [run.input_bytes for run in runs]
        known = [run.heap_bytes for run in runs if run.heap_bytes is not None]
        heap = known if len(known) == len(runs) else None
        resident = [run.rss_bytes for run in runs]
    else:
        points = [size.point for size in timed]
        lengths = [size.input_bytes for size in timed]
        heap, resident = None, [_bytes_of(size) for size in timed]
    if grid:
        return classify_space_two(points, heap, resident)
    ns = [point.n for point in points]
    counted = classify_space(ns, heap, resident, lengths)
    return _space_beyond(counted, max(ns, default=0), heap or resident, timed)


def touched_class(space: WorkClass, timed: Sequence[TimedSize]) -> WorkClass | None:
    """Return the class of the memory that the program touches: that of its resident set.

    Args:
        space: The class of memory, which may be that of memory that is only reserved.
        timed: Timed runs.

    Returns:
        None if it grows too little to tell, or otherwise than `space`.
    """
    ns, resident = [size.point.n for size in timed], [_bytes_of(size) for size in timed]
    if not resident or max(resident) - min(resident) < _PLAIN_GROWTH_MIB * _BYTES:
        return None
    touched = classify_space(ns, None, resident)
    return touched if touched.complexity == space.complexity else None


def _space_beyond(
    counted: WorkClass, most_n: int, peaks: Sequence[int], timed: Sequence[TimedSize]
) -> WorkClass:
    """Weigh the class of counted runs against the memory of timed ones, which are larger.

    Memory that only larger sizes need is not seen in counted runs, and a start's memory can look
    like growth there.
    """
    ns = [size.point.n for size in timed]
    if not counted.posterior or not ns or ns[-1] <= most_n:
        return counted
    if counted.complexity == "O(1)":
        if grows_mib(timed) < IN_CACHE_MIB:
            return counted
        return classify_space(ns, None, [_bytes_of(size) for size in timed])
    if ns[-1] < _FAR_BEYOND * most_n:
        return counted
    resident_mib = [size.memory_mib for size in timed]
    grown_mib = max(resident_mib) - min(resident_mib)
    expected_mib = (max(peaks) - min(peaks)) / _BYTES
    expected_mib *= growth_between(counted.complexity, most_n, ns[-1])
    refuted = expected_mib > _LESS_THAN_EXPECTED * grown_mib + _SLACK_MIB
    if grown_mib < _PLAIN_GROWTH_MIB and not refuted:
        return counted
    lengths = [size.input_bytes for size in timed]
    other = classify_space(ns, None, [_bytes_of(size) for size in timed], lengths)
    return even_odds(counted, other)


def _bytes_of(size: TimedSize) -> int:
    return round(size.memory_mib * _BYTES)
