"""The constraints of the corpus evaluated by Python itself: an independent reading of the language.

Only the repository's own constraints come here; nothing that a user or a model wrote may.
"""

import itertools
import json
from collections.abc import Sequence
from typing import Any

from steelyard.plain import parse_type
from steelyard.schemas import Specification


def _is_connected(n: int, edges: Sequence[Sequence[int]]) -> bool:
    near: list[list[int]] = [[] for _ in range(n)]
    for one, other, *_ in edges:
        near[one].append(other)
        near[other].append(one)
    reached, todo = {0}, [0]
    while todo:
        new = set(near[todo.pop()]) - reached
        reached |= new
        todo += new
    return len(reached) == n


def _is_tree(n: int, edges: Sequence[Sequence[int]]) -> bool:
    return len(edges) == n - 1 and _is_connected(n, edges)


def _is_permutation(items: Sequence[int], start: int) -> bool:
    return sorted(items) == list(range(start, start + len(items)))


_NAMES: dict[str, Any] = {
    "__builtins__": {}, "all": all, "len": len, "range": range, "set": set, "sorted": sorted,
    "is_connected": _is_connected, "is_permutation": _is_permutation, "is_tree": _is_tree,
    "is_rectangular": lambda rows: all(len(row) == len(rows[0]) for row in rows),
    "is_sorted": lambda items: all(a <= b for a, b in itertools.pairwise(items)),
    "is_increasing": lambda items: all(a < b for a, b in itertools.pairwise(items)),
    "is_descending": lambda items: all(a >= b for a, b in itertools.pairwise(items)),
    "is_decreasing": lambda items: all(a > b for a, b in itertools.pairwise(items)),
    "is_unique": lambda items: len(set(items)) == len(items),
    "is_palindrome": lambda items: items == items[::-1],
}  # fmt: skip


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
