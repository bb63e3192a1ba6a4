"""Encode Python values as text, to pass arguments and results between processes.

Only plain data is encoded, and each value keeps its kind: None, booleans, integers of any size,
floats with NaN and the infinities, complex numbers, text, bytes, lists, tuples, sets, frozen sets,
and dictionaries with any of these as keys. The text is one line of JSON. A kind that JSON lacks
becomes an object with the keys `$` (the kind) and `v`.

An instance of a subclass is encoded as its base class, and none of its own methods runs. Two
adjacent halves of a surrogate pair become one character.

This module also runs inside cells, in any Python 3: it imports only the standard library.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from json.encoder import c_make_encoder, encode_basestring_ascii  # type: ignore[attr-defined]
from typing import Any

MAX_DEPTH = 200
"""Limit on the nesting of values."""

TOO_DEEP = "a value nested deeper than"
"""Start of the message of a `NotPlainError` about this limit."""

_ATOMS = frozenset({type(None), bool, int, float, str})
_LARGE = 1 << 63  # larger integers are written in base 16, which takes linear time
_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"), check_circular=False)
_USUAL_DIGITS = 4300
_most_digits: Callable[[], int] = getattr(sys, "get_int_max_str_digits", lambda: 0)
_NAME = type.__dict__["__name__"].__get__
_MODULE = type.__dict__["__module__"].__get__
_is_kind_of: Callable[[type, type], bool] = type.__subclasscheck__  # asks no metaclass
_Tagged = Callable[[Any, int, bool], object]


class NotPlainError(Exception):
    """The value is not plain data; the message names its kind: 'a generator'."""


class UnreadableError(Exception):
    """The text is not a value."""


def encode(value: object, other: Callable[[object], object] | None = None) -> str:
    """Return a value as one line of text.

    Args:
        value: Plain data.
        other: Returns what is written in place of a value that is not plain data, in lists,
            tuples and the values of dictionaries too; `decode` reads it with its own `other`.

    Raises:
        NotPlainError: if it, or something in it, is not plain data, or nests too deeply.
    """
    try:
        # With another limit a long integer would be written in base 10, which nothing else reads.
        return _dumps(_tree(value, 0, exact=_most_digits() != _USUAL_DIGITS))
    except ValueError:  # a float that is not finite, or a very long integer
        return _dumps(_tree(value, 0, exact=True))
    except NotPlainError:
        if other is None:
            raise
        return _dumps(_mixed(value, 0, other))


def decode(text: str | bytes, other: Callable[[Any], object] | None = None) -> Any:
    """Return the value that a text encodes.

    It builds sets and dictionaries, and chosen hashes can make it slow: use it in a cell, or on
    trusted text.

    Args:
        text: One encoded value.
        other: Returns the value for what the `other` of `encode` has written.

    Raises:
        UnreadableError: if the text is not an encoded value.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()
        value, end = (_scan if other is None or _OTHER not in text else _scanner(other))(text, 0)
    except StopIteration:
        raise UnreadableError("no value") from None
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise UnreadableError(f"{type(error).__name__}: {error}"[:200]) from None
    if end != len(text):
        raise UnreadableError("more after the value")
    return value


def _tree(value: Any, depth: int, *, exact: bool) -> object:
    """Return the value as a JSON tree. Atoms are unchanged unless `exact` checks each one."""
    kind = type(value)
    if kind in _ATOMS:
        return _atom(value) if exact else value
    if depth >= MAX_DEPTH:
        raise NotPlainError(f"{TOO_DEEP} {MAX_DEPTH} levels")
    if kind is list:
        return _items(value, depth, exact=exact)
    for base, tagged in _KINDS:
        if base is kind:
            return tagged(value, depth, exact)
    for base, tagged in _KINDS:
        if _is_kind_of(base, kind):
            return tagged(value, depth, exact)
    for base, plain in _ATOM_OF.items():
        if _is_kind_of(base, kind):
            return _tree(plain(value), depth, exact=exact)
    if _is_kind_of(list, kind):
        return _items(value, depth, exact=exact)
    converted = _of_numpy(value, kind)
    if converted is value:
        raise NotPlainError(f"{_article(kind)}, which is not plain data")
    return _tree(converted, depth, exact=exact)


def _mixed(value: Any, depth: int, other: Callable[[object], object]) -> object:
    """Return the JSON tree of a value with `other` in place of what is not plain."""
    try:
        return _tree(value, depth, exact=True)
    except NotPlainError as error:
        if TOO_DEEP in str(error):
            raise
    kind = type(value)
    if kind is list:
        return [_mixed(item, depth + 1, other) for item in value]
    if kind is tuple:
        return {"$": "tuple", "v": [_mixed(item, depth + 1, other) for item in value]}
    if kind is dict:
        with suppress(NotPlainError):
            keys = [_tree(key, depth + 1, exact=True) for key in value]
            items = [_mixed(item, depth + 1, other) for item in value.values()]
            return {"$": "dict", "v": [list(pair) for pair in zip(keys, items)]}  # noqa: B905
    return {"$": "other", "v": other(value)}


