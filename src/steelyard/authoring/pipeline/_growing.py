"""Find the size of stress cases and the time limit from measured growth."""

from collections.abc import Sequence

from steelyard.authoring.pipeline._inputs import case_of
from steelyard.authoring.references import Program, Runs, Smallest, weigh
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Record, StressSize
from steelyard.strength import NOTHING_GROWS, growth_of, main_size

__all__ = ["Grown", "grow"]


class Grown(Record):
    """Stress cases of the size that separates fast solutions from slow ones."""

    size: StressSize | None = None
    cases: tuple[AuthoredCase, ...] = ()
    fault: str = ""
    """The reason why there is no size."""


def grow(
    runs: Runs,
    programs: Sequence[Program],
    solution: Program,
    brute_force: Program | None,
    smallest: Smallest,
    pool: CellPool,
    seed: int,
) -> Grown:
    """Return stress cases with their outputs, and the measured size.

    Args:
        runs: Runs the solutions.
        programs: All solutions.
        solution: The one that gives all outputs.
        brute_force: One that need not be fast.
        smallest: For the evidence.
        pool: Where programs are measured.
        seed: Of the inputs.

    Raises:
        InfrastructureError: if the machine failed.
    """
    main = main_size(runs.spec, seed)
    if main is None:
        return Grown(fault=NOTHING_GROWS)
    try:
        found = growth_of(
            main, solution.source, brute_force.source if brute_force else None, pool=pool
        )
        new = [
            case_of(args_of(each.input), "stress", f"growth {each.origin}") for each in found.cases
        ]
    except UsageError as error:
        return Grown(fault=f"growth was not measured: {error}")
    return Grown(size=found.size, cases=weigh(runs, programs, new, smallest).cases)
