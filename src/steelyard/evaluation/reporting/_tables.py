"""The report's tables as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from steelyard.evaluation.reporting._words import verdicts_line
from steelyard.schemas import EvaluationReport

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Signs by which a spreadsheet takes a text for a formula."""


def metrics_csv(report: EvaluationReport) -> str:
    """Return one line for each metric."""
    return _csv(
        ("metric", "k", "value", "low", "high", "standard_error", "tasks", "unit", "basis"),
        (
            (
                each.name,
                each.k,
                each.value,
                *(each.interval or (None, None)),
                each.standard_error,
                each.tasks,
                each.unit,
                each.basis,
            )
            for each in report.metrics
        ),
    )


def tasks_csv(report: EvaluationReport) -> str:
    """Return one line for each task."""
    return _csv(
        (
            "task",
            "group",
            "difficulty",
            "time_complexity",
            "published",
            "cases",
            "mutants",
            "mutants_killed",
            "samples",
            "passed",
            "verdicts",
            "within_time",
            "within_memory",
            "unjudged",
            "fastest_ms",
            "beyond",
            "cost_usd",
        ),
        (
            (
                each.task,
                each.group,
                each.difficulty,
                each.time_complexity,
                each.published,
                each.cases,
                each.mutants,
                each.mutants_killed,
                each.samples,
                each.passed,
                verdicts_line(each.verdicts),
                each.efficient_time,
                each.efficient_memory,
                each.unjudged,
                each.fastest_ms,
                each.beyond,
                each.cost_usd,
            )
            for each in report.scores
        ),
    )


def _csv(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
