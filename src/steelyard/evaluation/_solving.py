"""The jobs of an evaluation of the whole solve loop."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import TestsError
from steelyard.evaluation._job_data import SolveData
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._record import place_of
from steelyard.evaluation._tasks import Prepared, own_seed
from steelyard.evaluation._work import paid_usd
from steelyard.judging import extract_tests
from steelyard.schemas import (
    Constraints,
    EngineJob,
    EngineNode,
    EvaluatedSample,
    Limits,
    ProblemInput,
    TestSuite,
    UnitTest,
    canonical_json,
)
from steelyard.solving import SolveOptions

_SHARES = 4
"""A run may cost this part of what each worker's share of the whole budget is."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """The most that one run of solve may use; None for no limit."""

    cost_usd: float | None = None
    tokens: int | None = None


def budgets_of(options: EvaluateOptions, runs: int, nodes: Iterable[EngineNode]) -> Budgets:
    """Return what one run may use, such that all workers of the engine can be busy.

    Args:
        options: The options of the evaluation, with the limits of all runs together.
        runs: Number of runs.
        nodes: The engine's machines.
    """
    workers = max(1, sum(node.workers for node in nodes))
    cost_usd, tokens = options.max_cost_usd, options.max_tokens
    return Budgets(
        None if cost_usd is None else cost_usd / max(1, min(runs, _SHARES * workers)),
        None if tokens is None else tokens // max(1, runs),
    )


def paid_for_all_usd(folder: Path) -> float:
    """Return what the runs of solve in an evaluation's folder have cost."""
    return sum(paid_usd(head.parent) for head in folder.glob("results/*/seed_*/sample_*/run.json"))


def solve_job(
    prepared: Prepared,
    stub: EvaluatedSample,
    options: EvaluateOptions,
    folder: Path,
    budgets: Budgets,
) -> EngineJob:
    """Return the job of one run of solve.

    Models are shown the statement and the visible tests only. The whole suite decides.

    Args:
        prepared: The task.
        stub: The sample's place.
        options: The options of the evaluation.
        folder: Its folder: artefacts are kept in it.
        budgets: What the run may use.
    """
    task = prepared.task
    limits = prepared.data.limits or Limits()
    problem = ProblemInput(
        task_id=f"sample_{stub.sample}",
        prompt=task.prompt,
        constraints=Constraints(
            runtime_limit=prepared.line.time_limit_ms, memory_limit=limits.memory_mib
        ),
        unit_tests=_visible(prepared),
        input_bounds=task.input_bounds,
        input_generator=task.input_generator,
        match_mode=task.match_mode,
    )
    solving = SolveOptions.of(
        **(
            {"planner": options.model, "coder": options.model, "analyst": options.model}
            if options.model
            else {}
        ),
        language=options.solve_language(),
        max_iter=options.replans + 1,
        max_cost_usd=budgets.cost_usd,
        max_tokens=budgets.tokens,
        seed=own_seed(stub),
    )
    shown = solving.model_dump(mode="json", exclude={"limits"})
    logs = folder.resolve() / place_of(stub)
    data = SolveData(
        **prepared.data.model_dump(exclude={"program", "language"}),
        problem=problem.model_dump(mode="json"),
        options=shown,
        logs=str(logs),
    )
    shaping = {name: each for name, each in shown.items() if name not in SolveOptions.bounds}
    origin = canonical_json({"problem": data.problem, "options": shaping})
    return EngineJob(
        key=prepared.key("", shown["language"], origin=origin),
        kind="solve",
        data=data.model_dump(mode="json"),
        blobs=(prepared.digest,),
        max_cost_usd=max(0.0, (budgets.cost_usd or 0.0) - paid_usd(logs / problem.task_id)),
    )


def _visible(prepared: Prepared) -> tuple[UnitTest, ...]:
    """Return the tests that a task shows: those marked so, else the samples in its statement."""
    shown = [case for case in prepared.suite.cases if case.category == "visible"]
    if not shown:
        try:
            found = extract_tests(prepared.task.prompt).suite
        except TestsError:
            found = TestSuite()
        shown = list(found.cases) if found.entry_kind == "stdio" else []
    return tuple(
        UnitTest(
            input=case.input.decode("utf-8", "replace"),
            output=case.expected.decode("utf-8", "replace"),
        )
        for case in shown
    )
