"""`steelyard datasets`: tasks of known data sets in and out."""

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
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
    from steelyard.datasets import Mapped
    from steelyard.schemas import Task

datasets = typer.Typer(
    cls=Group,
    help="Import, export, check and show tasks of known data sets.",
    add_completion=False,
    epilog="A SOURCE is core, humaneval, a file (.jsonl, .json, .parquet, also gzipped; .html), a "
    "folder, or hf:NAME[:CONFIG][@SPLIT] for a data set of Hugging Face. Code in a data set is "
    "data: only `check` runs it, in cells.",
)

Source = Annotated[str, typer.Argument(help="Name, file or folder of the data set.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        show_default="by the fields",
        help="Format of the rows, such as livecodebench.",
    ),
]
Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN,...",
        help="Columns of rows of no known format, such as prompt=question,tests=meta.tests.",
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--form",
        metavar="NAME",
        show_default="the format's",
        help="Form of the tests, such as apps.",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=1, show_default="all", help="Number of tasks."),
]


@dataclass(frozen=True, slots=True)
class Reading:
    """A data set, and the way that its rows are read."""

    source: str
    format: str | None
    map: list[str] | None = None
    form: str | None = None

    def mapped(self, faults: Faults) -> "Iterator[tuple[Task, Callable[[], Mapped | None]]]":
        """Yield the tasks, each with what the columns of its row became."""
        from steelyard.datasets import open_benchmark, read_mapped  # noqa: PLC0415

        columns = ",".join(self.map) if self.map else None
        return read_mapped(
            open_benchmark(self.source).source,
            format=self.format,
            columns=columns,
            form=self.form,
            on_fault=faults.add,
        )

    def tasks(self, faults: Faults) -> "Iterator[Task]":
        """Yield the tasks."""
        return (task for task, _ in self.mapped(faults))


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
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Write the tasks of a data set in Steelyard's own form.

    Rows without a usable task are reported and left out. Exit status 1 if no task is written.
    """
    _write(Reading(source, format, map, form), out, "steelyard", limit=limit, json=json)


@datasets.command("export", cls=Command)
def export_tasks(
    source: Source,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File NAME.jsonl.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="NAME",
            help="`trainer`: columns for a reward function. `steelyard`: Steelyard's own form.",
        ),
    ] = "trainer",
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Write the tasks of a data set as rows for a trainer."""
    _write(Reading(source, format, map, form), out, to, limit=limit, json=json)


@datasets.command(cls=Command)
def validate(
    source: Source,
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
    json: Json = False,
) -> None:
    """Read every row; report those without a usable task. Exit status 1 if a row is reported."""
    faults = Faults(json)
    tasks = tests = 0
    for task in Reading(source, format, map, form).tasks(faults):
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
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
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
    reading = Reading(source, format, map, form)
    if task_id is not None:
        found = next((each for each in reading.mapped(faults) if each[0].id == task_id), None)
        if found is None:
            raise DatasetError(f"{source} has no task {task_id!r}; check the id")
        _show_task(found[0], found[1](), json)
        return
    _list(list(islice(reading.tasks(faults), limit)), source, faults, json)


@datasets.command(cls=Command)
def sample(
    source: Source,
    number: Annotated[
        int, typer.Option("--number", "-n", metavar="N", min=1, help="Number of tasks.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = 0,
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
    json: Json = False,
) -> None:
    """Draw tasks at random, each with the same chance, in one pass over the data set."""
    faults = Faults(json)
    draw = random.Random(seed)  # noqa: S311  (not for secrets)
    kept: list[tuple[int, Task]] = []
    for index, task in enumerate(Reading(source, format, map, form).tasks(faults)):
        if index < number:
            kept.append((index, task))
        elif (slot := draw.randrange(index + 1)) < number:
            kept[slot] = (index, task)
    kept.sort(key=lambda pair: pair[0])
    _list([task for _, task in kept], source, faults, json)


def _write(reading: Reading, out: Path, to: Any, *, limit: int | None, json: bool) -> None:
    from steelyard.datasets import write_tasks  # noqa: PLC0415

    faults = Faults(json)
    number = write_tasks(islice(reading.tasks(faults), limit), out, format=to)
    fields = {"source": reading.source, "out": str(out), "tasks": number}
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
        print_json(
            {
                "source": source,
                "tasks": [task.model_dump(mode="json") for task in tasks],
                "left_out": faults.number,
                "faults": faults.first,
            }
        )
    else:
        _print_tasks(tasks)
    if not tasks:
        raise typer.Exit(1)


def _print_tasks(tasks: "list[Task]") -> None:
    _print_table(
        ("id", "title", "entry", "tests", "difficulty", "license"),
        [
            (
                task.id,
                task.title,
                task.entry,
                str(len(task.tests)),
                task.difficulty,
                task.provenance.license,
            )
            for task in tasks
        ],
    )


def _print_table(names: tuple[str, ...], rows: Any) -> None:
    table = Table()
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    report_console().print(table)


def _show_task(task: "Task", mapped: "Mapped | None", json: bool) -> None:
    if json:
        read = {"read": asdict(mapped)} if mapped else {}
        print_json({**task.model_dump(mode="json"), **read})
        return
    console = report_console()
    held = {
        "task": task.id,
        "source": task.source,
        "title": task.title,
        "entry": task.entry,
        "language": task.language or "any",
        "tests": count(len(task.tests)),
        "solutions": count(len(task.solutions)),
        "license": task.provenance.license,
        "from": f"{task.provenance.file}:{task.provenance.row}",
        "url": task.provenance.url,
    }
    for name, value in held.items():
        if value:
            console.print(Text(f"{name:<10} {visible(value)}"), soft_wrap=True)
    if mapped:
        _print_columns(mapped)
    console.print()
    for line in task.prompt.splitlines():
        console.print(Text(visible(line)), soft_wrap=True)


def _print_columns(mapped: "Mapped") -> None:
    rows = [
        (field, ", ".join(paths), mapped.form if field == "tests" else "")
        for field, paths in mapped.columns.items()
    ]
    rows += [
        (name, ", ".join(listed), "")
        for name, listed in (("(left)", mapped.left), ("(made here)", mapped.added))
        if listed
    ]
    report_console().print()
    _print_table(("field", "columns", "form"), rows)
