"""The report, and a paired comparison, on a terminal."""

from collections.abc import Iterator

from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from steelyard.evaluation.reporting._words import (
    METRIC_HEADINGS,
    defined,
    metric_row,
    strength_line,
    undefined_line,
    verdicts_line,
    warnings,
    window_line,
)
from steelyard.rendering import counted, visible
from steelyard.schemas import EvaluationDiff, EvaluationReport, MetricDifference

_MOST_FAULTS = 10


def terminal_lines(report: EvaluationReport) -> Iterator[Text | Table]:
    """Yield the summary, the metrics, the notes, and the folder."""
    yield Text.assemble(
        (visible(report.benchmark), "bold"),
        f"  {report.passes:,} of {report.samples:,} samples pass, {report.size}",
    )
    yield Text(verdicts_line(report.verdicts), style="dim")
    table = Table(box=SIMPLE, pad_edge=False)
    for index, heading in enumerate(METRIC_HEADINGS):
        left = index in (0, len(METRIC_HEADINGS) - 1)
        table.add_column(heading, justify="left" if left else "right", overflow="fold")
    for metric in defined(report):
        table.add_row(*map(visible, metric_row(metric)))
    yield table
    if undefined_line(report):
        yield Text(undefined_line(report), style="dim")
    yield Text(f"tests: {strength_line(report)}")
    yield Text(f"data: version {report.version[:12]}, {window_line(report)}")
    for note in report.notes:
        yield Text(f"note: {visible(note)}", style="yellow")
    yield from (Text(line, style="red") for line in warnings(report))
    for fault in report.faults[:_MOST_FAULTS]:
        yield Text(f"  {visible(fault)}", style="yellow")
    yield Text(f"reports: {visible(report.folder)}", style="dim")


_SHOWN = 20


def diff_lines(diff: EvaluationDiff) -> Iterator[Text | Table]:
    """Yield the differences, then the tasks won and lost."""
    yield Text.assemble(
        "first   ",
        (visible(diff.first), "bold"),
        "\nsecond  ",
        (visible(diff.second), "bold"),
        f"\n{counted(diff.tasks, 'task')} in both",
    )
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in (
        "metric",
        "first",
        "second",
        "difference",
        "95 % interval",
        "won",
        "lost",
        "tied",
        "p",
        "least shown",
    ):
        table.add_column(heading, justify="left" if heading == "metric" else "right")
    for each in diff.differences:
        table.add_row(*_row(each), style="bold" if each.shown else "")
    yield table
    for name, tasks in (("won by the second", diff.won), ("lost by the second", diff.lost)):
        if tasks:
            rest = len(tasks) - _SHOWN
            more = f" and {rest:,} more" if rest > 0 else ""
            yield Text(f"{name}: {visible(', '.join(tasks[:_SHOWN]))}{more}")
    for note in diff.notes:
        yield Text(f"note: {visible(note)}", style="yellow")


def _row(each: MetricDifference) -> tuple[str, ...]:
    return (
        each.label,
        f"{each.first:.3f}",
        f"{each.second:.3f}",
        f"{each.difference:+.3f}",
        "" if each.interval is None else f"{each.interval[0]:+.3f} to {each.interval[1]:+.3f}",
        f"{each.won:,}",
        f"{each.lost:,}",
        f"{each.tied:,}",
        "" if each.p_value is None else f"{each.p_value:.3g}",
        "" if each.smallest is None else f"{each.smallest:.3f}",
    )
