"""Run a program so that each call returns what it did: branches, comparisons, loops, indexes.

The text of this module becomes a program of its own, in a cell. It ends with a call of `_load`, and
the program that it runs lies next to it.
"""

from __future__ import annotations

import ast
import bisect
import collections
import functools
import heapq
import itertools
import math
import operator
import random
import re
import string
import typing
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

_MOST_EVENTS = 3_000
"""Events that are kept: later ones seldom show anything new. They are only counted."""
_MUCH = 10
"""A place that is reached this power of two times or more is a finding for each power of two."""
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda one, other: one in other, "NotIn": lambda one, other: one not in other,
}  # fmt: skip
_events: list[tuple[int, object]] = []
_visits: dict[int, int] = {}
"""How often each place of the program was reached."""
_steps_left = [0]
_targets: list[Callable[[], Callable[..., Any]]] = []


class _EnoughError(BaseException):
    """The call has shown enough."""


def trace(most_steps: int, *args: object) -> list[int]:
    """Call the program; return a number for its answer, then one for each thing that it did.

    After so many steps the call is ended.
    """
    _events.clear()
    _visits.clear()
    _steps_left[0] = most_steps
    try:
        answer = _targets[0]()(*args)
        kind = _kind(answer)
    except BaseException as error:  # whatever hostile code raises is what it did
        answer = kind = type(error).__name__
    found: list[object] = ["answer", kind]
    found += ((event, _bucket(times)) for event, times in Counter(_events).items())
    found += set(pairwise(_events))
    # All powers up to the last, so that whoever does most has most findings.
    for site, visits in _visits.items():
        found += ((site, "visits", power) for power in range(_MUCH, visits.bit_length()))
    return [_number(answer), *sorted({_number(each) for each in found})]


def _number(found: object) -> int:
    try:
        text = repr(found)
    except Exception:  # a class of the program may have any
        text = type(found).__name__
    return zlib.crc32(text.encode("utf-8", "backslashreplace"))


def _step(site: int) -> None:
    if not _steps_left[0]:
        raise _EnoughError
    _steps_left[0] -= 1
    _visits[site] = _visits.get(site, 0) + 1


def _note(site: int, outcome: object) -> None:
    _step(site)
    if len(_events) < _MOST_EVENTS:
        _events.append((site, outcome))


def traced_test(site: int, value: Any) -> Any:
    """Note a condition."""
    _note(site, bool(value))
    return value


def traced_comparison(site: int, sign: str, one: Any, other: Any) -> Any:
    """Note a comparison, and how far apart its numbers are."""
    answer = _COMPARISONS[sign](one, other)
    are_numbers = isinstance(one, int | float) and isinstance(other, int | float)
    _note(site, (bool(answer), _size(one - other) if are_numbers else None))
    return answer


def traced_loop(site: int, items: Iterable[Any]) -> Iterator[Any]:
    """Note how many rounds a loop has."""
    rounds = 0
    for item in items:
        rounds += 1
        _step(site)
        yield item
    _note(site, ("rounds", _bucket(rounds)))


def traced_value(site: int, value: Any) -> Any:
    """Note an index, a difference or a remainder."""
    if isinstance(value, int | float):
        _note(site, _size(value))
    return value


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


def _bucket(number: int) -> int:
    return number if number < 4 else 2 + min(number, 256).bit_length()


def _kind(answer: object) -> object:
    """Return the class of an answer: a truth, a length, the digits of a number."""
    if isinstance(answer, bool) or answer is None:
        return answer
    if isinstance(answer, int | float):
        return type(answer).__name__, _size(answer), len(str(answer).partition(".")[0])
    if isinstance(answer, str | list | tuple | dict):
        return type(answer).__name__, _bucket(len(answer))
    return type(answer).__name__


class _Tracing(ast.NodeTransformer):
    """Put calls of the functions above around parts of a program; what it computes stays."""

    def __init__(self) -> None:
        self._sites = 0

    def _traced(self, function: str, *parts: ast.expr) -> ast.Call:
        self._sites += 1
        name = ast.Name(function, ast.Load())
        return ast.Call(name, [ast.Constant(self._sites), *parts], [])

    def visit(self, node: ast.AST) -> Any:
        """Return a node with traced parts."""
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
        elif isinstance(node, ast.For):
            node.iter = self._traced("traced_loop", node.iter)
        elif isinstance(node, ast.comprehension) and not node.is_async:
            node.iter = self._traced("traced_loop", node.iter)
            node.ifs = [self._traced("traced_test", each) for each in node.ifs]
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp):
            node.slice = self._traced("traced_value", node.slice)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv | ast.Sub):
            return self._traced("traced_value", node)
        elif isinstance(node, ast.Call) and _is_choice(node):
            return self._traced("traced_choice", node.func, *node.args)
        return node


def _is_choice(call: ast.Call) -> bool:
    named = isinstance(call.func, ast.Name) and call.func.id in {"min", "max"}
    plain = not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    return named and plain and len(call.args) > 1


def _load(entry: str) -> None:
    """Load the program; its entry is a function, or a method of an object that each call makes."""
    with open("traced.py", encoding="utf-8") as file:
        tree = ast.fix_missing_locations(_Tracing().visit(ast.parse(file.read())))
    names = _usual_names()
    for function in (traced_test, traced_comparison, traced_loop, traced_value, traced_choice):
        names[function.__name__] = function
    exec(compile(tree, "traced", "exec", dont_inherit=True), names)
    name, _, method = entry.partition(".")
    found = names[name]
    _targets.append((lambda: getattr(found(), method)) if method else (lambda: found))


def _usual_names() -> dict[str, Any]:
    """Return the names that a solution can use without importing them."""
    names: dict[str, Any] = {"__name__": "traced"}
    for module in (typing, collections, functools, heapq, itertools, bisect, math):
        names.update((name, each) for name, each in vars(module).items() if name[0] != "_")
    del names["pow"]  # the built-in takes a third argument
    modules = (bisect, collections, functools, heapq, itertools, math, operator, random, re, string)
    return names | {module.__name__: module for module in modules}
