"""The rule of loops in a cell: the best of many loops, until a window of them holds still.

Its claims have no known rate of error: on unchanged code about one in ten is false at 5 %
(docs/reference/comparing.md). It is here to be compared with.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import median

from steelyard.comparing.incell.told import LoopTests
from steelyard.comparing.timing.incell.looping import Loops, run_looped
from steelyard.project_runs.incell.task import Context

WINDOW = 0.35
"""Share of all loops that are expected in the time."""
CENTRE = 0.0025
"""All of a window lie this near to its median."""
SPREAD = 0.0025
"""And no further apart than this."""
_LEAST_LOOPS = 3


def run_loops(asked: LoopTests, context: Context) -> int:
    """Loop over the tests until the best times hold still; print each call's time."""
    return run_looped(_ByTheRule, asked, context)


class _ByTheRule(Loops):
    """Loops with markers, and an end of their own."""

    def __init__(self, asked: LoopTests, context: Context) -> None:
        super().__init__(asked, context)
        self._function = f"{context.function.module}:{context.function.qualname}"
        self._stdout = os.dup(1)  # pytest puts a file of its own in the place of 1
        self._best: dict[tuple[str, int], int] = {}
        self._sums: list[float] = []

    def after_test(self, loop: int, test: str, times_ns: Sequence[int]) -> None:
        """Print each call's time as a marker, and keep the best ones."""
        name = f"{loop}:{test}:{self._function}"
        lines = [f"!######{name}:{i}:{ns}######!\n" for i, ns in enumerate(times_ns)]
        os.write(self._stdout, "".join(lines).encode("utf-8", "replace"))
        for i, ns in enumerate(times_ns):
            self._best[test, i] = min(ns, self._best.get((test, i), ns))

    def is_over(self, _loop: int, share_of_time: float) -> bool:
        """Return whether the last window of loops holds still, or the time is over."""
        self._sums.append(float(sum(self._best.values())))
        expected = min(self.asked.loops, round(_loop / max(share_of_time, 1e-9)))
        return share_of_time >= 1 or is_stable(self._sums, expected)


def is_stable(best_ns: Sequence[float], expected_loops: int) -> bool:
    """Return whether the last window of loops holds still.

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
