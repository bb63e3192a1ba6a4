"""Values near to a given one: what a function that is nearly right treats otherwise.

Each is of the same type as the given value, the likeliest to tell two functions apart first.
"""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import math
import operator
import random
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from steelyard.comparing.calls.incell.hints import literals
from steelyard.comparing.calls.incell.oddities import (
    FLOATS,
    GENERAL,
    LARGE,
    pointed_to,
    with_odd,
)
from steelyard.comparing.calls.incell.parts import alternated, ordered, rebuilt

LONGEST = 4_000
"""Containers and texts are made no longer than this, unless the given one is longer."""
_EDITS, _MOST_NUMBERS = 24, 8
_NUMBER, _NUMBER_OF_BYTES = re.compile("[0-9]+"), re.compile(b"[0-9]+")
_KINDS = (b"01234567890", b"abcdefghijklmnopqrstuvwxyza", b"ABCDEFGHIJKLMNOPQRSTUVWXYZA", b" \t ")
_WORDS = ("\u0663\u0664", "a,b", "0", "-1", "\n")
_DAY = dt.timedelta(days=1)
_SHIFTS = (_DAY, -_DAY, 7 * _DAY, 365 * _DAY)
_MIDNIGHT = {"hour": 0, "minute": 0, "second": 0, "microsecond": 0}
_LAST = {"hour": 23, "minute": 59, "second": 59, "microsecond": 999_999}
_FIELDS: tuple[dict[str, Any], ...] = (
    {"month": 12, "day": 31},
    {"year": 2024, "month": 2, "day": 29},
    {"day": 1},
    {"year": 1969},
    _MIDNIGHT,
    _LAST,
    {"microsecond": 500_000},
    {"hour": 12},
    {"fold": 1},
    {"tzinfo": dt.UTC},
)
_TEXTS_OF_NUMBERS = ("NaN", "-0", "0.50", "Infinity", "2.5")
_CELLS = (math.nan, math.inf, -0.0, 0, None)


@dataclass(frozen=True)
class Source:
    """What a function's source points to."""

    constants: Sequence[object] = ()
    """Its literals: they and their neighbours are used as values, whole numbers as lengths too."""
    characters: Sequence[str] = ()
    """Odd ones that matter to it."""


def source_of(function: Callable[..., object]) -> Source:
    """What a function's source points to."""
    return Source(literals(function), pointed_to(function))


def near(value: Any, source: Source, rng: random.Random) -> Iterator[Any]:
    """Yield values of the type of the given one that differ from it; none for a type not known."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, enum.Enum):
        yield from (member for member in type(value) if member is not value)
    elif isinstance(value, (int, float)):
        yield from _numbers(value, source, rng)
    elif isinstance(value, (str, bytes, bytearray)):
        yield from _texts(value, source, rng)
    elif isinstance(value, (list, tuple, deque, dict, set, frozenset)):
        yield from _containers(value, source, rng)
    elif isinstance(value, (dt.date, dt.time)):
        yield from _tried(partial(operator.add, value, shift) for shift in _SHIFTS)
        yield from _tried(partial(value.replace, **fields) for fields in _FIELDS)
    elif isinstance(value, range):
        start, stop, step = value.start, value.stop, value.step
        yield from (value[:0], range(start, stop + step, step), value[:-1], value[::-1], value[::2])
    elif hasattr(value, "iloc") or hasattr(value, "dtype"):
        yield from _arrays(value, source, rng)
    elif hasattr(value, "__truediv__"):
        kind: Any = type(value)
        yield from _tried(
            [
                partial(operator.sub, value, value),
                partial(operator.neg, value),
                partial(operator.add, value, value),
                partial(operator.truediv, value, 3),
                partial(operator.mul, value, 1_000),
                *(partial(kind, text) for text in _TEXTS_OF_NUMBERS),
            ]
        )


def _tried(changes: Iterable[Callable[[], Any]]) -> Iterator[Any]:
    for change in changes:
        try:
            made = change()
        except Exception:  # noqa: S112 - the type does not take this one
            continue
        yield made


def _numbers(value: Any, source: Source, rng: random.Random) -> Iterator[Any]:
    """Numbers of the value's type: its neighbours, the function's own, and those few tests hold."""
    kind: Any = type(value)
    common: list[Any] = [value + 1, value - 1, 0, -value, 1, -1, 2, value * 2, 10, 3, 100]
    odd: list[Any] = rng.sample(LARGE, len(LARGE))
    if isinstance(value, float):
        common += [
            inexact(value, rng),
            0.5,
            value / 2,
            value + 0.5,
            math.nextafter(value, math.inf),
        ]
        odd = [math.nan, *rng.sample([*FLOATS, math.inf, -math.inf], len(FLOATS) + 2)]
    else:
        common += [value // 2, -value - 1, value + 2]
    own = [
        constant + step
        for constant in source.constants
        if type(constant) is int or (type(constant) is float and kind is not int)
        for step in (0, -1, 1)
    ]
    turns = iter(common)
    for made in alternated([turns, turns, iter(odd), turns, turns, iter(own), turns]):
        if repr(made) != repr(value):
            yield from _tried([partial(kind, made)])


def _texts(value: Any, source: Source, rng: random.Random) -> Iterator[Any]:
    """Texts or bytes: cut, edited, recased, joined with the function's own and with odd pieces."""
    own = [each for each in source.constants if isinstance(each, type(value)) and each]
    half = len(value) // 2
    twice = [value + value, value[:half] + value[half : half + 1] + value[half:], value[::-1]]
    cuts = [value[:0], value[:1], value[:-1], value[1:], *_lengths(value, source)]
    cuts = list(alternated([iter(twice if len(value) < LONGEST else ()), iter(cuts)]))
    edits = (edited(value, rng) for _ in range(_EDITS if value else 0))
    sources = [iter(cuts), _respelled(value), edits]
    sources += [iter(own), (with_odd(value, [each], rng) for each in own)]
    odd = [rng.sample(pieces, len(pieces)) for pieces in (source.characters, GENERAL)]
    sources += [(with_odd(value, [each], rng) for each in pieces) for pieces in odd]
    recased = (value.upper(), value.swapcase(), value.title(), value.lower())
    if isinstance(value, str):
        spaced = (f" {value}", f"{value} ", f"{value}\n", value.replace(" ", "  "))
        sources += [iter(spaced), (with_odd(value, [word], rng) for word in _WORDS), iter(_WORDS)]
    else:
        sources.append(iter((value + b"\x00", b"\xff" + value, value + b"\n")))
    yield from (each for each in alternated([*sources, iter(recased)]) if each != value)


