"""The report as Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from steelyard.evaluation.reporting._words import (
    METRIC_HEADINGS,
    MONTH_HEADINGS,
    by_frequency,
    defined,
    metric_row,
    month_row,
    origin_line,
    strength_line,
    undefined_line,
    verdicts_line,
    warnings,
    window_line,
)
from steelyard.rendering import counted, visible
from steelyard.schemas import EvaluationReport

_MOST_FAULTS = 50


def markdown_of(report: EvaluationReport) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: EvaluationReport) -> Iterator[str]:
    size = f"{report.size}, {counted(report.samples, 'sample')}"
    yield f"# {_plain(report.benchmark)}: {size}"
    yield ""
    yield f"- Programs: {_plain(origin_line(report))}"
    yield f"- Data: version `{report.version[:12]}`, {window_line(report)}"
    yield f"- Tests: {strength_line(report)}"
    if report.isolation:
        yield f"- Isolation: {_plain(str(report.isolation))}"
    yield from (f"- **{line}**" for line in warnings(report))
    yield from _table("Metrics", METRIC_HEADINGS, map(metric_row, defined(report)))
    if undefined_line(report):
        yield from ("", _plain(undefined_line(report)))
    if report.months:
        yield from _table("By month of publication", MONTH_HEADINGS, map(month_row, report.months))
    verdicts = ((str(name), f"{count:,}") for name, count in by_frequency(report.verdicts))
    yield from _table("Verdicts", ("verdict", "samples"), verdicts)
    yield from _table(
        "Tasks",
        ("task", "samples", "passed", "verdicts", "within time", "within memory", "cases"),
        (
            (
                score.task,
                f"{score.samples:,}",
                f"{score.passed:,}",
                verdicts_line(score.verdicts),
                f"{score.efficient_time:,}",
                f"{score.efficient_memory:,}",
                f"{score.cases:,}",
            )
            for score in report.scores
        ),
    )
    more = report.fault_count - _MOST_FAULTS
    left_out = [*report.faults[:_MOST_FAULTS], *([f"and {more:,} more"] if more > 0 else [])]
    for title, texts in (("Notes", report.notes), ("Left out", left_out)):
        if texts:
            yield from ("", f"## {title}", "", *(f"- {_plain(text)}" for text in texts))


def _table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    yield f"| {' | '.join(headings)} |"
    yield f"|---|{'---:|' * (len(headings) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(_plain, row))} |"


def _plain(text: str) -> str:
    """Return a text from outside such that Markdown shows it as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|#!~" else char for char in shown)
