"""Calls with an argument of a neighbour kind: an iterator for a list, a float for a whole number.

Annotations such as `Iterable` and many callers allow them, and a rewrite that indexes, asks for a
length or takes the items twice does not. What no pickle can hold, such as a view, travels as a
recipe, which is the object itself once it is loaded.
"""

from __future__ import annotations

import functools
import itertools
import operator
import sys
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, alternated, put

_MOST_SHOWN = 80
_COLLECTIONS = (list, tuple, set, frozenset, deque, range)


class Recipe:
    """An object that is made of the standard library's parts where its pickle is loaded.

    Nothing in a cell can be found by the name of this package.

    Args:
        name: A word for it.
        make: A function or class.
        arguments: Its arguments.
    """

    def __init__(self, name: str, make: Callable[..., object], *arguments: object) -> None:
        self._name, self._reduced = name, (make, arguments)

    def __reduce__(self) -> Any:
        """Return what unpickling calls."""
        return self._reduced

    def __repr__(self) -> str:
        """Show the object as it would be written."""
        return self._name


def _iterator(items: list[object], *more: object) -> Recipe:
    name = f"iterator over {items!r}"
    return Recipe(f"{name} that fails at its end" if more else name, itertools.chain, items, *more)


def _only_items(items: list[object]) -> Recipe:
    """An object that has items and a length, and nothing else."""
    methods = {
        f"__{function.__name__}__": Recipe("", staticmethod, functools.partial(function, items))
        for function in (operator.getitem, len)
    }
    kind = Recipe("", type, "Items", (), methods)
    return Recipe(f"object with the items {items!r} only", operator.methodcaller("__call__"), kind)


def neighbours(calls: Sequence[Call], names: Sequence[str]) -> Iterator[tuple[Call, str, str]]:
    """Yield calls with one argument of a neighbour kind, the name of it, and how it is written.

    Args:
        calls: Small calls.
        names: The parameters that take positional arguments, in order.
    """
    yield from alternated(
        [
            _of_argument(call, name, at)
            for call in calls
            for at, name in enumerate(names[: len(call[0])])
        ]
    )


def _of_argument(call: Call, name: str, at: int) -> Iterator[tuple[Call, str, str]]:
    for made in _near(call[0][at]):
        yield put(call, (("arg", at),), made), name, f"{name}={made!r}"[:_MOST_SHOWN]


def _near(value: Any) -> Iterator[object]:
    yield None
    numpy: Any = sys.modules.get("numpy")
    kind = type(value)
    if kind in _COLLECTIONS:
        yield from _of_items(value, kind)
    elif kind is dict:
        yield OrderedDict(value)
        yield Recipe(f"items view of {value!r}", dict.items, value)
    elif kind in (bytes, bytearray):
        yield from (
            bytearray(value),
            Recipe(f"memoryview of {value!r}", memoryview, bytes(value)),
            bytes(value),
        )
    elif kind is types.FunctionType:
        partly, name = functools.partial(value), value.__qualname__
        yield Recipe(f"partial of {name}", functools.partial, value)
        yield Recipe(f"wrapped {name}", functools.update_wrapper, partly, value)
    elif kind in (int, float, bool):
        yield from (kind_of(value) for kind_of in (int, float, bool) if kind_of is not kind)
        if numpy is not None:
            yield (numpy.float64 if kind is float else numpy.int64)(value)


def _of_items(value: Any, kind: type) -> Iterator[object]:
    items = list(value)
    yield from (_iterator(items), tuple(items) if kind is not tuple else items)
    yield Recipe(f"values view of {items!r}", dict.values, dict(enumerate(items)))
    yield _iterator(items, Recipe("", map, operator.truediv, [1], [0]))
    yield from (_only_items(items), deque(items))
    if all(type(item) is int for item in items):
        yield range(len(items))
    if kind in (list, tuple):
        yield kind([*items[:1], None, *items[1:]])
