"""Texts, lists, rows and dicts."""

from abc import abstractmethod
from collections.abc import Iterator
from collections.abc import Mapping as Table
from collections.abc import Sequence as Items
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import comb, prod
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import SLOPES, kin_of
from steelyard.inputs._made import Made, call, listed, made
from steelyard.inputs.nodes._edges import edges_of, neighbours, parents_of
from steelyard.inputs.nodes._node import (
    ASCENDING,
    DESCENDING,
    DIFFERENT,
    Changes,
    Node,
    changed_part,
)
from steelyard.inputs.nodes._scalars import Number, Truth
from steelyard.inputs.nodes._style import MOST_INNER, Style

_MANY = 16
"""From so many rows or texts on they are made in one piece, and not one by one."""
_LONGEST = 40
_LENGTHS = Domain.span(0, 1_000)
_BRACKETS = ("()", "[]", "{}", "<>")
_FORMS = ("mirrored", "periodic", "nearly_periodic", "fibonacci", "runs", "cycled")
_TREE_FORMS = ("full", "left", "right", "zigzag", "random")
_STRAY_LETTERS = "aA0 (éß\n"


@dataclass(frozen=True)
class Sized(Node):
    """Values that have a length."""

    lengths: Domain = _LENGTHS
    flags: frozenset[str] = frozenset()

    @property
    def shortest(self) -> int:
        """The smallest length."""
        return int(self.lengths.low)

    @property
    def longest(self) -> int:
        """The largest length."""
        return int(self.lengths.high)

    @property
    def is_sized(self) -> bool:
        return True

    @property
    def is_different(self) -> bool:
        """True if no two items may be equal."""
        return bool(self.flags & DIFFERENT)

    def length_near(self, wanted: int) -> int:
        """Return a length that is allowed, as close to the wanted one as is easily found."""
        return Number(self.lengths).near(wanted)

    def one(self, style: Style) -> Made:
        return self.of_size(self.length(style), style)

    @abstractmethod
    def of_size(self, n: int, style: Style) -> Made:
        """Return a value of a length."""

    def length(self, style: Style) -> int:
        """Return a length: the largest for which there is room, or a small one."""
        if self.shortest > MOST_INNER:
            raise ValueError(f"{self.shortest:,} items are too many to be made")
        span = style.dice.pick((2, 4, 7, 7, 20))
        wanted = self.longest if style.is_large else self.shortest + style.dice.below(span)
        return self.length_near(max(min(wanted, style.room), self.shortest))

    def lengths_at(self, level: int) -> range:
        """Return the lengths of the smallest values."""
        return range(self.shortest, min(self.longest, self.shortest + level - 1) + 1)

    def may_grow(self, value: Any, changes: Changes) -> bool:
        """Return whether a change may make a value longer."""
        return len(value) < self.longest or changes.stray()

    def may_shrink(self, value: Any, changes: Changes) -> bool:
        """Return whether a change may make a value shorter."""
        return len(value) > self.shortest or changes.stray()

    def ordered(self, values: Made, style: Style) -> Made:
        """Return items in the order that is asked for, or in any."""
        if self.flags & (ASCENDING | DESCENDING):
            return call("ascending" if self.flags & ASCENDING else "descending", values)
        return style.ordered(values)

    def tidy(self, value: Any) -> Any:
        if not isinstance(value, list | str):
            return value
        items = self._tidy_items(list(value))
        if self.is_different:
            items = list({repr(each): each for each in reversed(items)}.values())[::-1]
        if self.flags & (ASCENDING | DESCENDING) and None not in items:
            items.sort(reverse=bool(self.flags & DESCENDING))
        return "".join(items) if isinstance(value, str) else items

    def _tidy_items(self, items: list[Any]) -> list[Any]:
        return items


