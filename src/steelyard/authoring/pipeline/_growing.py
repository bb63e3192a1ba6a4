"""Find the size of stress cases and the time limit from measured growth."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.authoring.pipeline._inputs import case_of
from steelyard.authoring.pipeline._sizes import MainSize
from steelyard.authoring.plain import parse_type
from steelyard.authoring.references import Program, Runs, Smallest, weigh
from steelyard.authoring.strength import stress_size
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Record, Specification, StressSize

__all__ = ["Grown", "grow"]

_STRESS_CASES = 3


class Grown(Record):
    """Stress cases of the size that separates fast solutions from slow ones."""

    size: StressSize | None = None
    quantity: str = ""
    """The size that grows, such as `len(nums)`."""
    cases: tuple[AuthoredCase, ...] = ()
    fault: str = ""
    """The reason why there is no size."""


def grow(
    runs: Runs,
    programs: Sequence[Program],
    solution: Program,
    brute_force: Program | None,
    size: MainSize,
    smallest: Smallest,
    pool: CellPool,
) -> Grown:
    """Return stress cases with their outputs, and the measured size.

    Args:
        runs: Runs the solutions.
        programs: All solutions.
        solution: The one that gives all outputs.
        brute_force: One that need not be fast.
        size: What grows.
        smallest: For the evidence.
        pool: Where programs are measured.

    Raises:
        InfrastructureError: if the machine failed.
    """
    spec = runs.spec
    try:
        found = stress_size(
            solution.source, brute_force.source if brute_force else None,
            lambda n: _call(spec, size, n), most_n=size.most, least_n=size.least, pool=pool,
            seed=size.seed,
        )  # fmt: skip
        inputs = size.inputs(found.n, _STRESS_CASES)
    except UsageError as error:
        return Grown(quantity=size.quantity, fault=str(error))
    origin = f"growth {size.quantity} == {found.n}"
    new = [case_of(args, "stress", origin) for args in inputs]
    return Grown(
        size=found, quantity=size.quantity, cases=weigh(runs, programs, new, smallest).cases
    )


def _call(spec: Specification, size: MainSize, n: int) -> Sequence[JsonValue]:
    kinds = [parse_type(each.type) for each in spec.parameters]
    return [kind.value_of(each) for kind, each in zip(kinds, size.args(n), strict=True)]
