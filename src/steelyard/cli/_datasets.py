"""`steelyard datasets`: tasks of known data sets in and out."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import Jobs, Json, require_jobs
from steelyard.cli._outputs import check_output, print_json, print_result
from steelyard.cli._progress import progress
from steelyard.errors import DatasetError, UsageError
from steelyard.reports import (
    Block,
    Code,
    Column,
    Figure,
    Figures,
    Heading,
    Table,
    Text,
    count,
    counted,
    print_blocks,
    visible,
)
from steelyard.schemas import FAULTS, WARNINGS, CheckedTask

if TYPE_CHECKING:
    from steelyard.datasets import CheckOptions, Mapped
    from steelyard.schemas import RowFault, Task

_SHOWN_FAULTS = 20

_MOST_ID = 40

datasets = group_of(
    "Import, export, check and show tasks of known data sets.",
    "A SOURCE is core, humaneval, a file (.jsonl, .json, .parquet, also gzipped; .html), a "
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


@datasets.command(cls=ClosingCommand)
def fetch(
    site: Annotated[str, typer.Argument(help="The site: codeforces.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="File NAME.jsonl, or a folder.")
    ],
    contest: Annotated[
        int | None, typer.Option("--contest", metavar="N", min=1, help="Number of the contest.")
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option("--pages", metavar="PATH", help="Read saved pages; use no network."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="URL", show_default="the site's own", help="Address of a mirror."
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Fetch again what the cache holds.")
    ] = False,
    json: Json = False,
) -> None:
    """Get the statements and samples of a contest's problems.

    The network is used only with --contest and without --pages: one request in two seconds, each
    page once. Sites publish samples and not their tests, so a program that passes may be wrong.
    """
    from steelyard.datasets import write_tasks  # noqa: PLC0415
    from steelyard.datasets.codeforces import (  # noqa: PLC0415
        CODEFORCES_URL,
        fetch_contest,
        read_pages,
    )

    if site != "codeforces":
        raise UsageError(f"unknown site {site!r}; use codeforces")
    faults = FaultLines(json)
    if pages is not None:
        tasks = read_pages(pages, on_fault=faults.add, contest=contest)
    elif contest is not None:
        tasks = fetch_contest(
            contest, on_fault=faults.add, site=url or CODEFORCES_URL, refresh=refresh
        )
    else:
        raise UsageError("give --contest N to fetch a contest, or --pages PATH for saved pages")
    number = write_tasks(tasks, out)
    fields = {"site": site, "out": str(out), "tasks": number}
    report(fields, written(number, out), faults)
    if not number:
        raise typer.Exit(1)


@datasets.command(cls=ClosingCommand)
def check(
    source: Source,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE",
            help="Another data set, which must have no task in common. May be given many times.",
        ),
    ] = None,
    fix: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the tasks without a fault to FILE.jsonl."),
    ] = None,
    solutions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Most solutions that are judged for a task.")
    ] = 3,
    format: Format = None,  # noqa: A002
    limit: Limit = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Judge each task's own solutions, wrong programs, and programs that solve nothing.

    A fault makes a task useless: nothing passes, anything passes, verdicts change, it cannot run
    here, or it is a copy. Warnings are listed too. Exit status 1 if a task has a fault.
    """
    from steelyard.datasets import (  # noqa: PLC0415
        CheckOptions,
        open_benchmark,
        read_tasks,
        write_tasks,
    )
    from steelyard.sandbox import CellPool  # noqa: PLC0415

    require_jobs(jobs)
    if fix is not None:
        check_output(fix)
    faults, ignored = FaultLines(json), FaultLines(json=True)
    sources = [open_benchmark(name).source for name in against or ()]
    others = chain.from_iterable(read_tasks(each, on_fault=ignored.add) for each in sources)
    tasks = read_tasks(open_benchmark(source).source, format=format, on_fault=faults.add)
    found = _Findings()
    with CellPool(jobs) as pool, progress("checking") as on_event:
        options = CheckOptions(pool=pool, solutions=solutions, on_event=on_event)
        usable = found.usable(islice(tasks, limit), others, options)
        kept = write_tasks(usable, fix) if fix is not None else sum(1 for _ in usable)
    passed = bool(found.number) and not found.faulty and not faults.number
    fields = {
        "source": source,
        "passed": passed,
        "tasks": found.number,
        "faulty": found.faulty,
        "unproved": found.unproved,
        "kinds": dict(found.kinds),
        "rows": [each.model_dump(mode="json") for each in found.reported],
    }
    if fix is not None:
        fields |= {"out": str(fix), "kept": kept}
    report(fields, found.summary(), faults)
    if not json:
        if fix is not None:
            typer.echo(written(kept, fix))
        _print_findings(found.reported)
    if not passed:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Findings:
    """Findings so far."""

    number: int = 0
    faulty: int = 0
    unproved: int = 0
    """Tasks without a finding and without a solution that could be run."""
    kinds: Counter[str] = field(default_factory=Counter)
    reported: list[CheckedTask] = field(default_factory=list)

    def usable(
        self, tasks: "Iterator[Task]", others: "Iterator[Task]", options: "CheckOptions"
    ) -> "Iterator[Task]":
        """Check tasks, and yield those without a fault."""
        from steelyard.datasets import check_tasks  # noqa: PLC0415

        for task, checked in check_tasks(tasks, against=others, options=options):
            self.number += 1
            self.faulty += checked.faulty
            self.kinds.update(each.kind for each in checked.findings)
            if checked.findings:
                self.reported.append(checked)
            elif not checked.solved:
                self.unproved += 1
            if not checked.faulty:
                yield task

    def summary(self) -> str:
        """Return the figures in one line."""
        parts = [f"{counted(self.number, 'task')}, {count(self.faulty)} with a fault"]
        for kinds, before in ((FAULTS, ""), (WARNINGS, "warnings: ")):
            named = [f"{count(self.kinds[each])} {each}" for each in kinds if self.kinds[each]]
            if named:
                parts.append(f"{before}{', '.join(named)}")
        if self.unproved:
            parts.append(f"{count(self.unproved)} without a solution that runs here")
        return "; ".join(parts)


