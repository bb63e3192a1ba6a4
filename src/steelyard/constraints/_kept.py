"""Compute once for all constraints what each round of a loop would compute again.

`all(x in nums for x in queries)` and `any(nums.count(x) > 1 for x in nums)` take the square of the
length as they are written, and the largest valid arguments would spend the budget.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard.constraints._operations import item_of
from steelyard.constraints._tree import (
    INT,
    Apply,
    Chain,
    Constraint,
    Kept,
    Many,
    Name,
    Node,
    Operation,
    Part,
    rebuilt,
    walk,
)
from steelyard.values import PlainType

_SEARCHED = frozenset({"int", "float", "bool", "str", "list", "tuple"})


class Index:
    """Items that are searched often: sorted, because chosen integers can share one hash."""

    def __init__(self, items: Sequence[Any]) -> None:
        self._items = items
        self._counts: Counter[Any] | None = None
        try:
            self._sorted = sorted(items)
        except TypeError:  # None among numbers
            self._counts = Counter(items)

    def count(self, value: Any) -> int:
        """Return how often a value is an item; of a text, how often it is a part."""
        if isinstance(self._items, str) and len(value) != 1:
            return self._items.count(value)
        if self._counts is not None:
            return self._counts[value]
        try:
            return bisect_right(self._sorted, value) - bisect_left(self._sorted, value)
        except TypeError:
            return self._items.count(value)

    def __contains__(self, value: Any) -> bool:
        return self.count(value) > 0


_INDEX = Operation("index of", "q", PlainType("any"), Index, "", is_linear=True)
_COUNT = Operation("count", "aa", INT, Index.count, "")


def with_kept(constraints: Sequence[Constraint], parameters: int) -> tuple[list[Node], int]:
    """Return trees of the same meanings, and the slots that their evaluation needs.

    Args:
        constraints: The constraints, which share an environment.
        parameters: Number of parameters.
    """
    keeper = _Keeper(max((each.slots for each in constraints), default=0), parameters)
    return [keeper.changed(each.tree, is_inside=False) for each in constraints], keeper.slots


class _Keeper:
    def __init__(self, slots: int, parameters: int) -> None:
        self.slots = slots
        self._parameters = parameters
        self._known: dict[Node, Kept] = {}

    def changed(self, node: Node, *, is_inside: bool) -> Node:
        if is_inside:
            node = self._indexed(node)
            costs = isinstance(node, Many | Part) or (
                isinstance(node, Apply) and node.operation.is_linear
            )
            if costs and self._is_fixed(node):
                return self._kept(node)
        inside = is_inside or isinstance(node, Many)
        return rebuilt(node, lambda each: self.changed(each, is_inside=inside))

    def _indexed(self, node: Node) -> Node:
        match node:
            case Chain(operands=(value, items), signs=("in" | "not in",)) if self._is_searched(
                items
            ):
                return replace(node, operands=(value, self._index(items)))
            case Apply(args=(items, value)) if node.name == "count" and self._is_searched(items):
                return Apply(_COUNT, (self._index(items), value), INT)
        return node

    def _is_searched(self, items: Node) -> bool:
        kind = items.type.base
        if kind.kind == "str":
            return isinstance(items, Name) and self._is_fixed(items)
        flat = kind.kind in ("list", "tuple") and item_of(kind).kind in _SEARCHED
        return (
            flat and self._is_fixed(items) and any(isinstance(each, Name) for each in walk(items))
        )

    def _index(self, items: Node) -> Node:
        return self._kept(Apply(_INDEX, (items,), PlainType("any")))

    def _kept(self, node: Node) -> Kept:
        if node not in self._known:
            self._known[node] = Kept(node, self.slots, node.type)
            self.slots += 1
        return self._known[node]

    def _is_fixed(self, node: Node) -> bool:
        """Return whether a node depends on parameters only."""
        nodes = list(walk(node))
        bound = {
            slot
            for each in nodes
            if isinstance(each, Many)
            for loop in each.loops
            for slot in _slots(loop.target)
        }
        used = {each.slot for each in nodes if isinstance(each, Name)}
        return all(slot <= self._parameters for slot in used - bound)


def _slots(target: Any) -> list[int]:
    return (
        [target] if isinstance(target, int) else [slot for each in target for slot in _slots(each)]
    )
