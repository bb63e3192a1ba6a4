"""Records that pass between the host and a cell: each written once, and checked by its reader.

1. A record is a frozen dataclass of numbers, texts, bytes, and lists, tuples, dicts and records of
   these.
2. `packed` gives one line of JSON, and behind it all bytes as they are; in the JSON a number tells
   their length.
3. `unpacked` makes the record again by its annotations, and refuses what does not fit: a candidate
   that got at the key of the channel may have sealed anything.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

R = TypeVar("R")
_MOST = 1 << 62

Count = Annotated[int, "not negative"]


class MisfitError(Exception):
    """The bytes are no such record."""


def packed(record: object) -> bytes:
    """Return a record as bytes."""
    blobs: list[bytes] = []

    def plain(value: Any) -> Any:
        if isinstance(value, bytes):
            blobs.append(value)
            return len(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return [plain(getattr(value, name)) for name, _ in _fields(type(value))]
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(each) for each in value]
        return value

    head = json.dumps(plain(record)).encode()
    return b"".join((head, b"\n", *blobs))


def unpacked(kind: type[R], data: bytes) -> R:
    """Return the record of a kind that bytes hold.

    Raises:
        MisfitError: if they hold none.
    """
    head, _, rest = data.partition(b"\n")
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return rest[at - size : at]

    try:
        found = _read(kind, json.loads(head), take)
    except (ValueError, RecursionError) as error:
        raise MisfitError(f"it is not JSON: {error}") from error
    if at != len(rest):
        raise MisfitError("its bytes are more or fewer than its text claims")
    return cast("R", found)


@cache
def _fields(kind: type) -> list[tuple[str, Any]]:
    # In a cell the modules are no longer listed; a method still knows the names of its own.
    hints = get_type_hints(kind, kind.__init__.__globals__, include_extras=True)  # type: ignore[misc]
    return [(field.name, hints[field.name]) for field in dataclasses.fields(kind)]


def _read(kind: Any, value: Any, take: Callable[[int], bytes]) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        one = next(each for each in inner if each is not type(None))
        return None if value is None else _read(one, value, take)
    if kind is bytes:
        return take(_read(Count, value, take))
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        fields = _fields(kind)
        if type(value) is list and len(value) == len(fields):
            parts = zip(fields, value, strict=True)
            return kind(**{name: _read(each, part, take) for (name, each), part in parts})
    elif origin is dict and type(value) is dict:
        return {name: _read(inner[1], each, take) for name, each in value.items()}
    elif origin is list and type(value) is list:
        return [_read(inner[0], each, take) for each in value]
    elif origin is tuple and type(value) is list and len(value) == len(inner):
        return tuple(_read(each, part, take) for each, part in zip(inner, value, strict=True))
    elif kind is float and type(value) in (int, float) and math.isfinite(value):
        return float(value)
    elif origin is Annotated or kind is int:
        if type(value) is int and (0 if origin else -_MOST) <= value < _MOST:
            return value
    elif kind in (str, bool) and type(value) is kind:
        return value
    raise MisfitError(f"{kind} is wanted, got {type(value).__name__}")