def _print_findings(rows: list[CheckedTask]) -> None:
    """Print one line a task: its row, its id, and what is found."""
    if not rows:
        return
    before = "{0.file}:{0.row}" if len({each.file for each in rows}) > 1 else "{0.row}"
    lines = [
        (
            before.format(each),
            each.id[:_MOST_ID],
            "; ".join(f"{one.kind}: {one.message}" for one in each.findings),
        )
        for each in rows
    ]
    print_blocks([Table((Column("row", "figure"), "task", "findings"), lines)])


@datasets.command("import", cls=ClosingCommand)
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
    _write(DataSet(source, format, map, form), out, "steelyard", limit=limit, json=json)


@datasets.command("export", cls=ClosingCommand)
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
    _write(DataSet(source, format, map, form), out, to, limit=limit, json=json)


@datasets.command(cls=ClosingCommand)
def validate(
    source: Source,
    format: Format = None,  # noqa: A002
    map: Map = None,  # noqa: A002
    form: Form = None,
    json: Json = False,
) -> None:
    """Read every row; report those without a usable task. Exit status 1 if a row is reported."""
    faults = FaultLines(json)
    tasks = tests = 0
    for task in DataSet(source, format, map, form).tasks(faults):
        tasks += 1
        tests += len(task.tests)
    passed = bool(tasks) and not faults.number
    fields = {"source": source, "passed": passed, "tasks": tasks, "tests": tests}
    report(fields, f"{counted(tasks, 'task')} with {counted(tests, 'test')}", faults)
    if not passed:
        raise typer.Exit(1)


@datasets.command(cls=ClosingCommand)
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
    faults = FaultLines(json)
    data = DataSet(source, format, map, form)
    if task_id is not None:
        found = next((each for each in data.mapped(faults) if each[0].id == task_id), None)
        if found is None:
            raise DatasetError(f"{source} has no task {task_id!r}; check the id")
        _show_task(found[0], found[1](), json)
        return
    _list(list(islice(data.tasks(faults), limit)), source, faults, json)


