"""Reports of an evaluation: terminal, Markdown, CSV, JSON and one HTML page."""

from steelyard.evaluation.reporting._diff import DiffView
from steelyard.evaluation.reporting._inspect import export_evaluation
from steelyard.evaluation.reporting._terminal import EvaluationView
from steelyard.evaluation.reporting._words import figure, interval
from steelyard.evaluation.reporting._write import write_reports

__all__ = ["DiffView", "EvaluationView", "export_evaluation", "figure", "interval", "write_reports"]
