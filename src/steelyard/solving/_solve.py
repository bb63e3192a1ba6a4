"""Solve one problem in one call."""

from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.options import in_loop
from steelyard.profiling import BUDGET_S
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, OnEvent, ProblemInput, RunResult, SolutionLanguage
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import as_problem, read_generator
from steelyard.solving._solver import Solver


@checks_arguments
async def asolve(
    problem: ProblemInput | Path | str,
    *,
    generator: Path | str | None = None,
    planner: str | None = None,
    coder: str | None = None,
    analyst: str | None = None,
    language: SolutionLanguage = "cpp",
    max_iter: int = 3,
    max_plans: int = 2,
    diminish_delta: float = 0.05,
    max_cost_usd: float | None = None,
    max_tokens: int | None = None,
    allow_unmeasured: bool = False,
    budget_s: float = BUDGET_S,
    logs: Path | str | None = "logs",
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> RunResult:
    """Drive models to a program that is right and efficient.

    Args:
        problem: A `ProblemInput`. A `Path` is a problem's JSON file; a `str` is its statement.
        generator: Path of a Python module with `generate(n, seed)`, for profiling.
        planner: Model that plans, as `provider:model`; None is the configured one.
        coder: Model that writes the program.
        analyst: Model for figures that leave a doubt.
        language: Language of the program: `cpp` or `python`.
        max_iter: Programs that the coder may write.
        max_plans: Plans that the static rules may refuse one after the other.
        diminish_delta: Stop when an iteration improves by less than this share.
        max_cost_usd: Hard limit on model spending, in US dollars.
        max_tokens: Hard limit on tokens.
        allow_unmeasured: Accept a program although evidence for its correctness or its efficiency
            is missing.
        budget_s: Rough bound on the time of all runs of one profile, in seconds.
        logs: Folder for artefacts; None keeps none.
        pool: Where programs run; None is the pool that the process shares.
        limits: Limits that replace the problem's own; only those that are set count.
        seed: Seed for inputs, and for models that take one; None draws one.
        on_event: Called with each stage as it begins.

    Raises:
        UsageError: if the call is wrong.
        InfrastructureError: if the machine failed before a model was asked.
    """
    models = {"planner": planner, "coder": coder, "analyst": analyst}
    options = SolveOptions.of(
        language=language,
        max_iter=max_iter,
        max_plans=max_plans,
        diminish_delta=diminish_delta,
        max_cost_usd=max_cost_usd,
        max_tokens=max_tokens,
        allow_unmeasured=allow_unmeasured,
        budget_s=budget_s,
        pool=pool,
        limits=limits,
        seed=seed,
        on_event=on_event,
        **{role: name for role, name in models.items() if name is not None},
    )
    task = as_problem(problem)
    if generator is not None:
        task = task.model_copy(update={"input_generator": read_generator(Path(generator))})
    return await Solver(options, logs=logs).asolve(task)


solve = in_loop(asolve, "solve")
