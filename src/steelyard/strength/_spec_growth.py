"""Measure growth on inputs of a specification, of the kind that is hardest for a slow program."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.families import args_of
from steelyard.plain import parse_type
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Entry, StressSize
from steelyard.strength._growth import stress_size
from steelyard.strength._main_size import MainSize

_KINDS = 6
_STRESS_CASES = 3


@dataclass(frozen=True, slots=True)
class Growth:
    """The size of stress cases, and inputs of that size without outputs."""

    size: StressSize
    cases: tuple[AuthoredCase, ...]


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
                found.setdefault(_kind(case), case)
                if kind is not None and kind in found:
                    return found
            self._is_whole.add(n)
        if not found:
            raise SpecificationError(
                f"no input with {self._main.quantity} == {n:,} was found; give a time limit"
            )
        return found


def _kind(case: AuthoredCase) -> str:
    """Return what made an input, apart from sizes and bounds."""
    return re.sub(r"-?\d+", "n", case.origin)
