"""Find the size of stress cases and the time limit from measured growth."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.authoring.calls import Fault
from steelyard.authoring.pipeline._inputs import case_of
from steelyard.authoring.references import Program, Runs, Smallest, weigh
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Record, StressSize
from steelyard.strength import NOTHING_GROWS, fit_limit, growth_of, main_size

Args = tuple[JsonValue, ...]


class Grown(Record):
    """Stress cases of the size that separates fast solutions from slow ones."""

    size: StressSize | None = None
    cases: tuple[AuthoredCase, ...] = ()
    fault: str = ""
    """The reason why there is no size."""


def grow(
    runs: Runs,
    cases: Sequence[AuthoredCase],
    programs: Sequence[Program],
    solution: Program,
    brute_force: Program | None,
    smallest: Smallest,
    pool: CellPool,
    seed: int,
) -> Grown:
    """Return stress cases with their outputs, and the measured size.

    Its time limit suits all cases.

    Args:
        runs: Runs the solutions; it remembers what they did with the cases.
        cases: The suite so far.
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
    weighed = weigh(runs, programs, new, smallest).cases
    every = [args_of(case.input) for case in (*cases, *weighed)]
    fast_ms = _times(runs, solution, every)
    slow_ms = _times(runs, brute_force, every) if brute_force else [0.0] * len(every)
    size = fit_limit(found.size, [main.of(args) for args in every], fast_ms, slow_ms)
    return Grown(size=size, cases=weighed)


def _times(runs: Runs, program: Program, inputs: Sequence[Args]) -> list[float]:
    """Return the CPU time on each input in milliseconds; 0 for one on which it failed."""
    voice = runs.voice(program)
    if isinstance(voice, Fault):
        return [0.0] * len(inputs)
    return [each.spent_ms for each in runs.outcomes(voice, inputs)]
