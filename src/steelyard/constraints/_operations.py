"""The functions, methods and operators of the language: types, value and phrase of each.

All work on frozen values: lists are tuples, and sets are frozen. What a value costs is bounded here
by the size of its result; loops and long arguments are charged by the evaluation.
"""

import math
import operator
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from steelyard.constraints._predicates import PREDICATES, distinct
from steelyard.constraints._tree import BOOL, FLOAT, INT, STR, Operation, Types
from steelyard.values import PlainType

MAX_BITS = 2_048
"""Limit on the integers that an evaluation computes."""
MAX_ITEMS = 1_000_000
"""Limit on the items of a list or text that an evaluation makes longer."""
_LARGE = 1 << MAX_BITS
_MOST_COLLIDING = 100

ANY = PlainType("any")


class TooLargeError(ValueError):
    """A value, or the work for it, is larger than an evaluation may use."""


def item_of(kind: PlainType) -> PlainType:
    """Return the type of the items of a value."""
    kind = kind.base
    if kind.kind == "str":
        return STR
    if kind.kind == "dict":
        return kind.key
    if kind.kind in ("list", "set", "tuple") and kind.items:
        return kind.items[0] if len(set(kind.items)) == 1 else joint(kind.items)
    return ANY


def entry_of(kind: PlainType) -> PlainType:
    """Return the type of the keys of a dict with their values."""
    return PlainType("tuple", (kind.base.key, kind.base.items[0]))


def joint(kinds: Types) -> PlainType:
    """Return one type for values of several types."""
    bases = {kind.base for kind in kinds if kind.kind not in ("none", "any")}
    if len(bases) == 1:
        return bases.pop()
    if bases and all(kind.is_number for kind in bases):
        return FLOAT if FLOAT in bases else INT
    return ANY


def list_of(item: PlainType) -> PlainType:
    """Return the type of a list with such items."""
    return PlainType("list", (item,))


def _listed(types: Types) -> PlainType:
    return list_of(item_of(types[0]) if types else ANY)


def _set(types: Types) -> PlainType:
    return PlainType("set", (item_of(types[0]),)) if types else PlainType("set", (ANY,))


def _same(types: Types) -> PlainType:
    return types[0].base if types[0].base != BOOL else INT


def _number(types: Types) -> PlainType:
    return FLOAT if any(kind.base == FLOAT for kind in types) else INT


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent > 0 and base.bit_length() * exponent > MAX_BITS and abs(base) > 1:
            raise TooLargeError("a power is too large")
        if exponent < 0 and base.bit_length() > MAX_BITS:
            raise TooLargeError("a power is too large")
    return base**exponent


def _times(left: Any, right: Any) -> Any:
    product = left * right
    if -_LARGE < product < _LARGE or isinstance(product, float):
        return product
    raise TooLargeError("a product is too large")


def _shift(left: int, right: int) -> int:
    if right > MAX_BITS or left.bit_length() + right > MAX_BITS:
        raise TooLargeError("a shift is too large")
    return left << right


def _repeat(left: Any, right: Any) -> Any:
    items, count = (right, left) if isinstance(left, int) else (left, right)
    if len(items) * count > MAX_ITEMS:
        raise TooLargeError("a repetition is too long")
    return items * count


def _join(between: str, parts: Sequence[str]) -> str:
    if sum(map(len, parts)) + len(between) * len(parts) > MAX_ITEMS:
        raise TooLargeError("a text is too long")
    return between.join(parts)


def _replace(text: str, old: str, new: str) -> str:
    if len(new) * text.count(old) > MAX_ITEMS:
        raise TooLargeError("a text is too long")
    return text.replace(old, new)


def _prod(numbers: Iterable[Any]) -> Any:
    product: Any = 1
    for number in numbers:
        product = _times(product, number)
    return product


def _sorted(items: Iterable[Any], reverse: bool = False) -> tuple[Any, ...]:
    return tuple(sorted(items, reverse=bool(reverse)))


def _isqrt(number: int) -> int:
    if number.bit_length() > MAX_BITS:
        raise TooLargeError("a root is of too large a number")
    return math.isqrt(number)


def _gcd(*numbers: int) -> int:
    if any(number.bit_length() > MAX_BITS for number in numbers):
        raise TooLargeError("a divisor is of too large a number")
    return math.gcd(*numbers)


