"""Show a suite, its evidence and its rounds in the terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from steelyard.pytests import LEAST_COVERED, MINIMA, MOST_SURVIVING
from steelyard.rendering import visible
from steelyard.schemas import SuiteCriterion, SuiteEvidence, SuiteReport, SuiteRound

_SHOWN = 5
_REPLIES = {"perfect": "called it perfect", "updated": "changed it", "unreadable": "not readable"}


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
        table.add_row(str(each.number), _said(each), *_figures(each.evidence))
    return table


def _said(round_: SuiteRound) -> str:
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
