"""`steelyard author tests` and `stats`: a pytest suite for a module, improved until perfect."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.authoring.pytests import SuiteOptions, view
from steelyard.cli._flags import Chosen, flags_named, takes
from steelyard.cli._options import Caching, Json, Logs, Models, Resume
from steelyard.cli._outputs import check_output, print_result
from steelyard.cli._progress import progress
from steelyard.cli._runs import (
    announce_scripts,
    fault_of_saving,
    interrupted,
    print_replay,
    refuse_with_resume,
    status_of,
    wait_for,
)
from steelyard.errors import UsageError
from steelyard.reports import Block, Code, Span, Table, Text, counted
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    SuiteReport,
    SuiteStatistic,
    SuiteStatistics,
    plain_json,
)
from steelyard.settings import current_settings

if TYPE_CHECKING:
    from steelyard.authoring.pytests import SuiteHead
    from steelyard.runs import Story


@takes(SuiteOptions, "tester", "reviewer", "most_mutants")
def write_tests(
    context: typer.Context,
    chosen: Chosen[SuiteOptions],
    module: Annotated[
        Path | None, typer.Argument(metavar="MODULE.py", help="File of the module to test.")
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the module must do, in JSON or in prose."),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="PROJECT",
            show_default="the module alone",
            help="Folder of the project that the module needs.",
        ),
    ] = None,
    bug: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A version of the module with a known bug, which the suite must find.",
        ),
    ] = None,
    resume: Resume = None,
    models: Models = None,
    logs: Logs = None,
    cache: Caching = True,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the best suite to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a pytest suite for a module, and improve it until it is measured perfect.

    Models write and review. What was measured decides.
    """
    from steelyard.authoring.pytests import SuiteAuthor, SuiteHead  # noqa: PLC0415
    from steelyard.runs import read_head  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if (module is None) == (resume is None):
        raise UsageError("give one module: MODULE.py, or --resume DIR")
    given = chosen.given
    with CellPool() as pool, progress("writing tests", lines=not json) as on_event:
        if resume is not None:
            refuse_with_resume(context, ("spec", "root", "bug", "models", "seed", "logs"))
            head = read_head(resume, SuiteHead)
            options = head.options.model_copy(update={"pool": pool, "on_event": on_event})
            author = SuiteAuthor(options, logs=resume.parent, caching=cache)
            with flags_named(given):
                options.changed(**given)
            folder, work = resume, author.aresume(resume, **given)
        else:
            assert module is not None
            named = {"tester": models, "reviewer": models} if models is not None else {}
            options = chosen.options(**named, pool=pool, on_event=on_event)
            folder = (logs or current_settings().logs) / f"tests-{module.stem}"
            author = SuiteAuthor(options, logs=folder.parent, caching=cache)
            work = author.awrite(module, root=root, spec=spec, bug=bug)
        if not json:
            announce_scripts((options.tester, options.reviewer))
        report = wait_for(work, pool, folder, "author tests", resumed=resume is not None)
    failed = fault_of_saving(report.code, out)
    print_result(report, view(report, code=out is None), json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(status_of(report))


def is_suite_run(folder: Path) -> bool:
    """Return True for the folder of a run that wrote a pytest suite."""
    from steelyard.authoring.pytests import SuiteHead  # noqa: PLC0415
    from steelyard.runs import read_head  # noqa: PLC0415

    try:
        read_head(folder, SuiteHead)
    except UsageError:
        return False
    return True


def show_suite(folder: Path, *, json: bool) -> None:
    """Show a run, finished or not."""
    story = _story(folder)
    report = story.report
    plain = {
        "run": story.head.model_dump(mode="json"),
        "report": report.to_dict() if report else None,
    }
    command = Code(interrupted("author tests", folder))
    print_result(plain, view(report) if report else [command], json=json)


def _story(folder: Path) -> "Story[SuiteHead, SuiteReport]":
    from steelyard.authoring.pytests import SuiteHead  # noqa: PLC0415
    from steelyard.runs import read_story  # noqa: PLC0415

    return read_story(folder, SuiteHead, SuiteReport)


def replay_suite(folder: Path, *, json: bool) -> None:
    """Repeat a run from its files."""
    from steelyard.authoring.pytests import SuiteAuthor  # noqa: PLC0415

    done = SuiteAuthor(logs=None, caching=False).replay(folder)
    print_replay(done, view(done.report, code=False), json=json)


def stats(json: Json = False) -> None:
    """Show the figures of all runs of `author tests` next to their targets."""
    from steelyard.authoring.pytests import (  # noqa: PLC0415
        history_file,
        read_figures,
        statistics_of,
    )

    found = statistics_of(*read_figures())
    print_result(plain_json(found), _statistics_blocks(found, str(history_file())), json=json)


def _statistics_blocks(found: SuiteStatistics, file: str) -> Iterator[Block]:
    yield Text(f"{found.counted} of {found.runs} runs ended by themselves", "strong")
    rows = [(each.name, _value(each), _target(each), _mark(each)) for each in found.figures]
    yield Table(("figure", "all runs", "target", ""), rows)
    for number, count in found.by_reviews.items():
        yield Text(f"{counted(count, 'run')} with {counted(number, 'review')}")
    if found.unreadable_lines:
        yield Text(f"{found.unreadable_lines} lines of {file} cannot be read", "warn")
    yield Text(file, "quiet")


def _value(figure: SuiteStatistic) -> str:
    return "no runs" if figure.value is None else f"{figure.value:.1f} {figure.unit}".strip()


def _target(figure: SuiteStatistic) -> str:
    low, high = figure.target_low, figure.target_high
    text = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
    return f"{text} {figure.unit}".strip()


def _mark(figure: SuiteStatistic) -> Span:
    if figure.met is None:
        return Span("")
    return Span("✓", "good") if figure.met else Span("✗", "bad")
