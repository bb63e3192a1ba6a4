"""The job of solving: models write a program that is right and efficient."""

from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args

from steelyard.job import FormField, Job, JobForm, JobRequest, Needs
from steelyard.options import Flag, Options
from steelyard.reports import counted
from steelyard.schemas import Limits, ProblemInput, RunResult, SolutionLanguage, StopCause
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import problem_of_text
from steelyard.solving._solver import Solver
from steelyard.solving._view import view

_UNSOLVED: dict[StopCause, str] = {
    "unproved": "nothing shows that the program is right",
    "unmeasured": "nothing shows that the program is fast enough",
    "pruned": "no plan was allowed",
    "diminishing": "the last tries did not improve it",
    "max-iterations": "the iterations are used up",
    "agent-crashes": "the models' replies were not usable",
    "budget": "the budget is spent",
    "models": "a model did not answer",
    "sandbox": "the machine failed",
    "logs": "files could not be written",
}


class SolveRequest(JobRequest):
    """A problem to solve."""

    problem: Annotated[ProblemInput, Flag("PROBLEM.json")]
    """The problem."""

    def subject(self, _options: Options) -> str:
        """Name the problem; a text from a page or a file has no name but its hash."""
        own = self.problem
        return own.prompt if own.task_id.startswith("text-") else own.task_id

    def needs(self, _options: Options) -> Needs:
        """Return what the request asks of a service."""
        own = self.problem
        cpu_ms = max(1, round(own.constraints.runtime_limit))
        limits = Limits(cpu_ms=cpu_ms, wall_ms=cpu_ms, memory_mib=int(own.constraints.memory_limit))
        sources = (own.prompt, own.input_generator or "")
        return Needs(sources, len(own.unit_tests), limits)


def run(request: SolveRequest, options: SolveOptions, folder: Path | None) -> Awaitable[RunResult]:
    """Drive models to a program that is right and efficient, as a run that outlives the request."""
    solver = Solver(options, logs=folder)
    if folder is not None and (folder / request.problem.task_id / _HEAD).exists():
        return solver.aresume(folder / request.problem.task_id)
    return solver.asolve(request.problem)


def outcome(report: RunResult) -> str:
    """Return the end of the run in a few words."""
    tests = counted(report.tests, "test")
    passed = f", {report.tests_passed:,} of {tests} passed" if report.tests else ""
    if report.passed:
        return f"solved{passed}"
    return f"not solved, {_UNSOLVED.get(report.stop, report.reason)}"


def _of_form(given: Mapping[str, str]) -> dict[str, Any]:
    rest = {name: value for name, value in given.items() if name != "text"}
    return {"problem": problem_of_text(given["text"]), **rest}


_HEAD = "run.json"
JOB = Job(
    name="solve",
    request=SolveRequest,
    options=SolveOptions,
    report=RunResult,
    run=run,
    view=view,
    outcome=outcome,
    advice="It costs money and minutes. Prefer to write the program yourself and use `judge` "
    "and `profile`; use this for hard problems or to get an independent solution.",
    tool=("problem", "language", "max_cost_usd"),
    own_form=JobForm(
        "Solve a problem",
        "Models write a program, which is tested and measured until it is right and efficient. It "
        "costs what the models cost.",
        "Solve",
        (
            FormField("text", "Problem", "prose"),
            FormField(
                "language", "Language of the program", "choice", choices=get_args(SolutionLanguage)
            ),
            FormField("max_iter", "Iterations at most", "number", "3", least=1, most=50),
        ),
        _of_form,
    ),
    scope="author",
    document="problem",
    example={
        "task_id": "sum-of-numbers",
        "prompt": "Read n, then n integers. Print their sum.",
        "constraints": {"runtime_limit": 2000, "memory_limit": 512},
        "unit_tests": [{"input": "2\n20 22\n", "output": "42\n"}],
        "input_bounds": {"n": 100_000},
    },
)
