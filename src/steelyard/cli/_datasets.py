"""`steelyard datasets`: tasks of known data sets in and out."""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._datasets_check import check
from steelyard.cli._datasets_faults import Faults, report, written
from steelyard.cli._datasets_fetch import fetch
from steelyard.cli._groups import Command, Group
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.errors import DatasetError, UsageError
from steelyard.rendering import count, counted, visible

if TYPE_CHECKING:
    from steelyard.schemas import Task

__all__ = ["Form", "Limit", "Source", "datasets", "tasks_of"]

datasets = typer.Typer(
    cls=Group,
    help="Import, export, check and show tasks of known data sets.",
    add_completion=False,
    epilog="A SOURCE is core, humaneval, a file (.jsonl, .json, .parquet, also gzipped; .html), a "
    "folder, or hf:NAME[:CONFIG][@SPLIT] for a data set of Hugging Face. Code in a data set is "
    "data: only `check` runs it, in cells.",
)

Source = Annotated[str, typer.Argument(help="Name, file or folder of the data set.")]
Form = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="NAME", show_default="by the fields",
        help="Format of the rows, such as livecodebench.",
    ),
]  # fmt: skip
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=1, show_default="all", help="Number of tasks."),
]


@datasets.callback(invoke_without_command=True)
def options(context: typer.Context) -> None:
    """Import, export, check and show tasks of known data sets."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)


datasets.command(cls=Command)(fetch)
datasets.command(cls=Command)(check)


@datasets.command("import", cls=Command)
def import_tasks(
    source: Source,
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="File NAME.jsonl, or a folder.")
    ],
    format: Form = None,  # noqa: A002
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Write the tasks of a data set in Steelyard's own form.

    Rows without a usable task are reported and left out. Exit status 1 if no task is written.
    """
    _write(source, out, "steelyard", form=format, limit=limit, json=json)


@datasets.command("export", cls=Command)
def export_tasks(
    source: Source,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File NAME.jsonl.")],
    to: Annotated[
        str,
        typer.Option("--to", metavar="NAME", help="`trainer`: columns for a reward function. "
                     "`steelyard`: Steelyard's own form."),
    ] = "trainer",
    format: Form = None,  # noqa: A002
    limit: Limit = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Write the tasks of a data set as rows for a trainer."""
    _write(source, out, to, form=format, limit=limit, json=json)


@datasets.command(cls=Command)
def validate(source: Source, format: Form = None, json: Json = False) -> None:  # noqa: A002
    """Read every row; report those without a usable task. Exit status 1 if a row is reported."""
    faults = Faults(json)
    tasks = tests = 0
    for task in tasks_of(source, format, faults):
        tasks += 1
        tests += len(task.tests)
    passed = bool(tasks) and not faults.number
    fields = {"source": source, "passed": passed, "tasks": tasks, "tests": tests}
    report(fields, f"{counted(tasks, 'task')} with {counted(tests, 'test')}", faults)
    if not passed:
        raise typer.Exit(1)


@datasets.command(cls=Command)
def show(
    source: Annotated[
        str | None, typer.Argument(metavar="[SOURCE]", help="Name, file or folder.")
    ] = None,
    task_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Task to show in full.")
    ] = None,
    format: Form = None,  # noqa: A002
    limit: Limit = None,
    json: Json = False,
) -> None:
    """List the known formats, or the tasks of a data set, or show one task in full.

    Exit status 1 if the data set has no task.
    """
    if source is None:
        _show_formats(json)
        return
    faults = Faults(json)
    found = tasks_of(source, format, faults)
    if task_id is not None:
        task = next((each for each in found if each.id == task_id), None)
        if task is None:
            raise DatasetError(f"{source} has no task {task_id!r}; check the id")
        _show_task(task, json)
        return
    _list(list(islice(found, limit)), source, faults, json)


@datasets.command(cls=Command)
def sample(
    source: Source,
    number: Annotated[
        int, typer.Option("--number", "-n", metavar="N", min=1, help="Number of tasks.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = 0,
    format: Form = None,  # noqa: A002
    json: Json = False,
) -> None:
    """Draw tasks at random, each with the same chance, in one pass over the data set."""
    faults = Faults(json)
    draw = random.Random(seed)  # noqa: S311  (not for secrets)
    kept: list[tuple[int, Task]] = []
    for index, task in enumerate(tasks_of(source, format, faults)):
        if index < number:
            kept.append((index, task))
        elif (slot := draw.randrange(index + 1)) < number:
            kept[slot] = (index, task)
    kept.sort(key=lambda pair: pair[0])
    _list([task for _, task in kept], source, faults, json)


def tasks_of(source: str, form: str | None, faults: Faults) -> "Iterator[Task]":
    """Yield the tasks of a data set; rows without a usable task go to `faults`."""
    from steelyard.datasets import open_benchmark, read_tasks  # noqa: PLC0415

    opened = open_benchmark(source)
    return read_tasks(opened.source, format=form, on_fault=faults.add)


def _write(
    source: str,
    out: Path,
    to: Any,
    *,
    form: str | None,
    limit: int | None,
    json: bool,
) -> None:
    from steelyard.datasets import write_tasks  # noqa: PLC0415

    faults = Faults(json)
    number = write_tasks(islice(tasks_of(source, form, faults), limit), out, format=to)
    fields = {"source": source, "out": str(out), "tasks": number}
    report(fields, written(number, out), faults)
    if not number:
        raise typer.Exit(1)


def _show_formats(json: bool) -> None:
    from steelyard.datasets import FORMATS  # noqa: PLC0415

    rows = [(each.name, each.license, each.tested_on, each.url) for each in FORMATS]
    names = ("format", "license", "tested on", "source")
    if json:
        print_json({"formats": [dict(zip(names, row, strict=True)) for row in rows]})
        return
    _print_table(names, dict.fromkeys(rows))


def _list(tasks: "list[Task]", source: str, faults: Faults, json: bool) -> None:
    if json:
        print_json({
            "source": source, "tasks": [task.model_dump(mode="json") for task in tasks],
            "left_out": faults.number, "faults": faults.first,
        })  # fmt: skip
    else:
        _print_tasks(tasks)
    if not tasks:
        raise typer.Exit(1)


def _print_tasks(tasks: "list[Task]") -> None:
    _print_table(
        ("id", "title", "entry", "tests", "difficulty", "license"),
        [
            (task.id, task.title, task.entry, str(len(task.tests)), task.difficulty,
             task.provenance.license)
            for task in tasks
        ],
    )  # fmt: skip


def _print_table(names: tuple[str, ...], rows: Any) -> None:
    table = Table()
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    report_console().print(table)


def _show_task(task: "Task", json: bool) -> None:
    if json:
        print_json(task.model_dump_json(indent=2))
        return
    console = report_console()
    held = {
        "task": task.id, "source": task.source, "title": task.title, "entry": task.entry,
        "language": task.language or "any", "tests": count(len(task.tests)),
        "solutions": count(len(task.solutions)), "license": task.provenance.license,
        "from": f"{task.provenance.file}:{task.provenance.row}", "url": task.provenance.url,
    }  # fmt: skip
    for name, value in held.items():
        if value:
            console.print(Text(f"{name:<10} {visible(value)}"), soft_wrap=True)
    console.print()
    for line in task.prompt.splitlines():
        console.print(Text(visible(line)), soft_wrap=True)
