"""Which tuples are records: all that were recorded in one place are of one length.

A function takes such a tuple apart by position, so that one of another length is none that it is
ever given.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Collection, Sequence
from typing import Any

from steelyard.comparing.calls.incell.hints import hints_of
from steelyard.comparing.calls.incell.parts import Call, Path, places

_MOST_PLACES, _ENDS = 1_000, 20

Steady = Collection[Path]
"""Places with their indexes left out."""


def steady_tuples(function: Callable[..., object], recorded: Sequence[Call]) -> frozenset[Path]:
    """The places, indexes left out, at which all recorded tuples are of one length.

    Args:
        function: The function; an argument that is annotated with `tuple[X, ...]` may hold
            tuples of any length.
        recorded: Calls of it.
    """
    lengths: dict[Path, set[int]] = {}
    for call in recorded:
        for path, value in places(call, most=_MOST_PLACES, ends=_ENDS):
            if isinstance(value, tuple):
                lengths.setdefault(_anywhere(path), set()).add(len(value))
    free = _free_arguments(function)
    return frozenset(
        path for path, found in lengths.items() if len(found) == 1 and path[0] not in free
    )


def is_steady(path: Path, steady: Steady) -> bool:
    """Whether a tuple at this place keeps its length."""
    return _anywhere(path) in steady


def _anywhere(path: Path) -> Path:
    """The place without its indexes: arguments and fields are by name, the rest are all alike."""
    return tuple(step if step[0] in ("arg", "kwarg", "field") else (step[0], None) for step in path)


def _free_arguments(function: Callable[..., object]) -> set[tuple[str, Any]]:
    """The arguments, as first steps of a path, in whose annotation a tuple is of any length."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()
    hints = hints_of(inspect.unwrap(function))
    free = [name for name in names if _holds_any_length(hints.get(name))]
    return {("kwarg", name) for name in free} | {("arg", names.index(name)) for name in free}


def _holds_any_length(hint: Any) -> bool:
    inside = typing.get_args(hint)
    if typing.get_origin(hint) is tuple and Ellipsis in inside:
        return True
    return any(_holds_any_length(part) for part in inside)
