"""Measure growth on inputs of a specification, of the kind that is hardest for a slow program.

The main size of the inputs grows until it separates a slow program from a solution (`growth_of`).
For a suite that is measured, the cases of that size are counted (`suite_growth`).
"""

from dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.inputs import SpecInputs, inputs_of
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Entry, Share, StressSize
from steelyard.strength._reading import ReadySuite, StrengthOptions
from steelyard.strength._stress_size import stress_size

_STRESS_CASES = 3


@dataclass(frozen=True, slots=True)
class Growth:
    """The size of stress cases, and inputs of that size without outputs."""

    size: StressSize
    cases: tuple[AuthoredCase, ...]


def growth_of(
    inputs: SpecInputs,
    solution: str | bytes,
    brute_force: str | bytes | None,
    *,
    limit_ms: float | None = None,
    entry: Entry | str = "class:Solution.solve",
    pool: CellPool | None = None,
) -> Growth:
    """Return the size that separates a slow program from a solution, and stress inputs.

    Args:
        inputs: The inputs, whose main size grows.
        solution: The text of a fast solution in Python.
        brute_force: The text of a slow one; None if there is none.
        limit_ms: CPU time for each case; None proposes it from the measurements.
        entry: How the programs are entered.
        pool: Where they run; None is the pool that the process shares.

    Raises:
        UsageError: if a program fails, or there are no inputs of some size.
        InfrastructureError: if the machine failed.
    """
    size = inputs.size
    found = stress_size(
        solution,
        brute_force,
        inputs,
        most_n=size.most,
        least_n=size.least,
        limit_ms=limit_ms,
        entry=str(entry),
        pool=pool,
        seed=inputs.seed,
    )
    cases = inputs.cases(found.n, [found.kind, *inputs.kinds(found.n)])[:_STRESS_CASES]
    known = {"quantity": size.quantity, "kind": cases[0].origin}
    return Growth(found.model_copy(update=known), tuple(cases))


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
    inputs = inputs_of(spec, seed=options.seed or 0)
    try:
        size = inputs.size
        if found is None:
            found = growth_of(
                inputs,
                solution,
                slow,
                limit_ms=given.stated_ms,
                entry=given.entry,
                pool=options.cells,
            ).size
    except UsageError as error:
        return None, f"growth was not measured: {error}"
    large = sum(args is not None and inputs.size_of(args) >= found.n for args in given.args)
    cases = Share(count=large, of=len(given.args))
    lacks = f"no case has {size.quantity} >= {found.n:,}, where the slow program is too slow"
    return (
        found.model_copy(update={"cases": cases}),
        lacks if found.separates and not cases.count else found.reason,
    )
