"""Types of plain values: read from an annotation, checked against values from JSON."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from operator import itemgetter
from typing import Any, Literal

from pydantic import JsonValue

from steelyard.errors import SpecificationError

Kind = Literal[
    "int",
    "float",
    "bool",
    "str",
    "none",
    "list",
    "dict",
    "tuple",
    "set",
    "union",
    "optional",
    "any",
]
"""`optional` has one item, its other type. `any` only occurs inside constraints."""

MAX_DEPTH = 8
"""Limit on the nesting of types."""

_MAX_CHARS = 100
_ADVICE = (
    "write int, float, bool, str, list[T], dict[str, T], dict[int, T], set[T], tuple[A, B], A | B "
    "or T | None of such types"
)
_CLASSES: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}
_GENERIC = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "Optional": "optional"}
_NUMBERS = {int, float}
_HASHED = frozenset({"int", "float", "bool", "str", "none"})
_MOST_COLLIDING = 100
_DECIMAL = re.compile("0|-?[1-9][0-9]{0,4298}")


@dataclass(frozen=True, slots=True)
class PlainType:
    """A type of plain values. Its text is the annotation, such as `list[tuple[int, str]]`."""

    kind: Kind
    items: tuple["PlainType", ...] = ()
    """The type of the items of a list or set, of each item of a tuple, of each alternative of a
    union, of a dictionary's values; after it that of its keys, if they are not texts."""

    def __str__(self) -> str:
        if self.kind == "optional":
            return f"{self.items[0]} | None"
        if self.kind == "none":
            return "None"
        if self.kind == "dict":
            return f"dict[{self.key}, {self.items[0]}]"
        if self.kind == "union":
            return " | ".join(map(str, self.items))
        return f"{self.kind}[{', '.join(map(str, self.items))}]" if self.items else self.kind

    @property
    def base(self) -> "PlainType":
        """The type without `| None`."""
        return self.items[0] if self.kind == "optional" else self

    @property
    def key(self) -> "PlainType":
        """The type of a dictionary's keys. Integers are texts in JSON: `{"1": 2}`."""
        return self.items[1] if len(self.items) > 1 else PlainType("str")

    @property
    def is_number(self) -> bool:
        """An int, a float or a bool."""
        return self.kind in ("int", "float", "bool")

    @property
    def is_sequence(self) -> bool:
        """A list, a tuple or a text: something with items in an order."""
        return self.kind in ("list", "tuple", "str")

    def fault_of(self, value: object) -> str | None:
        """Return why a value is not of this type, None if it is.

        An int is a float too, and a list without repeats is a tuple and a set too: JSON does not
        tell them apart. A bool is not an int, and a float must be finite.
        """
        return _fault(self, value, "")

    def value_of(self, value: JsonValue) -> Any:
        """Return what `solve` gets for a JSON value: tuples, sets and integers as keys.

        The value must be of this type.
        """
        if value is None or not any(each in str(self) for each in ("tuple", "set", "dict[int")):
            return value
        if self.kind in ("optional", "union"):
            return next(each for each in self.items if not each.fault_of(value)).value_of(value)
        if isinstance(value, dict):
            key = int if self.key.kind == "int" else str
            return {key(name): self.items[0].value_of(each) for name, each in value.items()}
        assert isinstance(value, list | tuple)
        if self.kind == "tuple":
            return tuple(map(PlainType.value_of, self.items, value))
        items = [self.items[0].value_of(each) for each in value]
        return set(items) if self.kind == "set" else items


def _fault(kind: PlainType, value: Any, path: str) -> str | None:
    if kind.kind == "optional":
        return None if value is None else _fault(kind.items[0], value, path)
    place = path or "the value"
    if not _fits(kind, value):
        return f"{place} is {_shown(value)}, expected {kind}"
    if kind.kind == "dict":
        is_text = kind.key.kind == "str"
        for key in value:
            if type(key) is not str or not (is_text or _DECIMAL.fullmatch(key)):
                expected = "a str" if is_text else 'an int as text, such as "1"'
                return f"{place} has the key {_shown(key)}, expected {expected}"
        if not is_text and _collide(map(int, value)):
            return f"{place} has too many keys that share a hash"
        if not all(map(_is_whole, value)):
            return f"{place} has a key with half of a surrogate pair, which no JSON text holds"
        return _first_fault(kind.items[0], value.items(), path)
    if kind.kind in ("list", "set"):
        item = kind.items[0]
        fault = None if _is_flat(item, value) else _first_fault(item, enumerate(value), path)
        if kind.kind == "set" and fault is None:
            if len(set(map(repr, value))) < len(value):
                return f"{place} has an item twice, expected {kind}"
            if _collide(value):
                return f"{place} has too many items that share a hash"
        return fault
    if kind.kind == "tuple":
        if len(value) != len(kind.items):
            return f"{place} has {len(value)} items, expected {kind}"
        faults = (
            _fault(item, each, f"{path}[{index}]")
            for index, (item, each) in enumerate(zip(kind.items, value, strict=True))
        )
        return next((fault for fault in faults if fault), None)
    return None


