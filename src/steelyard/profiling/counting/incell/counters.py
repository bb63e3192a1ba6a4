"""The counters of one program: how often each place was entered, and what it was charged.

Their names go into `builtins`, each with the prefix `PREFIX`.
"""

from __future__ import annotations

import builtins
from itertools import compress, repeat
from operator import length_hint
from typing import Any

from steelyard.profiling.counting.incell.charged import PREFIX
from steelyard.profiling.counting.incell.growth import growth, moves, numbers
from steelyard.profiling.counting.incell.kinds import Charge
from steelyard.profiling.counting.incell.passes import orders, passes, searches, weighing

_MAX_COUNT = (1 << 63) - 1
_STEPS = 1 << 62


class Counts:
    """The counters of one program: one of each kind for every place.

    Args:
        places: How many places there are.
    """

    def __init__(self, places: int) -> None:
        # Taking a step from a `repeat` makes no object, so it costs less than counting up.
        self._entered = [repeat(True, _STEPS) for _ in range(places)]
        self._charged = [0] * places

    def names(self) -> dict[str, object]:
        """Return what the transformed program looks up."""
        found: dict[str, object] = {f"c{place}": each for place, each in enumerate(self._entered)}
        found.update(next=next, compress=compress)
        found.update(_charges(self._charged, self._entered))
        return {PREFIX + name: value for name, value in found.items()}

    def take(self) -> list[int]:
        """Return the counts by place."""
        return [
            min(_STEPS - length_hint(entered) + charged, _MAX_COUNT)
            for entered, charged in zip(self._entered, self._charged, strict=True)
        ]


def publish(names: dict[str, object]) -> None:
    """Make the names known everywhere, without one more in the program's own namespace."""
    vars(builtins).update(names)


def _charges(charged: list[int], entered: list[Any]) -> dict[str, Charge]:
    """Return the functions that charge, by name."""
    weigh = weighing(charged)
    every = (
        weigh,
        *passes(charged, entered),
        *orders(charged),
        *searches(charged),
        *moves(charged),
        *growth(charged, weigh),
        *numbers(charged, weigh),
    )
    return {each.__name__: each for each in every}
