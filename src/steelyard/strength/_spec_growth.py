"""Measure growth on inputs of a specification, of the kind that is hardest for a slow program.

The main size is the largest length, else the largest whole number (`main_size`). It grows until it
separates a slow program from a solution (`growth_of`). For a suite that is measured, the cases of
that size are counted (`suite_growth`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import JsonValue

from steelyard.constraints import Validator, shape_of
from steelyard.errors import SpecificationError, UsageError
from steelyard.families import args_of
from steelyard.inputs import stress_inputs
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Entry, Share, Specification, StressSize
from steelyard.strength._reading import ReadySuite, StrengthOptions
from steelyard.strength._stress_size import stress_size
from steelyard.values import parse_type

_KINDS = 6
_STRESS_CASES = 3


@dataclass(frozen=True, slots=True)
class Growth:
    """The size of stress cases, and inputs of that size without outputs."""

    size: StressSize
    cases: tuple[AuthoredCase, ...]


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


def growth_of(
    main: MainSize,
    solution: str | bytes,
    brute_force: str | bytes | None,
    *,
    limit_ms: float | None = None,
    entry: Entry | str = "class:Solution.solve",
    pool: CellPool | None = None,
) -> Growth:
    """Return the size that separates a slow program from a solution, and stress inputs.

    Args:
        main: The size that grows.
        solution: The text of a fast solution in Python.
        brute_force: The text of a slow one; None if there is none.
        limit_ms: CPU time for each case; None proposes it from the measurements.
        entry: How the programs are entered.
        pool: Where they run; None is the pool that the process shares.

    Raises:
        UsageError: if a program fails, or there are no inputs of some size.
        InfrastructureError: if the machine failed.
    """
    inputs = _Inputs(main)
    found = stress_size(
        solution,
        brute_force,
        inputs,
        most_n=main.most,
        least_n=main.least,
        limit_ms=limit_ms,
        entry=str(entry),
        pool=pool,
        seed=main.seed,
    )
    cases = inputs.cases(found.n, found.kind)[:_STRESS_CASES]
    known = {"quantity": main.quantity, "kind": cases[0].origin}
    return Growth(found.model_copy(update=known), tuple(cases))


class _Inputs:
    """The inputs of a specification by size and kind, none of which is made twice."""

    def __init__(self, main: MainSize) -> None:
        self._main = main
        self._types = [parse_type(each.type) for each in main.spec.parameters]
        self._found: dict[int, dict[str, AuthoredCase]] = {}
        self._is_whole: set[int] = set()

    def kinds(self, n: int) -> Sequence[str]:
        """Return the kinds of inputs of a size."""
        return tuple(self._of(n))

    def args(self, n: int, kind: str) -> Sequence[JsonValue]:
        """Return the arguments of a size and a kind, else of another kind."""
        found = self._of(n, kind)
        case = found.get(kind) or next(iter(found.values()))
        pairs = zip(self._types, args_of(case.input), strict=True)
        return [type_.value_of(value) for type_, value in pairs]

    def cases(self, n: int, kind: str) -> list[AuthoredCase]:
        """Return inputs of a size, that of a kind first."""
        found = dict(self._of(n))
        first = found.pop(kind, None)
        return [*([first] if first else []), *found.values()]

    def _of(self, n: int, kind: str | None = None) -> dict[str, AuthoredCase]:
        """Return inputs of a size by kind; the others may be missing if one kind is asked for.

        Raises:
            SpecificationError: if there are none.
        """
        found = self._found.get(n, {})
        if n not in self._is_whole and not (kind is not None and kind in found):
            self._found[n] = found = {}
            for case in islice(self._main.cases(n), _KINDS):
                # What made it, apart from sizes and bounds.
                found.setdefault(re.sub(r"-?\d+", "n", case.origin), case)
                if kind is not None and kind in found:
                    return found
            self._is_whole.add(n)
        if not found:
            raise SpecificationError(
                f"no input with {self._main.quantity} == {n:,} was found; give a time limit"
            )
        return found


def suite_growth(
    given: ReadySuite, solution: bytes, slow: bytes | None, options: StrengthOptions
) -> tuple[StressSize | None, str]:
    """Return the size of stress inputs, and why it is not known or what the suite lacks.

    Args:
        given: The suite, of calls of Python programs.
        solution: The solution's text.
        slow: The text of a slow program; None if there is none.
        options: How to measure.

    Raises:
        InfrastructureError: if the machine failed.
    """
    spec, found = given.spec, options.growth
    if spec is None or (slow is None and found is None):
        return None, ""
    main = main_size(spec, options.seed or 0)
    if main is None:
        return None, NOTHING_GROWS
    try:
        if found is None:
            found = growth_of(
                main,
                solution,
                slow,
                limit_ms=given.stated_ms,
                entry=given.entry,
                pool=options.cells,
            ).size
    except UsageError as error:
        return None, f"growth was not measured: {error}"
    large = sum(args is not None and main.of(args) >= found.n for args in given.args)
    cases = Share(count=large, of=len(given.args))
    lacks = f"no case has {main.quantity} >= {found.n:,}, where the slow program is too slow"
    return (
        found.model_copy(update={"cases": cases}),
        lacks if found.separates and not cases.count else found.reason,
    )


_MOST_WORK = 400_000_000
"""Limit on the work for the inputs of one size: some ten seconds."""
_LEAST_RANGE = 16
"""A size with a smaller range does not grow."""
NOTHING_GROWS = (
    f"growth was not measured: no length and no whole number has a range of {_LEAST_RANGE} or more"
)


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