def _collide(items: Iterable[Any]) -> bool:
    """Return whether so many items share a hash that a set of them takes long to make."""
    return max(Counter(map(_hash, items)).values(), default=0) > _MOST_COLLIDING


def _hash(value: Any) -> Any:
    return tuple(map(_hash, value)) if isinstance(value, list | tuple) else hash(value)


def _is_whole(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= each <= "\udfff" for each in text)


def _fits(kind: PlainType, value: object) -> bool:
    if kind.kind == "none":
        return value is None
    if kind.kind == "float":
        return type(value) is int or (type(value) is float and isfinite(value))
    if kind.kind in ("list", "tuple", "set"):
        return type(value) in (list, tuple)
    if kind.kind == "union":
        return any(_fault(each, value, "") is None for each in kind.items)
    if kind.kind == "dict":
        return type(value) is dict
    return type(value) is _CLASSES.get(kind.kind)


def _is_flat(item: PlainType, values: Sequence[Any]) -> bool:
    """Return quickly whether all items have this type, for types that long lists are made of."""
    kinds = set(map(type, values))
    if item.kind == "list":
        return kinds <= {list, tuple} and _is_flat(item.items[0], list(chain.from_iterable(values)))
    if item.kind == "tuple":
        if not kinds <= {list, tuple} or not set(map(len, values)) <= {len(item.items)}:
            return False
        columns = ([*map(itemgetter(at), values)] for at in range(len(item.items)))
        return all(map(_is_flat, item.items, columns))
    if item.kind == "float":
        return kinds <= _NUMBERS and all(type(each) is int or isfinite(each) for each in values)
    return item.kind in _CLASSES and kinds <= {_CLASSES[item.kind]}


def _first_fault(item: PlainType, pairs: Iterable[tuple[object, Any]], path: str) -> str | None:
    faults = (_fault(item, each, f"{path}[{key!r:.40}]") for key, each in pairs)
    return next((fault for fault in faults if fault), None)


def parse_type(text: str) -> PlainType:
    """Return the type that an annotation names.

    Args:
        text: Such as `list[int]`; `List[int]` and `Optional[int]` are read too.

    Raises:
        SpecificationError: if it does not name a type of plain values.
    """
    try:
        if len(text) > _MAX_CHARS or not text.isascii():
            raise ValueError
        return _read(ast.parse(text.strip(), mode="eval").body, 0)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SpecificationError(f"{text[:60]!r} is not a type of arguments; {_ADVICE}") from None


def _read(node: ast.expr, depth: int) -> PlainType:
    if depth > MAX_DEPTH:
        raise ValueError
    match node:
        case ast.Constant(value=None):
            return PlainType("none")
        case ast.Name(id="int" | "float" | "bool" | "str" as name):
            return PlainType(name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union(_read(left, depth + 1), _read(right, depth + 1))
        case ast.Subscript(value=ast.Name(id=name), slice=inside):
            name = _GENERIC.get(name, name)
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            items = tuple(_read(part, depth + 1) for part in parts)
            if name == "tuple" and items:
                return PlainType("tuple", items)
            if name == "list" and len(items) == 1:
                return PlainType("list", items)
            if name == "set" and len(items) == 1 and _is_hashed(items[0]):
                return PlainType("set", items)
            if name == "dict" and len(items) == 2 and items[0].kind in ("str", "int"):
                return PlainType("dict", items[1:] if items[0].kind == "str" else items[::-1])
            if name == "Union" and items:
                return _union(*items)
            if name == "optional" and len(items) == 1:
                return _union(*items, PlainType("none"))
    raise ValueError


def _union(*kinds: PlainType) -> PlainType:
    """Return the type of values that are of one of some types. An int is a float too."""
    found = [each for kind in kinds for each in _alternatives(kind)]
    used = {each.kind for each in found}
    others = [each for each in dict.fromkeys(found) if each.kind != "none"]
    others = [each for each in others if each.kind != "int" or "float" not in used]
    if not others:
        return PlainType("none")
    one = others[0] if len(others) == 1 else PlainType("union", tuple(others))
    return PlainType("optional", (one,)) if "none" in used else one


def _alternatives(kind: PlainType) -> Iterator[PlainType]:
    if kind.kind == "optional":
        yield PlainType("none")
    yield from kind.base.items if kind.base.kind == "union" else [kind.base]


def _is_hashed(kind: PlainType) -> bool:
    """Return True for a type of which sets can be made."""
    return kind.kind in _HASHED or (
        kind.kind in ("tuple", "union", "optional") and all(map(_is_hashed, kind.items))
    )


def _shown(value: object) -> str:
    if isinstance(value, bool | int | float | None):
        return f"{value!r:.40}" if not isinstance(value, int) or value.bit_length() < 256 else "int"
    names = {"list": "a list", "tuple": "a tuple", "dict": "an object", "str": "a text"}
    return names.get(type(value).__name__, "not plain data")
