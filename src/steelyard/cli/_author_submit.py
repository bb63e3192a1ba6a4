"""`steelyard author submit` and `submissions`: judge programs on a stored problem's suite."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._options import Database, Jobs, Json, Language, read_source
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.cli._render import show_result
from steelyard.errors import UsageError
from steelyard.rendering import visible
from steelyard.sandbox import CellPool
from steelyard.toolchains import language_of

if TYPE_CHECKING:
    from steelyard.schemas import JudgedSubmission

_DIGITS = 12

Problem = Annotated[
    str, typer.Argument(metavar="PROBLEM", help="Name of a problem in the database.")
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", help="Your name.", show_default="your user's name"),
]


def submit(
    problem: Problem,
    program: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Source file. Python has `class Solution: solve`; other languages read text.",
        ),
    ],
    language: Language = None,
    by: By = None,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Judge a program on a problem's current suite, and store the result.

    Each case has a process of its own and 2 s of CPU time, unless the suite sets another limit.
    """
    from steelyard.challenges.submissions import submit  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    source = read_source(program)
    with (
        open_database(database, create=False) as opened,
        cells(jobs) as pool,
        progress("judging") as on_event,
    ):
        report = submit(
            opened,
            problem,
            source,
            by=person(by),
            language=language or language_of(program),
            pool=pool,
            on_event=on_event,
        )
    if json:
        print_json(report.to_json())
    else:
        title = f"{visible(program.name)} · {problem} · suite {report.suite_version}"
        show_result(report.result, title=title)
        line = f"submission {report.submission[:_DIGITS]}"
        line += ", outdated: the suite has changed meanwhile" if report.outdated else ""
        report_console().print(Text("\n".join((line, *report.notes)), style="dim"))
    raise typer.Exit(0 if report.passed else 1)


def submissions(
    problem: Problem,
    rejudge: Annotated[
        bool, typer.Option("--rejudge", help="First judge outdated submissions again.")
    ] = False,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """List a problem's submissions with their results.

    A result is outdated if the problem's suite has changed since, so that it could be another.
    """
    from steelyard.challenges.submissions import list_submissions, repeat_outdated  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened:
        if rejudge:
            with cells(jobs) as pool, progress("judging") as on_event:
                repeat_outdated(opened, problem, pool=pool, on_event=on_event)
        with opened.read() as reader:
            found = list_submissions(reader, problem)
    if json:
        print_json({"submissions": [each.model_dump(mode="json") for each in found]})
        return
    table = Table(title=Text(problem), title_justify="left", title_style="bold")
    for heading in ("submission", "by", "submitted", "suite", "result"):
        table.add_column(heading)
    for each in found:
        own = each.submission
        table.add_row(
            own.digest[:_DIGITS],
            Text(visible(own.by)),
            f"{own.created_utc:%Y-%m-%d %H:%M:%S}",
            str(each.suite_version or ""),
            _outcome(each),
        )
    report_console().print(table)


def cells(jobs: int | None) -> CellPool:
    """Return the pool for `--jobs`.

    Raises:
        UsageError: if it is not positive.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, got {jobs}")
    return CellPool(jobs)


def person(by: str | None) -> str:
    """Return the name of who acts: the one that is given, else that of the system's user."""
    if by is not None:
        return by
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # the user has no name
        return "unknown"


def _outcome(each: "JudgedSubmission") -> Text:
    if each.suite_version is None:
        return Text("not judged", style="dim")
    verdict = ("passed", "green") if each.passed else ("failed", "red")
    old = ("  outdated", "yellow") if each.outdated else ""
    return Text.assemble(verdict, f" {each.tests_passed} of {each.tests}", old)
