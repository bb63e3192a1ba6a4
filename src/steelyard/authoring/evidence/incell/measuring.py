"""Count a program's rounds of loops, and measure its containers where they are used."""

from __future__ import annotations

import ast
import collections
import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeGuard

_APART = 16
"""Steps or rounds after which the time is read."""
_CONTAINERS = {
    list,
    dict,
    set,
    str,
    collections.deque,
    collections.defaultdict,
    collections.Counter,
    collections.OrderedDict,
}
"""Classes of containers that are measured: a class of the program may have any `__len__`."""
rounds_left = [0]
deadline = [math.inf]
lengths: dict[int, int] = {}
"""For each place where a container is used, the sum of its lengths: what it would cost to go
through all of it each time. For each loop, the most rounds that it had at once; by the number that
follows its own, the same times how often it began, once the call has ended."""
starts: dict[int, int] = {}
"""For each loop, by the number that follows its own, how often it began."""


class EnoughError(BaseException):
    """The call has shown enough."""


def end_late(left: int) -> None:
    """End the call if it is over its time, which is read after some steps or rounds only."""
    if left % _APART == 0 and time.process_time() > deadline[0]:
        raise EnoughError


def traced_round(site: int = 0, rounds: int = 0) -> int:
    """Count a round of a loop, or a call.

    Args:
        site: The loop, 0 for one that is not measured and for a call.
        rounds: Its rounds before this one, since it began.

    Returns:
        Its rounds with this one.
    """
    if not rounds_left[0]:
        raise EnoughError
    rounds_left[0] -= 1
    end_late(rounds_left[0])
    if site and rounds >= lengths.get(site, 0):
        lengths[site] = rounds + 1
    return rounds + 1


def traced_start(site: int) -> int:
    """Count how often a loop begins, and return its rounds so far: none."""
    starts[site] = starts.get(site, 0) + 1
    return 0


def traced_items(items: Iterable[Any]) -> Iterator[Any]:
    """Count the rounds of a comprehension."""
    for item in items:
        traced_round()
        yield item


def traced_container(site: int, value: Any) -> Any:
    """Note how long a container is."""
    if type(value) in _CONTAINERS:
        lengths[site] = lengths.get(site, 0) + len(value)
    return value


def _is_spread(node: ast.AST) -> TypeGuard[ast.Starred]:
    return isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load)


def _call_of(function: Callable[..., Any], *parts: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function.__name__, ast.Load()), [*parts], [])


class Measuring(ast.NodeTransformer):
    """Count rounds, calls, and the lengths of containers where they are used."""

    def __init__(self) -> None:
        self._sites = 0

    def _site(self) -> ast.Constant:
        self._sites += 1
        return ast.Constant(self._sites)

    def _container(self, node: ast.expr) -> ast.expr:
        is_place = isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
        return _call_of(traced_container, self._site(), node) if is_place else node

    def visit(self, node: ast.AST) -> Any:
        """Return a node whose containers are measured."""
        self.generic_visit(node)
        if isinstance(node, ast.For | ast.While):
            # A variable, so that each call of a function that calls itself counts its own rounds.
            site = self._site()
            name = f"traced_rounds_{self._sites}"
            begun = _call_of(traced_start, self._site())
            counted = _call_of(traced_round, site, ast.Name(name, ast.Load()))
            node.body.insert(0, ast.Assign([ast.Name(name, ast.Store())], counted))
            return [ast.Assign([ast.Name(name, ast.Store())], begun), node]
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(_call_of(traced_round)))
        elif isinstance(node, ast.comprehension) and not node.is_async:
            node.iter = _call_of(traced_items, self._container(node.iter))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            node.left, node.right = self._container(node.left), self._container(node.right)
        elif isinstance(node, ast.Subscript | ast.AugAssign) or _is_spread(node):
            node.value = self._container(node.value)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.In | ast.NotIn):
            node.comparators[-1] = self._container(node.comparators[-1])
        elif isinstance(node, ast.Call):
            node.args = [self._container(each) for each in node.args]
            if isinstance(node.func, ast.Attribute):
                node.func.value = self._container(node.func.value)
        return node
