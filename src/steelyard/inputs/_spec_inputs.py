"""All inputs of one specification: small, tiny, nearly valid, large, and of a size that grows.

inputs = inputs_of(spec)
inputs.small(60).cases
inputs.args(1_000, inputs.kinds(1_000)[0])
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import JsonValue, ValidationError

from steelyard.constraints import Domain, Validator, Work, clash_in_words, shape_of
from steelyard.errors import SpecificationError, UsageError
from steelyard.families import args_of
from steelyard.inputs._changed import changed_inputs
from steelyard.inputs._exhaustive import Calls, exhaustive_inputs
from steelyard.inputs._make import DerivedInputs, derive_inputs
from steelyard.inputs._meter import MOST_WORK
from steelyard.inputs._near_invalid import near_invalid
from steelyard.inputs._stress import stress_inputs
from steelyard.schemas import AuthoredCase, CompactInput, Specification, fault_of_record
from steelyard.values import parse_type

_KINDS = 6
_FURTHER_SEED = 7_919
_LARGE_WORK = 400_000_000
"""Limit on the work for the inputs of one size: some ten seconds."""
_LEAST_RANGE = 16
"""A size with a smaller range does not grow."""


@dataclass(frozen=True, slots=True)
class MainSize:
    """The size on which the cost of a program depends most."""

    quantity: str
    """Such as `len(nums)`."""
    least: int
    most: int


class SpecInputs:
    """The inputs of one specification, each made when it is asked for.

    They depend on the specification, the seed and the arguments of each call alone. All methods
    raise a `SpecificationError` if a type or a constraint cannot be read.

    Args:
        spec: The specification.
        seed: Seed of the inputs.
    """

    def __init__(self, spec: Specification, seed: int = 0) -> None:
        self.spec, self.seed = spec, seed
        self.work = Work()
        """What all large inputs have taken."""
        self._found: dict[tuple[int, int], AuthoredCase | None] = {}
        self._kinds: dict[tuple[int, int], tuple[str, ...]] = {}

    def small(self, count: int, *, work: int = MOST_WORK) -> DerivedInputs:
        """Return the inputs of a suite: the examples first, the largest last.

        Args:
            count: Limit on the inputs; all are valid, no two are equal.
            work: Limit on the units of work: about one node of a constraint that is evaluated once.
        """
        return derive_inputs(self.spec, seed=self.seed, count=count, work=work)

    def further(self, count: int) -> tuple[AuthoredCase, ...]:
        """Return inputs as of a suite, but other ones.

        Args:
            count: Limit on the inputs.
        """
        return SpecInputs(self.spec, self.seed + _FURTHER_SEED).small(count).cases

    def smallest(self, most: int) -> tuple[Calls, str]:
        """Return all valid inputs up to some size, and that size in words.

        Args:
            most: Limit on the inputs.
        """
        return exhaustive_inputs(self.spec, most)

    def near_invalid(
        self, inputs: Sequence[Sequence[JsonValue]], count: int
    ) -> tuple[tuple[tuple[JsonValue, ...], str], ...]:
        """Return inputs close to valid ones, each with the one constraint that it breaks.

        Args:
            inputs: Valid inputs to start from.
            count: Limit on the inputs.
        """
        return near_invalid(self.spec, inputs, seed=self.seed, count=count)

    def changed(self, inputs: Sequence[CompactInput], count: int) -> tuple[AuthoredCase, ...]:
        """Return valid inputs that are close to some others.

        Args:
            inputs: Valid inputs to start from.
            count: Limit on the new inputs.
        """
        return changed_inputs(self.spec, inputs, seed=self.seed, count=count)

    @cached_property
    def bounds(self) -> dict[str, int]:
        """The largest value of each length and whole number, the main size first."""
        highs = {name: high for name, (_, high) in self._spans.items() if high >= 1}
        return dict(
            sorted(highs.items(), key=lambda each: (not each[0].startswith("len("), -each[1]))
        )

    @cached_property
    def size(self) -> MainSize:
        """The largest length, else the largest whole number.

        Raises:
            SpecificationError: if nothing grows.
        """
        lengths = {name: span for name, span in self._spans.items() if name.startswith("len(")}
        growing = [
            (high, name, low)
            for name, (low, high) in (lengths or self._spans).items()
            if high - low >= _LEAST_RANGE
        ]
        if not growing:
            raise SpecificationError(
                clash_in_words(Validator.of(self.spec))
                or self._unbounded
                or f"no length and no whole number has a range of {_LEAST_RANGE} or more; "
                "widen a bound of the specification"
            )
        high, name, low = max(growing, key=lambda each: each[0])
        return MainSize(name, max(1, low), high)

    def size_of(self, args: Sequence[JsonValue]) -> int:
        """Return the main size of arguments; 0 if they have another form."""
        quantity = self.size.quantity
        name = quantity.removeprefix("len(").removesuffix(")")
        names = [each.name for each in self.spec.parameters]
        value = args[names.index(name)] if len(args) == len(names) else None
        if name == quantity:
            return value if type(value) is int else 0
        return len(value) if isinstance(value, str | list | dict) else 0

    def large(
        self,
        n: int | None = None,
        *,
        bases: Sequence[Sequence[JsonValue]] | None = None,
        work: int = _LARGE_WORK,
    ) -> Iterator[AuthoredCase]:
        """Yield large valid inputs, each made when it is asked for.

        Args:
            n: Their main size; None for the largest inputs that constraints allow.
            bases: Small arguments, valid but for the largest one; None for the examples.
            work: Limit on the units of work.
        """
        return (case for _, case in self._large(n, bases=bases, work=work))

    def _large(
        self,
        n: int | None,
        kinds: Iterable[int] | None = None,
        *,
        bases: Sequence[Sequence[JsonValue]] | None = None,
        work: int = _LARGE_WORK,
    ) -> Iterator[tuple[int, AuthoredCase]]:
        """Yield large valid inputs with their kinds, some or the first ones."""
        spec = self.spec
        if bases is None:
            bases = [each.args for each in spec.examples]
        if n is not None:
            # Other lists and texts grow along: a program may go through any of them.
            others = (
                f"{name} <= {max(n, low)}"
                for name, (low, high) in self._spans.items()
                if name.startswith("len(") and name != self.size.quantity and high > n
            )
            constraints = (*spec.constraints, f"{self.size.quantity} == {n}", *others)
            spec = spec.model_copy(update={"constraints": constraints, "examples": ()})
        return stress_inputs(
            spec, seed=self.seed, work=work, counter=self.work, bases=bases, kinds=kinds
        )

    def kinds(self, n: int, most: int = _KINDS) -> tuple[str, ...]:
        """Return the kinds of large inputs of a size, those of one name alike at all sizes.

        Args:
            n: The size.
            most: Limit on the kinds.

        Raises:
            SpecificationError: if there are no inputs of this size.
        """
        if (n, most) not in self._kinds:
            found = dict(islice(self._large(n, range(3 * most)), most))
            self._found.update(((n, kind), case) for kind, case in found.items())
            self._kinds[n, most] = tuple(map(str, found))
        if not self._kinds[n, most]:
            raise SpecificationError(
                f"no input with {self.size.quantity} == {n:,} was found; use another size"
            )
        return self._kinds[n, most]

    def cases(self, n: int, kinds: Iterable[str]) -> list[AuthoredCase]:
        """Return the large inputs of a size and some kinds, as far as there are any.

        Raises:
            UsageError: if a kind is not a number.
        """
        try:
            wanted = dict.fromkeys(map(int, kinds))
        except ValueError as error:
            raise UsageError("a kind is a number; give those that `kinds` returns") from error
        missing = [kind for kind in wanted if (n, kind) not in self._found]
        made = dict(self._large(n, missing)) if missing else {}
        self._found.update(((n, kind), made.get(kind)) for kind in missing)
        return [case for kind in wanted if (case := self._found[n, kind])]

    def args(self, n: int, kind: str) -> list[Any]:
        """Return the arguments of a large input of a size and a kind, as `solve` gets them.

        If this size has no such input, it is one of another kind.

        Raises:
            SpecificationError: if there are no inputs of this size.
        """
        found = self.cases(n, [kind]) or self.cases(n, self.kinds(n))
        return self.typed(found[0])

    def typed(self, case: AuthoredCase) -> list[Any]:
        """Return the arguments of an input as `solve` gets them, with tuples and sets."""
        kinds = [parse_type(each.type) for each in self.spec.parameters]
        return [
            each.value_of(value) for each, value in zip(kinds, args_of(case.input), strict=True)
        ]

    @property
    def _unbounded(self) -> str:
        """The first length or whole number without a bound, and what to do; empty if none is."""
        for name, domain in self._domains.items():
            if not domain.is_finite:
                side, sign = ("upper", "<=") if domain.high == math.inf else ("lower", ">=")
                return (
                    f"{name} has no {side} bound within 10^18; set one, such as {name} {sign} 1000"
                )
        return ""

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int]]:
        """The finite ranges of the arguments' lengths, and of whole numbers."""
        return {
            name: (int(domain.low), int(domain.high))
            for name, domain in self._domains.items()
            if domain.is_finite
        }

    @cached_property
    def _domains(self) -> dict[str, Domain]:
        """The domains of the arguments' lengths, and of whole numbers."""
        found = {}
        shapes = shape_of(Validator.of(self.spec))
        for name, shape in zip(shapes.types, shapes, strict=True):
            domain, quantity = (shape.size, f"len({name})") if shape.size else (shape.value, name)
            if domain and domain.is_integral and shape.type.base.kind != "bool":
                found[quantity] = domain
        return found


def inputs_of(spec: Specification | str | Path, *, seed: int = 0) -> SpecInputs:
    """Return the inputs of a specification: the one way to make them.

    Args:
        spec: The specification, or the path of a JSON file that holds it.
        seed: The inputs depend on the specification and the seed alone.

    Raises:
        UsageError: if the file cannot be read, or holds no specification.
    """
    return SpecInputs(read_specification(spec), seed)


def read_specification(source: Specification | str | Path) -> Specification:
    """Return a specification, or the one in a JSON file.

    Raises:
        UsageError: if the file cannot be read, or holds no specification.
    """
    if isinstance(source, Specification):
        return source
    try:
        plain = json.loads(Path(source).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or "it is not JSON"
        raise UsageError(f"{source} cannot be read: {why}; give a specification") from error
    try:
        return Specification.model_validate(plain)
    except ValidationError as error:
        raise UsageError(f"{source}: {fault_of_record(error, plain, Specification)}") from error
