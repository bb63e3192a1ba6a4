"""The named predicates: each is one function that counts faults, and a phrase.

A predicate holds if it counts no fault; the count is its distance for repair. Values are frozen:
lists are tuples. A value of another form than a predicate needs is a fault, never an exception.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, pairwise
from operator import ge, gt, le, lt, ne
from typing import Any

Rows = Sequence[Sequence[int]]
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_HASHED = 1 << 60
_MOST_PRIME = 3_317_044_064_679_887_385_961_981


def distinct(items: Sequence[Any]) -> int:
    """Return the number of different items.

    Sorting comes first: chosen integers can share one hash and make a set quadratic.
    """
    if isinstance(next(iter(items), None), frozenset):  # in no order
        return len(set(items))
    try:
        ranked = sorted(items)
    except TypeError:  # None among numbers
        return len(set(items))
    return len(ranked[:1]) + sum(bool(one != other) for one, other in pairwise(ranked))


def neighbours(bad: Callable[[Any, Any], bool]) -> Callable[[Sequence[Any]], int]:
    """Return a count of neighbours for which `bad` is true."""
    return lambda items: sum(map(bad, items, islice(items, 1, None)))


def _repeats(items: Sequence[Any]) -> int:
    return len(items) - distinct(items)


def _missing(items: Sequence[Any], other: Any = 1) -> int:
    if isinstance(other, int):
        inside = [x for x in items if type(x) is int and other <= x < other + len(items)]
        return len(items) - distinct(inside)
    try:
        left, right = sorted(items), sorted(other)
    except TypeError:
        counts = Counter(items)
        counts.subtract(Counter(other))
        return sum(map(abs, counts.values()))
    common = 0
    while left and right:
        common += left[-1] == right[-1]
        larger = left[-1] >= right[-1], right[-1] >= left[-1]
        if larger[0]:
            left.pop()
        if larger[1]:
            right.pop()
    return len(items) + len(other) - 2 * common


def _mirrored(items: Sequence[Any]) -> int:
    return sum(map(ne, items[: len(items) // 2], items[::-1]))


def _unbalanced(text: Sequence[str]) -> int:
    wanted: list[str] = []
    faults = 0
    closing = _PAIRS.values()
    for char in text:
        if char in _PAIRS:
            wanted.append(_PAIRS[char])
        elif char in closing:
            faults += not (wanted and wanted.pop() == char)
    return faults + len(wanted)


def _ragged(rows: Sequence[Sequence[Any]]) -> int:
    return sum(abs(len(row) - len(rows[0])) for row in rows)


def _not_subsequence(short: Sequence[Any], long: Sequence[Any]) -> int:
    rest = iter(long)
    return sum(all(each != other for other in rest) for each in short)


def _composite(n: int) -> int:
    """Return 0 for a prime, by the Miller-Rabin test: exact below 3.3 * 10**24."""
    if n < 2 or n > _MOST_PRIME:
        return 1
    for prime in _SMALL_PRIMES:
        if n % prime == 0:
            return int(n != prime)
    rest, twos = n - 1, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    for prime in _SMALL_PRIMES:
        x = pow(prime, rest, n)
        if x not in (1, n - 1) and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return 1
    return 0


def _edges(n: int, rows: Rows, start: int) -> Iterator[tuple[int, int]]:
    """Yield the edges whose two ends are nodes.

    Nodes are renamed if they can be so large that chosen ones share a hash.
    """
    stop = start + n
    ends = [
        (row[0], row[1])
        for row in rows
        if len(row) >= 2 and start <= row[0] < stop and start <= row[1] < stop
    ]
    if n < _HASHED:
        yield from ends
        return
    nodes = sorted(chain.from_iterable(ends))
    for one, other in ends:
        yield bisect_left(nodes, one), bisect_left(nodes, other)


def _joined(n: int, rows: Rows, start: int) -> tuple[int, int]:
    """Return the numbers of components and of edges inside a component; n may be huge."""
    above: dict[int, int] = {}

    def top(node: int) -> int:
        while (up := above.get(node, node)) != node:
            above[node] = node = above.get(up, up)
        return node

    components, inside = n, 0
    for one, other in _edges(n, rows, start):
        a, b = top(one), top(other)
        if a == b:
            inside += 1
        else:
            above[a] = b
            components -= 1
    return components, inside


def _strays(n: int, rows: Rows, start: int) -> int:
    return len(rows) - sum(1 for _ in _edges(n, rows, start)) + (n < 0)


def _not_tree(n: int, rows: Rows, start: int = 0) -> int:
    components, inside = _joined(n, rows, start)
    return abs(components - 1) + inside + _strays(n, rows, start)


def _not_forest(n: int, rows: Rows, start: int = 0) -> int:
    return _joined(n, rows, start)[1] + _strays(n, rows, start)


def _apart(n: int, rows: Rows, start: int = 0) -> int:
    return abs(_joined(n, rows, start)[0] - 1) + _strays(n, rows, start)


def _not_simple(n: int, rows: Rows, start: int = 0) -> int:
    ends = [(min(pair), max(pair)) for pair in _edges(n, rows, start)]
    loops = sum(a == b for a, b in ends)
    return loops + len(ends) - distinct(ends) + _strays(n, rows, start)


def _cyclic(n: int, rows: Rows, start: int = 0) -> int:
    after: dict[int, list[int]] = {}
    waiting: Counter[int] = Counter()
    for one, other in _edges(n, rows, start):
        after.setdefault(one, []).append(other)
        waiting[other] += 1
    ready = [node for node in after if not waiting[node]]
    while ready:
        for other in after.get(ready.pop(), ()):
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return sum(count > 0 for count in waiting.values()) + _strays(n, rows, start)


def _not_two_sided(n: int, rows: Rows, start: int = 0) -> int:
    adjacent: dict[int, list[int]] = {}
    for one, other in _edges(n, rows, start):
        adjacent.setdefault(one, []).append(other)
        adjacent.setdefault(other, []).append(one)
    side: dict[int, bool] = {}
    faults = 0
    for first in adjacent:
        todo = [first] if first not in side else []
        side.setdefault(first, False)
        while todo:
            node = todo.pop()
            for other in adjacent[node]:
                if other not in side:
                    side[other] = not side[node]
                    todo.append(other)
                faults += side[other] == side[node]
    return faults + _strays(n, rows, start)


def _not_level_order(values: Sequence[Any]) -> int:
    """Count the entries without a parent; a missing root and a last None are faults too."""
    places, faults = 1, 0
    for value in values:
        if places:
            places += -1 if value is None else 1
        else:
            faults += 1
    return faults + (bool(values) and (values[0] is None or values[-1] is None))


def _not_parents(parents: Sequence[Any]) -> int:
    rows = [(child, up) for child, up in enumerate(parents) if up != -1]
    return _not_tree(len(parents), rows) + abs(len(parents) - len(rows) - 1)


Predicate = tuple[str, Callable[..., int], str]
_GRAPH = "nodes {2}"

PREDICATES: dict[str, Predicate] = {
    # name: (codes of the arguments, count of faults, phrase)
    "is_sorted": ("q", neighbours(gt), "{0} is sorted in ascending order"),
    "is_increasing": ("q", neighbours(ge), "{0} is strictly increasing"),
    "is_descending": ("q", neighbours(lt), "{0} is sorted in descending order"),
    "is_decreasing": ("q", neighbours(le), "{0} is strictly decreasing"),
    "is_unique": ("q", _repeats, "all items of {0} are different"),
    "is_permutation": ("q1", _missing, "{0} is a permutation of {1}"),
    "is_palindrome": ("q", _mirrored, "{0} is a palindrome"),
    "is_balanced": ("q", _unbalanced, "the brackets in {0} are balanced"),
    "is_rectangular": ("m", _ragged, "all rows of {0} have the same length"),
    "is_subsequence": ("qq", _not_subsequence, "{0} is a subsequence of {1}"),
    "is_prime": ("i", _composite, "{0} is a prime"),
    "is_tree": ("ie0", _not_tree, f"{{1}} are the edges of a tree with {_GRAPH}"),
    "is_forest": ("ie0", _not_forest, f"{{1}} are the edges of a forest with {_GRAPH}"),
    "is_connected": ("ie0", _apart, f"{{1}} connect all the {_GRAPH}"),
    "is_simple": ("ie0", _not_simple, f"{{1}} have no self-loop and no twin, with {_GRAPH}"),
    "is_dag": ("ie0", _cyclic, f"{{1}} are directed edges without a cycle, with {_GRAPH}"),
    "is_bipartite": ("ie0", _not_two_sided, f"{{1}} form a bipartite graph with {_GRAPH}"),
    "is_level_order": ("l", _not_level_order, "{0} lists a binary tree level by level"),
    "is_parents": ("l", _not_parents, "{0} gives each node's parent in a tree, -1 for the root"),
}


def shortfall(faults: float) -> float:
    """Return a distance from 0 to 1 that grows with a number of faults, or with a difference."""
    return (grown := math.log1p(min(faults, 1e300))) / (1.0 + grown)
