"""Write plain values in one fixed way, and read what a program answered, within bounds.

Equal arguments have equal texts, and so equal digests.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import JsonValue

from steelyard import schemas
from steelyard.errors import SpecificationError


def canonical_json(value: JsonValue) -> str:
    """Return a value as one line of ASCII: sorted keys, no spaces. A tuple becomes a list.

    Raises:
        SpecificationError: if the value is not JSON, such as an infinite float.
    """
    try:
        return schemas.canonical_json(value)
    except ValueError as error:
        raise SpecificationError(
            f"a value cannot be written as JSON ({str(error)[:80]}); "
            "use null, true, false, finite numbers, text, lists and objects"
        ) from error


def digest_of(args: Sequence[JsonValue]) -> str:
    """Return the SHA-256 of the canonical JSON of a call's arguments, as 64 hexadecimal digits."""
    return schemas.sha256_of(canonical_json(list(args)))


_MOST_DEPTH = 64
_MOST_BITS = 14_280
"""4,300 digits: Python writes no larger integer as JSON."""


class _NotPlainError(ValueError):
    """The value cannot be an answer; the message names its kind."""


def plain_of(text: bytes) -> Any:
    """Return the value that an encoded text holds: tuples stay tuples, sets are refused.

    Raises:
        ValueError: if the text is not a value, or JSON cannot hold it; the message names the kind.
    """
    try:
        return _value(json.loads(text, parse_constant=_refused), 0)
    except RecursionError as error:
        raise ValueError("a value that is nested too deep") from error
    except (TypeError, LookupError, OverflowError) as error:
        raise ValueError("a value that cannot be read") from error


def plain_items(text: bytes) -> list[tuple[str, Any]]:
    """Return the items of the lists in an encoded dict, each with its key; of one list, with "".

    Sets become lists, and numbers as keys texts, as arguments are stored. In place of an item that
    cannot be read is a ValueError that names the kind.

    Raises:
        ValueError: if the text is not a list, or a dict of lists.
    """
    try:
        tree = json.loads(text, object_hook=_as_stored)
    except (RecursionError, TypeError, LookupError) as error:
        raise ValueError("a value that cannot be read") from error
    found: list[tuple[str, Any]] = []
    for name, items in _inner(tree, "dict") or [("", tree)]:
        listed = items if isinstance(items, list) else _inner(items, "tuple")
        if listed is None:
            raise _NotPlainError(f"what is not a list{name and f' in {name[:40]!r}'}")
        for item in listed:
            try:
                found.append((name, plain_of(json.dumps(item).encode())))
            except ValueError as error:
                found.append((name, error))
    return found


def _as_stored(tree: dict[str, Any]) -> Any:
    """Return an encoded part in the form of stored arguments."""
    kind, inner = tree["$"], tree["v"]
    if kind == "dict":
        inner = [[str(key) if type(key) is int else key, each] for key, each in inner]
    return inner if kind == "set" else {"$": kind, "v": inner}


def _inner(tree: Any, kind: str) -> Any:
    """Return what is in an encoded part of this kind, None if it is of another kind."""
    return tree["v"] if isinstance(tree, dict) and tree["$"] == kind else None


def _refused(word: str) -> Any:
    raise _NotPlainError(f"{word}, which is not a finite number")


def _value(tree: Any, depth: int) -> Any:
    if depth > _MOST_DEPTH:
        raise _NotPlainError("a value that is nested too deep")
    if isinstance(tree, list):
        return [_value(each, depth + 1) for each in tree]
    if not isinstance(tree, dict):
        return tree
    kind = str(tree["$"])
    convert = _KINDS.get(kind)
    if convert is None:
        raise _NotPlainError(f"a {kind}")
    return convert(tree["v"], depth + 1)


def _tuple(items: Any, depth: int) -> Any:
    return tuple(_value(each, depth) for each in items)


def _dict(pairs: Any, depth: int) -> Any:
    found = {}
    for key, each in pairs:
        if not isinstance(key, str):
            raise _NotPlainError("a dict with keys that are not text")
        found[key] = _value(each, depth)
    return found


def _float(text: Any, _depth: int) -> Any:
    number = float(text)
    if not math.isfinite(number):
        raise _NotPlainError(f"{number}, which is not a finite number")
    return number


def _int(text: Any, _depth: int) -> Any:
    number = int(text, 16)
    if number.bit_length() > _MOST_BITS:
        raise _NotPlainError("an integer of more than 4,300 digits")
    return number


_KINDS: dict[str, Callable[[Any, int], Any]] = {
    "tuple": _tuple,
    "dict": _dict,
    "float": _float,
    "int": _int,
}
