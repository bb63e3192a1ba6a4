"""Find the main size of a specification, and make inputs of a given size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.constraints import Validator, shape_of
from steelyard.inputs import stress_inputs
from steelyard.schemas import AuthoredCase, Specification

_MOST_WORK = 400_000_000
"""Limit on the work for the inputs of one size: some ten seconds."""
_LEAST_RANGE = 16
"""A size with a smaller range does not grow."""
NOTHING_GROWS = (
    f"growth was not measured: no length and no whole number has a range of {_LEAST_RANGE} or more"
)


@dataclass(frozen=True, slots=True)
class MainSize:
    """The size on which the cost of a solution depends most."""

    spec: Specification
    quantity: str
    """Such as `len(nums)`."""
    least: int
    most: int
    seed: int

    def cases(self, n: int) -> Iterator[AuthoredCase]:
        """Yield large valid inputs of a size, each made when it is asked for.

        Raises:
            SpecificationError: if a type or a constraint cannot be read.
        """
        constraints = (*self.spec.constraints, f"{self.quantity} == {n}")
        sized = self.spec.model_copy(update={"constraints": constraints, "examples": ()})
        examples = [each.args for each in self.spec.examples]
        return stress_inputs(sized, seed=self.seed, work=_MOST_WORK, bases=examples)

    def of(self, args: Sequence[JsonValue]) -> int:
        """Return the size of arguments; 0 if they have another form."""
        name = self.quantity.removeprefix("len(").removesuffix(")")
        names = [each.name for each in self.spec.parameters]
        value = args[names.index(name)] if len(args) == len(names) else None
        if name == self.quantity:
            return value if type(value) is int else 0
        return len(value) if isinstance(value, str | list | dict) else 0


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
