"""Note what a program does: branches, comparisons, loops, indexes; count its calls."""

from __future__ import annotations

import ast
import bisect
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from steelyard.authoring.evidence.incell.measuring import EnoughError, end_late

_MOST_EVENTS = 3_000
"""Events that are kept: later ones seldom show anything new. They are only counted."""
_FEW, _LARGEST = 4, 10**300
"""Items of an answer whose sizes are returned, and the largest size."""
_WIDE = (10**9, 2**31, 2**53, 2**63)
"""What is often used for infinity, and the bounds of signed whole numbers of 32 bits, of those that
floats hold, and of signed ones of 64 bits."""
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda one, other: one in other,
    "NotIn": lambda one, other: one not in other,
}
_OF_OBJECTS = (operator.is_, operator.is_not)
"""Comparisons that are not of values."""
_NUMBERS = {int, float, bool}
"""Classes of numbers that are measured: one of the program may have any `__abs__`."""
events: list[tuple[int, object]] = []
visits: dict[int, int] = {}
"""How often each place of the program was reached."""
steps_left = [0]
widest = [0]
"""The largest number that was compared or divided, from the first bound on."""


def _step(site: int) -> None:
    if not steps_left[0]:
        raise EnoughError
    steps_left[0] -= 1
    end_late(steps_left[0])
    visits[site] = visits.get(site, 0) + 1


def _note(site: int, outcome: object) -> None:
    _step(site)
    if len(events) < _MOST_EVENTS:
        events.append((site, outcome))


def traced_test(site: int, value: Any) -> Any:
    """Note a condition."""
    _note(site, bool(value))
    return value


def traced_comparison(site: int, sign: str, one: Any, other: Any) -> Any:
    """Note a comparison, how far apart its numbers are, and whether they are large."""
    compare = _COMPARISONS[sign]
    answer = compare(one, other)
    found = None
    if type(one) in _NUMBERS and type(other) in _NUMBERS:
        is_far = not max(abs(one), abs(other)) < _LARGEST  # infinity, or too large for a float
        apart = (3 if one > other else -3) if is_far else _size(one - other)
        found = apart, _width(compare, one, other, answer)
    _note(site, (bool(answer), found))
    return answer


def traced_call(site: int, value: Any = None) -> Any:
    """Count a call: of a function as it begins, of a lambda as it ends."""
    _step(site)
    return value


def traced_loop(site: int, items: Iterable[Any]) -> Iterator[Any]:
    """Note how many rounds a loop has."""
    rounds = 0
    for item in items:
        rounds += 1
        _step(site)
        yield item
    _note(site, ("rounds", bucket(rounds)))


def traced_value(site: int, value: Any) -> Any:
    """Note an index, a difference or a remainder."""
    if isinstance(value, int | float):
        _note(site, _size(value))
    return value


def traced_quotient(site: int, one: Any, other: Any) -> Any:
    """Note a quotient without its fraction, and whether its numbers are large."""
    answer = one // other
    if type(answer) in _NUMBERS:
        width = None
        if type(one) is type(other) is int:
            width = _width(lambda one, other: math.floor(one / other), one, other, answer)
        _note(site, (_size(answer), width))
    return answer


def _width(
    operation: Callable[[float, float], Any], one: float, other: float, answer: object
) -> tuple[int, bool] | None:
    """Return which bounds the larger number exceeds, and whether floats give the same answer."""
    largest = max(abs(one), abs(other))
    if not _WIDE[0] <= largest < _LARGEST or operation in _OF_OBJECTS:
        return None
    widest[0] = max(widest[0], int(largest))
    return bisect.bisect(_WIDE, largest), operation(float(one), float(other)) == answer


def traced_choice(site: int, choose: Callable[..., Any], *values: Any) -> Any:
    """Note which of some numbers is the smallest or the largest."""
    answer = choose(*values)
    if all(isinstance(each, int | float) for each in values):
        _note(site, tuple(each == answer for each in values[:4]))
    return answer


def _size(number: float) -> int:
    """Return 0, 1, 2 or 3 for how far a number is from 0, with its sign."""
    size = 0 if number == 0 else 1 if abs(number) <= 1 else 2 if abs(number) <= 2 else 3
    return size if number > 0 else -size


def bucket(number: int) -> int:
    """Return a number up to three, and for a larger one the power of two that it reaches."""
    return number if number < 4 else 2 + min(number, 256).bit_length()


def kind_of(answer: object) -> object:
    """Return the class of an answer: a truth, a length, the digits of a number."""
    if isinstance(answer, bool) or answer is None:
        return answer
    if isinstance(answer, int | float):
        return type(answer).__name__, _size(answer), len(str(answer).partition(".")[0])
    if isinstance(answer, str | list | tuple | dict):
        return type(answer).__name__, bucket(len(answer))
    return type(answer).__name__


def sizes_of(answer: object) -> list[int]:
    """Return what can be large or small of an answer: a number, a length, the first numbers."""
    parts = [answer]
    if isinstance(answer, str | list | tuple | dict):
        parts = [len(answer), *(answer[:_FEW] if isinstance(answer, list | tuple) else ())]
    return [
        int(each)
        for each in parts
        if isinstance(each, int | float) and not isinstance(each, bool) and abs(each) < _LARGEST
    ]


class Tracing(ast.NodeTransformer):
    """Put calls of the functions above around parts of a program; what it computes stays."""

    def __init__(self) -> None:
        self._sites = 0

    def _traced(self, function: str, *parts: ast.expr) -> ast.Call:
        self._sites += 1
        name = ast.Name(function, ast.Load())
        return ast.Call(name, [ast.Constant(self._sites), *parts], [])

    def visit(self, node: ast.AST) -> Any:
        """Return a node with traced parts."""
        if isinstance(node, ast.MatchValue):  # a pattern has no calls
            return node
        self.generic_visit(node)
        if isinstance(node, ast.Compare):
            if len(node.ops) > 1:
                return self._traced("traced_test", node)
            sign = ast.Constant(type(node.ops[0]).__name__)
            return self._traced("traced_comparison", sign, node.left, node.comparators[0])
        if isinstance(node, ast.BoolOp):
            node.values = [self._traced("traced_test", each) for each in node.values]
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            node.test = self._traced("traced_test", node.test)
        elif isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(self._traced("traced_call")))
        elif isinstance(node, ast.Lambda):
            node.body = self._traced("traced_call", node.body)
        elif isinstance(node, ast.For):
            node.iter = self._traced("traced_loop", node.iter)
        elif isinstance(node, ast.comprehension) and not node.is_async:
            node.iter = self._traced("traced_loop", node.iter)
            node.ifs = [self._traced("traced_test", each) for each in node.ifs]
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp):
            node.slice = self._traced("traced_value", node.slice)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            return self._traced("traced_quotient", node.left, node.right)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Sub):
            return self._traced("traced_value", node)
        elif isinstance(node, ast.Call) and _is_choice(node):
            return self._traced("traced_choice", node.func, *node.args)
        return node


def _is_choice(call: ast.Call) -> bool:
    named = isinstance(call.func, ast.Name) and call.func.id in {"min", "max"}
    plain = not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    return named and plain and len(call.args) > 1
