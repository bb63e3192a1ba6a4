"""Evaluate a second parameter as an expression of n: `4*n`, `n**2 // 100`, `200000`."""

import ast
import math
import operator
from collections.abc import Callable

from steelyard.errors import UsageError

_MOST_CHARS = 100
_MOST_EXPONENT = 64
_LARGEST = 1 << 200

_Number = int | float
_OPERATORS: dict[type[ast.operator], Callable[[_Number, _Number], _Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}


def value_at(text: str, n: int) -> int:
    """Return the value of an expression of n, rounded to a whole number.

    Args:
        text: Numbers, `n`, brackets, and the operators `+ - * / // **`.
        n: The size.

    Raises:
        UsageError: if it is not such an expression, or has no value at this n.
    """
    try:
        if len(text) > _MOST_CHARS:
            raise ValueError("it is too long")
        value = _value(ast.parse(text.strip(), mode="eval").body, n)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("its value is not finite")
        return round(value)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        reason = "it is not an expression" if isinstance(error, SyntaxError) else str(error)
        raise UsageError(
            f"{text[:60]!r} cannot be evaluated at n = {n}: {reason}; "
            "write an expression such as 4*n, with n, numbers and + - * / // **"
        ) from error


def _value(node: ast.expr, n: int) -> _Number:
    value: _Number
    match node:
        case ast.Name(id="n"):
            value = n
        case ast.Constant(value=bool()):
            raise ValueError("it holds True or False")
        case ast.Constant(value=int() | float() as number):
            value = number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = -_value(operand, n)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            value = _value(operand, n)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            one, other = _value(left, n), _value(right, n)
            if isinstance(sign, ast.Pow) and (abs(other) > _MOST_EXPONENT or one < 0):
                raise ValueError("an exponent is too large, or its base is negative")
            value = _OPERATORS[type(sign)](one, other)
        case _:
            raise ValueError(f"it holds {ast.unparse(node)[:40]!r}")
    if abs(value) > _LARGEST:
        raise ValueError("it is too large")
    return value
