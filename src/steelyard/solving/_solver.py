"""Open models and folders, and run the loop: new, resumed, or from artefacts."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.errors import RecordingError
from steelyard.journal import (
    Journal,
    exchanges_in,
    open_budget,
    open_models,
    read_record,
    recorded_models,
)
from steelyard.models import Budget, Model
from steelyard.options import in_loop
from steelyard.profiling import BUDGET_S
from steelyard.sandbox import CellPool
from steelyard.schemas import Event, Limits, OnEvent, ProblemInput, RunResult, SolutionLanguage
from steelyard.solving._agents import Agents
from steelyard.solving._evaluator import Evaluator, require_own_generator
from steelyard.solving._history import RunHead, read_head
from steelyard.solving._loop import Loop
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import (
    as_problem,
    read_generator,
    require_encodable,
    require_plain,
    within,
)
from steelyard.solving.pruning import Pruner

_FROM_OUTSIDE = ("models", "sandbox", "logs")
"""Ends that do not follow from a decision of the loop."""
_DECIDED = {
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
"""Fields of a result that follow from decisions."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A run rebuilt from its artefacts."""

    result: RunResult
    recorded: RunResult
    """The result of the original run."""
    differences: tuple[str, ...]
    """Artefacts that differ in the replay; empty if all decisions are the same."""


def _require_name(folder: Path) -> None:
    """Require that a folder's name can be written to the result."""
    require_encodable("the folder's name", str(folder))


def _names(options: SolveOptions) -> dict[str, str]:
    return {"planner": options.planner, "coder": options.coder, "analyst": options.analyst}


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


class Solver:
    """Solves problems with models, a judge and a profiler.

    Args:
        options: Models, language, bounds.
        logs: Folder for artefacts, in which each task has a folder; None keeps none.
        models: Models to use in place of those that the options name, by role.
        pruner: The static rules; None is the package's.
        caching: Keep replies beyond the run, and reuse them.
    """

    def __init__(
        self,
        options: SolveOptions | None = None,
        *,
        logs: Path | str | None = "logs",
        models: Mapping[str, Model] | None = None,
        pruner: Pruner | None = None,
        caching: bool = True,
    ) -> None:
        self.options = options or SolveOptions()
        self._logs = Path(logs) if logs is not None else None
        self._models, self._caching = models, caching
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
        if self._logs is not None:
            _require_name(self._logs)
        with ExitStack() as stack:
            models = open_models(
                _names(options), (), stack, given=self._models, caching=self._caching
            )
            budget = open_budget(options.max_cost_usd, options.max_tokens, models)
            evaluator = Evaluator(problem, options, options.cells)
            head = RunHead(
                task_id=problem.task_id, problem=problem, options=options, flags=evaluator.flags
            )
            if problem.input_generator is not None:
                await self._check_generator(problem, evaluator, options)
            journal = Journal(None, problem.task_id)
            if self._logs is not None:
                journal = Journal.begin(self._logs / problem.task_id, head)
                stack.callback(journal.unlock)
            return await self._run(head, journal, models, budget, evaluator)

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
        folder = Path(folder)
        _require_name(folder)
        head = read_head(folder)
        with ExitStack() as stack:
            journal = Journal.reopen(folder, head.task_id)
            stack.callback(journal.unlock)
            options = head.options.changed(
                max_iter=max_iter,
                diminish_delta=diminish_delta,
                max_cost_usd=max_cost_usd,
                max_tokens=max_tokens,
                allow_unmeasured=allow_unmeasured,
                budget_s=budget_s,
            )
            models = open_models(
                _names(options),
                exchanges_in(folder),
                stack,
                given=self._models,
                caching=self._caching,
            )
            budget = open_budget(options.max_cost_usd, options.max_tokens, models)
            if options != head.options:
                head = head.model_copy(update={"options": options})
                journal.write("run", head)
            evaluator = Evaluator(head.problem, head.options, self.options.cells)
            return await self._run(head, journal, models, budget, evaluator)

    resume = in_loop(aresume, "resume")

    async def areplay(self, folder: Path | str) -> Replay:
        """Run again from artefacts alone: no model is asked, nothing is run or written.

        Raises:
            UsageError: if the folder holds no run, or one that was interrupted.
        """
        folder = Path(folder)
        _require_name(folder)
        head = read_head(folder)
        file = folder / "result.json"
        if not file.exists():
            raise RecordingError(
                f"{folder}: the run was interrupted; resume it with --resume {folder}"
            )
        recorded: RunResult = read_record(file, RunResult)
        models = recorded_models(_names(head.options), exchanges_in(folder))
        journal = Journal(folder, head.task_id, reads_only=True)
        with CellPool(1) as pool:  # unused: a replay runs nothing
            evaluator = Evaluator(head.problem, head.options, pool)
            budget = open_budget(head.options.max_cost_usd, head.options.max_tokens, models)
            result = await self._run(head, journal, models, budget, evaluator)
        ended_alike = result.stop == recorded.stop == "pruned" or (
            result.stop == "models" and recorded.stop in _FROM_OUTSIDE
        )
        if ended_alike:  # the artefacts end there without the reason
            end = {
                "status": recorded.status,
                "stop": recorded.stop,
                "reason": recorded.reason,
            }
            result = result.model_copy(update=end)
        differences = journal.differences
        if result.model_dump(include=_DECIDED) != recorded.model_dump(include=_DECIDED):
            differences += ("result",)
        return Replay(result, recorded, differences)

    replay = in_loop(areplay, "replay")

    # -------------------------------------------------------------------------------- a run

    async def _check_generator(
        self, problem: ProblemInput, evaluator: Evaluator, options: SolveOptions
    ) -> None:
        """Require that the user's generator works before anything is paid for."""
        self.options.emit(Event(job="solve", stage="generator"))
        await asyncio.to_thread(
            require_own_generator, problem, evaluator, options.fixed_seed(), options.cells
        )

    async def _run(
        self,
        head: RunHead,
        journal: Journal,
        models: Mapping[str, Model],
        budget: Budget,
        evaluator: Evaluator,
    ) -> RunResult:
        problem, options = head.problem, head.options
        agents = Agents(models, problem, options, journal, budget, head.flags)
        loop = Loop(problem, options, journal, evaluator, agents, self._pruner, self.options.emit)
        return await loop.run()