@datasets.command(cls=ClosingCommand)
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
    faults = FaultLines(json)
    draw = random.Random(seed)  # noqa: S311  (not for secrets)
    kept: list[tuple[int, Task]] = []
    for index, task in enumerate(DataSet(source, format, map, form).tasks(faults)):
        if index < number:
            kept.append((index, task))
        elif (slot := draw.randrange(index + 1)) < number:
            kept[slot] = (index, task)
    kept.sort(key=lambda pair: pair[0])
    _list([task for _, task in kept], source, faults, json)


class FaultLines:
    """Shows the first faults as they are found, each text once for a file, and counts all."""

    def __init__(self, json: bool) -> None:
        self.quiet = json
        self.number = 0
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._is_full = False

    @property
    def first(self) -> list[dict[str, Any]]:
        """The faults that were shown, each with the number of `rows` that have it."""
        return list(self._found.values())

    def add(self, fault: "RowFault") -> None:
        """Show and count a fault."""
        self.number += 1
        key = fault.file, fault.message
        if key in self._found:
            self._found[key]["rows"] += 1
        elif len(self._found) < _SHOWN_FAULTS:
            self._found[key] = {**fault.model_dump(mode="json"), "rows": 1}
            self._show(str(fault))
        elif not self._is_full:
            self._is_full = True
            self._show("more rows are left out; the end counts them")

    def _show(self, text: str) -> None:
        if not self.quiet:
            print_blocks([Text(text)], sys.stderr)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set, and the way that its rows are read."""

    source: str
    format: str | None
    map: list[str] | None = None
    form: str | None = None

    def mapped(self, faults: FaultLines) -> "Iterator[tuple[Task, Callable[[], Mapped | None]]]":
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

    def tasks(self, faults: FaultLines) -> "Iterator[Task]":
        """Yield the tasks."""
        return (task for task, _ in self.mapped(faults))


def report(fields: dict[str, Any], line: str, faults: FaultLines) -> None:
    """Print the summary of a command: a line, or one JSON object."""
    if faults.quiet:
        print_json({**fields, "left_out": faults.number, "faults": faults.first})
        return
    left = f"; {counted(faults.number, 'row')} left out" if faults.number else ""
    typer.echo(f"{line}{left}")


def written(number: int, out: Path) -> str:
    """Return the summary of a command that writes tasks."""
    name = visible(str(out))
    return f"{counted(number, 'task')} in {name}" if number else f"no task; {name} is not written"


def _write(data: DataSet, out: Path, to: Any, *, limit: int | None, json: bool) -> None:
    from steelyard.datasets import write_tasks  # noqa: PLC0415

    faults = FaultLines(json)
    number = write_tasks(islice(data.tasks(faults), limit), out, format=to)
    fields = {"source": data.source, "out": str(out), "tasks": number}
    report(fields, written(number, out), faults)
    if not number:
        raise typer.Exit(1)


def _show_formats(json: bool) -> None:
    from steelyard.datasets import FORMATS  # noqa: PLC0415

    rows = [(each.name, each.license, each.tested_on, each.url) for each in FORMATS]
    names = ("format", "license", "tested on", "source")
    plain = {"formats": [dict(zip(names, row, strict=True)) for row in rows]}
    print_result(plain, [Table(names, list(dict.fromkeys(rows)))], json=json)


def _list(tasks: "list[Task]", source: str, faults: FaultLines, json: bool) -> None:
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
    table = Table(
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
    print_blocks([table])


def _show_task(task: "Task", mapped: "Mapped | None", json: bool) -> None:
    if json:
        read = {"read": asdict(mapped)} if mapped else {}
        print_json({**task.model_dump(mode="json"), **read})
        return
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
    blocks: list[Block] = [Figures([Figure(name, text) for name, text in held.items() if text])]
    blocks += [Heading("Columns"), _columns(mapped)] if mapped else []
    print_blocks([*blocks, Heading("Prompt"), Code(task.prompt)])


def _columns(mapped: "Mapped") -> Table:
    rows = [
        (field, ", ".join(paths), mapped.form if field == "tests" else "")
        for field, paths in mapped.columns.items()
    ]
    rows += [
        (name, ", ".join(listed), "")
        for name, listed in (("(left)", mapped.left), ("(made here)", mapped.added))
        if listed
    ]
    return Table(("field", "columns", "form"), rows)
