"""Record what a test gives to the functions of a module, and what they return.

1. `sys.setprofile` reports each call. Only a call from outside of the module counts: what the
   module's functions pass to each other is not the test's own.
2. A number counts as it is, and a text or a container by its size and its items. Only exact
   built-in types are looked at, so that no method of the suite or the module runs. An argument that
   is the parameter's default does not count.
3. An exception that leaves such a call counts too.

The suite shares this process, and could report anything.
"""

from __future__ import annotations

import dis
import gc
import math
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from types import CodeType, FrameType, FunctionType
from typing import Any

_MOST_EVENTS = 300_000
_MOST_ITEMS = 1_000
_MOST_NUMBERS = 10_000
_DEEPEST = 3
_LARGE = 2**31 - 1
_POWERS = (7, 8, 15, 16, 31, 32, 53, 63, 64)
_ENDS_OF_INTEGERS = tuple(sign * 2**power for power in _POWERS for sign in (1, -1))
_NUMBERS: dict[type, Any] = {
    int: int,
    float: float,
    Decimal: float,
    Fraction: float,
    timedelta: timedelta.total_seconds,
}
_TEXTS = (str, bytes, bytearray)
_CONTAINERS = (list, tuple, set, frozenset, dict, deque)
_PLAIN = (*_NUMBERS, *_TEXTS[:2], bool, type(None))
_RETURNS = ("RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE", "RETURN_GENERATOR")
_RETURN_CODES = frozenset(dis.opmap[name] for name in _RETURNS if name in dis.opmap)


class Watch:
    """Watches the calls of one test.

    Args:
        path: The module's file, as its `__file__` names it.
        bounds: Numbers that the module or its specification names.
    """

    def __init__(self, path: str, bounds: Sequence[int]) -> None:
        self._path, self._bounds = path, (0, *bounds, *_ENDS_OF_INTEGERS)
        self._events = 0
        self._call: FrameType | None = None
        self._defaults: dict[CodeType, dict[str, object]] = {}
        self._numbers: set[float] = set()
        self._touches = False
        self.raised = False
        """True if a function of the module raised an exception out to the test."""
        self.edge = False
        """True if an argument or a result is an edge value."""

    def begin(self) -> None:
        """Watch from here on."""
        sys.setprofile(self._event)

    def end(self) -> None:
        """Watch no longer."""
        sys.setprofile(None)

    @property
    def boundary(self) -> bool:
        """True if a number or a size is at a bound, or one away."""
        return self._touches or any(
            abs(number - bound) <= 1 for number in self._numbers for bound in self._bounds
        )

    def _event(self, frame: FrameType, event: str, value: object) -> None:
        self._events += 1
        if self._events > _MOST_EVENTS:
            sys.setprofile(None)
        elif event == "call" and self._call is None and self._is_own(frame):
            self._call = frame
            with suppress(Exception):  # an exception would go to the test
                self._add_arguments(frame)
        elif event == "return" and frame is self._call:
            self._call = None
            with suppress(Exception):
                self._add_result(frame, value)

    def _is_own(self, frame: FrameType) -> bool:
        """Return True for the module's functions, those that a decorator writes for it too."""
        return frame.f_globals.get("__file__") == self._path

    def _add_arguments(self, frame: FrameType) -> None:
        code, held = frame.f_code, frame.f_locals
        if code not in self._defaults:
            self._defaults[code] = _defaults_of(code)
        unset = self._defaults[code]
        count = code.co_argcount + code.co_kwonlyargcount
        values = [
            held[name]
            for name in code.co_varnames[:count]
            if name in held and not (name in unset and held[name] is unset[name])
        ]
        more = code.co_varnames[count : count + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        for name in more:  # *args and **kwargs
            group: Any = held.get(name, ())
            values.extend(group.values() if type(group) is dict else group)
        numbers = [_NUMBERS[type(each)](each) for each in values if type(each) in _NUMBERS]
        sizes = [len(each) for each in values if type(each) in (*_TEXTS, *_CONTAINERS)]
        self._touches |= any(
            abs(number - other) <= 1
            for index, number in enumerate(numbers)
            for other in (*numbers[index + 1 :], *sizes)
        )
        for each in values:
            self._add(each)

    def _add_result(self, frame: FrameType, value: object) -> None:
        # A frame that an exception ends reports None too.
        if value is not None:
            self._add(value)
        elif frame.f_code.co_code[frame.f_lasti] not in _RETURN_CODES:
            self.raised = True

    def _add(self, value: object) -> None:
        for number, is_edge in _measured(value):
            self.edge |= is_edge
            if math.isfinite(number) and len(self._numbers) < _MOST_NUMBERS:
                self._numbers.add(number)


def _measured(value: Any, depth: int = 0) -> Iterator[tuple[float, bool]]:
    """Yield the numbers and sizes in a value, each with True if programs often get it wrong."""
    kind = type(value)
    if value is None:
        yield math.nan, True
    elif kind in _NUMBERS:
        number = _NUMBERS[kind](value)
        yield number, not 0 < number < _LARGE
    elif kind in _TEXTS:
        yield len(value), len(set(value)) <= 1 or not value.strip() or not value.isascii()
    elif kind in _CONTAINERS:
        items = list(islice(value, _MOST_ITEMS))
        plain = all(type(item) in _PLAIN for item in items)
        yield len(value), len(value) <= 1 or (plain and len(set(items)) == 1)
        if depth < _DEEPEST:
            for item in items:
                yield from _measured(item, depth + 1)
                if kind is dict:
                    yield from _measured(value[item], depth + 1)


def _defaults_of(code: CodeType) -> dict[str, object]:
    """Return the defaults of a function's parameters."""
    for function in gc.get_referrers(code):
        if type(function) is FunctionType:
            names = code.co_varnames[: code.co_argcount]
            given = function.__defaults__ or ()
            return {
                **dict(zip(names[len(names) - len(given) :], given, strict=True)),
                **(function.__kwdefaults__ or {}),
            }
    return {}
