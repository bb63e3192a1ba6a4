"""Describe the order of long lists and of their columns: inputs of different orders differ much."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from steelyard.families import Dice

_LEAST_LONG, _SAMPLE = 200, 100
"""Items from which on a list is long, and how many of them are looked at."""
_FEW, _EXCEPTIONS = 3, 1
"""Values of which a column has few, and pairs of neighbours that may be in another order."""


def trends(args: Sequence[Any]) -> tuple[str, ...]:
    """Return a word for each long list of an input, or for each column of its rows.

    Its items are `equal`, `rise` or `fall`, or have `few` or `many` values in another order.
    """
    return tuple(_trend(column) for arg in args for column in _columns(arg))


def _columns(arg: Any) -> Iterator[Sequence[Any]]:
    if not isinstance(arg, list | str) or len(arg) < _LEAST_LONG:
        return
    # At random, so that items in turn are not taken for equal ones.
    some = [arg[at] for at in sorted(Dice("trends").sample(0, len(arg) - 1, _SAMPLE))]
    if all(isinstance(each, list | tuple) for each in some):
        yield from zip(*some, strict=False)
    else:
        yield some


def _trend(items: Sequence[Any]) -> str:
    different = len({*map(repr, items)})
    if different == 1:
        return "equal"
    if all(type(each) in (int, float) for each in items):
        ups = sum(one < other for one, other in pairwise(items))
        downs = sum(one > other for one, other in pairwise(items))
        if min(ups, downs) <= _EXCEPTIONS and ups != downs:
            return "rise" if ups > downs else "fall"
    return "few" if different <= _FEW else "many"
