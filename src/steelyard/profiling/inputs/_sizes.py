"""Choose the sizes of a profile: a ladder of n, and a grid of n and m.

The second parameter is by default an expression of n: `4*n`, `n**2 // 100`, `200000`.
"""

import ast
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from steelyard.errors import UsageError
from steelyard.profiling._records import Point

_EVERY_SIZE_UP_TO = 64
"""An n_max this small is that of an exponential program: halving would leave too few sizes."""
_MOST_STEPS = 24
LARGEST = 10**18
_GRID_SIDE = 4
_GRID_RATIO = 3.0
_M_FACTORS = (0.5, 7.5)
"""The grid's m, as multiples of the default: with 4*n, m runs from 2*n to 30*n."""
_M_CHOICES = 65
Valid = Callable[[Sequence[Point]], Sequence[bool]]
"""Returns for each point whether an input of that size exists."""


@dataclass(frozen=True)
class Parameter:
    """A second size in addition to n."""

    name: str
    minimum: int
    maximum: int
    default: str
    """Its value if only n grows: an expression of n, such as `4*n`."""

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name in ("n", "seed"):
            raise UsageError(
                f"{self.name!r} is not a valid parameter name; write m=MIN:MAX:DEFAULT"
            )
        if not 1 <= self.minimum <= self.maximum:
            raise UsageError(
                f"{self.name} must have a minimum of at least 1 and a maximum not below it, "
                f"got {self.minimum} to {self.maximum}"
            )
        check_size(self.maximum, self.name)
        value_at(self.default, 1_000)  # reports a misprint at once

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the parameter that a text such as `m=16:2000000:4*n` names.

        Raises:
            UsageError: if it does not name a parameter.
        """
        name, equals, rest = text.partition("=")
        parts = rest.split(":")
        if not equals or len(parts) not in (2, 3):
            raise UsageError(f"{text!r} is not a parameter; write m=MIN:MAX:DEFAULT")
        default = parts[2].strip() if len(parts) == 3 else ""
        bounds = [whole_number(part, of=name.strip()) for part in parts[:2]]
        return cls(name.strip(), bounds[0], bounds[1], default or "n")

    def at(self, n: int) -> int:
        """Its default at this n, within its bounds."""
        return min(max(value_at(self.default, n), self.minimum), self.maximum)


def whole_number(text: str, *, of: str) -> int:
    """Return the number that a text such as `1000`, `1e6` or `200_000` writes.

    Args:
        text: The number.
        of: What it is a bound of, for the message.

    Raises:
        UsageError: if it is not a whole number.
    """
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        if number.is_integer() and number < 1e18:
            return int(number)
    except ValueError:
        pass
    raise UsageError(f"{text.strip()!r} is not a bound of {of}; write a whole number such as 1000")


def check_size(size: int, name: str) -> None:
    """Raise UsageError for a size that no figure could follow."""
    if size > LARGEST:
        raise UsageError(f"the largest {name} is above 10^18; make it smaller")


def ladder(n_min: int, n_max: int) -> tuple[int, ...]:
    """Return the sizes below and at n_max, ascending: each the half of the next, 25 at most.

    A ratio of 2 keeps the phase of what itself grows by powers of two (vectors, hash tables,
    transforms). Where n is a value up to 1e18 the ratio is larger; up to an n_max of 64 it is
    every whole number.

    Raises:
        UsageError: if the bounds are no bounds.
    """
    check_size(n_max, "n")
    if not 0 <= n_min <= n_max or n_max < 1:
        raise UsageError(
            f"the largest n must be at least 1 and not below the smallest, got {n_min} to {n_max}"
        )
    if n_max <= _EVERY_SIZE_UP_TO:
        return tuple(range(n_min, n_max + 1))
    lowest = max(n_min, 1)
    if n_max < lowest << _MOST_STEPS:
        # Exact for any n: floats have 53 bits.
        halves = ((n_max + (1 << k >> 1)) >> k for k in range(_MOST_STEPS + 1))
        return tuple(sorted({size for size in halves if size >= lowest}))
    ratio = (n_max / lowest) ** (1 / _MOST_STEPS)
    steps = (n_max if k == 0 else round(n_max / ratio**k) for k in range(_MOST_STEPS + 1))
    return tuple(sorted({max(size, lowest) for size in steps}))


def diagonal(sizes: Sequence[int], parameter: Parameter | None) -> tuple[Point, ...]:
    """Return a point for each n, with the second parameter at its default where there is one."""
    return tuple(Point(n, parameter.at(n) if parameter else 0) for n in sizes)


def grid(
    n_min: int, n_max: int, parameter: Parameter, valid: Valid | None = None
) -> tuple[Point, ...]:
    """Return points that vary n and m apart: four sizes of n, and for each up to four of m.

    Each n is a third of the next. For each n, m is spread evenly by its logarithm from half its
    default to 7.5 times that; where a bound or `valid` cuts that range on one side, it reaches
    further on the other.

    Args:
        n_min: The smallest n.
        n_max: The largest, which need not be the largest of all: the one that is affordable.
        parameter: m.
        valid: Asked once for all choices; every point is valid if None.

    Returns:
        The points, ascending; fewer than 16 where the valid region is narrow.

    Raises:
        UsageError: if the bounds are no bounds, or no point is valid.
    """
    lowest = max(n_min, 1)
    if n_max < lowest:
        raise UsageError(f"the largest n must not be below the smallest, got {n_min} to {n_max}")
    ratio = min(_GRID_RATIO, (n_max / lowest) ** (1 / (_GRID_SIDE - 1)))
    rows = sorted({max(round(n_max / ratio**k), lowest) for k in range(_GRID_SIDE)})
    wanted = {
        n: _spread(*_window(parameter.at(n), parameter.minimum, parameter.maximum)) for n in rows
    }
    if valid is None:
        return tuple(Point(n, m) for n in rows for m in wanted[n])
    every = _spread(parameter.minimum, parameter.maximum, _M_CHOICES)
    choices = [Point(n, m) for n in rows for m in sorted({*every, *wanted[n]})]
    allowed = [point for point, good in zip(choices, valid(choices), strict=True) if good]
    points: list[Point] = []
    for n in rows:
        open_to_it = [point.m for point in allowed if point.n == n]
        if open_to_it:
            low, high = _window(parameter.at(n), open_to_it[0], open_to_it[-1])
            near = {_nearest(m, open_to_it) for m in _spread(low, high)}
            points += (Point(n, m) for m in sorted(near))
    if not points:
        raise UsageError(
            f"valid(n, {parameter.name}) allows no point for n up to {n_max} and "
            f"{parameter.name} from {parameter.minimum} to {parameter.maximum}; widen the bounds"
        )
    return tuple(points)


def _window(default: int, lowest: int, highest: int) -> tuple[float, float]:
    """Return the range of m around its default, shifted into its bounds."""
    low, high = (default * factor for factor in _M_FACTORS)
    if low < lowest:
        low, high = lowest, max(high, high * lowest / low)
    if high > highest:
        low, high = low * highest / high, highest
    return max(low, lowest), min(high, highest)


def _spread(low: float, high: float, count: int = _GRID_SIDE) -> list[int]:
    """Whole numbers, evenly spread by logarithm, both ends among them."""
    ratio = (high / low) ** (1 / (count - 1))
    return sorted({round(low * ratio**k) for k in range(count)})


def _nearest(m: int, choices: Sequence[int]) -> int:
    return min(choices, key=lambda choice: abs(math.log(choice / m)))


_MOST_CHARS = 100
_MOST_EXPONENT = 64
_MOST_VALUE = 1 << 200
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
    if abs(value) > _MOST_VALUE:
        raise ValueError("it is too large")
    return value
