"""Calls with given values in the places that take them: what a rewritten function may look for."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, Path, alternated, copied, places, put

_MOST_PLACES, _ENDS = 60, 2
_LONGEST = 4_000
_NAMED = ("arg", "kwarg", "field", "value")
"""Steps that each lead to something of its own; items of a list are all alike."""
_SEVERAL = 2
"""So many values are put into one call where several are."""


def planted(calls: Sequence[Call], values: Sequence[object], *, seed: int) -> Iterator[Call]:
    """Calls that hold one of these values, each value in turn; then calls that hold several.

    Whole numbers come with their neighbours, and as lengths; texts also within others.

    Args:
        calls: Recorded calls, which are not changed.
        values: Numbers, texts and bytes.
        seed: Decides which places have several.
    """
    bases = [base for base in map(copied, calls) if base is not None]
    yield from alternated([_with(bases, value) for value in values])
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    for base in itertools.cycle(bases) if len(values) > 1 else ():
        call: Call | None = base
        for value in rng.sample(list(values), _SEVERAL):
            fitting = [
                (path, made)
                for path, old in places(call or base, most=_MOST_PLACES, ends=_ENDS)
                for made in itertools.islice(_in_place_of(old, value), 1)
            ]
            if fitting:
                call = _put(call or base, *rng.choice(fitting))
        if call is not None:
            yield call


def _with(bases: Sequence[Call], value: object) -> Iterator[Call]:
    """Each kind of place in turn, those nearest to the top first, in one call after another.

    A value's neighbours come before the same place in other calls: limits show on one side.
    """
    kinds: dict[tuple[object, ...], list[Iterator[Call]]] = {}
    for base in bases:
        for path, old in places(base, most=_MOST_PLACES, ends=_ENDS):
            kind = tuple(step if step[0] in _NAMED else step[0] for step in path)
            kinds.setdefault(kind, []).append(_each_put(base, path, old, value))
    nearest = sorted(kinds.items(), key=lambda each: len(each[0]))
    yield from alternated([itertools.chain.from_iterable(each) for _, each in nearest])


def _each_put(base: Call, path: Path, old: object, value: object) -> Iterator[Call]:
    """The call with all that the value can be in this place."""
    for made in _in_place_of(old, value):
        call = _put(base, path, made)
        if call is not None:
            yield call


def _put(call: Call, path: Path, value: object) -> Call | None:
    try:
        return copied(put(call, path, value))
    except Exception:  # an object's own checks refuse the value
        return None


def _in_place_of(old: Any, value: Any) -> Iterator[object]:
    """What may stand for a value where this one stood; nothing where their types differ."""
    if isinstance(old, bool):
        return
    if isinstance(value, (int, float)) and isinstance(old, (int, float)):
        kind = type(old)
        if kind in (int, float) and value == kind(value):
            yield from (kind(value), kind(value) + 1, kind(value) - 1)
    elif type(value) in (str, bytes) and type(old) is type(value):
        yield value
        if old:
            yield from (value + old, old + value)
            half = len(old) // 2
            yield old[:half] + value + old[half:]
    elif isinstance(value, int) and type(old) in (list, str, bytes, tuple) and old:
        for length in (value, value + 1, value - 1):
            if 0 <= length <= _LONGEST:
                yield (old * (length // len(old) + 1))[:length]
