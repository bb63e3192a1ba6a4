"""Measure a suite's inputs against its specification: validity, and bounds reached."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.constraints import Bound, Validator, bounds_of
from steelyard.schemas import InvalidCase, Share

Args = tuple[JsonValue, ...]

_NONE: frozenset[int] = frozenset()
_NOT_PLAIN = "arguments are plain values"


@dataclass(frozen=True)
class InputFindings:
    """The faults that a specification finds in inputs."""

    broken: tuple[tuple[str, ...], ...]
    """The broken constraints of each case."""
    bounds: tuple[str, ...]
    """The bounds, in words."""
    reached: tuple[frozenset[int], ...]
    """The bounds that each case reaches, by position; none for an invalid case."""

    def validity(self, cases: Sequence[int]) -> Share:
        """Return how many of these cases are valid."""
        return Share(count=sum(not self.broken[case] for case in cases), of=len(cases))

    def bounds_reached(self, cases: Sequence[int]) -> Share | None:
        """Return how many bounds these cases reach; None if the specification has no bounds."""
        if not self.bounds:
            return None
        reached = frozenset[int]().union(*(self.reached[case] for case in cases))
        return Share(count=len(reached), of=len(self.bounds))

    def missed(self) -> tuple[str, ...]:
        """Return the bounds that no case reaches."""
        reached = frozenset[int]().union(*self.reached)
        return tuple(text for i, text in enumerate(self.bounds) if i not in reached)

    def invalid(self, names: Sequence[str]) -> tuple[InvalidCase, ...]:
        """Return the invalid cases, by the names of all cases."""
        pairs = zip(names, self.broken, strict=True)
        return tuple(InvalidCase(case=name, broken=broken) for name, broken in pairs if broken)


def check_inputs(
    validator: Validator, inputs: Sequence[Args | None], unread: Sequence[str] = ()
) -> InputFindings:
    """Return the findings about each input.

    Args:
        validator: Of the specification.
        inputs: The arguments of each case; None if they are not plain values.
        unread: The reason for each None, if reasons are known.
    """
    bounds = bounds_of(validator)
    reasons = unread or [_NOT_PLAIN] * len(inputs)
    broken = tuple(
        (reason,) if args is None else validator.broken(args)
        for args, reason in zip(inputs, reasons, strict=True)
    )
    pairs = zip(inputs, broken, strict=True)
    reached = tuple(_reached(bounds, args) if not faults else _NONE for args, faults in pairs)
    return InputFindings(broken, tuple(map(_in_words, bounds)), reached)


def _reached(bounds: Sequence[Bound], args: Args | None) -> frozenset[int]:
    if args is None:
        return _NONE
    return frozenset(i for i, bound in enumerate(bounds) if bound.reached_by(args))


def _in_words(bound: Bound) -> str:
    return f"{bound.where} {'>=' if bound.side == 'low' else '<='} {bound.value}"
