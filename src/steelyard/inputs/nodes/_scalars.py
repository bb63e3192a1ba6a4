"""Numbers, truth values, None, and what may be one of several things."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import ceil, floor
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import notable
from steelyard.inputs._made import Made, call, made
from steelyard.inputs.nodes._node import Changes, Node
from steelyard.inputs.nodes._style import Style

_MOST_CHOICES = 200
_NONE = 0.2
"""Share of values that are None if they may be."""
_DIVISORS = (1, 2, 4, 10, 1000, 3)
_FRACTIONS = (0.1, 0.5, 1e-9, 1 / 3, 1e-3)
_SPECIAL = (-0.0, 0.30000000000000004, 2.675, 1e16 + 2)


@dataclass(frozen=True)
class Number(Node):
    """Whole numbers, or floats."""

    domain: Domain

    @property
    def is_whole(self) -> bool:
        """True for whole numbers."""
        return self.domain.is_integral

    @property
    def low(self) -> Any:
        """The smallest number."""
        return self.domain.low

    @property
    def high(self) -> Any:
        """The largest number."""
        return self.domain.high

    @cached_property
    def notable(self) -> tuple[Any, ...]:
        """Numbers that programs get wrong; never empty."""
        if self.is_whole:
            inside = [x for x in notable(int(self.low), int(self.high)) if x in self.domain]
            ends = [end for span in islice(self.domain.spans, 20) for end in span]
            return tuple(sorted({*inside, *map(int, ends)}))
        whole = notable(-int(-self.low // 1), int(self.high // 1))
        near = [
            base + sign * by
            for base in (0.0, self.low, self.high)
            for by in _FRACTIONS
            for sign in (1, -1)
        ]
        every = [self.low, self.high, *whole, *near, *_SPECIAL]
        return tuple(dict.fromkeys(float(x) for x in every if x in self.domain))

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """All numbers, if they are few and leave gaps; otherwise none."""
        domain = self.domain
        gaps = len(domain.spans) > 1 or domain.modulus > 1
        return tuple(map(int, domain.values())) if gaps and domain.count <= _MOST_CHOICES else ()

    def within(self, style: Style, least: int = 0) -> "Number":
        """Return the numbers in the style's window, which is at least so wide."""
        if style.window is None:
            return self
        low, high = style.window.ends(self.low, self.high, least)
        near = self.domain & Domain.span(low, high, is_integral=self.is_whole)
        return replace(self, domain=near) if near else self

    def near(self, wanted: int) -> int:
        """Return a whole number of the domain, as close to the wanted one as is easily found."""
        step = self.domain.modulus
        found = wanted - (wanted - self.domain.remainder) % step
        for each in (found, found + step):
            if each in self.domain:
                return each
        ends = (int(end) for span in self.domain.spans for end in span)
        return min(ends, key=lambda end: abs(end - wanted))

    def one(self, style: Style) -> Made:
        near = self.within(style)
        if style.dice.chance(0.4):
            return made(style.dice.pick(near.notable))
        return made(near.many(1, replace(style, window=None)).value[0])

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        near = self.within(style, 2 * n if different else 0)
        if not self.is_whole:
            by = style.dice.pick(_DIVISORS)
            low, high = ceil(near.low * by), floor(near.high * by)
            if low <= high:
                return call("divided", style.ranks(n, low, high, different=different), by)
            span = near.high - near.low
            return made([near.low + style.dice.random() * span for _ in range(n)])
        if near.choices:
            ranks = style.ranks(n, 0, len(near.choices) - 1, different=different)
            return call("chosen", ranks, [*near.choices])
        low, high = map(int, style.dice.pick(near.domain.spans))
        step = near.domain.modulus
        if step == 1:
            return style.ranks(n, low, high, different=different)
        return call(
            "stepped", style.ranks(n, 0, (high - low) // step, different=different), low, step
        )

    def changed(self, value: Any, changes: Changes) -> Any:
        dice, kind = changes.dice, type(value)
        match dice.below(6):
            case 0 | 1 if self.is_whole:
                new = value + dice.pick((-1, 1))
            case 0 | 1:
                new = value + dice.pick((-1, 1)) * dice.pick((1, 0.5, 0.1, 1e-3, 1e-9))
            case 2 if self.is_whole:
                bits = max(1, min(62, int(self.high - self.low).bit_length()))
                new = value + dice.pick((-1, 1)) * (1 << dice.below(bits))
            case 2:
                new = value * dice.pick((2, 0.5, -1, 10))
            case 3:
                new = -value if dice.chance(0.3) else dice.pick(self.notable)
            case 4:
                new = dice.pick(changes.found(kind) or [value]) + dice.below(3) - 1
            case _:
                new = dice.pick(self.notable)
        if changes.stray():
            new = dice.pick((self.low - 1, self.high + 1, new))
        else:
            new = min(max(new, self.low), self.high)
        return int(new) if self.is_whole else float(new)

    def holds(self, value: Any) -> bool:
        return type(value) in (int, float) and value in self.domain

    def smallest(self, level: int) -> Iterator[Any]:
        count, middle = level + 1, min(max(0, self.low), self.high)
        if not self.is_whole:
            steps = (middle + sign * k / 2 for k in range(2 * count) for sign in (1, -1))
            yield from sorted(set(islice((float(x) for x in steps if x in self.domain), count)))
            return
        start, step = self.near(int(middle)), self.domain.modulus
        numbers = (start + sign * k * step for k in range(3 * count) for sign in (1, -1))
        yield from sorted(islice(dict.fromkeys(x for x in numbers if x in self.domain), count))


@dataclass(frozen=True)
class Truth(Node):
    """True and False."""

    def one(self, style: Style) -> Made:
        return made(style.dice.chance(0.5))

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        return call("truths", style.ranks(n, 0, 1, different=different))

    def changed(self, value: Any, changes: Changes) -> Any:
        return not value

    def holds(self, value: Any) -> bool:
        return isinstance(value, bool)

    def smallest(self, level: int) -> Iterator[Any]:
        yield from (False, True)


@dataclass(frozen=True)
class Nothing(Node):
    """None."""

    def one(self, style: Style) -> Made:
        return made(None)

    def changed(self, value: Any, changes: Changes) -> Any:
        return None

    def holds(self, value: Any) -> bool:
        return value is None

    def smallest(self, level: int) -> Iterator[Any]:
        yield None


@dataclass(frozen=True)
class Union(Node):
    """Values of one of several nodes; None is rarer than the others."""

    options: tuple[Node, ...]

    def one(self, style: Style) -> Made:
        known = self.always()
        if known is not self and style.dice.chance(_NONE):
            return made(None)
        return style.dice.pick(known.options if isinstance(known, Union) else (known,)).one(style)

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        known = self.always()
        if isinstance(known, Union):
            return super().many(n, style, different=different)
        values = known.many(n, style, different=different)
        return call("gaps", values, style.dice.pick((0.1, 0.2, 0.5)), style.seed())

    def always(self) -> Node:
        known = tuple(each for each in self.options if not isinstance(each, Nothing))
        if len(known) == len(self.options):
            return self
        return known[0] if len(known) == 1 else Union(known)

    def option_of(self, value: Any) -> Node:
        """Return the first option that a value fits."""
        return next((each for each in self.options if each.holds(value)), self.options[-1])

    def changed(self, value: Any, changes: Changes) -> Any:
        if changes.dice.chance(0.15):
            return changes.fresh(self)
        option = self.option_of(value)
        return option.changed(value, changes) if option.holds(value) else changes.fresh(option)

    def holds(self, value: Any) -> bool:
        return any(each.holds(value) for each in self.options)

    def tidy(self, value: Any) -> Any:
        return self.option_of(value).tidy(value)

    def smallest(self, level: int) -> Iterator[Any]:
        for each in self.options:
            yield from each.smallest(level)

    @property
    def leaves(self) -> Iterator[Node]:
        for each in self.options:
            yield from each.leaves

    @property
    def is_sized(self) -> bool:
        return any(each.is_sized for each in self.options)
