"""The smallest call that still fails: what is not needed is taken away, the rest becomes plain.

1. Each place of the call in turn gets simpler values: containers and texts lose chunks of items,
   halves first and single ones last; a part takes the place of the whole; numbers go toward 0.
2. Values that occur more than once become simpler together, so that a failure which needs two
   alike keeps them; so do all whole numbers of a container, so that their distances stay.
3. A change is kept if the call weighs less and still fails. This is repeated until none is kept.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import decimal
import enum
import math
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.parts import (
    Call,
    Path,
    Step,
    at,
    copied,
    digest,
    ordered,
    parts,
    places,
    put,
    rebuilt,
)
from steelyard.project_runs.incell.real_clock import now

_MOST_PLACES, _MOST_SHIFTED, _MOST_LIFTED, _LIFT_DEPTH = 400, 64, 32, 3
_SMALL = 12
"""Containers of so many items also lose each two of them at once."""
_LONG = 64
"""Of longer texts and arrays not every letter and cell becomes simpler."""
_FIRST_DAY = dt.datetime(2000, 1, 1)
_PLAIN = (int, float, str)
_TEXTS = (str, bytes, bytearray)
_MUTABLE = (list, dict, set, deque)


class _Spent(Exception):  # noqa: N818 - the end of the search, no error
    """The time or the tries are used up."""


def shrink(call: Call, differs: Callable[[Call], bool], *, seconds: float, most_tries: int) -> Call:
    """Return a call on which two functions still differ, as small and plain as can be found.

    Args:
        call: A call on which they differ.
        differs: Tells if they differ on a call. It is given a copy of its own each time. What it
            raises ends the search and is passed on.
        seconds: At most so long, by a clock that the deterministic patches do not touch.
        most_tries: At most so many calls of `differs`.

    Returns:
        A call on which `differs` was true, never heavier than the given one; the given one itself
        if nothing smaller was found or if it cannot be copied.
    """
    search = _Search(call, differs, seconds, most_tries)
    with contextlib.suppress(_Spent):
        search.run()
    return search.best


class _Search:
    """The best call so far, and what has been tried."""

    def __init__(
        self, call: Call, differs: Callable[[Call], bool], seconds: float, most_tries: int
    ) -> None:
        self.best, self._differs, self._tries = call, differs, most_tries
        self._end = now() + seconds
        self._seen: set[bytes | None] = set()
        self._weight = _weight(call)
        found = places(call, most=_MOST_PLACES)
        self._absent = {path[-1] for path, value in found if value is None}
        """How parts are reached that are None somewhere in the call."""

    def run(self) -> None:
        """Make each place simpler, and values together, until nothing more is found."""
        start = copied(self.best)
        if start is None or not self._fails(start):
            return
        before = None
        while before != self._weight:
            before = self._weight
            for name in list(self.best[1]):
                args, kwargs = self.best
                self._accept((args, {other: kwargs[other] for other in kwargs if other != name}))
            done: set[Path] = set()
            while left := [place for place in self._places() if place[0] not in done]:
                done.add(left[0][0])
                self._simplify([left[0][0]])
            for name in dict.fromkeys(repr(value) for _, value in self._plain()):
                self._simplify([path for path, value in self._plain() if repr(value) == name])
            for path, value in self._places():
                self._shift(path, value)

    def _places(self) -> list[tuple[Path, Any]]:
        return places(self.best, most=_MOST_PLACES)

    def _plain(self) -> list[tuple[Path, Any]]:
        return [place for place in self._places() if type(place[1]) in _PLAIN]

    def _simplify(self, paths: Sequence[Path]) -> None:
        """Make the value at some places simpler, as long as the failure stays."""
        taken = bool(paths)
        while taken:
            value = at(self.best, paths[0])
            simple = _simpler(value)
            if value is not None and paths[0][-1] in self._absent:
                simple = iter([None, *simple])
            taken = any(self._put((path, made) for path in paths) for made in simple)

    def _shift(self, path: Path, value: Any) -> None:
        whole: list[tuple[Step, Any]] = [each for each in parts(value) if type(each[1]) is int]
        if 1 < len(whole) <= _MOST_SHIFTED:
            least = min(part for _, part in whole)
            self._put(((*path, step), part - least) for step, part in whole)

    def _put(self, changes: Iterable[tuple[Path, Any]]) -> bool:
        """Try values in some places; an object in several places changes in all of them first."""
        listed = list(changes)
        for is_shared in (True, False):
            made = copied(self.best) or self.best
            try:
                for path, value in listed:
                    made = (_put_inside if is_shared else put)(made, path, value)
            except Exception:  # an object's own checks refuse a value, or two keys fell together
                return False
            if self._accept(made):
                return True
        return False

    def _accept(self, call: Call) -> bool:
        """Take a call that is lighter and still fails."""
        if now() > self._end:
            raise _Spent
        weight, mark = _weight(call), digest(call)
        if weight >= self._weight or (mark in self._seen and mark is not None):
            return False
        self._seen.add(mark)
        copy = copied(call)
        if copy is None or not self._fails(copy):
            return False
        self.best, self._weight = call, weight
        return True

    def _fails(self, call: Call) -> bool:
        if self._tries <= 0:
            raise _Spent
        self._tries -= 1
        return self._differs(call)


def _put_inside(call: Call, path: Path, value: Any) -> Call:
    """Put a value in a place, in the innermost container that can change, wherever that is."""
    for length in range(len(path), 0, -1):
        holder: Any = at(call, path[:length])
        if type(holder) in _MUTABLE:
            made: Any = put(((holder,), {}), (("arg", 0), *path[length:]), value)[0][0]
            if type(made) is type(holder):
                items = list(made.items() if isinstance(made, dict) else made)
                holder.clear()
                (holder.update if isinstance(holder, dict | set) else holder.extend)(items)
                return call
    return put(call, path, value)


def _weight(call: Call) -> tuple[int, list[tuple[float, ...]]]:
    """Return how much a call holds, then how far from plain each of its values is."""
    found = places(call, most=sys.maxsize)
    seen: set[int] = set()
    size, odd = len(call[1]), []
    for _, value in found:
        size += 1
        inner = parts(value)
        if inner and id(value) in seen:
            continue
        seen.add(id(value))
        size += len(value) if isinstance(value, (*_TEXTS, range)) else _cells(value)
        odd += [] if inner else [_odd(value)]
    return size, odd


def _cells(value: Any) -> int:
    return int(value.size) if _is_table(value) else 0


def _odd(value: Any) -> tuple[float, ...]:
    if isinstance(value, str):
        return tuple(-1 if letter == "a" else ord(letter) for letter in value)
    if isinstance(value, bytes | bytearray):
        return tuple(value)
    if isinstance(value, int | float | decimal.Decimal):
        number = math.inf
        with contextlib.suppress(OverflowError, ValueError):  # it is too large, or a signal
            number = float(value)
        if not math.isfinite(number):
            return (math.inf, len(repr(value)))
        digits = 0 if number.is_integer() else len(repr(value))
        return digits, 2 * abs(number) + (math.copysign(1, number) < 0)
    if isinstance(value, dt.datetime):
        since = value.replace(tzinfo=None) - _FIRST_DAY
        return abs(since.total_seconds()), value.microsecond
    if isinstance(value, dt.date):
        return (abs((value - _FIRST_DAY.date()).days),)
    if isinstance(value, dt.timedelta):
        return abs(value.total_seconds()), value < dt.timedelta(0)
    if isinstance(value, enum.Enum):
        return (list(type(value)).index(value),)
    cells = list(getattr(value, "flat", ()))[:_LONG] if _is_table(value) else ()
    return tuple(each for cell in cells for each in _odd(getattr(cell, "item", lambda: 0)()))


def _is_table(value: Any) -> bool:
    """Return whether a value is an array of numpy, or a table or series of pandas."""
    kinds = [
        getattr(sys.modules.get(module), name, ())
        for module, name in (("numpy", "ndarray"), ("pandas", "DataFrame"), ("pandas", "Series"))
    ]
    return any(kind and isinstance(value, kind) for kind in kinds) and value.ndim > 0


def _simpler(value: Any) -> Iterator[Any]:
    """Yield simpler values of the same type, the simplest first."""
    if isinstance(value, enum.Enum):
        yield from type(value)
    elif isinstance(value, bool):
        yield False
    elif isinstance(value, int | float | decimal.Decimal):
        yield from _numbers(value)
    elif isinstance(value, _TEXTS):
        yield from _texts(value)
    elif isinstance(value, list | tuple | deque):
        yield from (rebuilt(value, items) for items in _cuts(list(value)))
        with contextlib.suppress(Exception):  # they have no order
            yield rebuilt(value, sorted(value))
    elif isinstance(value, dict):
        yield from (rebuilt(value, items) for items in _cuts(list(value.items())))
    elif isinstance(value, set | frozenset):
        yield from (rebuilt(value, items) for items in _cuts(ordered(value)))
    elif isinstance(value, dt.date | dt.timedelta):
        yield from _times(value)
    elif _is_table(value):
        yield from _tables(value)
    yield from _lifted(value)


def _cuts(items: Any) -> Iterator[Any]:
    """Yield what is left without each chunk, the largest chunks first, then without each two."""
    chunk = len(items)
    while chunk:
        for start in range(len(items) - chunk, -chunk, -chunk):
            yield items[: max(0, start)] + items[start + chunk :]
        chunk //= 2
    for second in range(len(items) if len(items) <= _SMALL else 0):
        for first in range(second):
            yield items[:first] + items[first + 1 : second] + items[second + 1 :]


def _texts(value: Any) -> Iterator[Any]:
    yield from _cuts(value)
    for plain in ("a", "0"):
        simple: Any = plain if isinstance(value, str) else plain.encode()
        letters: list[Any] = [value[i : i + 1] for i in range(min(len(value), _LONG))]
        different = [each for i, each in enumerate(letters) if each not in letters[:i]]
        yield from (value.replace(letter, simple) for letter in different)
        yield from (value[:i] + simple + value[i + 1 :] for i in range(len(letters)))


def _numbers(value: Any) -> Iterator[Any]:
    kind = type(value)
    if value != value:
        return
    yield from (kind(0), kind(1), kind(-1), kind(2))
    if not isinstance(value, int):
        if abs(value) == math.inf:
            return
        yield from (kind(int(value)), kind(1) / 2, value - kind(int(value)))
        yield from (kind(round(value, digits)) for digits in (0, 1, 2, 4))
    yield -value
    whole = int(value)
    step = abs(whole) >> 1
    while step:
        yield kind(whole - step if whole > 0 else whole + step)
        step >>= 1


def _times(value: Any) -> Iterator[Any]:
    if isinstance(value, dt.timedelta):
        yield from (dt.timedelta(0), dt.timedelta(1), dt.timedelta(seconds=1), -value)
        yield from (dt.timedelta(value.days), dt.timedelta(seconds=int(value.total_seconds())))
        return
    day = {"month": 1, "day": 1}
    fields: list[dict[str, int]] = [{"year": 2000, **day}, day, {"day": 1}, {"year": 2000}]
    if isinstance(value, dt.datetime):
        midnight = dict.fromkeys(("hour", "minute", "second", "microsecond"), 0)
        fields = [{**fields[0], **midnight}, *fields, midnight, {"microsecond": 0}]
    yield from (value.replace(**some) for some in fields)


def _tables(value: Any) -> Iterator[Any]:
    """Yield it without rows and columns that may not be needed, then with plainer cells."""
    for axis in range(value.ndim):
        for some in _cuts(list(range(value.shape[axis]))):
            index = (*([slice(None)] * axis), some)
            yield value.iloc[index] if hasattr(value, "iloc") else value[index].copy()
    if not hasattr(value, "iloc") and value.dtype.kind in "iuf" and value.size <= _LONG:
        for cell in range(value.size):
            for number in _numbers(value.flat[cell].item()):
                made = value.copy()
                with contextlib.suppress(OverflowError):
                    made.flat[cell] = number
                    yield made


def _lifted(value: Any) -> Iterator[Any]:
    """Yield parts of the same type, such as the left half of a tree.

    They have parts of no other type: a list of names is not a smaller list of records.
    """
    inner = [part for _, part in parts(value)][:_MOST_LIFTED]
    own = {type(part) for part in inner}
    for _ in range(_LIFT_DEPTH):
        for part in inner:
            if type(part) is type(value) and {type(each) for _, each in parts(part)} <= own:
                yield part
        inner = [deeper for part in inner for _, deeper in parts(part)][:_MOST_LIFTED]
