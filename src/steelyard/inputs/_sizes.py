"""Choose the numbers and the lengths of a call first, so that they suit each other.

Each is chosen from what those before it leave. What is chosen narrows all other shapes, such as the
items in `all(0 <= e[0] < n for e in edges)`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from steelyard.constraints import Shapes
from steelyard.families import Dice
from steelyard.inputs.nodes import Node, Number, Usual, lengths_of, numbers_of, tree_of

Pick = Callable[[str, Number], Any]
_PICKS = 3


@dataclass(frozen=True)
class Settled:
    """The numbers and lengths of one call."""

    values: Mapping[str, Any]
    """By quantity: `k`, `len(nums)`."""
    nodes: tuple[Node, ...]
    """What each argument may be then."""
    loose: tuple[Node, ...]
    """The same with any length that the others leave to it."""
    narrowed: Mapping[str, Any]
    """The values that suit each other."""


class Sizes:
    """The numbers and lengths of one specification's calls."""

    def __init__(
        self,
        shapes: Shapes,
        usual: Mapping[str, Usual] | None = None,
    ) -> None:
        """Read the shapes.

        Args:
            shapes: What the constraints state of each argument.
            usual: For some parameters, what is usual.
        """
        self._shapes = shapes
        self._usual = usual or {}
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
        self.nodes = self._nodes(shapes, {})
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
            node = self._quantity(shapes, quantity)
            for _ in range(_PICKS):
                values[quantity] = pick(quantity, node)
                after = self._after({**narrowed, quantity: values[quantity]})
                if after is not None:
                    shapes, narrowed[quantity] = after, values[quantity]
                    break
        loose = (self._loose(name, wanted, narrowed) for name in self._shapes.types)
        nodes = self._nodes(shapes, values)
        pairs = zip(nodes, loose, strict=True)
        return Settled(values, nodes, tuple(found or node for node, found in pairs), narrowed)

    def with_width(self, settled: Settled, name: str, table: Sequence[Any]) -> Settled:
        """Return what the other arguments may be once a table is made: cells inside it."""
        first = table[0] if name in self.widths and table else None
        if not isinstance(first, list | str):
            return settled
        narrowed = {**settled.narrowed, self.widths[name]: len(first)}
        shapes = self._after(narrowed)
        if shapes is None:
            return settled
        return replace(settled, nodes=self._nodes(shapes, settled.values), narrowed=narrowed)

    def node(self, quantity: str) -> Number:
        """Return what a quantity may be, whatever the others are."""
        return self._quantity(self._shapes, quantity)

    def _loose(
        self, name: str, wanted: Mapping[str, Any], narrowed: Mapping[str, Any]
    ) -> Node | None:
        """Return what an argument may be without its chosen length, None if nothing else."""
        length = f"len({name})"
        if length in wanted or length not in narrowed:
            return None
        others = {each: value for each, value in narrowed.items() if each != length}
        shapes = self._after(others)
        return self._node(shapes, name, others) if shapes else None

    def _nodes(self, shapes: Shapes, known: Mapping[str, Any]) -> tuple[Node, ...]:
        return tuple(self._node(shapes, name, known) for name in shapes.types)

    def _node(self, shapes: Shapes, name: str, known: Mapping[str, Any]) -> Node:
        return tree_of(shapes, name, known, self._usual.get(name, Usual()))

    def _after(self, known: Mapping[str, Any]) -> Shapes | None:
        key = tuple(sorted(known.items()))
        if key not in self._given:
            self._given[key] = self._shapes.given(known)
        return self._given[key]

    def _quantity(self, shapes: Shapes, quantity: str) -> Number:
        """Return what a number or a length may be."""
        name = quantity.removeprefix("len(").removesuffix(")")
        shape, usual = shapes[name], self._usual.get(name, Usual())
        return numbers_of(shape, usual) if name == quantity else lengths_of(shape)
