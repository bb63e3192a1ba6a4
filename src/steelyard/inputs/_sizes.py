"""Choose the numbers and the lengths of a call first, so that they suit each other.

Each is chosen from what those before it leave. What is chosen narrows all other shapes, such as the
items in `all(0 <= e[0] < n for e in edges)`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from steelyard.constraints import Shapes
from steelyard.families import Dice, Weave
from steelyard.inputs._from_shapes import Usual, ground_of
from steelyard.inputs._ground import Ground
from steelyard.inputs._positions import gap_of, slope_of

Pick = Callable[[str, Ground], Any]
_PICKS = 3


@dataclass(frozen=True)
class Settled:
    """The numbers and lengths of one call."""

    values: Mapping[str, Any]
    """By quantity: `k`, `len(nums)`."""
    grounds: tuple[Ground, ...]
    """What each argument may be then."""
    loose: tuple[Ground, ...]
    """The same with any length that the others leave to it."""
    narrowed: Mapping[str, Any]
    """The values that suit each other."""


class Sizes:
    """The numbers and lengths of one specification's calls."""

    def __init__(
        self,
        shapes: Shapes,
        usual: Mapping[str, Usual] | None = None,
        weaves: Mapping[str, Weave] | None = None,
    ) -> None:
        """Read the shapes.

        Args:
            shapes: What the constraints state of each argument.
            usual: For some parameters, what is usual.
            weaves: For some texts, which letters may follow each other.
        """
        self._shapes = shapes
        self._usual, self._weaves = usual or {}, weaves or {}
        self._given: dict[tuple[tuple[str, Any], ...], Shapes | None] = {}
        self.quantities = tuple(
            name if shape.value is not None else f"len({name})"
            for name, shape in zip(shapes.types, shapes, strict=True)
            if shape.type.kind in ("int", "float", "list", "str", "dict")
        )
        """The arguments that are numbers, and the lengths of the others."""
        named = {name for line in shapes.lines for name, _ in line.terms}
        self.widths = {
            name: f"len({name}[0])" for name in shapes.types if f"len({name}[0])" in named
        }
        """The lengths of first rows that lines name, by their tables."""
        self._gaps = {name: gap_of(shapes, name) for name in shapes.types}
        self._slopes = {name: slope_of(shapes, name) for name in shapes.types}
        self.grounds = self._grounds(shapes, {})
        """What each argument may be, whatever the others are."""

    def settle(self, wanted: Mapping[str, Any], dice: Dice, pick: Pick) -> Settled | None:
        """Return a value for each quantity, None if the wanted ones are impossible.

        What does not suit the values chosen before is left to repair.

        Args:
            wanted: Values that some quantities are to have.
            dice: What chooses the order.
            pick: From a quantity and what it may be to its value.
        """
        shapes = self._after(wanted)
        if shapes is None:
            return None
        values, narrowed = dict(wanted), dict(wanted)
        left = dice.shuffled([each for each in self.quantities if each not in wanted])
        for quantity in sorted(left, key=lambda each: not each.startswith("len(")):
            ground = self._quantity(shapes, quantity)
            for _ in range(_PICKS):
                values[quantity] = pick(quantity, ground)
                after = self._after({**narrowed, quantity: values[quantity]})
                if after is not None:
                    shapes, narrowed[quantity] = after, values[quantity]
                    break
        loose = (self._loose(name, wanted, narrowed) for name in self._shapes.types)
        grounds = self._grounds(shapes, values)
        pairs = zip(grounds, loose, strict=True)
        return Settled(values, grounds, tuple(found or ground for ground, found in pairs), narrowed)

    def with_width(self, settled: Settled, name: str, table: Sequence[Any]) -> Settled:
        """Return what the other arguments may be once a table is made: cells inside it."""
        first = table[0] if name in self.widths and table else None
        if not isinstance(first, list | str):
            return settled
        narrowed = {**settled.narrowed, self.widths[name]: len(first)}
        shapes = self._after(narrowed)
        if shapes is None:
            return settled
        return replace(settled, grounds=self._grounds(shapes, settled.values), narrowed=narrowed)

    def ground(self, quantity: str) -> Ground:
        """Return what a quantity may be, whatever the others are."""
        return self._quantity(self._shapes, quantity)

    def _loose(
        self, name: str, wanted: Mapping[str, Any], narrowed: Mapping[str, Any]
    ) -> Ground | None:
        """Return what an argument may be without its chosen length, None if nothing else."""
        length = f"len({name})"
        if length in wanted or length not in narrowed:
            return None
        others = {each: value for each, value in narrowed.items() if each != length}
        shapes = self._after(others)
        return self._ground(shapes, name, others) if shapes else None

    def _grounds(self, shapes: Shapes, known: Mapping[str, Any]) -> tuple[Ground, ...]:
        return tuple(self._ground(shapes, name, known) for name in shapes.types)

    def _ground(self, shapes: Shapes, name: str, known: Mapping[str, Any]) -> Ground:
        ground = ground_of(shapes[name], known, self._usual.get(name, Usual()))
        return replace(
            ground, gap=self._gaps[name], slope=self._slopes[name], weave=self._weaves.get(name)
        )

    def _after(self, known: Mapping[str, Any]) -> Shapes | None:
        key = tuple(sorted(known.items()))
        if key not in self._given:
            self._given[key] = self._shapes.given(known)
        return self._given[key]

    def _quantity(self, shapes: Shapes, quantity: str) -> Ground:
        """Return what a number or a length may be."""
        name = quantity.removeprefix("len(").removesuffix(")")
        ground = ground_of(shapes[name], {}, self._usual.get(name, Usual()))
        return ground if name == quantity else Ground("int", numbers=ground.lengths)