def _is_instance(value: Any, classes: Sequence[str]) -> bool:
    name = "list" if isinstance(value, tuple) else type(value).__name__
    return name in classes or (name == "list" and "tuple" in classes)


def _frozen_set(items: Iterable[Any] = ()) -> frozenset[Any]:
    listed = tuple(items)
    if len(listed) > _MOST_COLLIDING:
        hashes = len(set(map(hash, listed)))
        if hashes * _MOST_COLLIDING < len(listed) and distinct(listed) > hashes * _MOST_COLLIDING:
            raise TooLargeError("too many items of a set share a hash")
    return frozenset(listed)


def _extreme(types: Types) -> PlainType:
    return item_of(types[0]) if len(types) == 1 else joint(types)


def _op(
    name: str, takes: str, gives: Any, run: Any, phrase: str, *, linear: bool = False
) -> Operation:
    return Operation(name, takes, gives, run, phrase, linear)


def _table(*operations: Operation) -> dict[str, Operation]:
    return {each.name: each for each in operations}


def _predicate(name: str) -> Operation:
    takes, faults, phrase = PREDICATES[name]
    return Operation(
        name, takes, BOOL, lambda *args: faults(*args) == 0, phrase, is_linear=True, faults=faults
    )


_line = partial(_op, linear=True)

FUNCTIONS = _table(
    _op("len", "q", INT, len, "the length of {0}"),
    _line("sum", "N", lambda types: _number([item_of(types[0])]), sum, "the sum of {0}"),
    _line(
        "min",
        "a*",
        _extreme,
        min,
        "the smallest of {0}",
    ),
    _line(
        "max",
        "a*",
        _extreme,
        max,
        "the largest of {0}",
    ),
    _line("prod", "N", lambda types: _number([item_of(types[0])]), _prod, "the product of {0}"),
    _line("all", "B", BOOL, all, "all of {0} hold"),
    _line("any", "B", BOOL, any, "one of {0} holds"),
    _line("sorted", "q0", _listed, _sorted, "{0} sorted"),
    _line("list", "?q", _listed, tuple, "{0}"),
    _line("tuple", "?q", _listed, tuple, "{0}"),
    _line("set", "?q", _set, _frozen_set, "the set of {0}"),
    _line("reversed", "q", _listed, lambda items: tuple(items)[::-1], "{0} reversed"),
    _line(
        "zip",
        "q*",
        lambda types: list_of(PlainType("tuple", tuple(map(item_of, types)))),
        lambda *lists: tuple(zip(*lists, strict=False)),
        "the pairs of {0}",
    ),
    _line(
        "enumerate",
        "q0",
        lambda types: list_of(PlainType("tuple", (INT, item_of(types[0])))),
        lambda items, start: tuple(enumerate(items, start)),
        "{0} with positions",
    ),
    _op("range", "i*", list_of(INT), range, "the integers of range({0})"),
    _op("abs", "n", _same, abs, "the absolute value of {0}"),
    _op(
        "round",
        "n?i",
        lambda types: INT if len(types) == 1 else types[0].base,
        round,
        "{0} rounded",
    ),
    _line("int", "a", INT, int, "{0} as an integer"),
    _line("float", "a", FLOAT, float, "{0} as a float"),
    _op("bool", "a", BOOL, bool, "{0} is not empty"),
    _line("str", "a", STR, str, "{0} as text"),
    _line("bin", "i", STR, bin, "{0} in binary"),
    _op("isinstance", "aa", BOOL, _is_instance, "{0} is of the type {1}"),
    _op("ord", "s", INT, ord, "the code of {0}"),
    _op("chr", "i", STR, chr, "the character with code {0}"),
    _op("gcd", "i*", INT, _gcd, "the greatest common divisor of {0}"),
    _op("isqrt", "i", INT, _isqrt, "the integer square root of {0}"),
    _op("sqrt", "n", FLOAT, math.sqrt, "the square root of {0}"),
    _op("ceil", "n", INT, math.ceil, "{0} rounded up"),
    _op("floor", "n", INT, math.floor, "{0} rounded down"),
    _op("pow", "nn", _number, _power, "{0} to the power of {1}"),
    *map(_predicate, PREDICATES),
)

FUNCTION_NAMES = frozenset(FUNCTIONS)
"""The functions and predicates that constraints can call."""

