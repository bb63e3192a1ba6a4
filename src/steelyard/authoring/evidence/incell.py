"""Run a program so that each call returns what it did: branches, comparisons, loops, indexes.

Mutants of the program run on the same arguments; those that give another answer are returned too.
The text of this module becomes a program of its own, in a cell. It ends with a call of `_load`, and
the programs that it runs lie next to it.
"""

from __future__ import annotations

import ast
import bisect
import collections
import contextlib
import functools
import heapq
import itertools
import json
import marshal
import math
import operator
import random
import re
import string
import time
import typing
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeGuard

_MOST_EVENTS = 3_000
"""Events that are kept: later ones seldom show anything new. They are only counted."""
_MUCH = 10
"""A place that is reached this power of two times or more is a finding for each power of two."""
_ENOUGH_KILLS = 6
"""Kills after which a mutant runs no more: further ones are no news."""
_MOST_S, _MOST_MEASURED_S = 1.0, 2.0
"""CPU time of the run that notes all, and of the one that measures containers and loops: one step
of a program may go through a long list."""
_MOST_PLACES = 500
"""Places that use containers, and loops, that are returned."""
_APART = 16
"""Steps or rounds after which the time is read."""
_LOADING = 1_000_000
"""Steps and rounds that a program may take when it is loaded."""
_TIMES, _LEAST_ROUNDS = 4, 1_000
"""A mutant may have this multiple of the program's steps, and so many more, as rounds of loops."""
_FEW, _LARGEST = 4, 10**300
"""Items of an answer whose sizes are returned, and the largest size."""
_WIDE = (10**9, 2**31, 2**53, 2**63)
"""What is often used for infinity, and the bounds of signed whole numbers of 32 bits, of those that
floats hold, and of signed ones of 64 bits."""
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda one, other: one in other, "NotIn": lambda one, other: one not in other,
}  # fmt: skip
_OF_OBJECTS = (operator.is_, operator.is_not)
"""Comparisons that are not of values."""
_NUMBERS = {int, float, bool}
"""Classes of numbers that are measured: one of the program may have any `__abs__`."""
_CONTAINERS = {
    list, dict, set, str, collections.deque, collections.defaultdict, collections.Counter,
    collections.OrderedDict,
}  # fmt: skip
"""Classes of containers that are measured: a class of the program may have any `__len__`."""
_events: list[tuple[int, object]] = []
_visits: dict[int, int] = {}
"""How often each place of the program was reached."""
_steps_left = [0]
_targets: list[Callable[[], Callable[..., Any]]] = []
"""The traced program, and one that only measures its containers and counts its rounds."""
_mutants: dict[int, Callable[[], Callable[..., Any]]] = {}
_killed: Counter[int] = Counter()
_rounds_left = [0]
_deadline = [math.inf]
_lengths: dict[int, int] = {}
"""For each place where a container is used, the sum of its lengths: what it would cost to go
through all of it each time. For each loop, the most rounds that it had at once; by the number that
follows its own, the same times how often it began, once the call has ended."""
_starts: dict[int, int] = {}
"""For each loop, by the number that follows its own, how often it began."""
_widest = [0]
"""The largest number that was compared or divided, from the first bound on."""


class _EnoughError(BaseException):
    """The call has shown enough."""


def trace(most_steps: int, most_rounds: int, *args: Any) -> list[list[int]]:
    """Call the program, which is ended after so many steps, and its mutants.

    Args:
        most_steps: Conditions, comparisons, indexes and rounds of loops.
        most_rounds: Rounds of loops of a second run, which notes only how long containers and loops
            are and continues where the first one was ended; 0 for none.
        args: The program's arguments.

    Returns:
        A number for its answer, its steps, the largest number that it compared or divided, and the
        sizes of the answer; the mutants that give another answer, if the program was done in time;
        a number for each finding; for each place that uses a container the sum of its lengths, and
        for each loop the most rounds that it had at once, also times how often it began.
    """
    _events.clear()
    _visits.clear()
    _lengths.clear()
    _starts.clear()
    _widest[0] = 0
    _steps_left[0] = most_steps
    kept = marshal.dumps(args)
    _deadline[0] = time.process_time() + _MOST_S
    answer, ending = _ending(_targets[0], args)
    steps = most_steps - _steps_left[0]
    _deadline[0] = math.inf
    kills = [] if ending is _EnoughError else _kills(kept, (ending is None, answer, args), steps)
    if most_rounds:
        _rounds_left[0] = most_rounds
        _deadline[0] = time.process_time() + _MOST_MEASURED_S
        args = marshal.loads(kept)  # noqa: S302  (what `trace` wrote, and in a cell)
        measured = _ending(_targets[1], args)
        _deadline[0] = math.inf
        if ending is _EnoughError:
            answer, ending = measured
            steps += most_rounds - _rounds_left[0]
    kind = _kind(answer) if ending is None else answer
    sizes = [_widest[0], *(_sizes(answer) if ending is None else ())]
    found: list[object] = ["answer", kind]
    found += ((event, _bucket(times)) for event, times in Counter(_events).items())
    found += set(pairwise(_events))
    # All powers up to the last, so that whoever does most has most findings.
    for site, visits in _visits.items():
        found += ((site, "visits", power) for power in range(_MUCH, visits.bit_length()))
    numbers = sorted({_number(each) for each in found})
    for site, times in _starts.items():
        _lengths[site] = times * _lengths.get(site - 1, 0)
    places = min(_MOST_PLACES, max(_lengths, default=-1) + 1)
    lengths = [_lengths.get(site, 0) for site in range(places)]
    return [[_number(answer), steps, *sizes], kills, numbers, lengths]


