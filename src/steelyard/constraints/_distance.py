"""Measure how far arguments are from a constraint: 0.0 if it holds, the smaller the nearer.

The measure is the branch distance of search-based testing: a comparison that fails is as far as its
sides are apart. Parts joined by `and` add up, parts joined by `or` count by the nearest.

Source:
    McMinn, "Search-based software test data generation: a survey", STVR 14(2), 2004.
"""

import math
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from steelyard.constraints._evaluate import (
    FAULTS,
    SIGNS,
    Environment,
    each_round,
    runner,
)
from steelyard.constraints._predicates import shortfall
from steelyard.constraints._tree import (
    Apply,
    Chain,
    Logic,
    Many,
    Node,
    Sign,
    inverted,
    weight,
)

Measure = Callable[[Environment], float]

_MOST_CHOICES = 1_000
_MOST_TEXTS = 30
_NO_VALUE = 2.0


def measure(node: Node, *, wanted: bool = True) -> Measure:
    """Return a function from an environment to the distance from the node being `wanted`."""
    match node:
        case Logic(sign="not", items=(item,)):
            return measure(item, wanted=not wanted)
        case Logic(sign=sign, items=items):
            measures = [measure(item, wanted=wanted) for item in items]
            if (sign == "and") is wanted:
                return lambda env: sum(_guarded(each, env) for each in measures)
            return lambda env: _least(each(env) for each in measures)
        case Chain() if wanted:
            return _chain(node)
        case Chain() if other := inverted(node):
            return _chain(other)
        case Apply(args=(Many(body=body, loops=loops),)) if node.name in ("all", "any"):
            inner = each_round(loops, measure(body, wanted=wanted), 2 * weight(body))
            if (node.name == "all") is wanted:
                return lambda env: sum(inner(env))
            return lambda env: _least(inner(env))
        case Apply(operation=operation) if operation.faults and wanted:
            faults, runs = operation.faults, [runner(arg) for arg in node.args]
            return lambda env: shortfall(faults(*[run(env) for run in runs]))
        case Apply(args=(text,)) if node.name.startswith("is") and text.type.base.kind == "str":
            return _characters(node, wanted=wanted)
    run = runner(node)
    return lambda env: 0.0 if bool(run(env)) is wanted else 1.0


def _guarded(part: Measure, env: Environment) -> float:
    """Return the distance of one of several parts; a part without a value is far, not all of them.

    The parts before it say how to give it a value: `len(nums) > 0 and nums[0] == 1`.
    """
    try:
        return part(env)
    except FAULTS:
        return _NO_VALUE


def _least(distances: Iterable[float]) -> float:
    """Return the least distance; what follows one that is 0 is not computed, as in Python."""
    least = math.inf
    for distance in distances:
        least = min(least, distance)
        if not least:
            break
    return least if least < math.inf else _NO_VALUE


def _characters(node: Apply, *, wanted: bool) -> Measure:
    """Count the characters for which a check of a text fails."""
    check, text = node.operation.run, runner(node.args[0])

    def characters(env: Environment) -> float:
        value = text(env)
        if bool(check(value)) is wanted:
            return 0.0
        return shortfall(max(1, sum(not check(char) for char in value) if wanted else 1))

    return characters


def _chain(node: Chain) -> Measure:
    runs = [runner(operand) for operand in node.operands]

    def chain(env: Environment) -> float:
        values = [run(env) for run in runs]
        return sum(map(_gap, node.signs, values, islice(values, 1, None)))

    return chain


def _gap(sign: Sign, left: Any, right: Any) -> float:
    if SIGNS[sign](left, right):
        return 0.0
    if sign == "in" and isinstance(right, str):  # one character of it is what is nearest
        return shortfall(len(left) - (left[:1] in right))
    if sign == "in":
        most = _MOST_CHOICES if isinstance(left, int | float) else _MOST_TEXTS
        return min((_apart(left, each) for each in islice(right, most)), default=1.0)
    if sign in ("!=", "not in"):
        return shortfall(1)
    if sign == "==":
        return _apart(left, right)
    if isinstance(left, frozenset):
        return shortfall(max(1, len(left - right if sign in ("<", "<=") else right - left)))
    if isinstance(left, int | float):
        return shortfall(_difference(left, right) + (sign in ("<", ">")))
    return shortfall(1)


def _apart(left: Any, right: Any) -> float:
    """Return the distance of two values that are not equal."""
    if left == right:
        return 0.0
    if isinstance(left, int | float) and isinstance(right, int | float):
        return max(shortfall(_difference(left, right)), 1e-9)
    if isinstance(left, str | tuple) and isinstance(right, str | tuple):
        longer = abs(len(left) - len(right))
        pairs = zip(left, right, strict=False)
        if isinstance(left, tuple):
            return shortfall(longer + sum(_apart(one, other) for one, other in pairs))
        return shortfall(longer + sum(one != other for one, other in pairs))
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return shortfall(len(left ^ right))
    return shortfall(1)


def _difference(left: float, right: float) -> float:
    return min(abs(left - right), 1e300)
