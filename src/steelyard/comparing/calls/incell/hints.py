"""The types of a function's arguments: as they are annotated, or as they were recorded."""

from __future__ import annotations

import inspect
import itertools
import sys
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, ordered

_MOST_VALUES = 50
_MOST_DEPTH = 4
_MOST_LITERALS = 60
_MOST_HELD = 1_000
_MOST_TABLE = 100


def hints_of(subject: Any) -> dict[str, Any]:
    """The annotations of a function or class, those that can be read."""
    try:
        return typing.get_type_hints(subject, include_extras=True)
    except Exception:  # annotations are code of the project's
        raw = getattr(subject, "__annotations__", {})
    scope = getattr(sys.modules.get(getattr(subject, "__module__", "")), "__dict__", {})
    known: dict[str, Any] = {}
    for name, hint in raw.items():
        try:
            known[name] = eval(hint, scope) if isinstance(hint, str) else hint  # noqa: S307
        except Exception:  # noqa: S112 - a name that only a type checker sees
            continue
    return known


def recorded_values(signature: inspect.Signature, recorded: Sequence[Call]) -> dict[str, list[Any]]:
    """What was recorded for each parameter of a signature."""
    values: dict[str, list[Any]] = {}
    for args, kwargs in recorded:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            continue  # the call itself is one that fails
        for name, value in bound.arguments.items():
            values.setdefault(name, []).append(value)
    return values


def literals(function: Callable[..., object]) -> list[Any]:
    """The numbers, strings and bytes that a function is written with, its own ones first.

    Those in its code and in the functions inside it, then those of the plain functions of its
    module that it names, and of the module's own tables that it names. From compiled code: Python
    3.14 and later keep small whole numbers elsewhere.
    """
    inner = inspect.unwrap(function)
    found: dict[str, Any] = {}
    named = _literals_in([inner], found)
    scope = getattr(inner, "__globals__", {})
    known = [scope[name] for name in named if name in scope]
    tables = [each for each in known if not callable(each)]
    _literals_in([*tables, *_helpers(inner, named)], found)
    return list(found.values())[:_MOST_LITERALS]


def called_names(function: Callable[..., object]) -> set[str]:
    """The names that a function's code uses: of variables, of attributes and of methods.

    Its own, those of the functions inside it, and those of its module's functions that it names.
    """
    inner = inspect.unwrap(function)
    named = _literals_in([inner], {})
    helpers = _helpers(inner, named)
    return {*named, *_literals_in(list(helpers), {})}


def _helpers(inner: Any, named: Sequence[str]) -> list[types.FunctionType]:
    """The plain functions of a function's own module that it names."""
    scope = getattr(inner, "__globals__", {})
    home = getattr(inner, "__module__", None)
    return [
        each
        for name in named
        if isinstance(each := scope.get(name), types.FunctionType)
        and each is not inner
        and each.__module__ == home
    ]


def _literals_in(held: list[Any], found: dict[str, Any]) -> list[str]:
    """Adds the literals of functions and plain containers; gives the names that the code uses."""
    named: dict[str, None] = {}
    docstrings: set[str | None] = set()
    for value in itertools.islice(held, _MOST_HELD):  # it grows
        if isinstance(value, types.FunctionType):
            docstrings.add(value.__doc__)
            held += [value.__code__]
        elif isinstance(value, types.CodeType):
            named |= dict.fromkeys(value.co_names)
            held += [each for each in value.co_consts if each not in docstrings]
        elif type(value) is dict:
            held += [part for pair in itertools.islice(value.items(), _MOST_TABLE) for part in pair]
        elif type(value) in (tuple, list):
            held += value[:_MOST_TABLE]
        elif type(value) in (set, frozenset) and len(value) <= _MOST_TABLE:
            held += ordered(value)
        elif type(value) in (int, float, str, bytes):
            found.setdefault(repr(value), value)
    return list(named)


def hint_of_values(values: Sequence[Any], depth: int = 0) -> Any:
    """The annotation that fits recorded values: `list[int]` for lists of whole numbers."""
    kinds: dict[type, list[Any]] = {}
    for value in values[:_MOST_VALUES]:
        kinds.setdefault(type(value), []).append(value)
    hints = [_hint_of_kind(kind, some, depth) for kind, some in kinds.items()]
    return typing.Union[tuple(hints)] if hints else int  # noqa: UP007 - of a list of types


def _hint_of_kind(kind: Any, some: list[Any], depth: int) -> Any:
    if depth > _MOST_DEPTH or kind not in (list, set, frozenset, tuple, dict):
        return kind
    if kind is dict:
        keys = [key for value in some for key in value]
        inner = [part for value in some for part in value.values()]
        return dict[hint_of_values(keys, depth + 1), hint_of_values(inner, depth + 1)]  # type: ignore[misc]
    inner = [part for value in some for part in value]
    if kind is not tuple:
        return kind[hint_of_values(inner, depth + 1)]
    sizes = {len(value) for value in some}
    if len(sizes) == 1 and some[0]:
        columns = zip(*some, strict=True)
        return tuple[tuple(hint_of_values(column, depth + 1) for column in columns)]  # type: ignore[misc]
    return tuple[hint_of_values(inner, depth + 1), ...]  # type: ignore[misc]
