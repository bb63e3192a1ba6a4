"""The known rule: the best of many loops, until a window of them holds still.

Its claims have no known rate of error: on unchanged code about one in ten is false at 5 %
(docs/reference/comparing.md). It is here to be compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

WINDOW = 0.35
"""Share of all loops that are expected in the time."""
CENTRE = 0.0025
"""All of a window lie this near to its median."""
SPREAD = 0.0025
"""And no further apart than this."""
MOST_SECONDS = 10.0
MOST_LOOPS = 250
_LEAST_LOOPS = 3


def is_stable(best_ns: Sequence[float], expected_loops: int) -> bool:
    """Whether the last window of loops holds still.

    Args:
        best_ns: After each loop, the sum over cases of the least time so far.
        expected_loops: How many loops there would be until the end.
    """
    size = max(_LEAST_LOOPS, round(WINDOW * expected_loops))
    if len(best_ns) < size:
        return False
    window = best_ns[-size:]
    middle = median(window)
    if middle <= 0:
        return True
    near = all(abs(each - middle) / middle <= CENTRE for each in window)
    return near and (max(window) - min(window)) / min(window) <= SPREAD
