"""Write an expression so that what is repeated in it comes more often."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any, cast

from steelyard.families import FAMILIES, expand

_MOST_STEP = 10**12
"""No run of larger steps is stretched."""
_LEAST_LENGTH, _WIDE = 100, 2
"""No number follows a smaller length; spans of up to so many lengths grow with these."""
_COUNTS, _MOST_COUNT = frozenset({"n", "m", "count"}), 10**9
"""The parameters of families that are numbers of items, nodes or edges."""
_LISTS = frozenset(
    {"items", "edges", "table", "rows", "values", "ranks", "column", "columns", "keys", "parts"}
)
"""Those that are lists, whose items are as many as those of the result."""


def numbers_moved(lengths: Mapping[int, int]) -> dict[int, int]:
    """Return what numbers become that equal lengths or last positions, if they are not small."""
    return {
        length - less: new - less
        for less in (1, 0)
        for length, new in lengths.items()
        if length > _LEAST_LENGTH
    }


def repeated(text: str, factor: float, moved: Mapping[int, int] | None = None) -> str:
    """Return an expression in which what is repeated comes more often, but for parts of items.

    Args:
        text: The expression.
        factor: How many times as often.
        moved: Numbers, each with the one that takes its place unless it is a count. The spans of
            numbers that advance, and are not much larger than these, grow as much as these do.
    """
    moved = moved or {}
    follow = _Following(moved)

    def scaled(name: str, arg: ast.expr) -> ast.expr:
        """Return an argument of a family: a count, or a list that another family makes."""
        match arg:
            case ast.Constant(int() as count) if name in _COUNTS and abs(count) <= _MOST_COUNT:
                return ast.Constant(int(count * factor))
            case ast.Call() | ast.BinOp() if name in _LISTS:
                return stretched(arg)
        return arg

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
            case ast.Call(ast.Name(name), args) if name in FAMILIES:
                given = [*map(scaled, _parameters(name, len(args)), args)]
                return ast.Call(node.func, given, node.keywords)
        return cast("ast.expr", follow.visit(node))

    return ast.unparse(stretched(_written(text)))


def _parameters(family: str, count: int) -> list[str]:
    """Return the names of a family's parameters, one for each of so many arguments."""
    names = [*FAMILIES[family].signature.parameters]
    return [*names, *names[-1:] * count][:count]


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
    """Return a run with more numbers: of smaller steps, then with others beyond its last end.

    One that falls has smaller numbers if these are not below 0, and larger ones otherwise.
    """
    length, step = int(len(run) * factor), max(1, int(abs(run[1] - run[0]) / factor))
    low, least = min(run[0], run[-1]), run[0] - step * (length - 1)
    low = least if 0 <= least < low else low
    longer = range(low, low + step * length, step)
    longer = longer if run[1] > run[0] else longer[::-1]
    return f"range({longer.start}, {longer.stop}, {longer.step})"
