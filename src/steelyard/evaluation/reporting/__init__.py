"""Reports of an evaluation: terminal, Markdown, CSV, JSON and one HTML page."""

from steelyard.evaluation.reporting._inspect import export_evaluation
from steelyard.evaluation.reporting._text import diff_lines, figure, interval, terminal_lines
from steelyard.evaluation.reporting._write import write_reports

__all__ = [
    "diff_lines",
    "export_evaluation",
    "figure",
    "interval",
    "terminal_lines",
    "write_reports",
]
