"""Show a profile, and two of them over the same inputs."""

from collections.abc import Iterator

from steelyard.profiling._charts import charts_of
from steelyard.profiling._words import (
    FLAGS,
    classes_in_words,
    estimate_figure,
    headline,
    prediction_figure,
    quantities,
    together_in_words,
    verdict_of,
)
from steelyard.reports import (
    Block,
    Charts,
    Column,
    Facts,
    Figures,
    Heading,
    Headline,
    Line,
    Note,
    Span,
    Table,
    TableCell,
    Text,
    cells,
    percent,
    table,
)
from steelyard.schemas import (
    GrowthComparison,
    ProfileReport,
)

_ROWS_SHOWN = 24
_LINES_SHOWN, _LONGEST_LINE = 12, 200
_LEAST_REST, _LEAST_PART = 0.005, 0.1


def view(
    report: ProfileReport, *, name: str = "", source: str | None = None, brief: bool = False
) -> Iterator[Block]:
    """Yield a report.

    Args:
        report: What to show.
        name: Of the program, if the headline names it.
        source: The text of the program, whose lines that do the work are then listed.
        brief: Leave out the smaller ones of many sizes, and the isolation if it is full.
    """
    yield Headline(verdict_of(report), f"{name}: {headline(report)}" if name else headline(report))
    grown = quantities(report)
    yield Figures(
        [*map(estimate_figure, grown), *(prediction_figure(report, each) for each in grown)]
    )
    for flag in report.flags:
        yield Note(f"{flag}: {FLAGS[flag]}")
    yield from map(Note, report.notes)
    yield Heading("Growth")
    yield Charts(charts_of(report))
    yield from _listing(report, source.split("\n") if source is not None else [])
    sizes = report.measurements
    if any(i.cpu_ms is not None or i.work is not None or i.stop != "exited" for i in sizes):
        yield Heading("Measurements")
        yield _sizes(report, brief=brief)
    full = ("isolation", "full ") if brief else None
    yield Heading("How it was measured")
    yield Facts([(name, text) for name, text in _methods(report) if (name, text[:5]) != full])


def comparison_view(
    comparison: GrowthComparison,
    titles: tuple[str, str] = ("first", "second"),
    sources: tuple[str | None, str | None] = (None, None),
    *,
    brief: bool = False,
) -> Iterator[Block]:
    """Yield what two reports mean together, then each of them as `view` does."""
    yield from map(Text, together_in_words(comparison, titles))
    both = (comparison.first, comparison.second)
    for name, report, source in zip(titles, both, sources, strict=True):
        yield from view(report, name=name, source=source, brief=brief)


def _listing(report: ProfileReport, code: list[str]) -> Iterator[Block]:
    known = [each for each in report.work_by_line if 1 <= each.line <= len(code)]
    shown = sorted(known, key=lambda each: -each.share)[:_LINES_SHOWN]
    if not shown:
        return
    rows: list[list[Line | TableCell]] = [
        [
            str(each.line),
            TableCell(percent(each.share), share=each.share),
            code[each.line - 1].strip()[:_LONGEST_LINE],
            classes_in_words(each),
        ]
        for each in shown
    ]
    rest = 1 - sum(each.share for each in shown)
    if rest >= _LEAST_REST:
        rows.append(["", percent(rest), Span("other lines", "quiet"), ""])
    yield Heading("Where the work is done")
    columns = (Column("line", "figure"), Column("share", "figure"), Column("code", "code"))
    yield Table((*columns, "grows as"), rows)


def _sizes(report: ProfileReport, *, brief: bool) -> Table:
    shown = report.measurements[-_ROWS_SHOWN if brief else 0 :]
    left = len(report.measurements) - len(shown)
    stopped = any(each.stop != "exited" for each in shown)
    rows = (
        {
            **cells(each, "n m work"),
            "CPU ms": _tenths(each.cpu_ms),
            "wall ms": _tenths(each.wall_ms),
            "MiB": _tenths(each.memory_mib),
            "ended": each.stop.value.replace("_", " ") if stopped else "",
        }
        for each in shown
    )
    caption = f"{left} smaller sizes are not shown" if left else ""
    return table(rows, Column("wall ms", "figure", detail=True), caption=caption)


def _tenths(value: float | None) -> TableCell:
    return TableCell("" if value is None else f"{value:,.1f}", value=value)


def _methods(report: ProfileReport) -> Iterator[tuple[str, str]]:
    """Yield how each kind of figure was measured: a name and a line."""
    method = report.method
    yield from (
        ("inputs", method.inputs),
        ("work", method.work),
        ("time", method.timing),
        ("memory", method.memory),
        ("instructions", method.instructions),
        ("compiler", method.compiler),
        ("isolation", method.isolation),
        ("took", f"{report.seconds:.1f} s" if report.seconds else ""),
    )
