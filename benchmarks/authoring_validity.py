"""The constraints of the corpus evaluated by Python itself: an independent reading of the language.

Only the repository's own constraints come here; nothing that a user or a model wrote may.
"""

import builtins
import itertools
import json
import math
import string
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from steelyard.constraints import FUNCTION_NAMES
from steelyard.schemas import Specification
from steelyard.values import parse_type

Edges = Sequence[Sequence[int]]


def _near(n: int, edges: Edges, start: int, *, is_directed: bool = False) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(n)]
    for one, other, *_ in edges:
        near[one - start].append(other - start)
        if not is_directed:
            near[other - start].append(one - start)
    return near


def _components(n: int, edges: Edges, start: int) -> int:
    near, reached, count = _near(n, edges, start), set[int](), 0
    for node in range(n):
        count += node not in reached
        todo = [] if node in reached else [node]
        reached.add(node)
        while todo:
            new = set(near[todo.pop()]) - reached
            reached |= new
            todo += new
    return count


def _is_connected(n: int, edges: Edges, start: int = 0) -> bool:
    return _components(n, edges, start) == 1


def _is_forest(n: int, edges: Edges, start: int = 0) -> bool:
    return _components(n, edges, start) == n - len(edges)


def _is_tree(n: int, edges: Edges, start: int = 0) -> bool:
    return len(edges) == n - 1 and _is_connected(n, edges, start)


def _is_simple(n: int, edges: Edges, start: int = 0) -> bool:
    del n, start
    pairs = [frozenset(edge[:2]) for edge in edges]
    return len(set(pairs)) == len(pairs) and all(len(pair) == 2 for pair in pairs)


def _is_dag(n: int, edges: Edges, start: int = 0) -> bool:
    after = dict(enumerate(_near(n, edges, start, is_directed=True)))
    try:
        TopologicalSorter(after).prepare()
    except CycleError:
        return False
    return True


def _is_bipartite(n: int, edges: Edges, start: int = 0) -> bool:
    """Read it by the double cover, of which an even graph is two copies."""
    cover = [
        (one - start + n * side, other - start + n * (1 - side))
        for one, other, *_ in edges
        for side in (0, 1)
    ]
    return _components(2 * n, cover, 0) == 2 * _components(n, edges, start)


def _is_level_order(values: Sequence[Any]) -> bool:
    nodes = itertools.accumulate((value is not None for value in values), initial=0)
    has_parent = all(at <= 2 * before for at, before in enumerate(nodes) if at < len(values))
    return has_parent and (not values or None not in (values[0], values[-1]))


def _is_parents(parents: Sequence[int]) -> bool:
    edges = [(up, node) for node, up in enumerate(parents) if up != -1]
    inside = all(0 <= up < len(parents) for up, _ in edges)
    return inside and _is_tree(len(parents), edges)


def _is_permutation(items: Sequence[Any], other: int | Sequence[Any] = 1) -> bool:
    same = range(other, other + len(items)) if isinstance(other, int) else other
    return sorted(items) == sorted(same)


def _is_balanced(text: str) -> bool:
    brackets, before = "".join(c for c in text if c in "()[]{}<>"), ""
    while brackets != before:
        before = brackets
        for pair in ("()", "[]", "{}", "<>"):
            brackets = brackets.replace(pair, "")
    return not brackets


def _is_subsequence(short: Sequence[Any], long: Sequence[Any]) -> bool:
    rest = iter(long)
    return all(each in rest for each in short)


_NAMES: dict[str, Any] = {
    **{
        name: each
        for module in (math, builtins)
        for name, each in vars(module).items()
        if name in FUNCTION_NAMES
    },
    "__builtins__": {},
    "frozenset": frozenset,
    "map": map,
    "pairwise": itertools.pairwise,
    "math": math,
    "itertools": itertools,
    "string": string,
    "is_balanced": _is_balanced,
    "is_bipartite": _is_bipartite,
    "is_connected": _is_connected,
    "is_dag": _is_dag,
    "is_forest": _is_forest,
    "is_level_order": _is_level_order,
    "is_parents": _is_parents,
    "is_permutation": _is_permutation,
    "is_simple": _is_simple,
    "is_subsequence": _is_subsequence,
    "is_tree": _is_tree,
    "is_prime": lambda n: n > 1 and all(n % k for k in range(2, math.isqrt(n) + 1)),
    "is_rectangular": lambda rows: all(len(row) == len(rows[0]) for row in rows),
    "is_sorted": lambda items: all(a <= b for a, b in itertools.pairwise(items)),
    "is_increasing": lambda items: all(a < b for a, b in itertools.pairwise(items)),
    "is_descending": lambda items: all(a >= b for a, b in itertools.pairwise(items)),
    "is_decreasing": lambda items: all(a > b for a, b in itertools.pairwise(items)),
    "is_unique": lambda items: len(set(map(repr, items))) == len(items),
    "is_palindrome": lambda items: items == items[::-1],
}
assert _NAMES.keys() >= FUNCTION_NAMES, FUNCTION_NAMES - _NAMES.keys()


def is_valid(spec: Specification, args: Sequence[Any]) -> bool:
    """Return True if all constraints hold, and plain JSON of the right types is given."""
    if json.loads(json.dumps(args)) != list(args):
        return False
    kinds = [parse_type(each.type) for each in spec.parameters]
    if any(kind.fault_of(value) for kind, value in zip(kinds, args, strict=True)):
        return False
    named = zip(spec.parameters, kinds, args, strict=True)
    values = {each.name: kind.value_of(value) for each, kind, value in named}
    return all(eval(text, {**_NAMES, **values}) for text in spec.constraints)