@dataclass(frozen=True)
class Text(Sized):
    """Texts of some letters, or one of some texts."""

    letters: str = ""
    texts: tuple[str, ...] = ()
    """All that it may be; empty if they are too many to list."""

    def one(self, style: Style) -> Made:
        if self.texts:
            return self._listed(self.texts, style)
        return self.of_size(self.length(style), style)

    def _listed(self, texts: Items[str], style: Style) -> Made:
        at_end = {"top": -1}.get(style.window.side if style.window else "", 0)
        return made(texts[at_end] if style.is_corner else style.dice.pick(texts))

    def of_size(self, n: int, style: Style) -> Made:
        if self.texts:
            return self._listed(
                [each for each in self.texts if len(each) == n] or self.texts, style
            )
        pairs = "".join(pair for pair in _BRACKETS if set(pair) <= set(self.letters))
        if pairs and n % 2 == 0 and ("balanced" in self.flags or style.dice.chance(0.2)):
            return style.family(("brackets", "nested", "flat_brackets"), n, pairs)
        alphabet = self.letters if self.is_different else style.alphabet(self.letters)
        if not alphabet or not n:
            return made("")
        last = len(alphabet) - 1
        if "palindrome" in self.flags:
            return call(
                "spelled", call("mirrored", style.ranks((n + 1) // 2, 0, last), n), alphabet
            )
        ranks = style.ranks(n, 0, last, different=self.is_different)
        if style.dice.chance(0.2) or self.flags & (ASCENDING | DESCENDING):
            alphabet, ranks = "".join(sorted(alphabet)), self.ordered(ranks, style)
        return call("spelled", ranks, alphabet)

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        if self.texts and not different:
            return call("chosen", style.ranks(n, 0, len(self.texts) - 1), list(self.texts))
        if n < _MANY or not self.letters:
            return super().many(n, style, different=different)
        width = self.length(style.inside(n))
        if different:
            alphabet = style.alphabet(self.letters)
            alphabet = alphabet if len(alphabet) ** width >= n else self.letters
            return call("words", n, alphabet, width, style.seed())
        if style.kinds is not None:
            return super().many(n, style)
        flat = replace(self, flags=frozenset()).of_size(n * width, style)
        return call("rows", flat, width) if width else made([""] * n)

    def changed(self, value: Any, changes: Changes) -> Any:
        dice = changes.dice
        if self.texts and not changes.stray():
            return dice.pick(self.texts)
        if len(value) > 1 and dice.chance(changes.parts):
            text: str = changed_part(value, self.longest, changes)
            return text
        at, letter = dice.below(len(value)) if value else 0, self._letter(changes)
        kin = [each for each in kin_of(value[at]) if each in self.letters] if value else []
        match dice.below(7):
            case 0 | 1 if self.may_grow(value, changes):
                at = len(value) if dice.chance(0.3) else at
                return value[:at] + letter + value[at:]
            case 2 if value and self.may_shrink(value, changes):
                return value[:at] + value[at + 1 :]
            case 3 if len(value) > 1:
                letters, other = list(value), dice.below(len(value))
                letters[at], letters[other] = letters[other], letters[at]
                return "".join(letters)
            case 4 if len(value) > 1:
                letter = value[dice.below(len(value))]
            case 5 if kin:
                letter = dice.pick(kin)
        return value[:at] + letter + value[at + 1 :] if value else value

    def _letter(self, changes: Changes) -> str:
        dice, texts = changes.dice, [each for each in changes.found(str) if each]
        if changes.stray():
            return dice.pick(_STRAY_LETTERS)
        if texts and dice.chance(0.3):
            text: str = dice.pick(texts)
            return dice.pick(text)
        others = [each for each in self.letters if not (each.isascii() and each.isalnum())]
        return dice.pick(others if others and dice.chance(0.3) else self.letters or "a")

    def holds(self, value: Any) -> bool:
        if not isinstance(value, str) or len(value) not in self.lengths:
            return False
        return value in self.texts if self.texts else set(value) <= set(self.letters)

    def smallest(self, level: int) -> Iterator[Any]:
        if self.texts:
            yield from self.texts[: level + 1]
            return
        for length in self.lengths_at(level):
            yield from map("".join, product(self.letters[:level], repeat=length))

    def count(self, level: int) -> int:
        if self.texts:
            return min(level + 1, len(self.texts))
        if self.shortest > _LONGEST:
            return 1 << 64
        return sum(len(self.letters[:level]) ** length for length in self.lengths_at(level))


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
            return call("level_order", self.item.many(n, style), form, style.seed())
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
        return (nodes, int(one.low)) if nodes in style.counts.values() else None

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        is_plain = not self.flags and not self.places and isinstance(self.item, Number | Truth)
        if n < _MANY or different or not is_plain or style.kinds is not None:
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
        match dice.below(8):
            case 0 if self.may_grow(value, changes):
                return [*value[:at], _new(item, changes), *value[at:]]
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
                return _with(value, at, _new(item, changes))
        if not value:
            return [_new(item, changes)] if self.may_grow(value, changes) else value
        return _with(value, at, item.changed(value[at], changes))

    def _changed_part(self, value: list[Any], item: Node, changes: Changes) -> list[Any]:
        """Change many rows at once, or many columns of a table."""
        widths = {len(row) for row in value if isinstance(row, list | str)}
        if "rectangular" in self.flags and len(widths) == 1 and changes.dice.chance(0.5):
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
        items = list(self.item.smallest(level))
        for length in self.lengths_at(level):
            yield from map(list, product(items, repeat=length))

    def count(self, level: int) -> int:
        if self.shortest > _LONGEST:
            return 1 << 64
        item = self.item.count(level)
        return sum(int(item ** min(length, 64)) for length in self.lengths_at(level))

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
        if n < _MANY or not all(isinstance(each, Number | Truth | Text) for each in self.columns):
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
        yield from map(list, product(*(list(each.smallest(level)) for each in self.columns)))

    def count(self, level: int) -> int:
        return prod(each.count(level) for each in self.columns)

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
            return {**value, _new(self.key, changes): _new(self.value, changes)}
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
        keys, values = list(self.key.smallest(level)), list(self.value.smallest(level))
        for size in self.lengths_at(level):
            for chosen in combinations(keys, size):
                for each in product(values, repeat=size):
                    yield dict(zip(chosen, each, strict=True))

    def count(self, level: int) -> int:
        keys, value = self.key.count(level), self.value.count(level)
        return sum(
            comb(keys, size) * int(value ** min(size, 64)) for size in self.lengths_at(level)
        )

    @property
    def leaves(self) -> Iterator[Node]:
        yield from (*self.value.leaves, *self.key.leaves)


def _with(items: Items[Any], at: int, item: Any) -> list[Any]:
    return [*items[:at], item, *items[at + 1 :]]


def _new(node: Node, changes: Changes) -> Any:
    return node.one(replace(Style.drawn(changes.dice), room=_LONGEST)).value
