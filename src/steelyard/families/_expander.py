"""Expand an expression into the values that it describes, within bounds.

The language: literals, lists, dicts with texts as keys, `[x] * n`, `"ab" * n`, `+`, whole-number
arithmetic, `range`, and calls of the named families such as `organ_pipe(100000, 0, 9, seed=3)`.
"""

import ast
import copy
import math
import operator
from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import chain
from typing import Any, NoReturn, cast

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.families._table import FAMILIES

MOST_CHARS = 20_000
MOST_ITEMS = 6_000_000
"""Items and characters of all values that are made on the way."""
_MOST_BITS = 4_096
_DEEPEST = 100
_WIDE = 2**64
"""Numbers from here on count by their bits."""

_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def expand(expression: str) -> list[JsonValue]:
    """Return the arguments that an expression describes.

    Args:
        expression: A list in the closed language of inputs, such as `[[0] * 100000, 5]`.

    Raises:
        SpecificationError: if it is not such a list, or its value is larger than 6,000,000 items.
    """
    try:
        if len(expression) > MOST_CHARS:
            raise ValueError(f"it has more than {MOST_CHARS:,} characters")
        tree = ast.parse(expression.strip(), mode="eval").body
        if not isinstance(tree, ast.List):
            raise ValueError("it is not a list of arguments")
        value: list[JsonValue] = _Expander().value(tree, 0)
        _check_size(value)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, LookupError) as error:
        reason = "it is not an expression" if isinstance(error, SyntaxError) else str(error)
        _refuse(expression, reason, error)
    except (RecursionError, MemoryError) as error:
        _refuse(expression, "it is nested too deeply", error)
    return value


def _refuse(expression: str, reason: str, error: BaseException) -> NoReturn:
    raise SpecificationError(
        f"input {expression[:60]!r} cannot be expanded: {reason}; write literals, [x] * n, "
        "range and named families, such as [[0] * 100000, 5]"
    ) from error


def _check_size(value: Any) -> None:
    """Refuse a value of too many items and characters: parts of it may be one object many times.

    Each 64 bits of a number count as a character, if some of them have more.
    """
    size, level = 0, [value]
    while level:
        kinds = {*map(type, level)}
        parts: Iterator[list[Any]] = (
            []
            if kind not in kinds
            else level
            if len(kinds) == 1
            else [each for each in level if type(each) is kind]
            for kind in (list, dict, str, int)
        )
        lists, dicts, texts, numbers = parts
        size += sum(map(len, chain(lists, dicts, texts)))
        if numbers and (max(numbers) >= _WIDE or min(numbers) <= -_WIDE):
            size += sum(map(int.bit_length, numbers)) // 64
        if size > MOST_ITEMS:
            raise ValueError(f"it has more than {MOST_ITEMS:,} items")
        level = [*chain.from_iterable(lists)]
        level += chain.from_iterable(chain(each, each.values()) for each in dicts)


def _summands(node: ast.expr) -> list[ast.expr]:
    """Return the parts of `a + b + c`, of which each sign is nested in the next one."""
    parts = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


