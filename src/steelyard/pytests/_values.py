"""Values that a test writes down: which of them are edge cases, and which are at a bound."""

import ast
import math
import sys
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice, pairwise

_MOST_VALUES = 1_000
_MOST_POWER = 4_096
_LARGE = 2**31 - 1
_POWERS = (7, 8, 15, 16, 31, 32, 53, 63, 64)
_NEAR = frozenset(2**power + step for power in _POWERS for step in (-1, 0, 1))
_NAMED = {
    "sys.maxsize": sys.maxsize,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "float('inf')": math.inf,
    "float('-inf')": -math.inf,
    "float('nan')": math.nan,
}
_EMPTY = ("set", "dict", "list", "tuple", "str", "bytes", "frozenset", "deque", "bytearray")


@dataclass(frozen=True, slots=True)
class _Sized:
    """A container or text, of which only the size counts."""

    size: int
    distinct: int
    plain: bool = True
    """False for text with characters that programs often forget."""


Value = int | float | None | _Sized
Group = tuple[Value, ...]
"""The values that a test passes in one call."""


def values_of(nodes: Iterable[ast.expr]) -> Group:
    """Return the values among some expressions, with those inside containers."""
    return tuple(islice((value for node in nodes for value in _values(node)), _MOST_VALUES))


def is_edge(group: Group) -> bool:
    """Return True if a value is one that programs often get wrong.

    None, zero, a negative or very large number, an infinity, NaN, an empty container or one of a
    single item, equal items, text that is blank or not ASCII.
    """
    return any(_is_edge(value) for value in group)


def is_boundary(group: Group, bounds: AbstractSet[int]) -> bool:
    """Return True if a number or a size is at a bound, or one away.

    A bound is one of the module or the specification, zero, the end of a machine's integers, or
    another number or size of the same call.

    Args:
        group: The values of one call.
        bounds: The numbers that the module and the specification name.
    """
    numbers = [value for value in group if isinstance(value, int | float)]
    finite = [value for value in numbers if math.isfinite(value)]
    sizes = [value.size for value in group if isinstance(value, _Sized)]
    near = {bound + step for bound in (*bounds, 0) for step in (-1, 0, 1)} | _NEAR
    if any(value in near for value in (*finite, *sizes)):
        return True
    both = sorted([*finite, *sizes])
    return any(other - one <= 1 for one, other in pairwise(both))


def bounds_in(tree: ast.AST) -> frozenset[int]:
    """Return the whole numbers that a program names."""
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
    )


def _is_edge(value: Value) -> bool:
    match value:
        case None:
            return True
        case _Sized(size, distinct, plain):
            return size <= 1 or distinct == 1 or not plain
        case int() | float():
            return value <= 0 or value >= _LARGE or value != value
    return False


def _values(node: ast.expr) -> Iterator[Value]:
    """Yield the values of one expression; nothing if it cannot be read."""
    if isinstance(node, ast.Starred):
        node = node.value
    number = _number(node)
    if number is not None:
        yield number
        return
    match node:
        case ast.Constant(value=None):
            yield None
        case ast.Constant(value=str() | bytes() as text):
            blank = not text.strip() or not text.isascii()
            yield _Sized(len(text), len(set(text)), plain=not blank)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            distinct = len({ast.dump(item) for item in items})
            yield _Sized(len(items), distinct)
            for item in items:
                yield from _values(item)
        case ast.Dict(keys=keys, values=values):
            yield _Sized(len(keys), len(keys))
            for each in (*keys, *values):
                if each is not None:
                    yield from _values(each)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            yield from _repeated(left, right)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in _EMPTY:
            yield _Sized(0, 0)
        case ast.Call(func=ast.Name(id="range"), args=[only]):
            size = _number(only)
            if isinstance(size, int):
                yield _Sized(max(size, 0), max(size, 0))
        case ast.Call(args=args, keywords=keywords):  # Decimal("0"), list(range(5)), Point(0, 0)
            for each in (*args, *(keyword.value for keyword in keywords)):
                yield from _values(each)
        case _:
            pass


def _repeated(left: ast.expr, right: ast.expr) -> Iterator[Value]:
    for body, count in ((left, right), (right, left)):
        times = _number(count)
        inner = next(_values(body), None)
        if isinstance(times, int) and isinstance(inner, _Sized):
            yield _Sized(max(0, inner.size * times), inner.distinct if times > 0 else 0)
            return


def _number(node: ast.expr) -> int | float | None:
    """Return the value of an expression of numbers; None if it is not one."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _number(operand)
            return None if inner is None else -inner
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, _number(left), _number(right))
        case ast.Attribute() | ast.Call():
            return _NAMED.get(ast.unparse(node)) if _is_short(node) else None
    return None


def _computed(op: ast.operator, one: float | None, other: float | None) -> int | float | None:
    if one is None or other is None:
        return None
    try:
        match op:
            case ast.Add():
                return one + other
            case ast.Sub():
                return one - other
            case ast.Mult() if max(abs(one), abs(other)) < 1 << _MOST_POWER:
                return one * other
            case ast.Pow() if 0 <= other <= _MOST_POWER and abs(one) <= 1 << 64:
                power: int | float = one**other
                return power if abs(power) < 1 << _MOST_POWER else None
    except (OverflowError, ValueError):
        return None
    return None


def _is_short(node: ast.expr) -> bool:
    return (node.end_col_offset or 0) - node.col_offset < 40
