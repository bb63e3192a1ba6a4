"""Make large inputs from middling ones: whatever is repeated there comes more often."""

import ast
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, cast

from steelyard.errors import SpecificationError
from steelyard.families import expand
from steelyard.inputs._ground import Ground
from steelyard.inputs._layouts import MOST_CHARS
from steelyard.inputs._made import Made, made
from steelyard.inputs._make import as_cases
from steelyard.inputs._pumps import MOST_ITEMS, can_grow
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, CompactInput, Specification

_MOST_WORK = 1_000_000_000
"""Units of work, as of `make_inputs`."""
_HALVINGS = 5
"""Factors that are tried where the largest one is not valid."""
_LEAST_FACTOR, _MOST_STEP = 1.5, 10**12
"""A smaller factor is not tried, and no run of larger steps stretched."""
_LEAST_LENGTH, _WIDE = 100, 2
"""No number follows a smaller length; spans of up to so many lengths grow with these."""

Pair = tuple[Any, str]
"""An argument, and its part of the expression."""


def stretched_inputs(
    spec: Specification, inputs: Sequence[CompactInput]
) -> tuple[AuthoredCase, ...]:
    """Make inputs as large as constraints allow from others that repeat parts. All are valid.

    Each block of a list or text that comes again and again comes more often, by one factor for the
    whole input. A number that equals the length of such a list grows with it; so does one that is
    the last position in it, and the span of numbers that advance from row to row, if that is valid.

    Args:
        spec: The specification.
        inputs: Valid inputs. Those without repeated parts give none.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or an input.
    """
    shop = Workshop(spec, 0, _MOST_WORK)
    found: list[Input] = []
    for each in inputs:
        if shop.meter.spent:
            break
        parts = _largest(shop.parts_of(each), shop)
        new = shop.new(Draft(parts, "stress", "stretched")) if parts else None
        found += [new] if new else []
    return as_cases(found)


def _largest(pairs: Sequence[Pair], shop: Workshop) -> list[Made] | None:
    """Return valid arguments as large as one factor makes them; None if none is larger.

    Where others stay as they are and that is not valid, whole numbers are the largest allowed.
    """
    args = [value for value, _ in pairs]
    growing = [
        at for at, (value, text) in enumerate(pairs)
        if can_grow(shop.grounds[at]) and value and _stretched(text, 2) != _stretched(text, 1)
    ]  # fmt: skip
    groups = [growing] if growing else []
    if len(growing) > 1:
        groups.append([max(growing, key=lambda at: len(args[at]))])
    raised = [
        (value, str(int(ground.high))) if ground.kind == "int" else (value, text)
        for (value, text), ground in zip(pairs, shop.grounds, strict=True)
    ]
    ways = [pairs, *([raised] if raised != [*pairs] else [])]
    for group, some in product(groups, ways):
        best, reached = _longest(some, group, shop, follow=False)
        if _others_follow(some, group):
            following, how_far = _longest(some, group, shop, follow=True)
            best = following if how_far >= reached else best
        if best:
            return best
    return None


def _others_follow(pairs: Sequence[Pair], group: Sequence[int]) -> bool:
    """Return whether numbers within arguments grow with the length of some."""
    moved = _moved({len(pairs[at][0]): 2 * len(pairs[at][0]) for at in group})
    return any(_stretched(text, 2, moved) != _stretched(text, 2) for _, text in pairs)


def _moved(lengths: Mapping[int, int]) -> dict[int, int]:
    """Return what numbers become that equal lengths or last positions, if they are not small."""
    return {
        length - less: new - less
        for less in (1, 0) for length, new in lengths.items() if length > _LEAST_LENGTH
    }  # fmt: skip


def _longest(
    pairs: Sequence[Pair], group: Sequence[int], shop: Workshop, *, follow: bool
) -> tuple[list[Made] | None, float]:
    """Return valid arguments of which some are stretched by the largest factor, or None.

    With it comes the factor, as a power of the largest one that there is room for.
    """
    most = min(_most_factor(pairs[at][0], shop.grounds[at]) for at in group)
    low, high, power, best = 0.0, 1.0, 1.0, None
    for _ in range(_HALVINGS):
        factor = most**power
        if factor < _LEAST_FACTOR:
            break
        new = _stretched_by(pairs, group, factor, follow=follow)
        if new is not None and shop.can_take([part.value for part in new]):
            best, low = new, power
        else:
            high = power
        if low == high:
            break
        power = (low + high) / 2
    return best, low


