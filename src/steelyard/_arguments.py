"""Check the arguments of a public function against its annotations."""

import functools
import inspect
import numbers
import types
import typing
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from steelyard.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")

_LONGEST = 100
_WIDER: dict[object, type] = {int: numbers.Integral, float: numbers.Real, type(None): type(None)}


def checks_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function that raises a `UsageError` for an argument of a wrong type.

    It looks at the argument itself, not at the items of a list. Modes, protocols and what a
    signature leaves open are the function's own to check.
    """
    signature = inspect.signature(function)

    @functools.cache
    def kinds() -> dict[str, tuple[type, ...]]:
        hints = typing.get_type_hints(function)
        found = {name: _kinds(hint) for name, hint in hints.items() if name != "return"}
        return {name: each for name, each in found.items() if each}

    def check(*args: Any, **kwargs: Any) -> None:
        given = {**dict(zip(signature.parameters, args, strict=False)), **kwargs}
        for name, allowed in kinds().items():
            if name in given and not isinstance(given[name], allowed):
                words = " or ".join(_word(each) for each in allowed)
                value = repr(given[name])
                shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."
                raise UsageError(f"{name} must be {words}, got {shown}")

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def checked_later(*args: P.args, **kwargs: P.kwargs) -> Any:
            check(*args, **kwargs)
            return await function(*args, **kwargs)

        return typing.cast("Callable[P, R]", checked_later)

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        check(*args, **kwargs)
        return function(*args, **kwargs)

    return checked


def _kinds(hint: Any) -> tuple[type, ...]:
    """Return the classes of a hint; none if a part of it is not a class."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        parts = [_kinds(each) for each in typing.get_args(hint)]
        return tuple(dict.fromkeys(kind for part in parts for kind in part)) if all(parts) else ()
    if hint in _WIDER:
        return (_WIDER[hint],)
    kind = typing.get_origin(hint) or hint
    if not isinstance(kind, type) or kind is object or getattr(kind, "_is_protocol", False):
        return ()
    return (kind,)


def _word(kind: type) -> str:
    names = {numbers.Integral: "int", numbers.Real: "float", type(None): "None"}
    return names.get(kind, kind.__name__)
