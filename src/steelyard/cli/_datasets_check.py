"""`steelyard datasets check`: do the tests of a data set decide anything?"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._datasets_faults import Faults, report, written
from steelyard.cli._options import Jobs, Json
from steelyard.cli._outputs import check_output
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.rendering import count, counted, visible
from steelyard.schemas import FAULTS, WARNINGS, CheckedTask

if TYPE_CHECKING:
    from steelyard.datasets import CheckOptions
    from steelyard.schemas import Task

_MOST_ID = 40


def check(
    source: Annotated[str, typer.Argument(help="Name, file or folder of the data set.")],
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
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            show_default="by the fields",
            help="Format of the rows, such as livecodebench.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, show_default="all", help="Number of tasks."),
    ] = None,
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

    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, got {jobs}")
    if fix is not None:
        check_output(fix)
    faults, ignored = Faults(json), Faults(json=True)
    sources = [open_benchmark(name).source for name in against or ()]
    others = chain.from_iterable(read_tasks(each, on_fault=ignored.add) for each in sources)
    tasks = read_tasks(open_benchmark(source).source, format=format, on_fault=faults.add)
    found = _Found()
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
        _print(found.reported)
    if not passed:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Found:
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


def _print(rows: list[CheckedTask]) -> None:
    """Print one line a task: its row, its id, and what is found."""
    if not rows:
        return
    console = report_console()
    before = "{0.file}:{0.row}" if len({each.file for each in rows}) > 1 else "{0.row}"
    lines = [
        (
            visible(before.format(each)),
            visible(each.id)[:_MOST_ID],
            "; ".join(f"{one.kind}: {visible(one.message)}" for one in each.findings),
        )
        for each in rows
    ]
    widths = [max(map(len, column)) for column in list(zip(*lines, strict=True))[:2]]
    for row, name, text in lines:
        line = f"{row:>{widths[0]}}  {name:<{widths[1]}}  {text}"
        console.print(Text(line), soft_wrap=True)
