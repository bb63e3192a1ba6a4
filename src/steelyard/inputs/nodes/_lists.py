"""Lists whose items are alike, rows with a node for each position, and dicts."""

from collections.abc import Iterator
from collections.abc import Mapping as Table
from collections.abc import Sequence as Items
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import prod
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import SLOPES
from steelyard.inputs._made import Made, call, listed, made
from steelyard.inputs.nodes._edges import edges_of, neighbours, parents_of
from steelyard.inputs.nodes._node import ASCENDING, Changes, Node, changed_part
from steelyard.inputs.nodes._scalars import Number, Truth
from steelyard.inputs.nodes._sized import MANY, Sized
from steelyard.inputs.nodes._style import MOST_INNER, Style
from steelyard.inputs.nodes._texts import Text

_TREE_FORMS = ("full", "left", "right", "zigzag", "random")


@dataclass(frozen=True)
class Sequence(Sized):
    """Lists whose items are alike."""

    item: Node = field(default_factory=Truth)
    places: Table[int, Node] = field(default_factory=dict)
    """What the items at some positions may be, such as 0 and -1."""
    graph: tuple[int, int] | None = None
    """The number of nodes and the first node, if the items are edges."""
    start: int | None = None
    """The smallest item of a permutation."""
    slope: tuple[int, int, int, int] | None = None
    """Ends of whole numbers that depend on the position: a step and the lowest at 0, and likewise
    the highest."""

    def of_size(self, n: int, style: Style) -> Made:
        return self._placed(self._whole(n, style) if n else made([]), style)

    def _placed(self, whole: Made, style: Style) -> Made:
        """Return a list whose items at some positions are as more is stated of them."""
        n = len(whole.value)
        for index, place in self.places.items():
            if not -n <= index < n or place.holds(whole.value[index]):
                continue
            item = place.one(style)
            if isinstance(place, Sequence) and whole.value[index]:
                item = place._placed(made(whole.value[index]), style)  # noqa: SLF001
            whole = call("put", whole, index, item)
        return whole

    def _whole(self, n: int, style: Style) -> Made:
        if "level_order" in self.flags:
            form = style.dice.pick(_TREE_FORMS)
            return call("level_order", self.item.always().many(n, style), form, style.seed())
        if "permutation" in self.flags and self.start is not None:
            return self.ordered(call("consecutive", n, self.start, self.start + n - 1), style)
        if "palindrome" in self.flags:
            return call("mirrored", self.item.many((n + 1) // 2, style), n)
        if self.slope:
            return call("sloped", n, *self.slope, style.dice.pick(SLOPES), style.seed())
        item, graph = self.item, self.graph or self._guessed(n, style)
        if "parents" in self.flags:
            return parents_of(n, style)
        if graph and not isinstance(item, Row):
            return neighbours(style, *graph)
        # If no constraint asks for a graph, some are any rows: self-loops and repeated edges.
        if graph and isinstance(item, Row) and (self.graph or style.dice.chance(0.75)):
            edges = edges_of(self.flags, *graph, n, style, is_ordered=bool(item.flags & ASCENDING))
            for column in item.columns[2:]:
                edges = call("widened", edges, column.many(n, style))
            return edges
        if "rectangular" in self.flags and isinstance(item, Sized):
            width = item.length(style.inside(n))
            item = replace(item, lengths=Domain.only([width]))
        return self.ordered(item.many(n, style, different=self.is_different), style)

    def _cycled(self, value: Any, n: int, style: Style) -> Made:
        """Return n items: those of a value again and again, often with numbers that move on.

        Rows of a chain, of stretches side by side, and of one cycle after the other come from few.
        """
        dice = style.dice
        columns = self.item.columns if isinstance(self.item, Row) else (self.item,)
        rows = value if isinstance(self.item, Row) else [[each] for each in value]
        # Columns with the same bounds move together: starts and ends, or two nodes.
        alike: dict[Domain, list[int]] = {}
        for at, node in enumerate(columns):
            if isinstance(node, Number) and node.is_whole:
                alike.setdefault(node.domain, []).append(at)
        share = dice.pick((0.5, 1.0))
        moved = {}
        for domain, columns_at in alike.items():
            numbers = [row[at] for row in rows for at in columns_at]
            if domain.high - max(numbers) > max(numbers) - min(numbers) and dice.chance(share):
                moved[domain] = numbers
        if not moved:
            return call("cycled", value, n)
        highest = max(map(max, moved.values()))
        span = highest - min(map(min, moved.values()))
        step = dice.pick((1, max(1, span), span + 1))
        # Often they name one of so many items or nodes.
        ends = [int(domain.high) for domain in moved]
        ends += dice.pick(([], [n - 1], [each - 1 for each in style.counts.values()]))
        room = max(0, min(ends) - highest)
        steps = [step * any(at in alike[domain] for domain in moved) for at in range(len(columns))]
        return call("cycled", value, n, steps, room // step + 1)

    def _guessed(self, n: int, style: Style) -> tuple[int, int] | None:
        """Return the number of nodes and the first node, if items have the bounds of edges."""
        item = self.item
        if isinstance(item, Sequence) and isinstance(item.item, Number):
            ends = item.item.low, item.item.high
            is_inside = ends in ((0, n - 1), (1, n)) and n > 1
            return (n, int(ends[0])) if is_inside and style.dice.chance(0.6) else None
        if not isinstance(item, Row) or len(item.columns) < 2:
            return None
        one, other = item.columns[:2]
        if not isinstance(one, Number) or one != other or not one.is_whole or one.low not in (0, 1):
            return None
        nodes = int(one.high - one.low) + 1
        is_number = nodes in style.counts.values() and nodes <= MOST_INNER
        return (nodes, int(one.low)) if is_number else None

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        is_plain = not self.flags and not self.places and isinstance(self.item, Number | Truth)
        if n < MANY or different or not is_plain or style.kinds is not None:
            return super().many(n, style, different=different)
        width = self.length(style.inside(n))
        return call("rows", self.item.many(n * width, style), width) if width else made([[]] * n)

    def changed(self, value: Any, changes: Changes) -> Any:
        dice, item = changes.dice, self._item_of(value)
        at = dice.below(len(value)) if value else 0
        if len(value) > 1 and dice.chance(changes.parts):
            return self._changed_part(value, item, changes)
        if value and at in self.places and dice.chance(0.5):
            return _with(value, at, self.places[at].changed(value[at], changes))
        if value and dice.chance(changes.leaves):
            return _with(value, at, item.changed(value[at], changes))
        match dice.below(8):
            case 0 if self.may_grow(value, changes):
                return [*value[:at], changes.fresh(item), *value[at:]]
            case 1 if value and self.may_grow(value, changes):
                return [*value[:at], dice.pick(value), *value[at:]]
            case 2 if value and self.may_shrink(value, changes):
                return [*value[:at], *value[at + 1 :]]
            case 3 if len(value) > 1:
                other = dice.below(len(value))
                return _with(_with(value, at, value[other]), other, value[at])
            case 4 if value:
                return _with(value, at, dice.pick(value))
            case 5 if value and item.is_sized:
                return _with(value, at, changes.fresh(item))
        if not value:
            return [changes.fresh(item)] if self.may_grow(value, changes) else value
        return _with(value, at, item.changed(value[at], changes))

    def _changed_part(self, value: list[Any], item: Node, changes: Changes) -> list[Any]:
        """Change many rows at once, or many columns of a table."""
        if item is not self.item and changes.dice.chance(0.5):  # all rows have one length
            columns = [*map(list, zip(*value, strict=True))]
            if columns and isinstance(self.item, Sized):
                columns = changed_part(columns, self.item.longest, changes)
                rows = [*zip(*columns, strict=True)] or [()] * len(value)
                is_text = isinstance(self.item, Text)
                return ["".join(row) if is_text else [*row] for row in rows]
        if isinstance(item, Row) and changes.dice.chance(0.4):
            at = changes.dice.below(len(item.columns))
            if all(isinstance(row, list) and len(row) > at for row in value):
                column = changed_part([row[at] for row in value], len(value), changes)
                column = (column * len(value))[: len(value)] if column else []
                return [
                    _with(row, at, each) for row, each in zip(value, column, strict=False)
                ] or value
        found: list[Any] = changed_part(value, self.longest, changes)
        return found

    def _item_of(self, value: Any) -> Node:
        """Return what an item may be: of a table, a row of the length of the others."""
        if "rectangular" not in self.flags or not isinstance(self.item, Sized):
            return self.item
        widths = {len(row) for row in value if isinstance(row, list | str)}
        return replace(self.item, lengths=Domain.only(widths)) if len(widths) == 1 else self.item

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) not in self.lengths:
            return False
        here = {at: node for at, node in self.places.items() if -len(value) <= at < len(value)}
        return all(map(self.item.holds, value)) and all(
            node.holds(value[at]) for at, node in here.items()
        )

    def _tidy_items(self, items: list[Any]) -> list[Any]:
        return [self.item.tidy(each) for each in items]

    def smallest(self, level: int) -> Iterator[Any]:
        items = self.item.listed(level)
        for length in self.lengths_at(level):
            yield from map(list, product(items, repeat=length))

    @property
    def leaves(self) -> Iterator[Node]:
        yield from self.item.leaves


@dataclass(frozen=True)
class Row(Node):
    """Lists with a node for each position."""

    columns: tuple[Node, ...] = ()
    flags: frozenset[str] = frozenset()

    def one(self, style: Style) -> Made:
        row = listed([column.one(style) for column in self.columns])
        return made(self.tidy(row.value)) if self.flags else row

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        whole = all(isinstance(each, Number) and each.is_whole for each in self.columns)
        if n < MANY or not all(isinstance(each, Number | Truth | Text) for each in self.columns):
            return super().many(n, style, different=different)
        if different and whole:
            near = [each.within(style, 2 * n) for each in self.columns if isinstance(each, Number)]
            widths = [int(each.high - each.low) + 1 for each in near]
            ranks = style.ranks(n, 0, min(1 << 60, prod(widths)) - 1, different=True)
            rows = call("unranked", ranks, [int(each.low) for each in near], widths)
        elif different or style.kinds is not None:
            return super().many(n, style, different=different)
        else:
            columns = [each.many(n, style.inside(len(self.columns))) for each in self.columns]
            special = style.dice.below(len(columns))
            columns[special] = style.ordered(columns[special])
            rows = call("columns", *columns)
        return (
            call("ascending_rows", rows, int("increasing" in self.flags))
            if self.flags & ASCENDING
            else rows
        )

    def changed(self, value: Any, changes: Changes) -> Any:
        if not value:
            return value
        at = changes.dice.below(min(len(value), len(self.columns)))
        return _with(value, at, self.columns[at].changed(value[at], changes))

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != len(self.columns):
            return False
        return all(node.holds(each) for node, each in zip(self.columns, value, strict=True))

    def tidy(self, value: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(self.columns):
            return value
        items = [node.tidy(each) for node, each in zip(self.columns, value, strict=True)]
        if self.flags & ASCENDING and None not in items:
            items.sort()
            for at in range(1, len(items)):
                if "increasing" in self.flags and items[at] <= items[at - 1]:
                    items[at] = items[at - 1] + 1
        return items

    def smallest(self, level: int) -> Iterator[Any]:
        yield from map(list, product(*(each.listed(level) for each in self.columns)))

    @property
    def leaves(self) -> Iterator[Node]:
        for each in self.columns:
            yield from each.leaves


@dataclass(frozen=True)
class Mapping(Sized):
    """Dicts."""

    key: Node = field(default_factory=Text)
    value: Node = field(default_factory=Truth)

    def of_size(self, n: int, style: Style) -> Made:
        keys = self.key.many(n, style, different=True)
        return call("keyed", keys, self.value.many(len(keys.value), style))

    def changed(self, value: Any, changes: Changes) -> Any:
        dice = changes.dice
        if not value or (self.may_grow(value, changes) and dice.chance(0.25)):
            return {**value, changes.fresh(self.key): changes.fresh(self.value)}
        key = dice.pick(list(value))
        rest = {each: item for each, item in value.items() if each != key}
        if self.may_shrink(value, changes) and dice.chance(0.25):
            return rest
        if dice.chance(0.3):
            return {**rest, self.key.changed(key, changes): value[key]}
        return {**value, key: self.value.changed(value[key], changes)}

    def holds(self, value: Any) -> bool:
        if not isinstance(value, dict) or len(value) not in self.lengths:
            return False
        return all(map(self.key.holds, value)) and all(map(self.value.holds, value.values()))

    def smallest(self, level: int) -> Iterator[Any]:
        keys, values = self.key.listed(level), self.value.listed(level)
        for size in self.lengths_at(level):
            for chosen in combinations(keys, size):
                for each in product(values, repeat=size):
                    yield dict(zip(chosen, each, strict=True))

    @property
    def leaves(self) -> Iterator[Node]:
        yield from (*self.value.leaves, *self.key.leaves)


def _with(items: Items[Any], at: int, item: Any) -> list[Any]:
    return [*items[:at], item, *items[at + 1 :]]
