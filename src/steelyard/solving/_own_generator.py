"""Check the user's own input generator before any model is paid for."""

from steelyard.errors import GeneratorError
from steelyard.profiling import Point
from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput
from steelyard.solving._bench import Bench
from steelyard.solving._inputs import source_of

_SMALL = 5


def require_own_generator(problem: ProblemInput, bench: Bench, seed: int, pool: CellPool) -> None:
    """Make sure that the problem's generator, if any, makes valid inputs.

    If only the planner will state bounds, just one small input is made.

    Args:
        problem: The problem, with its generator and bounds.
        bench: The bench of this problem.
        seed: Seed of the inputs.
        pool: Where the generator runs.

    Raises:
        GeneratorError: if it does not; the message has the reason.
        InfrastructureError: if the machine failed.
    """
    text = problem.input_generator
    if text is None:
        return
    fault: str | None = None
    if problem.input_bounds:
        fault = bench.fault_of(text, dict(problem.input_bounds))
    else:
        try:
            source = source_of(text, pool)
            if source.says.n_max is None:
                source.check([Point(max(_SMALL, source.says.n_min or 1))], seed)
            else:
                fault = bench.fault_of(text, {})
        except GeneratorError as error:
            fault = str(error)
    if fault is not None:
        raise GeneratorError(f"input_generator: {fault}")