def kind_of(value: object) -> str:
    """Return the kind of a value for a message: `a generator`."""
    return _article(type(value))


def _items(value: Any, depth: int, *, exact: bool) -> list[object]:
    items = list(list.__iter__(value))
    if not exact and _ATOMS.issuperset(map(type, items)):
        return items
    return [_tree(item, depth + 1, exact=exact) for item in items]


def _atom(value: Any) -> object:
    if type(value) is int and not -_LARGE < value < _LARGE:
        return {"$": "int", "v": hex(value)}
    if type(value) is float and not -_INFINITY < value < _INFINITY:
        return {"$": "float", "v": repr(value)}
    return value


def _sequence(tag: str, base: Any) -> _Tagged:
    def tagged(value: Any, depth: int, exact: bool) -> object:
        items = [_tree(item, depth + 1, exact=exact) for item in base.__iter__(value)]
        return {"$": tag, "v": items}

    return tagged


def _dictionary(value: Any, depth: int, exact: bool) -> object:
    pairs = [
        [_tree(key, depth + 1, exact=exact), _tree(item, depth + 1, exact=exact)]
        for key, item in dict.items(value)
    ]
    return {"$": "dict", "v": pairs}


def _octets(tag: str, base: Any) -> _Tagged:
    def tagged(value: Any, _depth: int, _exact: bool) -> object:
        return {"$": tag, "v": bytes(base.__getitem__(value, slice(None))).decode("latin-1")}

    return tagged


def _complex(value: Any, _depth: int, _exact: bool) -> object:
    parts: list[Any] = [complex.real, complex.imag]
    return {"$": "complex", "v": [_atom(part.__get__(value)) for part in parts]}


_KINDS: Any = (
    (tuple, _sequence("tuple", tuple)),
    (dict, _dictionary),
    (set, _sequence("set", set)),
    (frozenset, _sequence("frozenset", frozenset)),
    (bytes, _octets("bytes", bytes)),
    (bytearray, _octets("bytearray", bytearray)),
    (complex, _complex),
)
_ATOM_OF: Any = {int: int.__int__, float: float.__float__, str: str.__str__}
_INFINITY = float("inf")


def _of_numpy(value: Any, kind: type) -> object:
    """Return a numpy number or array as plain data, and anything else unchanged."""
    numpy = sys.modules.get("numpy")
    module = _MODULE(kind)  # may be any object, even one with its own comparison
    if numpy is not None and type(module) is str and module == "numpy":
        if kind is numpy.ndarray:
            return value.tolist()
        if _is_kind_of(numpy.generic, kind):
            return numpy.generic.item(value)
    return value


def _article(kind: type) -> str:
    name = _NAME(kind)[:100]
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _value(pairs: dict[str, object]) -> object:
    kind, inner = pairs["$"], pairs["v"]
    if len(pairs) != 2 or not isinstance(kind, str):
        raise ValueError("no such kind")
    return _MAKE[kind](inner)


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is not a word of this notation")


_MAKE: dict[str, Callable[[Any], object]] = {
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "bytes": lambda text: text.encode("latin-1"),
    "bytearray": lambda text: bytearray(text.encode("latin-1")),
    "complex": lambda parts: complex(*parts),
    "int": lambda text: int(text, 16),
    "float": float,
}

# The C parts of `json` by themselves: its wrappers cost more than most values.
_scan = json.JSONDecoder(object_hook=_value, parse_constant=_refuse).scan_once  # type: ignore[attr-defined]
_OTHER = '"other"'


def _scanner(other: Callable[[Any], object]) -> Callable[[str, int], tuple[Any, int]]:
    def hook(pairs: dict[str, object]) -> object:
        if pairs.get("$") == "other" and len(pairs) == 2:
            return other(pairs["v"])
        return _value(pairs)

    return json.JSONDecoder(object_hook=hook, parse_constant=_refuse).scan_once  # type: ignore[attr-defined, no-any-return]


_chunks: Any = None
if c_make_encoder is not None:
    _chunks = c_make_encoder(
        None, _ENCODER.default, encode_basestring_ascii, None, ":", ",", False, False, False
    )


def _dumps(tree: object) -> str:
    return _ENCODER.encode(tree) if _chunks is None else "".join(_chunks(tree, 0))
