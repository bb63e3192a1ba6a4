"""Choose the sizes at which instructions are counted, and keep their cost within the budget."""

import math
from collections.abc import Callable, Mapping, Sequence

from steelyard.profiling._instructions import (
    InstructionCount,
    count_instructions,
    why_not_counted,
)
from steelyard.profiling._records import Point
from steelyard.profiling._timing import TimedSize
from steelyard.sandbox import CellPool, Command

_FACTOR = 20.0
"""How many times as long a run usually takes under valgrind."""
_RUN_MS, _LAST_RUN_MS = 1_500.0, 6_000.0
_LEAST_MS = 500.0
"""Valgrind needs about this long to start."""
_DRIFT_SIZES, _MIDDLE = 5, -3
"""With more sizes, only three are run under valgrind; the second is at this index."""
_CLASS_SIZES = 8
_SPENT = "instructions were not counted at every size: they take too much CPU time to count"


class CountedInstructions:
    """Run some of the timed sizes once more, under valgrind.

    Args:
        command_at: The ordinary run of a size.
        pool: Where the runs take place.
        budget_ms: CPU time of all runs together under valgrind, in ms.
        notify: Receives each size before it is run.
    """

    def __init__(
        self,
        command_at: Callable[[Point], Command],
        pool: CellPool,
        budget_ms: float,
        notify: Callable[[Point], None],
    ) -> None:
        self._command_at, self._pool, self._notify = command_at, pool, notify
        self._left_ms = budget_ms
        self.notes: list[str] = []
        """Why instructions were not counted, one line each."""

    def for_class(self, timed: Sequence[TimedSize]) -> Mapping[Point, int]:
        """Return the instructions at the smallest size and at several large ones."""
        affordable = self._affordable(timed)
        return self._at([*affordable[:1], *affordable[1:][-_CLASS_SIZES:]])

    def for_drift(self, timed: Sequence[TimedSize]) -> Mapping[Point, int]:
        """Return the instructions at the smallest size and at two large ones.

        Valgrind is many times slower on some programs, such as those that move memory: the run
        at the first of the two shows whether a larger one is affordable for the second.
        """
        affordable = self._affordable(timed)
        if len(affordable) <= _DRIFT_SIZES:
            return self._at(affordable)
        smallest, middle = affordable[0], affordable[_MIDDLE]
        start, half = self._run(smallest), self._run(middle)
        if half.execution is None or start.execution is None:
            return {}
        slower = (half.execution.cpu_ms - start.execution.cpu_ms) / max(
            middle.cpu_ms - smallest.cpu_ms, 0.1
        )
        most_ms = min(_LAST_RUN_MS, self._left_ms)
        larger = [
            size
            for size in affordable[_MIDDLE + 1 :]
            if (size.cpu_ms - smallest.cpu_ms) * slower < most_ms
        ]
        last = larger[-1] if larger else affordable[_MIDDLE - 2]
        counts = ((smallest, start), (middle, half), (last, self._run(last)))
        return {
            size.point: count.instructions
            for size, count in counts
            if count.instructions is not None
        }

    def _affordable(self, timed: Sequence[TimedSize]) -> list[TimedSize]:
        """Return the sizes that valgrind should finish in time; none if it cannot count here."""
        why_not = why_not_counted(self._pool)
        if why_not:
            self.notes.append(why_not)
            return []
        most_ms = min(_RUN_MS, self._left_ms)
        return [size for size in timed if size.cpu_ms * _FACTOR < most_ms]

    def _at(self, sizes: Sequence[TimedSize]) -> Mapping[Point, int]:
        counts = {size.point: self._run(size).instructions for size in sizes}
        return {point: count for point, count in counts.items() if count is not None}

    def _run(self, size: TimedSize) -> InstructionCount:
        """Run once under valgrind, within what is left of the budget."""
        if self._left_ms < _LEAST_MS:
            self.notes.append(_SPENT)
            return InstructionCount(None, _SPENT)
        self._notify(size.point)
        done = count_instructions(
            self._command_at(size.point), self._pool, cpu_ms=math.ceil(self._left_ms)
        )
        if done.execution is not None:
            self._left_ms -= done.execution.cpu_ms
        if done.instructions is None and done.note:
            self.notes.append(done.note)
        return done
