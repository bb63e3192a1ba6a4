"""Draw the arguments of one call: sizes first, then values of one look, then how they relate."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal

from steelyard.constraints import Bound, Validator
from steelyard.families import Dice
from steelyard.inputs._links import linked
from steelyard.inputs._made import made
from steelyard.inputs._meter import visits
from steelyard.inputs._relations import Relations
from steelyard.inputs._workshop import Draft, Workshop
from steelyard.inputs.nodes import Changes, Number, Sized, Style, Window, changed_args

Scale = Literal["small", "longest", "shortest"]
MOST_ITEMS = 500_000
"""The longest list that is made."""
_LARGE_ITEMS, _LARGE_SUM = 100_000, 800_000
"""Items of the longest list of a large input, and of all large inputs together."""
_LEAST_KINDS, _MOST_IN_VAIN = 4, 16
"""Kinds of large inputs that are tried at least, and those without an input that end the tries."""
_SMALL_ROOM = 400
_SPANS = (3, 8, 8, 14, 40, 90)
"""Spans of the lengths of small inputs."""
_DENSE = 0.08
"""Share of small inputs that are lists of some hundred items."""
_WIDE = 20
_TRIES = 8
_AIMS = 4
_FRACTIONS = (1, 1, 1, 2, 2, 300)


@dataclass
class Drafts:
    """Draws calls of a specification. None is an attempt that gave none."""

    shop: Workshop
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        shop, examples = self.shop, self.shop.spec.examples
        self._usual = [
            sum(visits(each.args[at]) for each in examples) for at in range(len(shop.names))
        ]
        self._largest = f"len({shop.names[self._usual.index(max(self._usual))]})"

    def examples(self) -> Iterator[Draft]:
        """Yield the examples of the statement that are valid."""
        for number, example in enumerate(self.shop.spec.examples, 1):
            if self.shop.validator.is_valid(example.args):
                yield Draft([*map(made, example.args)], "basic", f"example {number}")
            else:
                broken = self.shop.validator.broken(example.args)[:1]
                self.notes.append(f"example {number} is left out: it breaks {broken[0]!r}")

    def edges(self) -> Iterator[Draft | None]:
        """Yield arguments at the ends of each number and length, and one next to them."""
        for quantity in self.shop.sizes.quantities:
            for value in self._ends(quantity):
                found = self.built(Style.drawn(self.shop.dice), {quantity: value})
                yield found and replace(
                    found, category="edge", origin=f"bound {quantity} = {value}"
                )
        for scale in ("shortest", "small", "longest"):
            for side in ("bottom", "top", "around"):
                style = Style(self.shop.dice, scale == "longest", Window(0, side))
                found = self.built(style, scale=scale)
                yield found and replace(found, category="edge", origin=f"bound all at the {side}")

    def aimed(self, bound: Bound) -> Iterator[Draft | None]:
        """Yield arguments that were led to a bound."""
        shop = self.shop
        constraints = (*shop.validator.constraints, bound.goal)
        narrower = Validator(shop.validator.types, constraints, work=shop.validator.work)
        for _ in range(_AIMS):
            base = self.built(Style.drawn(shop.dice))
            args = shop.led_to(base.args, narrower) if base else None
            origin = f"bound {bound.where} {bound.side}"[:200]
            yield None if args is None else Draft([*map(made, args)], "edge", origin)

    def small(self) -> Iterator[Draft | None]:
        """Yield small arguments of any look."""
        while True:
            yield self.built(Style.drawn(self.shop.dice))

    def large(
        self, bases: Sequence[Sequence[Any]] = (), kinds: Iterable[int] | None = None
    ) -> Iterator[tuple[int, Draft | None]]:
        """Yield the largest arguments, many items or few long ones, each with its kind.

        A kind has chances of its own, so that inputs of each size look alike.

        Args:
            bases: Small arguments: in every second kind their parts are repeated.
            kinds: Numbers from 0; None for the first ones, until they have many items in all.
        """
        spent = 0
        for kind in count() if kinds is None else kinds:
            if kinds is None and kind >= _LEAST_KINDS and spent >= _LARGE_SUM:
                return
            found = self._large(kind, bases)
            spent += visits(found.args) if found else _LARGE_SUM // _MOST_IN_VAIN
            yield kind, found and replace(found, category="stress")

    def _large(self, kind: int, bases: Sequence[Sequence[Any]]) -> Draft | None:
        """Return large arguments, which often repeat parts of small ones."""
        shop, style = self.shop, Style(Dice(self.shop.seed, f"large {kind}"), is_large=True)
        few = {
            f"len({name})": node.shortest + 2
            for name, node in zip(shop.names, shop.nodes, strict=True)
            if kind % 3 == 2 and isinstance(node, Sized) and any(e.is_sized for e in node.leaves)
        }
        if not bases or kind % 2 == 0:
            return self.built(style, few)
        base = style.dice.pick(bases)
        sized = [at for at, each in enumerate(base) if each and isinstance(each, str | list)]
        if style.dice.chance(0.5):
            sized = sorted(sized, key=lambda at: visits(base[at]))[-1:]
        found = self.built(style, few, repeated={shop.names[at]: base[at] for at in sized})
        return found and replace(found, may_change=False)

    def changes(self) -> Iterator[Draft | None]:
        """Yield examples with one to five small changes."""
        shop, examples = self.shop, list(self.examples())
        while examples:
            for number, example in enumerate(examples, 1):
                for _ in range(_TRIES):
                    changes = Changes(shop.dice, example.args, parts=0.2)
                    args = changed_args(example.args, shop.nodes, changes)
                    if shop.is_valid(args):
                        break
                yield Draft([*map(made, args)], "domain", f"change of example {number}")

    def built(
        self,
        style: Style,
        wanted: Mapping[str, Any] | None = None,
        scale: Scale = "small",
        repeated: Mapping[str, Any] | None = None,
    ) -> Draft | None:
        """Return arguments of one look, None if the sizes chosen do not suit each other.

        Args:
            style: The look.
            wanted: Values that some quantities have.
            scale: How long lists and texts are.
            repeated: For some arguments, a small value of which parts are repeated.
        """
        shop, wanted = self.shop, wanted or {}
        scale = "longest" if style.is_large else scale
        span = style.dice.pick(_SPANS)
        if not wanted and scale == "small" and style.dice.chance(_DENSE):
            span = style.dice.pick((300, 600))

        def pick(quantity: str, node: Number) -> Any:
            return self._pick(style, scale, span, quantity, node)

        try:
            settled = shop.sizes.settle(wanted, style.dice, pick)
            if settled is None:
                return None
            values = settled.values
            style.counts = {name: each for name, each in values.items() if type(each) is int}
            room = _LARGE_ITEMS if style.is_large else _SMALL_ROOM
            found = {name: made(each) for name, each in values.items()}
            left = [name for name in shop.names if name not in found]
            for name in sorted(left, key=lambda each: each not in shop.sizes.widths):
                size = values.get(f"len({name})")
                if size is not None and size > MOST_ITEMS:
                    return None
                node = settled.nodes[shop.names.index(name)]
                look = style if style.dice.chance(0.6) or style.is_corner else self._other(style)
                look = replace(look, room=max(room, size or 0))
                few = repeated.get(name) if repeated else None
                if few and size and isinstance(node, Sized):
                    style.used.append("repeated")
                    found[name] = node.repeated(few, size, look)
                elif isinstance(node, Sized) and size is not None:
                    found[name] = node.of_size(size, look)
                else:
                    found[name] = node.one(look)
                settled = shop.sizes.with_width(settled, name, found[name].value)
            parts = [found[name] for name in shop.names]
        except (ValueError, OverflowError):  # no family makes such values
            return None
        parts = linked(parts, shop.names, settled.nodes, shop.links, style)
        free = [
            at
            for at, name in enumerate(shop.names)
            if name not in wanted and f"len({name})" not in wanted
        ]
        names = ", ".join([*dict.fromkeys(style.used)][:4]) or "numbers"
        origin, leave = f"family {names}", None
        is_plain = style.kinds is None and not (style.window and style.window.width < _WIDE)
        related = None
        if not style.is_corner and not repeated:
            related = Relations(parts, settled.loose, self._usual, style.dice).drawn(free)
        if related:
            leave, parts[related[0]], name = related
            origin = f"relation {name}: {names}"
        return Draft(parts, "basic" if is_plain else "adversarial", origin, leave=leave)

    def _other(self, style: Style) -> Style:
        """Return another look, which shares what was chosen so far."""
        other = Style.drawn(style.dice, is_large=style.is_large)
        if style.is_large:
            other.window = other.kinds = None
        return replace(other, counts=style.counts, used=style.used, letters=style.letters)

    def _pick(self, style: Style, scale: Scale, span: int, quantity: str, node: Number) -> Any:
        """Choose a number or a length."""
        dice = style.dice
        if quantity.startswith("len("):
            low, high = int(node.low), int(node.high)
            if scale == "longest":
                longest = max(low, min(high, _LARGE_ITEMS))
                several = len(self.shop.sizes.quantities) > 1 and quantity != self._largest
                return node.near(max(low, longest // (dice.pick(_FRACTIONS) if several else 1)))
            if scale == "shortest":
                return low
            return node.near(low + dice.between(span // 5, span - 1))
        if style.is_large and node.is_whole:
            low, high = int(node.low), int(node.high)
            middle = min(max(0, low), high)
            near_top = high - dice.below(high - middle + 1) // 4
            return node.near(dice.pick((high, high, near_top, (middle + high) // 2, middle)))
        if node.is_whole and dice.chance(0.4):
            near = min(int(node.high), min(max(0, int(node.low)), int(node.high)) + dice.below(13))
            return node.near(near)
        return node.one(style if style.is_corner or dice.chance(0.5) else style.free()).value

    def _ends(self, quantity: str) -> list[Any]:
        node = self.shop.sizes.node(quantity)
        ends = [node.low, node.high]
        if node.is_whole:
            ends += [node.low + 1, node.high - 1]
        if quantity.startswith("len(") and node.high > MOST_ITEMS:
            self.notes.append(
                f"{quantity} = {node.high:,} is left out: a list has at most {MOST_ITEMS:,} items"
            )
            ends = [end for end in ends if end <= MOST_ITEMS]
        return [end for end in dict.fromkeys(ends) if end in node.domain]
