"""Plain values as text: JSON, with entries for what it has no word for."""

from __future__ import annotations

from hashlib import blake2b
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from typing import Any

_LARGE_INT = 10**4300
_INFINITY = float("inf")


def _refuse(value: object) -> object:
    raise TypeError(f"a {type(value).__name__} in a document")


_chunks = c_make_encoder(None, _refuse, encode_basestring, None, ":", ",", False, False, False)


def text_of(tree: object) -> str:
    """What a tree of plain values looks like as JSON, on one line."""
    return "".join(_chunks(tree, 0))


def digest_of(text: str) -> str:
    """A short text that tells one text from another."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def sorted_atoms(values: list[Any]) -> list[Any]:
    """Plain values in an order that hangs on nothing else."""
    kinds = {type(value) for value in values}
    if kinds == {int} or kinds == {str}:
        return sorted(values)
    return sorted(values, key=_atom_order)


def _atom_order(value: Any) -> tuple[str, float, str]:
    kind = type(value)
    if kind is float:
        return ("float", value, "") if value == value else ("float", _INFINITY, "nan")
    return (kind.__name__, 0.0, hex(value) if kind is int else str(value))


def exact(tree: Any) -> Any:
    """The tree with what JSON has no word for as entries."""
    kind = type(tree)
    if kind is list:
        return [exact(item) for item in tree]
    if kind is float and not -_INFINITY < tree < _INFINITY:
        return ["float", repr(tree)]
    if kind is int and not -_LARGE_INT < tree < _LARGE_INT:
        return ["int", hex(tree)]
    return tree