def _ending(target: Callable[[], Callable[..., Any]], args: Iterable[object]) -> tuple[Any, Any]:
    """Return what a call returns, or the name and the class of what it raises."""
    try:
        return target()(*args), None
    except BaseException as error:  # whatever hostile code raises is what it did
        return type(error).__name__, type(error)


def _kills(kept: bytes, own: tuple[object, ...], steps: int) -> list[int]:
    """Return the mutants that end in another way, or leave other arguments."""
    found = []
    for number, target in _mutants.items():
        if _killed[number] == _ENOUGH_KILLS:
            continue
        _rounds_left[0] = _TIMES * steps + _LEAST_ROUNDS
        args = marshal.loads(kept)  # noqa: S302  (what `trace` wrote, and in a cell)
        answer, ending = _ending(target, args)
        try:
            is_killed = (ending is None, answer, args) != own
        except Exception:  # a class of the program may have any
            is_killed = True
        if is_killed:
            _killed[number] += 1
            found.append(number)
    return found


def traced_round(site: int = 0, rounds: int = 0) -> int:
    """Count a round of a loop, or a call: a mutant may never end.

    Args:
        site: The loop, 0 for one that is not measured and for a call.
        rounds: Its rounds before this one, since it began.

    Returns:
        Its rounds with this one.
    """
    if not _rounds_left[0]:
        raise _EnoughError
    _rounds_left[0] -= 1
    _end_late(_rounds_left[0])
    if site and rounds >= _lengths.get(site, 0):
        _lengths[site] = rounds + 1
    return rounds + 1


def traced_start(site: int) -> int:
    """Count how often a loop begins, and return its rounds so far: none."""
    _starts[site] = _starts.get(site, 0) + 1
    return 0


def traced_items(items: Iterable[Any]) -> Iterator[Any]:
    """Count the rounds of a comprehension."""
    for item in items:
        traced_round()
        yield item


def traced_container(site: int, value: Any) -> Any:
    """Note how long a container is."""
    if type(value) in _CONTAINERS:
        _lengths[site] = _lengths.get(site, 0) + len(value)
    return value


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
    _end_late(_steps_left[0])
    _visits[site] = _visits.get(site, 0) + 1


def _end_late(left: int) -> None:
    if left % _APART == 0 and time.process_time() > _deadline[0]:
        raise _EnoughError


def _note(site: int, outcome: object) -> None:
    _step(site)
    if len(_events) < _MOST_EVENTS:
        _events.append((site, outcome))


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
    _widest[0] = max(_widest[0], int(largest))
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


def _sizes(answer: object) -> list[int]:
    """Return what can be large or small of an answer: a number, a length, the first numbers."""
    parts = [answer]
    if isinstance(answer, str | list | tuple | dict):
        parts = [len(answer), *(answer[:_FEW] if isinstance(answer, list | tuple) else ())]
    return [
        int(each)
        for each in parts
        if isinstance(each, int | float) and not isinstance(each, bool) and abs(each) < _LARGEST
    ]


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


def _is_spread(node: ast.AST) -> TypeGuard[ast.Starred]:
    return isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load)


def _call_of(function: Callable[..., Any], *parts: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function.__name__, ast.Load()), [*parts], [])


class _Guarding(ast.NodeTransformer):
    """Count the rounds of loops and the calls of functions."""

    def visit(self, node: ast.AST) -> Any:
        """Return a node whose body is counted."""
        self.generic_visit(node)
        if isinstance(node, ast.For | ast.While | ast.FunctionDef):
            node.body.insert(0, ast.Expr(_call_of(traced_round)))
        return node


class _Measuring(ast.NodeTransformer):
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


def _load(entry: str) -> None:
    """Load the program and its mutants, which have an entry: a function, or a class's method."""
    with open("traced.py", encoding="utf-8") as file:
        text = file.read()
    with open("mutants.json", encoding="utf-8") as file:
        mutants = json.load(file)
    traced = (
        traced_test, traced_comparison, traced_loop, traced_value, traced_quotient, traced_choice,
    )  # fmt: skip
    measured = (traced_round, traced_start, traced_items, traced_container)
    _steps_left[0] = _rounds_left[0] = _LOADING
    _targets.append(_target(text, _Tracing(), traced, entry))
    _targets.append(_target(text, _Measuring(), measured, entry))
    for number, mutant in mutants:
        with contextlib.suppress(BaseException):  # whatever a mutant does when it is loaded
            _rounds_left[0] = _LEAST_ROUNDS
            _mutants[number] = _target(mutant, _Guarding(), (traced_round,), entry)


def _target(
    text: str, change: ast.NodeTransformer, functions: Iterable[Callable[..., Any]], entry: str
) -> Callable[[], Callable[..., Any]]:
    """Return what returns a program's entry; a class's method is one of a new object each time."""
    tree = ast.fix_missing_locations(change.visit(ast.parse(text)))
    names = _usual_names()
    names.update((function.__name__, function) for function in functions)
    exec(compile(tree, "traced", "exec", dont_inherit=True), names)
    name, _, method = entry.partition(".")
    found = names[name]
    return (lambda: getattr(found(), method)) if method else (lambda: found)


def _usual_names() -> dict[str, Any]:
    """Return the names that a solution can use without importing them."""
    names: dict[str, Any] = {"__name__": "traced"}
    for module in (typing, collections, functools, heapq, itertools, bisect, math):
        names.update((name, each) for name, each in vars(module).items() if name[0] != "_")
    del names["pow"]  # the built-in takes a third argument
    modules = (bisect, collections, functools, heapq, itertools, math, operator, random, re, string)
    return names | {module.__name__: module for module in modules}
