"""`steelyard show` and `steelyard replay`: runs of the solve loop that have ended."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType

from steelyard.cli._console import report_console
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.errors import UsageError
from steelyard.settings import current_settings

if TYPE_CHECKING:
    from steelyard.solving import Pruner

Rules = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Static rules.", show_default="the bundled rules"),
]
Run = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run, or name of a task.")]


def show(
    folder: Run,
    code: Annotated[bool, typer.Option("--code", help="Show each program too.")] = False,
    json: Json = False,
) -> None:
    """Show a run of solve: plans, programs, tests and decisions."""
    from steelyard.solving import read_story  # noqa: PLC0415
    from steelyard.solving.reporting import StoryView, story_json  # noqa: PLC0415

    story = read_story(run_in(folder))
    print_result(StoryView(story, shows_code=code), story_json(story), json=json)


def replay(folder: Run, rules: Rules = None, json: Json = False) -> None:
    """Repeat a run of solve from its files, without models.

    The same decisions must follow.
    """
    from steelyard.solving import Solver  # noqa: PLC0415
    from steelyard.solving.reporting import ReplayView  # noqa: PLC0415

    solver = Solver(logs=None, caching=False, pruner=pruner_of(rules))
    done = asyncio.run(solver.areplay(run_in(folder)))
    plain = {"result": done.result.to_dict(), "differences": list(done.differences)}
    print_result(ReplayView(done), plain, json=json)
    raise typer.Exit(1 if done.differences else 0)


def run_in(folder: Path) -> Path:
    """The folder, or the one of the task of that name."""
    named = current_settings().logs / folder
    there = os.path.exists  # Path.exists raises for some names
    return named if not there(folder) and there(named) else folder


def pruner_of(rules: Path | None) -> "Pruner | None":
    from steelyard.solving import Pruner  # noqa: PLC0415

    if rules is None:
        return None
    if not os.path.isfile(rules):  # Path.is_file raises for some names
        raise UsageError(f"--rules: {rules} is not a file; name a file of static rules")
    pruner = Pruner(rules)
    if pruner.problems:
        raise UsageError(f"--rules: {pruner.problems[0]}; correct it in {rules}")
    return pruner


def print_result(view: RenderableType, plain: dict[str, Any], *, json: bool) -> None:
    if json:
        print_json(plain)
    else:
        console = report_console()  # lines are folded for a terminal alone
        console.print(view, crop=False, soft_wrap=not console.is_terminal)
