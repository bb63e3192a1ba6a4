"""Find the main size of a specification, and make inputs of a given size."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.constraints import Validator, shape_of
from steelyard.authoring.inputs import args_of, make_inputs
from steelyard.errors import SpecificationError
from steelyard.schemas import Specification

__all__ = ["MainSize", "input_bounds", "main_size"]

_LEAST_RANGE = 16
"""A size with a smaller range does not grow."""
_TRIED = 4


@dataclass(frozen=True, slots=True)
class MainSize:
    """The size on which the cost of a solution depends most."""

    spec: Specification
    quantity: str
    """Such as `len(nums)`."""
    least: int
    most: int
    seed: int

    def args(self, n: int) -> Sequence[JsonValue]:
        """Return valid arguments of a size.

        Raises:
            SpecificationError: if there are none.
        """
        return self.inputs(n, 1)[0]

    def inputs(self, n: int, count: int) -> list[tuple[JsonValue, ...]]:
        """Return valid arguments of a size, several different ones if there are.

        Raises:
            SpecificationError: if there are none.
        """
        constraints = (*self.spec.constraints, f"{self.quantity} == {n}")
        sized = self.spec.model_copy(update={"constraints": constraints, "examples": ()})
        made = make_inputs(sized, seed=self.seed, count=max(_TRIED, count))
        if not made:
            raise SpecificationError(
                f"no input with {self.quantity} == {n} was found; give a solution's time limit"
            )
        return [args_of(case.input) for case in made[-count:]]


def main_size(spec: Specification, seed: int) -> MainSize | None:
    """Return the largest length, else the largest whole number; None if nothing grows.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    spans = _spans(spec)
    lengths = {name: span for name, span in spans.items() if name.startswith("len(")}
    growing = [
        (high, name, low)
        for name, (low, high) in (lengths or spans).items()
        if high - low >= _LEAST_RANGE
    ]
    if not growing:
        return None
    high, name, low = max(growing)
    return MainSize(spec, name, max(1, low), high, seed)


def input_bounds(spec: Specification) -> dict[str, int]:
    """Return the largest value of each length and whole number, the main size first.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    highs = {name: high for name, (_, high) in _spans(spec).items() if high >= 1}
    return dict(sorted(highs.items(), key=lambda each: (not each[0].startswith("len("), -each[1])))


def _spans(spec: Specification) -> dict[str, tuple[int, int]]:
    """Return the finite ranges of the arguments' lengths, and of whole numbers."""
    found = {}
    shapes = shape_of(Validator.of(spec))
    for name, shape in zip(shapes.types, shapes, strict=True):
        domain, quantity = (shape.size, f"len({name})") if shape.size else (shape.value, name)
        if domain is not None and domain.is_integral and domain.is_finite:
            found[quantity] = (int(domain.low), int(domain.high))
    return found