def _lengths(value: Any, source: Source) -> Iterator[Any]:
    """The value cut or repeated to the function's own numbers and their neighbours."""
    for constant in source.constants if value else ():
        if type(constant) is int:
            for length in (constant, constant + 1, constant - 1):
                if 0 < length <= LONGEST and length != len(value):
                    yield (value * -(-length // len(value)))[:length]


def _respelled(value: Any) -> Iterator[Any]:
    """The numbers in a text without their leading zeros, and with one more: all, then each."""
    zero: Any = "0" if isinstance(value, str) else b"0"
    numbers_in: Any = _NUMBER if isinstance(value, str) else _NUMBER_OF_BYTES
    spellings: list[Callable[[Any], Any]] = [
        lambda found: found[0].lstrip(zero) or zero,
        lambda found: zero + found[0],
    ]
    yield from (numbers_in.sub(spelt, value) for spelt in spellings)
    for found in itertools.islice(numbers_in.finditer(value), _MOST_NUMBERS):
        for spelt in spellings:
            yield value[: found.start()] + spelt(found) + value[found.end() :]


def edited(value: Any, rng: random.Random) -> Any:
    """A text with one character changed: to another of its kind, left out, twice, or moved by one.

    Args:
        value: A text or bytes that are not empty.
        rng: Picks.
    """
    at = rng.choice(_starts(value)) if rng.random() < 0.5 else rng.randrange(len(value))
    before, here, after = value[:at], value[at : at + 1], value[at + 1 :]
    other, moved = _next_of_its_kind(here) + after, after[:1] + here + after[1:]
    return before + rng.choice((other, after, here + here + after, moved))


def _starts(value: Any) -> list[int]:
    """Where a number, a word or what parts them begins: signs, leading zeros, first letters."""
    each = (value[at : at + 1] for at in range(len(value)))
    kinds = [(one.isdigit(), one.isalpha()) for one in each]
    return [at for at, kind in enumerate(kinds) if at == 0 or kind != kinds[at - 1]]


def _next_of_its_kind(character: Any) -> Any:
    """The next digit or letter, another white space; of anything else, the same twice."""
    for kin in _KINDS:
        row: Any = kin.decode() if isinstance(character, str) else kin
        if character in row:
            at = row.index(character) + 1
            return type(character)(row[at : at + 1])
    return character + character


def inexact(value: float, rng: random.Random) -> float:
    """A number near to a given one with a full mantissa, or with two decimal digits."""
    if not math.isfinite(value) or value == 0:
        value = rng.choice((1.0, 10.0))
    made = value * (0.5 + rng.random())
    rounded = round(made, 2)
    return rounded if rounded and rng.random() < 0.5 else made


def is_record(value: object) -> bool:
    """Whether a value is a tuple whose parts each have a meaning of their own."""
    return isinstance(value, tuple) and (
        hasattr(value, "_fields") or len({type(item) for item in value}) > 1
    )


def _containers(value: Any, source: Source, rng: random.Random) -> Iterator[Any]:
    """Containers of the same items in other orders, with some left out, or with some twice."""
    if is_record(value):
        return
    is_set, is_dict = isinstance(value, (set, frozenset)), isinstance(value, dict)
    items: list[Any] = ordered(value) if is_set else list(value.items() if is_dict else value)
    orders = _orders(items, source, rng)
    if not items or not (is_set or is_dict):
        yield from (rebuilt(value, made) for made in orders if made != items)
        return
    if is_set:
        more = [[*items, key] for key in _next_keys(items[-1])]
    else:
        same = [(key, items[0][1]) for key, _ in items]
        more = [same, *([*items, (key, items[0][1])] for key in _next_keys(items[-1][0]))]
    less = ([*items[:at], *items[at + 1 :]] for at in range(min(len(items), 8)))
    yield from (rebuilt(value, made) for made in alternated([orders, less, iter(more)]))


def _next_keys(key: Any) -> Iterator[Any]:
    """The key after a given one, where its type has one."""
    if isinstance(key, str):
        yield f"{key}_"
    elif isinstance(key, (int, float)) and not isinstance(key, bool):
        yield type(key)(key + 1) if abs(key) < sys.float_info.max else type(key)(0)


def _orders(items: list[Any], source: Source, rng: random.Random) -> Iterator[list[Any]]:
    middle = len(items) // 2
    more: list[list[Any]] = []
    if items and len(items) < LONGEST:
        more = [[*items, items[0]], [*items[:middle], items[middle], *items[middle:]]]
        more += [items + items, items[:1] * len(items), [*items, *items[::-1]], items * 8]
        more += _lengths(items, source)
    less = [[], items[::-1], items[:1], items[:-1], items[1:], items[:2]]
    shuffled = (rng.sample(items, len(items)) for _ in range(2))
    orders = _tried([partial(sorted, items), partial(sorted, items, reverse=True)])
    yield from alternated([iter(less), iter(more), shuffled, orders])


def _arrays(value: Any, source: Source, rng: random.Random) -> Iterator[Any]:
    """Arrays of the same dtype and tables of the same columns: other rows, and other cells."""
    shape = getattr(value, "shape", ())
    if not shape:
        plain = value.item() if hasattr(value, "item") else value
        kind: Any = type(value)
        made = near(plain, source, rng) if isinstance(plain, (bool, int, float)) else iter(())
        yield from _tried(partial(kind, each) for each in made)
        return
    is_table = hasattr(value, "iloc")
    rows = value.iloc if is_table else value
    orders = _orders(list(range(len(value))), Source(), rng)
    changes: list[Any] = [
        (partial(_taken, rows, order) for order in orders),
        (partial(_with_cell, value, cell) for cell in _CELLS),
    ]
    columns = [slice(None, None, -1), slice(1), slice(0)][: 1 if is_table else 3]
    if len(shape) > 1:
        changes.append(partial(_taken, rows, (slice(None), some)) for some in columns)
    if is_table:
        changes.append(iter([partial(value.reset_index, drop=True)]))
    else:
        changes.append(iter([partial(operator.neg, value), partial(value.copy, "F"), value.T.copy]))
    yield from _tried(alternated(changes))


def _taken(rows: Any, index: Any) -> Any:
    return rows[index].copy()


def _with_cell(value: Any, cell: Any) -> Any:
    """The value with another cell in its middle row; in a table, in one column that takes it.

    Raises:
        Exception: No cell takes it without a change of its type.
    """
    made, row = value.copy(), len(value) // 2
    if not hasattr(value, "iloc"):
        made[row] = cell
    elif len(value.shape) == 1:
        made.iloc[row] = cell
        if made.dtype != value.dtype:
            raise TypeError
    else:
        fitting = [at for at, kind in enumerate(value.dtypes) if getattr(kind, "kind", "") in "fOM"]
        made.iloc[row, fitting[0 if cell is None else -1]] = cell
        if list(made.dtypes) != list(value.dtypes):
            raise TypeError
    return made