class _Expander:
    """The rest of the bounds while one expression is expanded."""

    def __init__(self) -> None:
        self._left = MOST_ITEMS

    def _charge(self, items: int) -> None:
        self._left -= items
        if self._left < 0:
            raise ValueError(f"it has more than {MOST_ITEMS:,} items")

    def value(self, node: ast.expr, depth: int) -> Any:
        """Return the value of a part of the expression."""
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} deep")
        depth += 1
        match node:
            case ast.Constant(value=None | bool() | int() | str() | float() as value):
                self._charge(len(value) if isinstance(value, str) else 1)
                return _bounded(value)
            case ast.List(elts=items):
                self._charge(len(items))
                return [self.value(item, depth) for item in items]
            case ast.Dict(keys=keys, values=items):
                self._charge(len(items))
                names = [self.value(key, depth) if key else None for key in keys]
                if not all(isinstance(name, str) for name in names):
                    raise ValueError("the key of a dict is not a text")
                return {n: self.value(item, depth) for n, item in zip(names, items, strict=True)}
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -_number(self.value(operand, depth))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return _number(self.value(operand, depth))
            case ast.BinOp(op=ast.Add()):
                return self._sum([self.value(part, depth) for part in _summands(node)])
            case ast.BinOp(left=left, op=sign, right=right):
                return self._joined(self.value(left, depth), sign, self.value(right, depth))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                named = {word.arg: self.value(word.value, depth) for word in keywords if word.arg}
                if len(named) != len(keywords):
                    raise ValueError("it holds **")
                return self._called(name, [self.value(arg, depth) for arg in args], named)
        raise ValueError(f"it holds {ast.unparse(node)[:40]!r}")

    def _joined(self, left: Any, sign: ast.operator, right: Any) -> Any:
        if type(left) is int and type(right) is int and type(sign) in _ARITHMETIC:
            power, product = isinstance(sign, ast.Pow), isinstance(sign, ast.Mult)
            bits = left.bit_length() * right if power else left.bit_length() + right.bit_length()
            if (power and right < 0) or ((power or product) and bits > _MOST_BITS):
                raise ValueError("a number is too large, or an exponent negative")
            return _bounded(_ARITHMETIC[type(sign)](left, right))
        if isinstance(sign, ast.Mult) and type(left) is int:
            left, right = right, left
        if isinstance(sign, ast.Mult) and type(right) is int and isinstance(left, list | str):
            self._charge(max(0, right) * max(1, _weight(left)))
            return left * right if isinstance(left, str) else _repeated(left, right)
        raise ValueError("it joins values that do not fit")

    def _sum(self, parts: list[Any]) -> Any:
        kinds = set(map(type, parts))
        if kinds == {int}:
            return reduce(lambda left, right: self._joined(left, ast.Add(), right), parts)
        if kinds not in ({list}, {str}):
            raise ValueError("it joins values that do not fit")
        self._charge(sum(map(len, parts)))
        return "".join(parts) if kinds == {str} else list(chain.from_iterable(parts))

    def _called(self, name: str, args: list[Any], named: dict[str, Any]) -> Any:
        if name == "range" and not named and 1 <= len(args) <= 3:
            numbers = range(*args)
            self._charge(_count(numbers))
            return list(numbers)
        family = FAMILIES.get(name)
        if family is None:
            raise ValueError(f"there is no family {name!r}")
        if family.kind == "order" and args and type(args[0]) is int:
            uniform = FAMILIES["uniform"].bound(args, named)
            self._charge(max(0, args[0]))
            args, named = [FAMILIES["uniform"].call(uniform)], {"seed": uniform.arguments["seed"]}
        call = family.bound(args, named)
        self._charge(family.weigh(*call.args))
        return family.call(call)


def _number(value: Any) -> int | float:
    if type(value) not in (int, float):
        raise ValueError("a sign precedes what is not a number")
    _bounded(value)
    return cast("int | float", value)


def _bounded(value: Any) -> Any:
    if type(value) is int and value.bit_length() > _MOST_BITS:
        raise ValueError("a number is too large")
    if type(value) is float and not math.isfinite(value):
        raise ValueError("a number is not finite")
    return value


def _count(numbers: range) -> int:
    try:
        return len(numbers)
    except OverflowError:
        return MOST_ITEMS + 1


def _weight(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return 1 + sum(len(key) + _weight(item) for key, item in value.items())
    return 1 + sum(map(_weight, value)) if isinstance(value, list) else 1


def _repeated(items: list[Any], times: int) -> list[Any]:
    """Return copies, so that no two of them are one object."""
    if not any(isinstance(item, list | dict) for item in items):
        return items * times
    copiers = [_copier(item) for item in items]
    return [copied() for _ in range(times) for copied in copiers]


def _copier(value: Any) -> Callable[[], Any]:
    """Return what copies a value; of a plain list far sooner than `copy.deepcopy`."""
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return value.copy
    return partial(copy.deepcopy, value)
