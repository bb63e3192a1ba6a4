"""Which kinds of arguments a function is known to get: by its annotations and recorded calls.

A difference on an argument of another kind (a tuple where all calls pass lists, a record without
one of its fields) may be one that no caller ever meets.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from steelyard.comparing.calls.incell.hints import hints_of, recorded_values
from steelyard.comparing.calls.incell.parts import Call, parts

_MOST_VALUES, _MOST_DEPTH, _ENDS = 400, 6, 20
_UNKNOWN = (Any, object, inspect.Parameter.empty)


class Known:
    """The kinds of a function's arguments.

    Args:
        function: The function as it is called.
        recorded: Calls of it.
    """

    def __init__(self, function: Callable[..., object], recorded: Sequence[Call]) -> None:
        self._signature = inspect.signature(function)
        self._hints = hints_of(inspect.unwrap(function))
        self._shapes: dict[str, _Shape] = {}
        seen = recorded_values(self._signature, recorded)
        for name, parameter in self._signature.parameters.items():
            values = seen.get(name, [])
            if parameter.default is not parameter.empty:
                values = [*values, parameter.default]
            if values:
                self._shapes[name] = _Shape(values, 0)

    @property
    def positional(self) -> list[str]:
        """Return the parameters that take positional arguments, in order."""
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return [name for name, each in self._signature.parameters.items() if each.kind in kinds]

    def covers(self, call: Call) -> bool:
        """Return whether each argument of a call is of a kind that is known."""
        args, kwargs = call
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError:
            return False
        return all(self.takes(name, value) for name, value in bound.arguments.items())

    def takes(self, name: str, value: object) -> bool:
        """Return whether a parameter is known to get values like a given one."""
        parameter, shape = self._signature.parameters[name], self._shapes.get(name)
        hint = self._hints.get(name, Any)
        if parameter.kind is parameter.VAR_POSITIONAL:
            hint = tuple[hint, ...]  # type: ignore[valid-type]
        elif parameter.kind is parameter.VAR_KEYWORD:
            hint = dict[str, hint]  # type: ignore[valid-type]
        return (shape is not None and shape.covers(value)) or _fits(value, hint, shape)


class _Shape:
    """The kinds of some values, and of their parts."""

    def __init__(self, values: Sequence[object], depth: int) -> None:
        self.kinds = {_kind_of(value) for value in values}
        self.required: set[object] = set()
        """The keys that all of them have, if they are records: dicts inside other values."""
        tables = [value for value in values if isinstance(value, dict)]
        if depth and tables and all(map(_names_fields, tables)):
            self.required = set.intersection(*map(set, tables))
        lengths = {len(value) for value in values if isinstance(value, tuple)}
        self.length = min(lengths) if len(lengths) == 1 else None
        """Of a tuple that is taken apart by position: all that were seen are of one length."""
        inner: dict[object, list[object]] = {}
        for value in values[:_MOST_VALUES] if depth < _MOST_DEPTH else ():
            for step, part in self._parts(value):
                inner.setdefault(step, []).append(part)
        self.parts = {step: _Shape(some, depth + 1) for step, some in inner.items()}

    def covers(self, value: object) -> bool:
        """Return whether a value is like those that the shape was made of."""
        if _kind_of(value) not in self.kinds or self.lacks(value):
            return False
        if isinstance(value, tuple) and self.length not in (None, len(value)):
            return False
        return not self.parts or all(
            step in self.parts and self.parts[step].covers(part)
            for step, part in self._parts(value)
        )

    def lacks(self, value: object) -> bool:
        """Return whether a value is a record without one of its fields."""
        return isinstance(value, dict) and not self.required <= value.keys()

    def _parts(self, value: object) -> Iterator[tuple[object, object]]:
        """Yield parts by field or key if each has its own meaning, else by the kind of part."""
        for (kind, where), part in parts(value, ends=_ENDS):
            if kind == "value" and self.required and isinstance(value, dict):
                yield list(value)[where], part
            elif kind != "key" or not self.required:
                yield (where if kind == "field" else kind), part


def _kind_of(value: object) -> object:
    return type(value), getattr(value, "ndim", None)


def _names_fields(table: Mapping[object, object]) -> bool:
    return all(isinstance(key, str) and key.isidentifier() for key in table)


def _fits(value: Any, hint: Any, shape: _Shape | None) -> bool:
    """Return whether a value is of an annotated type, whose parts calls may know better."""
    origin, inside = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint in _UNKNOWN or isinstance(hint, typing.TypeVar | str):
        return shape is not None and shape.covers(value)
    if origin is typing.Annotated:
        return _fits(value, inside[0], shape)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, part, shape) for part in inside)
    if origin is typing.Literal:
        return value in inside
    if hint in (None, type(None)):
        return value is None
    if origin in (int, float, str, bytes, bool):
        return type(value) is origin or (origin is float and type(value) is int)
    if not isinstance(origin, type):
        return False
    try:
        if not isinstance(value, origin) or (shape and shape.lacks(value)):
            return False
    except TypeError:  # a protocol that cannot be checked
        return False
    if not inside or not isinstance(value, collections.abc.Collection):
        return shape is None or bool(inside) or shape.covers(value)
    named = dict(zip(("key", "value"), inside, strict=False)) if len(inside) == 2 else {}
    if isinstance(value, tuple) and origin is tuple and inside[-1] is not ...:
        return len(value) == len(inside) and all(
            _fits(part, each, None) for part, each in zip(value, inside, strict=True)
        )
    return all(
        _fits(part, named[step[0]] if step[0] in named else inside[0], _inner(shape, step[0]))
        for step, part in parts(value, ends=_ENDS)
    )


def _inner(shape: _Shape | None, step: str) -> _Shape | None:
    return shape.parts.get(step) if shape else None
