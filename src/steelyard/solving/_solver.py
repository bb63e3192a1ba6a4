"""Solve problems: begin runs of the loop, and resume them."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.models import Model
from steelyard.options import in_loop
from steelyard.profiling import BUDGET_S
from steelyard.runs import Run, Runner
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, OnEvent, ProblemInput, RunResult, SolutionLanguage
from steelyard.solving._evaluator import Evaluator, require_own_generator
from steelyard.solving._history import RunHead
from steelyard.solving._loop import Loop
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import (
    as_problem,
    read_generator,
    require_plain,
    within,
)
from steelyard.solving._roles import MODEL_OF
from steelyard.solving.pruning import Pruner


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


class Solver(Runner[RunHead, RunResult]):
    """Solves problems with models, a judge and a profiler.

    Args:
        options: Models, language, bounds.
        logs: Folder for artefacts, in which each task has a folder; None keeps none.
        models: Models to use in place of those that the options name, by role.
        pruner: The static rules; None is the package's.
        caching: Keep replies beyond the run, and reuse them.
    """

    options: SolveOptions
    job = "solve"
    head_form, report_form = RunHead, RunResult
    decided = frozenset(
        {
            "status",
            "stop",
            "reason",
            "code",
            "plan",
            "tests_passed",
            "tests",
            "iterations",
            "pruned",
            "growth",
            "evidence",
        }
    )
    model_of = MODEL_OF

    @checks_arguments
    def __init__(
        self,
        options: SolveOptions | None = None,
        *,
        logs: Path | str | None = "logs",
        models: Mapping[str, Model] | None = None,
        pruner: Pruner | None = None,
        caching: bool = True,
    ) -> None:
        super().__init__(options or SolveOptions(), models, caching=caching)
        self._logs = Path(logs) if logs is not None else None
        self._pruner = pruner or Pruner()

    async def asolve(self, problem: ProblemInput | Path | str) -> RunResult:
        """Solve a problem.

        Failures of models and programs are in the result. Only a wrong call raises.

        Args:
            problem: A `Path` is a problem's JSON file; a `str` is its statement in prose.

        Raises:
            UsageError: if the call is wrong: a model's name, a key, a folder that is in use, the
                problem's own generator.
            InfrastructureError: if the machine failed before a model was asked.
        """
        problem = within(as_problem(problem), self.options.limits)
        options = self.options.model_copy(
            update={"seed": self.options.fixed_seed(), "limits": None}
        )
        require_plain(problem)
        with ExitStack() as stack:
            run = self._open(options, stack)
            evaluator = Evaluator(problem, options, run.pool)
            head = RunHead(
                task_id=problem.task_id, problem=problem, options=options, flags=evaluator.flags
            )
            if problem.input_generator is not None:
                run.notify("generator")
                seed = options.fixed_seed()
                await asyncio.to_thread(require_own_generator, problem, evaluator, seed, run.pool)
            if self._logs is not None:
                run.begin(self._logs / problem.task_id, head)
            return await self._finish(head, run)

    solve = in_loop(asolve, "solve")

    async def aresume(
        self,
        folder: Path | str,
        *,
        max_iter: int | None = None,
        diminish_delta: float | None = None,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
        allow_unmeasured: bool | None = None,
        budget_s: float | None = None,
    ) -> RunResult:
        """Resume a run that was ended: what was paid for and measured is not done again.

        Args:
            folder: The run's folder.
            max_iter: New bound on programs; None keeps the run's own, as for all bounds.
            diminish_delta: New bound on the gain of an iteration.
            max_cost_usd: New bound on model spending, in US dollars.
            max_tokens: New bound on tokens.
            allow_unmeasured: Accept a program although evidence is missing.
            budget_s: New bound on the time of one profile, in seconds.

        Raises:
            UsageError: if the folder holds no run or is in use, or the call is wrong.
        """
        return await self._resume(
            folder,
            max_iter=max_iter,
            diminish_delta=diminish_delta,
            max_cost_usd=max_cost_usd,
            max_tokens=max_tokens,
            allow_unmeasured=allow_unmeasured,
            budget_s=budget_s,
        )

    resume = in_loop(aresume, "resume")

    async def _work(self, head: RunHead, run: Run) -> RunResult:
        evaluator = Evaluator(head.problem, head.options, run.pool)
        return await Loop(head, run, self._pruner, evaluator).run()
