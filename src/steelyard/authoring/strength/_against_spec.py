"""Measure a suite's inputs against its specification."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.constraints import Validator
from steelyard.schemas import InvalidCase, Share

__all__ = ["InputFindings", "check_inputs"]

Args = tuple[JsonValue, ...]


@dataclass(frozen=True)
class InputFindings:
    """The faults that a specification finds in inputs."""

    broken: tuple[tuple[str, ...], ...]
    """The broken constraints of each case."""

    def validity(self, cases: Sequence[int]) -> Share:
        """Return how many of these cases are valid."""
        return Share(count=sum(not self.broken[case] for case in cases), of=len(cases))

    def invalid(self, names: Sequence[str]) -> tuple[InvalidCase, ...]:
        """Return the invalid cases, by the names of all cases."""
        pairs = zip(names, self.broken, strict=True)
        return tuple(InvalidCase(case=name, broken=broken) for name, broken in pairs if broken)


def check_inputs(validator: Validator, inputs: Sequence[Args | None]) -> InputFindings:
    """Return the findings about each input.

    Args:
        validator: Of the specification.
        inputs: The arguments of each case; None if they are not plain values.
    """
    broken = tuple(
        ("arguments are plain values",) if args is None else validator.broken(args)
        for args in inputs
    )
    return InputFindings(broken)