def _most_factor(value: Any, ground: Ground) -> float:
    """Return how many times as long a list or text may get."""
    items = min(MOST_ITEMS, ground.longest) / len(value)
    return min(items, MOST_CHARS / (1 + len(repr(value))))


def _stretched_by(
    pairs: Sequence[Pair], group: Sequence[int], factor: float, *, follow: bool
) -> list[Made] | None:
    """Return arguments of which some are stretched, None if the expressions cannot be read.

    A number that equals the length of one that is stretched becomes the new length. If others
    follow, so do such numbers and last positions within arguments.
    """
    texts = [
        _stretched(text, factor) if at in group else text for at, (_, text) in enumerate(pairs)
    ]
    try:
        values: list[Any] = expand(f"[{', '.join(texts)}]")
        lengths = {len(pairs[at][0]): len(values[at]) for at in group}
        if follow:
            moved = _moved(lengths)
            texts = [
                _stretched(text, factor if at in group else 1, moved)
                for at, (_, text) in enumerate(pairs)
            ]
            values = expand(f"[{', '.join(texts)}]")
    except SpecificationError:
        return None
    return [
        made(lengths[before]) if type(before) is int and before in lengths
        else Made(value, partial(str, text))
        for (before, _), value, text in zip(pairs, values, texts, strict=True)
    ]  # fmt: skip


def _stretched(text: str, factor: float, moved: Mapping[int, int] | None = None) -> str:
    """Return an expression in which what is repeated comes more often, but for parts of items.

    Args:
        text: The expression.
        factor: How many times as often.
        moved: Numbers, each with the one that takes its place unless it is a count. The spans of
            numbers that advance, and are not much larger than these, grow as much as these do.
    """
    moved = moved or {}
    follow = _Following(moved)

    def stretched(node: ast.expr) -> ast.expr:
        match node:
            case ast.BinOp(left, ast.Add() as plus, right):
                return ast.BinOp(stretched(left), plus, stretched(right))
            case ast.BinOp(left, ast.Mult() as times, ast.Constant(int() as count)):
                longer = ast.Constant(max(count, int(count * factor)))
                return ast.BinOp(follow.visit(left), times, longer)
            case ast.Call(ast.Name("range")):
                run: Any = _value(node)
                if len(run) > 1 and abs(run[1] - run[0]) < _MOST_STEP:
                    return _written(_longer(run, factor))
                return node
            case ast.Call(ast.Name("advancing"), [rows, ast.Constant(int() as n), steps, spans]):
                wider = [
                    [low, _moved_end(low, high, moved) if step else high]
                    for step, (low, high) in zip(_value(steps), _value(spans), strict=True)
                ]
                longer = ast.Constant(int(n * factor))
                given = [follow.visit(rows), longer, steps, _written(repr(wider))]
                return ast.Call(node.func, given, [])
        return cast("ast.expr", follow.visit(node))

    return ast.unparse(stretched(_written(text)))


def _moved_end(low: int, high: int, moved: Mapping[int, int]) -> int:
    """Return the high end of a span that grows with lengths, if it is about as large as one."""
    if high in moved:
        return moved[high]
    if not moved or high - low > _WIDE * max(moved):
        return high
    least = min(new / length for length, new in moved.items())
    return low + int((high - low) * least)


def _written(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _value(node: ast.expr) -> Any:
    return expand(f"[{ast.unparse(node)}]")[0]


class _Following(ast.NodeTransformer):
    """Puts other numbers in the place of some, but for counts and parts of other numbers."""

    def __init__(self, moved: Mapping[int, int]) -> None:
        self._moved = moved

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Return the number that takes this one's place, if there is one."""
        if type(node.value) is int and node.value in self._moved:
            return ast.Constant(self._moved[node.value])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        """Leave counts and arithmetic alone."""
        if isinstance(node.op, ast.Mult):
            return ast.BinOp(self.visit(node.left), node.op, node.right)
        if isinstance(node.op, ast.Add):
            return ast.BinOp(self.visit(node.left), node.op, self.visit(node.right))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.UnaryOp:
        """Leave negative numbers alone."""
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Leave the arguments of families alone: some are counts."""
        return node


def _longer(run: Sequence[int], factor: float) -> str:
    """Return a run with more numbers: of smaller steps, then with larger numbers."""
    length, step = int(len(run) * factor), max(1, int(abs(run[1] - run[0]) / factor))
    low = min(run[0], run[-1])
    longer = range(low, low + step * length, step)
    longer = longer if run[1] > run[0] else longer[::-1]
    return f"range({longer.start}, {longer.stop}, {longer.step})"
