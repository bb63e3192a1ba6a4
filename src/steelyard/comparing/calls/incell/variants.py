"""Values like a given one: what a function that is nearly right treats differently.

Each is of the same type as the given value, the likeliest to tell two functions apart first.
"""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import math
import random
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell import array_variants
from steelyard.comparing.calls.incell.parts import ordered, rebuilt
from steelyard.comparing.calls.incell.plain_variants import LONGEST, lengths, numbers, texts

_DAY = dt.timedelta(days=1)


def variants(
    value: object,
    *,
    constants: Sequence[object] = (),
    characters: Sequence[str] = (),
    rng: random.Random,
) -> Iterator[Any]:
    """Values of the type of the given one that differ from it; none for a type not known.

    Args:
        value: The value.
        constants: Literals of the function; those of the value's type and their neighbours come
            first, and whole numbers serve as lengths too.
        characters: Odd ones that matter to the function: texts get them before others.
        rng: Shuffles and picks.
    """
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, enum.Enum):
        yield from (member for member in type(value) if member is not value)
    elif isinstance(value, (int, float)):
        yield from numbers(value, constants, rng)
    elif isinstance(value, complex):
        yield from (value.conjugate(), -value, 0j, value + 1, complex(math.nan, 0))
    elif isinstance(value, (str, bytes, bytearray)):
        yield from texts(value, constants, characters, rng)
    elif isinstance(value, (decimal.Decimal, fractions.Fraction)):
        yield from _exact(value)
    elif isinstance(value, (dt.date, dt.time, dt.timedelta)):
        yield from _times(value)
    elif isinstance(value, (list, tuple, deque)):
        yield from _sequences(value, constants, rng)
    elif isinstance(value, dict):
        yield from _dicts(value, rng)
    elif isinstance(value, (set, frozenset)):
        yield from _sets(value, rng)
    elif isinstance(value, range):
        yield from _ranges(value)
    else:
        yield from array_variants.variants(value)


def _exact(value: Any) -> Iterator[Any]:
    kind = type(value)
    yield from (value + 1, kind(0), -value, value - 1)
    if isinstance(value, decimal.Decimal):
        yield from (kind("-0"), kind("NaN"), kind("Infinity"), kind("0.5"), kind("2.5"))
        if value.is_finite():
            yield from (kind(f"{value:f}" + ("0" if "." in f"{value:f}" else ".00")),)
            yield from (value.scaleb(1), value.scaleb(-3), value.scaleb(6))
    else:
        yield from (value / 2, value * 3, 1 / value if value else kind(1, 3))


def _times(value: Any) -> Iterator[Any]:
    if isinstance(value, dt.timedelta):
        yield from (dt.timedelta(0), -value, value + dt.timedelta(microseconds=1))
        yield from (value * 2, value + _DAY, dt.timedelta(seconds=59, microseconds=999_999))
        return
    ends: list[dict[str, int]] = []
    if isinstance(value, dt.date):
        ends += [{"month": 12, "day": 31}, {"year": 2024, "month": 2, "day": 29}, {"day": 1}]
        ends += [{"month": 3, "day": 31}, {"year": 1970}, {"year": 1969}]
    if not isinstance(value, dt.date) or isinstance(value, dt.datetime):
        midnight = {"hour": 0, "minute": 0, "second": 0, "microsecond": 0}
        ends += [midnight, {"hour": 23, "minute": 59, "second": 59, "microsecond": 999_999}]
        ends += [{"microsecond": 500_000}, {"hour": 12}, {"fold": 1}]
    if isinstance(value, dt.date):
        for shift in (_DAY, -_DAY, 7 * _DAY, 365 * _DAY):
            try:
                yield value + shift
            except OverflowError:
                continue
    for fields in ends:
        try:
            yield value.replace(**fields)
        except ValueError:
            continue
    if isinstance(value, dt.datetime) and value.tzinfo is None:
        yield value.replace(tzinfo=dt.UTC)


def _sequences(value: Any, constants: Sequence[object], rng: random.Random) -> Iterator[Any]:
    items = list(value)
    if isinstance(value, tuple) and (
        hasattr(value, "_fields") or len({type(item) for item in items}) > 1
    ):
        return  # a record: what its parts are is told by where they stand
    for made in _orders(items, constants, rng):
        if len(made) != len(items) or any(a is not b for a, b in zip(made, items, strict=True)):
            yield rebuilt(value, made)


def _orders(
    items: list[Any], constants: Sequence[object], rng: random.Random
) -> Iterator[list[Any]]:
    short = len(items) < LONGEST
    middle = len(items) // 2
    yield []
    if short and items:
        yield [*items, items[0]]
    yield items[::-1]
    yield items[:1]
    if short and items:
        yield [*items[:middle], items[middle], *items[middle:]]
        yield items + items
    yield items[:-1]
    if items:
        yield items[:1] * len(items)
    yield items[1:]
    if short:
        yield from lengths(items, constants)
    for _ in range(2):
        yield rng.sample(items, len(items))
    yield from _sorted(items)
    yield items[:2]
    if items:
        dropped = rng.randrange(len(items))
        yield items[:dropped] + items[dropped + 1 :]
    if short and items:
        yield [*items, *items[::-1]]
        yield [items[-1], *items]
        yield items * 8


def _sorted(items: list[Any]) -> Iterator[list[Any]]:
    try:
        yield sorted(items)
        yield sorted(items, reverse=True)
    except Exception:  # they have no order
        return


def _dicts(value: dict[Any, Any], rng: random.Random) -> Iterator[Any]:
    pairs = list(value.items())
    yield rebuilt(value, [])
    if len(pairs) > 1:
        yield rebuilt(value, pairs[::-1])
    yield from (rebuilt(value, pairs[:i] + pairs[i + 1 :]) for i in range(min(len(pairs), 8)))
    if not pairs:
        return
    for made in _neighbours(pairs[-1][0]):
        yield rebuilt(value, [*pairs, (made, pairs[0][1])])
        yield rebuilt(value, [(made, pairs[-1][1]), *pairs[:-1]])
    if len(pairs) > 1:
        yield rebuilt(value, pairs[:1])
        yield rebuilt(value, [(key, pairs[0][1]) for key, _ in pairs])
        yield rebuilt(value, rng.sample(pairs, len(pairs)))


def _sets(value: Any, rng: random.Random) -> Iterator[Any]:
    items = ordered(value)
    yield rebuilt(value, [])
    if not items:
        return
    yield rebuilt(value, items[1:])
    yield from (rebuilt(value, [*items, made]) for made in _neighbours(items[-1]))
    yield rebuilt(value, items[:1])
    yield rebuilt(value, rng.sample(items, len(items))[: len(items) // 2])


def _neighbours(key: Any) -> Iterator[Any]:
    """One key beside a given one, of its type, where it is of a kind that has neighbours."""
    if isinstance(key, (int, float)) and not isinstance(key, bool):
        yield type(key)(key + 1) if sys.float_info.max > abs(key) else type(key)(0)
    elif isinstance(key, str):
        yield f"{key}_"


def _ranges(value: range) -> Iterator[range]:
    start, stop, step = value.start, value.stop, value.step
    yield range(start, start, step)
    yield range(start, stop + step, step)
    yield range(start, stop - step, step)
    yield value[::-1]
    yield range(start, stop, step * 2)
