"""The report on a terminal."""

from rich.box import SIMPLE
from rich.console import Console, ConsoleOptions, RenderResult
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
from steelyard.rendering import visible
from steelyard.schemas import EvaluationReport

__all__ = ["EvaluationView"]

_MOST_FAULTS = 10


class EvaluationView:
    """An evaluation as Rich prints it."""

    def __init__(self, report: EvaluationReport) -> None:
        self._report = report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the summary, the metrics, the notes, and the folder."""
        report = self._report
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
