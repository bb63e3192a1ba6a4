"""Simpler values than a given one, and what a value costs a reader."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, ordered, parts, rebuilt

Accept = Callable[[Any], bool]
"""Takes a simpler value in the place that is worked on; says whether the failure stayed."""

_SMALL = 12
"""Containers of so many items also lose each two of them at once."""
_LONG = 64
"""Longer strings and arrays are not simplified one part at a time."""
_PLAIN = "a0 "
_MOST_WEIGHED = 100_000
_FIRST_DAY = dt.datetime(2000, 1, 1)


def weight(call: Call) -> tuple[int, list[float]]:
    """How much a call holds, then how odd each of its values is, in order."""
    count, odd = 0, []
    stack: list[object] = [*reversed(list(call[1].values())), *reversed(call[0])]
    seen: set[int] = set()
    while stack and count < _MOST_WEIGHED:
        value = stack.pop()
        count += 1
        inner = parts(value)
        if inner:
            if id(value) in seen:
                continue
            seen.add(id(value))
            stack += [part for _, part in reversed(inner)]
            continue
        count += _length(value)
        odd += _oddness(value)
    return count + len(call[1]), odd


def _length(value: Any) -> int:
    if isinstance(value, (str, bytes, bytearray, range)):
        return len(value)
    size = getattr(value, "size", 0) if is_table(value) else 0
    return int(size)


def _oddness(value: Any) -> list[float]:
    if isinstance(value, (bool, int)):
        try:
            return [2 * abs(float(value)) + (value < 0)]
        except OverflowError:
            return [math.inf, float(value.bit_length())]
    if isinstance(value, (float, decimal.Decimal)):
        number = float(value) if not getattr(value, "is_snan", bool)() else math.nan
        if not math.isfinite(number):
            return [math.inf]
        whole = number.is_integer()
        return [
            2 * abs(number) + (math.copysign(1, number) < 0) + (0 if whole else 1e6),
            0 if whole else len(repr(number)),
        ]
    if isinstance(value, str):
        return [
            float(_PLAIN.index(letter) if letter in _PLAIN else 9 + ord(letter)) for letter in value
        ]
    if isinstance(value, (bytes, bytearray)):
        return [float(byte) for byte in value]
    if isinstance(value, dt.datetime):
        naive = value.replace(tzinfo=None)
        return [abs((naive - _FIRST_DAY).total_seconds()), float(value.microsecond)]
    if isinstance(value, dt.date):
        return [abs(float((value - _FIRST_DAY.date()).days))]
    if isinstance(value, dt.timedelta):
        return [abs(value.total_seconds()), float(value < dt.timedelta(0))]
    if isinstance(value, enum.Enum):
        return [float(list(type(value)).index(value))]
    if is_table(value):
        numbers = getattr(value, "flat", ())
        return [odd for number in list(numbers)[:_LONG] for odd in _oddness(_item(number))]
    return [0.0]


def is_table(value: object) -> bool:
    """Whether a value is an array of numpy or a table or series of pandas."""
    numpy: Any = sys.modules.get("numpy")
    pandas: Any = sys.modules.get("pandas")
    return (numpy is not None and isinstance(value, numpy.ndarray) and value.ndim > 0) or (
        pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series))
    )


def _item(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def simplify(value: Any, accept: Accept) -> None:
    """Offers simpler values for one place until none is taken.

    Args:
        value: What stands in the place.
        accept: Tries a value there.
    """
    if isinstance(value, enum.Enum):
        any(accept(member) for member in type(value) if member is not value)
    elif isinstance(value, bool):
        if value:
            accept(False)
    elif isinstance(value, (int, float, decimal.Decimal)):
        _number(value, accept)
    elif isinstance(value, (str, bytes, bytearray)):
        _text(value, accept)
    elif isinstance(value, (list, tuple, deque)):
        _items(list(value), lambda items: accept(rebuilt(value, items)))
    elif isinstance(value, dict):
        _items(list(value.items()), lambda items: accept(rebuilt(value, items)))
    elif isinstance(value, (set, frozenset)):
        _items(ordered(value), lambda items: accept(rebuilt(value, items)))
    elif isinstance(value, (dt.date, dt.timedelta)):
        any(accept(simple) for simple in _times(value))
    elif is_table(value):
        _table(value, accept)


def numbers(value: Any) -> Iterator[Any]:
    """Simpler numbers of the same type than a given one, the simplest first."""
    kind = type(value)
    if value != value:
        return
    yield from (kind(0), kind(1), kind(-1), kind(2))
    if isinstance(value, (float, decimal.Decimal)):
        if abs(value) == math.inf:
            return
        yield kind(int(value))
        yield kind(1) / 2
        yield value - kind(int(value))
        yield from (kind(round(value, digits)) for digits in (0, 1, 2, 4))
    if value < 0:
        yield -value
    whole = int(value)
    below = whole
    while abs(below) > 1:
        below = int(below / 2) if abs(below) < 2**50 else (abs(below) >> 1) * (-1, 1)[below > 0]
        yield kind(whole - below)
    yield kind(whole - (1 if whole > 0 else -1))


def _number(value: Any, accept: Accept) -> None:
    """Down to the smallest number that is taken: each step halves what is left."""
    taken = True
    while taken:
        taken = False
        for number in numbers(value):
            if repr(number) != repr(value) and accept(number):
                value, taken = number, True
                break


def _items(items: list[Any], accept: Accept) -> list[Any]:
    """Without each chunk that is not needed: halves first, then smaller ones, single items last."""
    if not items or accept([]):
        return []
    chunk = len(items) // 2
    while chunk:
        start = len(items) - chunk
        while start > -chunk:
            low = max(0, start)
            made = items[:low] + items[start + chunk :]
            if made and accept(made):
                items = made
            start -= chunk
        chunk //= 2
    return _pairs(items, accept) if 2 < len(items) <= _SMALL else items


def _pairs(items: list[Any], accept: Accept) -> list[Any]:
    at = [(i, j) for i in range(len(items)) for j in range(i + 1, len(items))]
    for i, j in at:
        made = items[:i] + items[i + 1 : j] + items[j + 1 :]
        if accept(made):
            return _pairs(made, accept)
    return items


def _text(value: Any, accept: Accept) -> None:
    def whole(letters: list[Any]) -> Any:
        return "".join(letters) if isinstance(value, str) else type(value)(letters)

    letters = _items(list(value), lambda some: accept(whole(some)))
    plain: list[Any] = list(_PLAIN if isinstance(value, str) else _PLAIN.encode())
    for letter in dict.fromkeys(letters[:_LONG]):
        for simple in plain:
            if letter in plain and plain.index(letter) <= plain.index(simple):
                break
            # All of its kind at once: a failure that needs two alike keeps them.
            made = [simple if other == letter else other for other in letters]
            if accept(whole(made)):
                letters = made
                break
    for i, letter in enumerate(letters[:_LONG]):
        made = [*letters[:i], plain[0], *letters[i + 1 :]]
        if letter != plain[0] and accept(whole(made)):
            letters = made


def _times(value: Any) -> Iterator[Any]:
    if isinstance(value, dt.timedelta):
        yield from (dt.timedelta(0), dt.timedelta(1), dt.timedelta(seconds=1), -value)
        yield from (dt.timedelta(value.days), dt.timedelta(seconds=int(value.total_seconds())))
        return
    if isinstance(value, dt.datetime):
        yield _FIRST_DAY.replace(tzinfo=value.tzinfo)
        yield value.replace(year=2000, month=1, day=1)
        yield value.replace(hour=0, minute=0, second=0, microsecond=0)
        yield value.replace(microsecond=0)
    else:
        yield dt.date(2000, 1, 1)
    yield from (value.replace(month=1, day=1), value.replace(day=1))
    if (value.month, value.day) != (2, 29):
        yield value.replace(year=2000)


def _table(value: Any, accept: Accept) -> None:
    """Without the rows and columns that are not needed, then with zeros for ones."""
    kept = value
    for axis in range(value.ndim):
        offer = _cutter(kept, axis, accept)
        kept = _taken(kept, axis, _items(list(range(kept.shape[axis])), offer))
    if not hasattr(kept, "iloc") and kept.dtype.kind in "iuf" and kept.size <= _LONG:
        for at in range(kept.size):
            _cell(kept, at, accept)


def _cutter(table: Any, axis: int, accept: Accept) -> Callable[[list[int]], bool]:
    return lambda some: accept(_taken(table, axis, some))


def _taken(table: Any, axis: int, some: list[int]) -> Any:
    index = (*([slice(None)] * axis), some)
    return table.iloc[index] if hasattr(table, "iloc") else table[index].copy()


def _cell(array: Any, at: int, accept: Accept) -> None:
    """Lowers one cell of an array, in the array itself where that is taken."""
    for number in numbers(array.flat[at].item()):
        made = array.copy()
        try:
            made.flat[at] = number
        except OverflowError:
            continue
        if accept(made):
            array.flat[at] = number
            return
