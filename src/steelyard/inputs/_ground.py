"""The values that an argument or an item may have, with finite ends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import Dice, Weave, notable

ASCENDING = frozenset({"sorted", "increasing"})
DESCENDING = frozenset({"descending", "decreasing"})
DIFFERENT = frozenset({"unique", "increasing", "decreasing"})
_MOST_CHOICES = 200
_NUMBERS, _LENGTHS = Domain.whole(is_integral=True), Domain.span(0, 1_000)


@dataclass(frozen=True)
class Slope:
    """Ends of numbers that depend on the position: `low_step * i + low`, and likewise `high`."""

    low_step: int
    low: int
    high_step: int
    high: int
    start: int
    """The first position for which they hold."""


@dataclass(frozen=True)
class Window:
    """A part of the numbers of a ground, so that many are equal, add up, or meet at a bound."""

    size: int
    side: str = "above"
    """`above`, `around` or `below` the number that is nearest to 0; `top` or `bottom`: at an end of
    what is allowed."""

    def at_least(self, size: int) -> "Window":
        """Return a window of this size or larger."""
        return self if size <= self.size else replace(self, size=size)

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """Return the window's ends within an interval."""
        middle = min(max(0, low), high)
        start, stop = {
            "around": (middle - self.size, middle + self.size),
            "below": (middle - self.size, middle + self.size // 3),
            "top": (high - self.size, high),
            "bottom": (low, low + self.size),
        }.get(self.side, (middle - self.size // 3, middle + self.size))
        return max(low, start), min(high, stop)


@dataclass(frozen=True)
class Ground:
    """The values that an argument or an item may have."""

    kind: str
    """As of a type, without `| None`."""
    is_optional: bool = False
    numbers: Domain = _NUMBERS
    lengths: Domain = _LENGTHS
    letters: str = ""
    items: tuple["Ground", ...] = ()
    """The items of a list (one for all), of each position of a tuple, of a dict's values."""
    keys: "Ground | None" = None
    flags: frozenset[str] = frozenset()
    graph: tuple[int, int] | None = None
    """The number of nodes and the first node, if the items are edges."""
    start: int | None = None
    """The smallest item of a permutation."""
    columns: tuple["Ground", ...] = ()
    """What each position of a tuple, or of a list with a small and fixed length, may be."""
    places: Mapping[int, "Ground"] = field(default_factory=dict)
    """What the items at some positions of a list may be, such as 0 and -1."""
    texts: tuple[str, ...] = ()
    """All that a text may be; empty if they are too many to list."""
    gap: int | None = None
    """The least difference of the second column of a row to its first, if it is not below it."""
    slope: Slope | None = None
    """How the ends of what an item may be depend on its position."""
    weave: Weave | None = None
    """Which letters of a text may follow each other, if not all may."""

    @property
    def low(self) -> Any:
        """The smallest number."""
        return self.numbers.low

    @property
    def high(self) -> Any:
        """The largest number."""
        return self.numbers.high

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
        """It has a length that may vary."""
        return self.kind in ("list", "str", "dict")

    @property
    def is_sequence(self) -> bool:
        """A list or a text."""
        return self.kind in ("list", "str")

    @cached_property
    def notable(self) -> tuple[Any, ...]:
        """Numbers of the ground that programs get wrong; never empty."""
        if self.kind == "float":
            found = [self.low, self.high, *notable(*self._whole_ends()), *self._fractions()]
            return tuple(dict.fromkeys(float(x) for x in found if x in self.numbers))
        inside = [x for x in notable(int(self.low), int(self.high)) if x in self.numbers]
        ends = [end for span in islice(self.numbers.spans, 20) for end in span]
        return tuple(sorted({*inside, *map(int, ends)}))

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """All numbers, if they are few and leave gaps; otherwise none."""
        numbers = self.numbers
        gaps = len(numbers.spans) > 1 or numbers.modulus > 1
        return tuple(map(int, numbers.values())) if gaps and numbers.count <= _MOST_CHOICES else ()

    def span(self, dice: Dice) -> tuple[int, int, int]:
        """Return the ends of an interval of whole numbers, and the step between them."""
        low, high = dice.pick(self.numbers.spans)
        return int(low), int(high), self.numbers.modulus

    def nearest(self, count: int) -> list[Any]:
        """Return the numbers nearest to 0, or to the end that is nearest to it."""
        middle = min(max(0, self.low), self.high)
        if self.kind == "float":
            steps = (middle + sign * k / 2 for k in range(2 * count) for sign in (1, -1))
            return sorted(set(islice((float(x) for x in steps if x in self.numbers), count)))
        start, step = _near(self.numbers, int(middle)), self.numbers.modulus
        steps = (start + sign * k * step for k in range(3 * count) for sign in (1, -1))
        return sorted(islice(dict.fromkeys(x for x in steps if x in self.numbers), count))

    def near(self, wanted: int) -> int:
        """Return a whole number of the ground, as close to the wanted one as is easily found."""
        return _near(self.numbers, wanted)

    def length_near(self, wanted: int) -> int:
        """Return a length that is allowed, as close to the wanted one as is easily found."""
        return _near(self.lengths, wanted)

    def within(self, window: Window | None) -> "Ground":
        """Return the numbers of the ground that lie in a window."""
        if window is None or self.kind not in ("int", "float"):
            return self
        low, high = window.ends(self.low, self.high)
        near = self.numbers & Domain.span(low, high, is_integral=self.kind == "int")
        return replace(self, numbers=near) if near else self

    def only(self, value: Any) -> "Ground":
        """Return a ground of one number."""
        is_integral = self.kind == "int"
        return replace(self, numbers=Domain.only([value], is_integral=is_integral))

    def always(self) -> "Ground":
        """Return the ground without None."""
        return replace(self, is_optional=False)

    def with_columns(self, width: int) -> "Ground":
        """Return a ground of rows with one length."""
        columns = tuple(self.places.get(index, self.items[0]) for index in range(width))
        return replace(self, lengths=Domain.only([width]), columns=columns)

    @property
    def leaves(self) -> Iterator["Ground"]:
        """The numbers and texts inside, or the ground itself."""
        if not self.items:
            yield self
        for each in (*self.items, *([self.keys] if self.keys else [])):
            yield from each.leaves

    def listed_keys(self) -> "Ground":
        """Return the keys of a dict, as a list of different texts."""
        assert self.keys
        return Ground("list", lengths=self.lengths, items=(self.keys,), flags=frozenset({"unique"}))

    def listed_values(self) -> "Ground":
        """Return the values of a dict, as a list."""
        return Ground("list", lengths=self.lengths, items=self.items)

    def _whole_ends(self) -> tuple[int, int]:
        low, high = -(-self.low // 1), self.high // 1
        return int(low), int(high)

    def _fractions(self) -> Iterator[float]:
        for base in (0.0, self.low, self.high):
            for by in (0.1, 0.5, 1e-9, 1 / 3, 1e-3):
                yield from (base + by, base - by)
        yield from (-0.0, 0.30000000000000004, 2.675, 1e16 + 2)


def _near(domain: Domain, wanted: int) -> int:
    step = domain.modulus
    found = wanted - (wanted - domain.remainder) % step
    for near in (found, found + step):
        if near in domain:
            return near
    ends = (int(end) for span in domain.spans for end in span)
    return min(ends, key=lambda end: abs(end - wanted))
