"""`steelyard solve`, `show` and `replay`: runs of the solve loop."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli._flags import Chosen, flags_named, takes
from steelyard.cli._groups import ClosingCommand, DefaultGroup
from steelyard.cli._options import Caching, Json, Logs, Models, Resume
from steelyard.cli._outputs import check_output, print_result
from steelyard.cli._progress import progress
from steelyard.cli._runs import (
    announce_scripts,
    fault_of_saving,
    print_replay,
    refuse_with_resume,
    status_of,
    wait_for,
)
from steelyard.errors import GeneratorError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput
from steelyard.settings import current_settings
from steelyard.solving import SolveOptions

if TYPE_CHECKING:
    from steelyard.solving import Pruner

_ROLES = ("planner", "coder", "analyst")

solve = typer.Typer(cls=DefaultGroup, add_completion=False)


@solve.callback()
def options() -> None:
    """Solve a problem with language models, tests and profiles.

    Models plan and write. The judge and the profiler decide.

    Name the folder of a problem file that is named like a command: ./show
    """


Rules = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Static rules.", show_default="the bundled rules"),
]

Run = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run, or name of a task.")]


@solve.command(cls=ClosingCommand)
@takes(SolveOptions)
def run(
    context: typer.Context,
    chosen: Chosen[SolveOptions],
    problem: Annotated[
        Path | None, typer.Argument(metavar="PROBLEM.json", help="File of the problem.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The problem in prose, in place of a file."),
    ] = None,
    resume: Resume = None,
    models: Models = None,
    generator: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Python module with generate(n, seed) for profiling."),
    ] = None,
    rules: Rules = None,
    logs: Logs = None,
    cache: Caching = True,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the best program to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Solve a problem: what `steelyard solve PROBLEM.json` does."""
    from steelyard.runs import read_head  # noqa: PLC0415
    from steelyard.solving import RunHead, Solver, view  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if sum(each is not None for each in (problem, text, resume)) != 1:
        raise UsageError("give one problem: PROBLEM.json, --text TEXT, or --resume DIR")
    if resume is not None:
        refuse_with_resume(context, ("generator", "time_limit", "memory_limit", "logs"))
    static = _pruner_of(rules)
    given = chosen.given
    if models is not None:
        given |= {role: given.get(role, models) for role in _ROLES}
    logs = logs or current_settings().logs
    with CellPool(1) as pool, progress("solving", lines=not json) as on_event:
        options = chosen.options(pool=pool, on_event=on_event)
        solver = Solver(options, logs=logs, caching=cache, pruner=static)
        if resume is not None:
            folder = _run_in(resume)
            announced = read_head(folder, RunHead).options
            announced.changed(**given)  # which names what cannot change
            bounds = {name: given.get(name) for name in SolveOptions.bounds}
            work = solver.aresume(folder, **bounds)
        else:
            task = _problem(problem, text, generator)
            folder, announced, work = logs / task.task_id, options, solver.asolve(task)
        if not json:
            announce_scripts(getattr(announced, role) for role in _ROLES)
        try:
            with flags_named(_ROLES):
                result = wait_for(work, pool, folder, "solve", resumed=resume is not None)
        except GeneratorError as error:
            if generator is None:
                raise
            fault = str(error).removeprefix("input_generator: ")
            raise UsageError(f"--generator: {generator}: {fault}") from error
    failed = fault_of_saving(result.code.code_cpp if result.code else "", out)
    print_result(result, view(result, brief=True, code=out is None), json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(status_of(result))


@solve.command(cls=ClosingCommand)
def show(
    folder: Run,
    code: Annotated[bool, typer.Option("--code", help="Show each program too.")] = False,
    json: Json = False,
) -> None:
    """Show a run of solve: plans, programs, tests and decisions."""
    from steelyard.solving import read_solve_story, story_json, story_view  # noqa: PLC0415

    story = read_solve_story(_run_in(folder))
    print_result(story_json(story), story_view(story, code=code), json=json)


@solve.command(cls=ClosingCommand)
def replay(folder: Run, rules: Rules = None, json: Json = False) -> None:
    """Repeat a run of solve from its files, without models.

    The same decisions must follow.
    """
    from steelyard.solving import Solver, view  # noqa: PLC0415

    done = Solver(logs=None, caching=False, pruner=_pruner_of(rules)).replay(_run_in(folder))
    print_replay(done, view(done.report, brief=True, code=False), json=json, name="result")


def _run_in(folder: Path) -> Path:
    """The folder, or the one of the task of that name."""
    named = current_settings().logs / folder
    there = os.path.exists  # Path.exists raises for some names
    return named if not there(folder) and there(named) else folder


def _pruner_of(rules: Path | None) -> "Pruner | None":
    from steelyard.solving import Pruner  # noqa: PLC0415

    if rules is None:
        return None
    if not os.path.isfile(rules):  # Path.is_file raises for some names
        raise UsageError(f"--rules: {rules} is not a file; name a file of static rules")
    pruner = Pruner(rules)
    if pruner.problems:
        raise UsageError(f"--rules: {pruner.problems[0]}; correct it in {rules}")
    return pruner


def _problem(file: Path | None, text: str | None, generator: Path | None) -> ProblemInput:
    from steelyard.solving import problem_of_text, read_generator, read_problem  # noqa: PLC0415

    problem = read_problem(file) if file is not None else problem_of_text(text or "")
    if generator is None:
        return problem
    return problem.model_copy(update={"input_generator": read_generator(generator)})
