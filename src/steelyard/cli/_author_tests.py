"""`steelyard author tests` and `stats`: a pytest suite for a module, improved until perfect."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._options import (
    Caching,
    Json,
    Logs,
    MaxCost,
    MaxTokens,
    Models,
    Resume,
    Seed,
    flags_named,
    stated,
)
from steelyard.cli._outputs import check_output, print_json
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
from steelyard.pytests import LEAST_COVERED, MINIMA, MOST_SURVIVING
from steelyard.rendering import counted, visible
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    SuiteCriterion,
    SuiteEvidence,
    SuiteReport,
    SuiteRound,
    SuiteStatistic,
    SuiteStatistics,
    plain_json,
)
from steelyard.settings import current_settings

if TYPE_CHECKING:
    from steelyard.pytests import SuiteHead
    from steelyard.runs import Story

_SHOWN = 5
_REPLIES = {"perfect": "called it perfect", "updated": "changed it", "unreadable": "not readable"}


def write_tests(
    context: typer.Context,
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
    max_rounds: Annotated[
        int | None, typer.Option(metavar="N", show_default="5", help="Reviews of the suite.")
    ] = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    seed: Seed = 0,
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
    from steelyard.pytests import SuiteAuthor, SuiteHead, SuiteOptions  # noqa: PLC0415
    from steelyard.runs import read_head  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if (module is None) == (resume is None):
        raise UsageError("give one module: MODULE.py, or --resume DIR")
    given = stated(max_rounds=max_rounds, max_cost_usd=max_cost, max_tokens=max_tokens)
    with CellPool() as pool, progress("writing tests", lines=not json) as on_event:
        if resume is not None:
            refuse_with_resume(context, ("spec", "root", "bug", "models", "seed", "logs"))
            head = read_head(resume, SuiteHead)
            options = head.options.model_copy(update={"pool": pool, "on_event": on_event})
            author = SuiteAuthor(options, logs=resume.parent, caching=cache)
            with flags_named(given):
                options.changed(**given)
            folder, work = (
                resume,
                author.aresume(
                    resume, max_rounds=max_rounds, max_cost_usd=max_cost, max_tokens=max_tokens
                ),
            )
        else:
            assert module is not None
            named = {"tester": models, "reviewer": models} if models is not None else {}
            with flags_named(given):
                options = SuiteOptions.of(**given, **named, seed=seed, pool=pool, on_event=on_event)
            folder = (logs or current_settings().logs) / f"tests-{module.stem}"
            author = SuiteAuthor(options, logs=folder.parent, caching=cache)
            work = author.awrite(module, root=root, spec=spec, bug=bug)
        if not json:
            announce_scripts((options.tester, options.reviewer))
        report = wait_for(work, pool, folder, "author tests", resumed=resume is not None)
    failed = fault_of_saving(report.code, out)
    if json:
        print_json(report.to_json())
    else:
        report_console().print(suite_view(report, shows_code=out is None))
    if failed is not None:
        raise failed
    raise typer.Exit(status_of(report))


def suite_view(report: SuiteReport, *, shows_code: bool) -> Group:
    """Return what is shown of a suite.

    Args:
        report: The suite with its evidence.
        shows_code: Show its text.
    """
    parts: list[RenderableType] = []
    if shows_code and report.code:
        parts.append(Syntax(visible(report.code), "python", background_color="default"))
    parts.append(_criteria(report))
    parts += _faults(report.evidence)
    if report.first is not None:
        parts.append(_rounds(report))
    parts += [Text(visible(note), style="dim") for note in report.notes]
    verdict = ("perfect", "bold green") if report.passed else ("not perfect", "bold red")
    parts.append(Text.assemble(verdict, f"   {visible(report.reason)}"))
    parts.append(Text(_spent(report), style="dim"))
    return Group(*parts)


def _criteria(report: SuiteReport) -> Table:
    found = report.evidence
    title = f"{report.file_name or 'no suite'} for {report.module}"
    table = Table(title=Text(visible(title)), title_justify="left", title_style="bold")
    for heading in ("criterion", "measured", "needed", ""):
        table.add_column(heading)
    if found.fault:
        table.add_row("runs", Text(visible(found.fault)), "", Text("✗", style="red"))
        return table
    for name, criterion, measured, needed in _rows(found):
        met = criterion not in found.unmet
        mark = Text("✓", style="green") if met else Text("✗", style="red")
        table.add_row(name, visible(measured), needed, mark)
    return table


def _rows(found: SuiteEvidence) -> Iterator[tuple[str, SuiteCriterion, str, str]]:
    passing = f"{found.tests} of {found.tests + len(found.red) + len(found.dependent)} tests"
    yield "pass in three orders", "green", passing, "all"
    yield "depend on other tests", "independent", str(len(found.dependent)), "0"
    yield "cannot fail", "can-fail", str(len(found.cannot_fail)), "0"
    counts = ", ".join(f"{found.counts.get(each, 0)} {each}" for each in MINIMA)
    yield "tests of each kind", "minima", counts, ", ".join(map(str, MINIMA.values()))
    yield "lines and branches", "coverage", f"{found.covered:.0%}", f"{LEAST_COVERED:.0%}"
    score = f"{found.killed} of {found.mutants}"
    yield "mutants killed", "mutation", score, f"{1 - MOST_SURVIVING:.0%}"
    if found.bug_found_by is not None:
        yield "tests that find the bug", "bug", str(len(found.bug_found_by)), "1"


def _faults(found: SuiteEvidence) -> Iterator[RenderableType]:
    groups = (
        ("fails", tuple(map(str, found.red))),
        ("depends on others", tuple(map(str, found.dependent))),
        ("cannot fail", found.cannot_fail),
        ("mutant survives", tuple(each.name for each in found.survivors)),
    )
    for name, items in groups:
        for item in items[:_SHOWN]:
            yield Text(f"{name}: {visible(item)}", style="yellow")
        if len(items) > _SHOWN:
            yield Text(f"{name}: and {len(items) - _SHOWN} more", style="yellow")


def _rounds(report: SuiteReport) -> Table:
    table = Table(title=Text("reviews"), title_justify="left", title_style="bold")
    for heading in ("", "the model", "tests", "coverage", "mutants", "falls short of"):
        table.add_column(heading)
    if report.first is not None:
        table.add_row("0", "wrote it", *_figures(report.first))
    for each in report.rounds:
        table.add_row(str(each.number), _reply(each), *_figures(each.evidence))
    return table


def _reply(round_: SuiteRound) -> str:
    if round_.changed and not round_.best:
        return f"{_REPLIES[round_.reply]}, not better"
    return _REPLIES[round_.reply]


def _figures(found: SuiteEvidence | None) -> tuple[str, str, str, str]:
    if found is None:
        return "", "", "", ""
    score = found.mutation_score
    return (
        str(found.tests),
        f"{found.covered:.0%}",
        "" if score is None else f"{score:.0%}",
        ", ".join(found.unmet) or "nothing",
    )


def _spent(report: SuiteReport) -> str:
    return f"{report.spending}   {report.seconds:,.1f} s" + (
        f"   {report.logs}" if report.logs else ""
    )


def is_suite_run(folder: Path) -> bool:
    """Return True for the folder of a run that wrote a pytest suite."""
    from steelyard.pytests import SuiteHead  # noqa: PLC0415
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
    if json:
        plain = report.to_dict() if report else None
        print_json({"run": story.head.model_dump(mode="json"), "report": plain})
    elif report is None:
        report_console().print(interrupted("author tests", folder), markup=False)
    else:
        report_console().print(suite_view(report, shows_code=True))


def _story(folder: Path) -> "Story[SuiteHead, SuiteReport]":
    from steelyard.pytests import SuiteHead  # noqa: PLC0415
    from steelyard.runs import read_story  # noqa: PLC0415

    return read_story(folder, SuiteHead, SuiteReport)


def replay_suite(folder: Path, *, json: bool) -> None:
    """Repeat a run from its files."""
    from steelyard.pytests import SuiteAuthor  # noqa: PLC0415

    done = SuiteAuthor(logs=None, caching=False).replay(folder)
    print_replay(done, suite_view(done.report, shows_code=False), json=json)


def stats(json: Json = False) -> None:
    """Show the figures of all runs of `author tests` next to their targets."""
    from steelyard.pytests import (  # noqa: PLC0415
        history_file,
        read_figures,
        statistics_of,
    )

    found = statistics_of(*read_figures())
    if json:
        print_json(plain_json(found))
    else:
        report_console().print(_statistics_view(found, str(history_file())))


def _statistics_view(found: SuiteStatistics, file: str) -> Group:
    table = Table(
        title=Text(f"{found.counted} of {found.runs} runs ended by themselves"),
        title_justify="left",
        title_style="bold",
    )
    for heading in ("figure", "all runs", "target", ""):
        table.add_column(heading)
    for each in found.figures:
        table.add_row(each.name, _value(each), _target(each), _mark(each))
    lines = [
        Text(f"{counted(count, 'run')} with {counted(number, 'review')}")
        for number, count in found.by_reviews.items()
    ]
    if found.unreadable_lines:
        lost = f"{found.unreadable_lines} lines of {visible(file)} cannot be read"
        lines.append(Text(lost, style="yellow"))
    return Group(table, *lines, Text(visible(file), style="dim"))


def _value(figure: SuiteStatistic) -> str:
    return "no runs" if figure.value is None else f"{figure.value:.1f} {figure.unit}".strip()


def _target(figure: SuiteStatistic) -> str:
    low, high = figure.target_low, figure.target_high
    text = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
    return f"{text} {figure.unit}".strip()


def _mark(figure: SuiteStatistic) -> Text:
    if figure.met is None:
        return Text("")
    return Text("✓", style="green") if figure.met else Text("✗", style="red")
