"""Values that have a length."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from steelyard.constraints import Domain
from steelyard.inputs._made import Made, call, joined
from steelyard.inputs.nodes._node import ASCENDING, DESCENDING, DIFFERENT, Changes, Node
from steelyard.inputs.nodes._scalars import Number
from steelyard.inputs.nodes._style import MOST_INNER, Style

MANY = 16
"""From so many rows or texts on they are made in one piece, and not one by one."""
_LONGEST_LISTED = 40
"""The longest of the smallest values that are listed."""
_RUNS, _WIDTHS = (1, 1, 2, 2, 3), (1, 1, 1, 2, 3, 100)
"""Runs of repeated items, and how many neighbouring items each repeats."""
_LENGTHS = Domain.span(0, 1_000)


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

    def repeated(self, value: Any, n: int, style: Style) -> Made:
        """Return n items in one run or several, each of which repeats a few items of a value."""
        dice = style.dice
        runs = min(n, dice.pick(_RUNS))
        parts = []
        for run in range(runs):
            size = n * (run + 1) // runs - n * run // runs
            width = min(len(value), dice.pick(_WIDTHS))
            start = dice.below(len(value) - width + 1)
            part = self._cycled(value[start : start + width], size, style)
            is_turned = isinstance(value, list) and dice.chance(0.25)
            parts.append(call("backwards", part) if is_turned else part)
        return joined(parts)

    def _cycled(self, value: Any, n: int, style: Style) -> Made:
        """Return n items: those of a value again and again."""
        return call("cycled", value, n)

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
        """Return the lengths of the smallest values; none if these are long."""
        if self.shortest > _LONGEST_LISTED:
            return range(0)
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
