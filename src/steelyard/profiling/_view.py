"""Show a profile, and two of them over the same inputs."""

from collections.abc import Iterator
from pathlib import Path

from steelyard.profiling._charts import charts_of
from steelyard.profiling._words import (
    FLAGS,
    Quantity,
    basis_in_words,
    class_name,
    classes_in_words,
    estimate_in_words,
    headline,
    interval,
    quantities,
    size,
    term_in_words,
    terms_shown,
    together_in_words,
)
from steelyard.reports import (
    Block,
    Cell,
    Charts,
    Column,
    Facts,
    Figure,
    Figures,
    Heading,
    Headline,
    Line,
    Note,
    Span,
    Table,
    Text,
    count,
    draw,
    percent,
    plain,
)
from steelyard.schemas import (
    GrowthComparison,
    Measurement,
    ProfileReport,
)

_ROWS_SHOWN = 24
_LINES_SHOWN, _LONGEST_LINE = 12, 200
_LEAST_REST, _LEAST_PART = 0.005, 0.1
_VERDICTS = {
    True: Span("PASS", "strong good"),
    False: Span("FAIL", "strong bad"),
    None: Span("unknown", "strong warn"),
}


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
    yield Headline(_verdict(report), f"{name}: {headline(report)}" if name else headline(report))
    grown = quantities(report)
    yield Figures([*map(_estimate, grown), *(_prediction(report, each) for each in grown)])
    for flag in report.flags:
        yield Note(f"{flag}: {FLAGS[flag]}")
    yield from map(Note, report.notes)
    charts = charts_of(report)
    if charts:
        yield Heading("Growth")
        yield Charts(charts)
    yield from _listing(report, source.split("\n") if source is not None else [])
    sizes = report.measurements
    if any(i.cpu_ms is not None or i.work is not None or i.stop != "exited" for i in sizes):
        yield Heading("Measurements")
        yield _sizes(report, brief=brief)
    full = ("isolation", "full ") if brief else None
    methods = [(name, text) for name, text in _methods(report) if text and (name, text[:5]) != full]
    if methods:
        yield Heading("How it was measured")
        yield Facts(methods)


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


def plot(report: ProfileReport, path: str | Path) -> None:
    """Draw a report: time and memory with their fits and limits, and work over f(n).

    Args:
        report: What to draw.
        path: The file; its name ends in .png or .svg.

    Raises:
        UsageError: for another ending, a path that cannot be written, or if matplotlib is not
            installed.
    """
    draw(charts_of(report), path, title=headline(report), text=_findings(report))


def _findings(report: ProfileReport) -> str:
    found = [basis_in_words(report.time), *map(term_in_words, terms_shown(report.time.terms)[:2])]
    for what in quantities(report):
        each = _prediction(report, what)
        found.append(f"{each.label} {plain(each.value)}, {plain(each.aside)}")
    return "   ·   ".join(filter(None, found))


def _verdict(report: ProfileReport) -> str | Span:
    outcomes = [each.meets for each in quantities(report) if each.limit is not None]
    if not outcomes:
        return ""
    return _VERDICTS[False if False in outcomes else None if None in outcomes else True]


def _estimate(what: Quantity) -> Figure:
    estimate = what.estimate
    tone = "warn" if estimate.unsure else "strong accent"
    details = [term_in_words(term) for term in terms_shown(estimate.terms)]
    if estimate.runner_up and not estimate.unsure:
        details.insert(0, f"next likeliest: {class_name(estimate.runner_up)}")
    value = Span(estimate_in_words(estimate), tone)
    return Figure(what.name, value, Span(basis_in_words(estimate), "quiet"), details)


def _prediction(report: ProfileReport, what: Quantity) -> Figure:
    end, band, write = report.prediction, what.band, what.write
    spread = f"{interval(write(band.low), write(band.high))} " if band else ""
    aside: list[str | Span] = [f"{spread}at {size(end.n, end.m)}"]
    if what.limit is not None:
        aside += [f", limit {write(what.limit)}: ", _VERDICTS[what.meets]]
    name = f"{'measured' if end.measured else 'predicted'} {what.name}"
    return Figure(name, write(band.mid) if band else "unknown", aside)


def _listing(report: ProfileReport, code: list[str]) -> Iterator[Block]:
    known = [each for each in report.work_by_line if 1 <= each.line <= len(code)]
    shown = sorted(known, key=lambda each: -each.share)[:_LINES_SHOWN]
    if not shown:
        return
    rows: list[list[Line | Cell]] = [
        [
            str(each.line),
            Cell(percent(each.share), share=each.share),
            _cut(code[each.line - 1].strip()),
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


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..."


def _sizes(report: ProfileReport, *, brief: bool) -> Table:
    rows = report.measurements[-_ROWS_SHOWN if brief else 0 :]
    left = len(report.measurements) - len(rows)
    headings = ("n", "m", "work", "CPU ms", "wall ms", "MiB")
    columns = [Column(each, "figure", detail=each == "wall ms") for each in headings]
    stopped = any(item.stop != "exited" for item in rows)
    table = Table(
        [*columns, "ended"],
        [[*_figures(i), i.stop.value.replace("_", " ") if stopped else ""] for i in rows],
        caption=f"{left} smaller sizes are not shown" if left else "",
    )
    return table.filled()


def _figures(item: Measurement) -> Iterator[str]:
    yield count(item.n)
    for whole in (item.m, item.work):
        yield "" if whole is None else count(whole)
    for value in (item.cpu_ms, item.wall_ms, item.memory_mib):
        yield "" if value is None else f"{value:,.1f}"


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
