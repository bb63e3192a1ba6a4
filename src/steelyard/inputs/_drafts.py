"""Drafts of inputs by category: endless, in an order that depends on the seed alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from steelyard.constraints import Bound, Validator
from steelyard.inputs._alternatives import mixed, narrower
from steelyard.inputs._build import Builder
from steelyard.inputs._exhaustive import tiny_inputs
from steelyard.inputs._ground import Ground, Window
from steelyard.inputs._links import linked
from steelyard.inputs._made import made
from steelyard.inputs._meter import visits
from steelyard.inputs._moods import Length, Mood
from steelyard.inputs._pokes import changed
from steelyard.inputs._pumps import Pumps
from steelyard.inputs._related import Base, Relating
from steelyard.inputs._workshop import Draft, Workshop
from steelyard.schemas import CaseCategory

MOST_ITEMS = 1_000_000
"""Items of the longest list that is made."""
_STRESS_ITEMS = 200_000
_STRESS_SUM = 500_000
"""Items of all stress inputs together, but for the first two."""
_SMALL_ROOM = 3_000
_MOST_TINY = 150
_DENSE, _DENSE_SCALES = ((10, 63), (10, 63), (64, 250)), (1, 2, 3, 5)
"""Items of a dense list, and how far its numbers are from the smallest one. Rare states of what
handles operations come up in long ones only."""
MIDDLING = 600
"""Items of long lists that are stretched later."""
_PUMPED: Sequence[Mood | Literal["examples"]] = ("edge", "examples", "dense", "edge")
_MOST_PUMPED = 6
"""Inputs of which a part is repeated: their moods, or the examples, and their items."""
_EDGE_LENGTHS: Sequence[Length] = ("shortest", "small", "small", "longest")
_ADVERSARIAL_LENGTHS: Sequence[Length] = ("small", "small", "small", "small", "longest")
_MIXED_MOODS: Sequence[Mood] = ("basic", "edge", "adversarial", "adversarial")
_TRIES = 8
_AIMS = 4
_SCALES: Mapping[Mood, tuple[int | None, ...]] = {
    "basic": (None, 20, 20, 8, 100),
    "edge": (None, None, None, 1, 4),
    "adversarial": (None, None, 3, 10, 40, 1000),
    "stress": (None, None, 5, 100_000),
    "dense": (None,),
    "middling": (None, None, 4, 100),
}
"""Sizes of the windows of numbers by mood, one of which each input follows."""
_SIDES = ("above", "around", "below", "above", "around", "top", "bottom")
_CORNERS: Sequence[tuple[Mood, Length]] = (
    ("edge", "shortest"),
    ("basic", "small"),
    ("stress", "longest"),
)
"""Moods and lengths of arguments whose numbers and letters are all at one end. At the top those
that are smaller in the examples have half their length."""


@dataclass
class Drafts:
    """Makes the drafts of each category. None is an attempt that gave none."""

    shop: Workshop
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        shop, examples = self.shop, self.shop.spec.examples
        sizes = [sum(visits(each.args[at]) for each in examples) for at in range(len(shop.names))]
        self._relating = Relating(shop.names, sizes, shop.dice, shop.rota)
        self._largest = f"len({shop.names[sizes.index(max(sizes))]})"

    def examples(self) -> Iterator[Draft]:
        """Yield the examples of the statement that are valid."""
        for number, example in enumerate(self.shop.spec.examples, 1):
            if self.shop.validator.is_valid(example.args):
                yield Draft([*map(made, example.args)], "basic", f"example {number}")
            else:
                broken = self.shop.validator.broken(example.args)[:1]
                self.notes.append(f"example {number} is left out: it breaks {broken[0]!r}")

    def basic(self) -> Iterator[Draft | None]:
        """Yield small and usual arguments."""
        while True:
            yield self._drafted("basic", "basic")

    def tiny(self) -> Iterator[Draft | None]:
        """Yield some of all tiny arguments, and arguments of few small numbers, in turn."""
        dice = self.shop.dice
        found, _ = tiny_inputs(self.shop.validator, self.shop.grounds, _MOST_TINY)
        for args in [*dice.shuffled(found), *[None] * _MOST_TINY]:
            if args is not None:
                yield Draft([*map(made, args)], "basic", "exhaustive")
            if len(self.shop.names) == 1:
                continue
            window = Window(dice.pick((2, 4, 12)), dice.pick(("above", "around")))
            yield self._drafted("basic", "basic", "small", window)

    def edge(self) -> Iterator[Draft | None]:
        """Yield arguments at the ends of each number and length, and one next to them."""
        for quantity in self.shop.sizes.quantities:
            for value in self._ends(quantity):
                base = self.built("edge", {quantity: value}, "shortest")
                yield Draft(base.parts, "edge", f"bound {quantity} = {value}") if base else None
        for mood, length in _CORNERS:
            for side in ("bottom", "top", "around"):
                base = self.built(mood, {}, length, Window(0, side), is_confined=True)
                yield Draft(base.parts, "edge", f"bound all at the {side}") if base else None
        while True:
            length = self.shop.dice.pick(_EDGE_LENGTHS)
            yield self._drafted("edge", "edge", length)

    def aimed(self, bound: Bound) -> Iterator[Draft | None]:
        """Yield arguments that were led to a bound."""
        shop = self.shop
        constraints = (*shop.validator.constraints, bound.goal)
        narrower = Validator(shop.validator.types, constraints, work=shop.validator.work)
        for _ in range(_AIMS):
            base = self.built("basic", {}, shop.dice.pick(("shortest", "small")))
            args = shop.led_to([part.value for part in base.parts], narrower) if base else None
            origin = f"bound {bound.where} {bound.side}"[:200]
            yield None if args is None else Draft([*map(made, args)], "edge", origin)

    def dense(self, lengths: Sequence[tuple[int, int]] = _DENSE) -> Iterator[Draft | None]:
        """Yield a long list with few and small numbers: its items meet again and again."""
        dice, sizes = self.shop.dice, self.shop.sizes
        ground = sizes.ground(self._largest) if self._largest in sizes.quantities else None
        while ground and ground.high >= lengths[0][0] and ground.low <= lengths[-1][1]:
            length = dice.between(*dice.pick(lengths))
            wanted = {self._largest: ground.near(length)}
            window = Window(dice.pick(_DENSE_SCALES))
            base = self.built("dense", wanted, "small", window, is_confined=True)
            yield Draft(base.parts, "adversarial", f"dense {base.origin}") if base else None

    def middling(self) -> Iterator[Draft | None]:
        """Yield arguments whose longest list has 600 items, and others as many or fewer."""
        sizes = self.shop.sizes
        ground = sizes.ground(self._largest) if self._largest in sizes.quantities else None
        while ground and ground.high > MIDDLING:
            base = self.built("middling", {self._largest: ground.near(MIDDLING)}, "small")
            yield Draft(base.parts, "stress", "middling") if base else None

    def adversarial(self) -> Iterator[Draft | None]:
        """Yield arguments of the families that programs get wrong."""
        while True:
            length = self.shop.dice.pick(_ADVERSARIAL_LENGTHS)
            yield self._drafted("adversarial", "adversarial", length)

    def stress(self) -> Iterator[Draft | None]:
        """Yield the largest arguments: many items, or few long ones."""
        spent, turn = 0, 0
        nested = {
            f"len({name})": ground
            for name, ground in zip(self.shop.names, self.shop.grounds, strict=True)
            if ground.items and ground.items[0].is_sized and ground.items[0].longest > 20
        }
        while spent < _STRESS_SUM or turn < 2:
            few = {name: ground.shortest + turn % 3 for name, ground in nested.items()}
            length: Length = "small" if turn % 3 == 1 else "longest"
            base = self.built("stress", few if turn % 3 == 2 else {}, length)
            turn += 1
            spent += sum(_length(part.value) for part in base.parts) if base else _STRESS_SUM // 8
            yield Draft(base.parts, "stress", base.origin) if base else None

    def pumped(self) -> Iterator[Draft | None]:
        """Yield small arguments with a part that is repeated until it is as long as it may be."""
        shop, dice = self.shop, self.shop.dice
        examples = [draft.args for draft in self.examples()]
        pumps = Pumps(shop.grounds, dice, shop.can_take)
        while pumps.can_go_on:
            mood = shop.rota.next(_PUMPED)
            if mood == "examples":
                args = dice.pick(examples) if examples else None
            else:
                args = self._small(mood)
            found = pumps.pumped(args) if args else None
            yield Draft(found, "stress", f"pumped {mood}") if found else None

    def _small(self, mood: Mood) -> list[Any] | None:
        """Return arguments with a few items, None if they are not valid as they are built."""
        shop, wanted = self.shop, {}
        if self._largest in shop.sizes.quantities:
            size = shop.dice.between(1, _MOST_PUMPED)
            wanted[self._largest] = shop.sizes.ground(self._largest).near(size)
        base = self.built(mood, wanted, "small")
        args = [part.value for part in base.parts] if base else None
        return args if args and shop.can_take(args) else None

    def alternatives(self) -> Iterator[Draft | None]:
        """Yield arguments whose lists have items of each alternative, and of the examples."""
        each = [Drafts(shop) for shop in narrower(self.shop)]
        examples = [draft.parts for draft in self.examples()] if len(each) > 1 else []
        while len(each) > 1:
            mood = self.shop.dice.pick(_MIXED_MOODS)
            found = [base.parts for drafts in each if (base := drafts.built(mood))]
            # An example has items of the usual size for each kind.
            parts = mixed([*found, *examples], self.shop.dice) if found else []
            yield Draft(parts, "adversarial", "alternatives") if parts else None

    def mutants(self) -> Iterator[Draft | None]:
        """Yield examples with one to five small changes."""
        shop, examples = self.shop, list(self.examples())
        while examples:
            for number, example in enumerate(examples, 1):
                for _ in range(_TRIES):
                    args = changed(example.args, shop.grounds, shop.dice)
                    if shop.is_valid(args):
                        break
                yield Draft([*map(made, args)], "domain", f"mutant of example {number}")

    def _drafted(
        self,
        mood: Mood,
        category: CaseCategory,
        length: Length = "small",
        window: Window | None = None,
    ) -> Draft | None:
        base = self.built(mood, {}, length, window)
        return Draft(base.parts, category, base.origin, leave=base.target) if base else None

    def built(
        self,
        mood: Mood,
        wanted: Mapping[str, Any] | None = None,
        length: Length = "small",
        window: Window | None = None,
        *,
        is_confined: bool = False,
    ) -> Base | None:
        """Build arguments in a mood, None if the sizes chosen do not suit each other.

        If they are confined, all numbers are in the window, and none comes from another argument.
        """
        shop = self.shop
        is_corner = is_confined and window is not None and not window.size
        scale = shop.dice.pick(_SCALES[mood])
        near = None if scale is None else Window(scale)
        if window is None and scale is not None:
            window = Window(scale, shop.dice.pick(_SIDES))
        pick = partial(self._pick, mood, window if is_confined else near, is_corner)
        try:
            settled = shop.sizes.settle(wanted or {}, shop.dice, pick)
            if settled is None:
                return None
            counts = {name: value for name, value in settled.values.items() if type(value) is int}
            builder = Builder(shop.dice, shop.rota, mood, length, counts, window)
            room = _STRESS_ITEMS if mood == "stress" else _SMALL_ROOM
            found = {name: made(value) for name, value in settled.values.items()}
            left = [name for name in shop.names if name not in found]
            for name in sorted(left, key=lambda each: each not in shop.sizes.widths):
                size = settled.values.get(f"len({name})")
                if size is not None and size > MOST_ITEMS:
                    return None
                ground = settled.grounds[shop.names.index(name)]
                found[name] = builder.build(ground, size, max(room, size or 0))
                settled = shop.sizes.with_width(settled, name, found[name].value)
            parts = [found[name] for name in shop.names]
        except (ValueError, OverflowError):  # no family makes such values
            return None
        parts = linked(parts, shop.names, settled.grounds, shop.links, builder)
        base = Base(parts, settled.loose, tuple(builder.used))
        return base if is_confined else self._relating.related(base, wanted or {})

    def _pick(
        self, mood: Mood, window: Window | None, is_corner: bool, quantity: str, ground: Ground
    ) -> Any:
        """Choose a number or a length."""
        dice, at_top = self.shop.dice, window is not None and window.side == "top"
        if not quantity.startswith("len("):
            ground = ground.within(window)
        if ground.kind == "float":
            if mood != "basic" or dice.chance(0.5):
                return dice.pick(ground.notable)
            return round(ground.low + dice.random() * (ground.high - ground.low), 3)
        low, high = int(ground.low), int(ground.high)
        if quantity.startswith("len("):
            if mood == "stress":
                longest = max(low, min(high, _STRESS_ITEMS))
                several = len(self.shop.sizes.quantities) > 1
                share = dice.pick((1, 1, 1, 2, 2, 300)) if several else 1
                if is_corner:
                    share = 1 if quantity == self._largest or not at_top else 2
                return ground.near(max(low, longest // share))
            if mood == "middling":
                return ground.near(MIDDLING // dice.pick((1, 1, 1, 2, 20)))
            spans = {"basic": (10,), "edge": (1, 2, 3, 4), "dense": (4,)}.get(
                mood, (3, 8, 14, 40, 90)
            )
            span = dice.pick(spans)
            return ground.near(low + dice.between(span // 5, span - 1))
        nearest = min(max(0, low), high)
        if mood == "stress":
            near_top = high - dice.below(high - nearest + 1) // 4
            some = dice.pick(ground.notable[-8:])
            large = (high, high, near_top, (nearest + high) // 2, some, some, some, nearest)
            return ground.near(dice.pick(large))
        if mood == "edge" and dice.chance(0.7):
            return ground.near(dice.pick((low, low + 1, high - 1, high, nearest)))
        if dice.chance({"basic": 0.6, "edge": 0.5, "dense": 1.0}.get(mood, 0.4)):
            return ground.near(min(high, nearest + dice.below(13)))
        if dice.chance(0.7):
            return self.shop.rota.next(ground.notable)
        return ground.near(dice.between(low, high))

    def _ends(self, quantity: str) -> list[Any]:
        ground = self.shop.sizes.ground(quantity)
        ends = [ground.low, ground.high]
        if ground.kind == "int":
            ends += [ground.low + 1, ground.high - 1]
        if quantity.startswith("len(") and ground.high > MOST_ITEMS:
            self.notes.append(
                f"{quantity} = {ground.high:,} is left out: a list has at most {MOST_ITEMS:,} items"
            )
            ends = [end for end in ends if end <= MOST_ITEMS]
        return [end for end in dict.fromkeys(ends) if end in ground.numbers]


def _length(value: Any) -> int:
    if isinstance(value, list):
        return sum(len(each) if isinstance(each, list | str) else 1 for each in value)
    return len(value) if isinstance(value, str | dict) else 1