_CHECKS = {
    "isalpha": "has only letters",
    "isdigit": "has only digits",
    "isdecimal": "has only digits",
    "isnumeric": "has only digits",
    "isalnum": "has only letters and digits",
    "islower": "is in lower case",
    "isupper": "is in upper case",
    "isspace": "has only spaces",
    "isascii": "has only ASCII characters",
    "isprintable": "has only printable characters",
}

METHODS = {
    "str": _table(
        *(
            _line(name, "s", BOOL, getattr(str, name), f"{{0}} {phrase}")
            for name, phrase in _CHECKS.items()
        ),
        _line("lower", "s", STR, str.lower, "{0} in lower case"),
        _line("upper", "s", STR, str.upper, "{0} in upper case"),
        *(
            _line(name, "s?s", STR, getattr(str, name), f"{{0}} without spaces at its {ends}")
            for name, ends in (("strip", "ends"), ("lstrip", "start"), ("rstrip", "end"))
        ),
        _line("replace", "sss", STR, _replace, "{0} with {2} for {1}"),
        _line(
            "split",
            "s?s",
            list_of(STR),
            lambda text, between=None: tuple(text.split(between)),
            "the words of {0}",
        ),
        _line("startswith", "sa", BOOL, str.startswith, "{0} starts with {1}"),
        _line("endswith", "sa", BOOL, str.endswith, "{0} ends with {1}"),
        _line("count", "ss", INT, str.count, "the number of {1} in {0}"),
        _line("find", "ss", INT, str.find, "the position of {1} in {0}"),
        _line("index", "ss", INT, str.index, "the position of {1} in {0}"),
        _line("join", "sS", STR, _join, "{1} joined by {0}"),
    ),
    "list": _table(
        _line("count", "la", INT, tuple.count, "the number of {1} in {0}"),
        _line("index", "la", INT, tuple.index, "the position of {1} in {0}"),
    ),
    "set": _table(
        _line(
            "issubset",
            "qq",
            BOOL,
            lambda one, two: set(one) <= set(two),
            "{0} has only items of {1}",
        ),
        _line(
            "issuperset",
            "qq",
            BOOL,
            lambda one, two: set(one) >= set(two),
            "{0} has all items of {1}",
        ),
        _line(
            "isdisjoint",
            "qq",
            BOOL,
            lambda one, two: set(one).isdisjoint(two),
            "{0} and {1} have no common item",
        ),
    ),
    "int": _table(
        _op("bit_length", "i", INT, int.bit_length, "the number of bits of {0}"),
    ),
    "dict": _table(
        _line("keys", "q", _listed, tuple, "the keys of {0}"),
        _line(
            "values",
            "q",
            lambda types: list_of(types[0].base.items[0]),
            lambda table: tuple(table.values()),
            "the values of {0}",
        ),
        _line(
            "items",
            "q",
            lambda types: list_of(entry_of(types[0])),
            lambda table: tuple(table.items()),
            "the entries of {0}",
        ),
    ),
}

SUM, DIFFERENCE = (
    _op("+", "nn", _number, operator.add, ""),
    _op("-", "nn", _number, operator.sub, ""),
)
OPERATORS = _table(
    SUM,
    DIFFERENCE,
    _op("*", "nn", _number, _times, ""),
    _op("/", "nn", FLOAT, operator.truediv, ""),
    _op("//", "nn", _number, operator.floordiv, ""),
    _op("%", "nn", _number, operator.mod, ""),
    _op("**", "nn", _number, _power, ""),
    _op("<<", "ii", INT, _shift, ""),
    _op(">>", "ii", INT, operator.rshift, ""),
    _op("&", "ii", INT, operator.and_, ""),
    _op("|", "ii", INT, operator.or_, ""),
    _op("^", "ii", INT, operator.xor, ""),
)
NEGATIVE = _op("neg", "n", _number, operator.neg, "-{0}")
JOINED = _line("+", "ll", joint, operator.add, "")
UNITED = {
    "|": _line("|", "qq", _same, frozenset.union, ""),
    "&": _line("&", "qq", _same, frozenset.intersection, ""),
    "-": _line("-", "qq", _same, frozenset.difference, ""),
}
REPEATED = _line("*", "aa", lambda types: types[types[0].is_number], _repeat, "")
