"""Compare how large arguments are: a call with larger ones takes as long, as a rule."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from steelyard.inputs import visits

Weight = tuple[tuple[int, float], ...]
"""For each argument its items and characters, and its largest number."""


def weight_of(args: Sequence[Any]) -> Weight:
    """Return how large arguments are."""
    return tuple((visits(each), _largest(each)) for each in args)


def is_as_large(one: Weight, other: Weight) -> bool:
    """Return whether each argument has as many items as another call's, and as large numbers."""
    pairs = zip(one, other, strict=True)
    return all(size >= least and number >= low for (size, number), (least, low) in pairs)


def _largest(value: Any) -> float:
    """Return the largest number inside a value, without its sign; 0 if there is none."""
    row, largest = [value], 0.0
    while row:
        largest = max(
            largest,
            max((abs(each) for each in row if type(each) in (int, float)), default=0.0),
        )
        row = [
            *chain.from_iterable(
                each.values() if isinstance(each, dict) else each
                for each in row
                if isinstance(each, list | tuple | dict)
            )
        ]
    return largest
