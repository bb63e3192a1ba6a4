"""Write a report's files next to its record, with its tables as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from steelyard._installation import install_command
from steelyard._replaced_files import replacing
from steelyard.errors import ArtefactError
from steelyard.evaluation._report import read_tallies, stored_program
from steelyard.evaluation.reporting._page import (
    curve_rows,
    draw_curves,
    page_of,
    plotnine_is_installed,
)
from steelyard.evaluation.reporting._text import markdown_of, verdicts_line
from steelyard.schemas import EvaluationReport

_PROGRAM = 100_000
"""Bytes of a program that are read for the page."""


def write_reports(
    report: EvaluationReport, folder: Path, *, plots: bool = True
) -> EvaluationReport:
    """Write report.html, report.md, report.json, metrics.csv and tasks.csv to a folder.

    Args:
        report: The figures.
        folder: The evaluation's folder, with its record.
        plots: Draw runtime curves.

    Returns:
        The report, with a note if curves could not be drawn.

    Raises:
        ArtefactError: if a file cannot be written.
    """
    tallies = read_tallies(folder)
    curves = ""
    if plots and curve_rows(tallies):
        if plotnine_is_installed():
            curves = draw_curves(tallies)
        else:
            note = f"no runtime curves: plotnine is not installed; run: {install_command('plots')}"
            report = report.model_copy(update={"notes": (*report.notes, note)})
    files = {
        "report.html": page_of(
            report, tallies, curves, lambda each: stored_program(folder, each, most_bytes=_PROGRAM)
        ),
        "report.md": markdown_of(report),
        "report.json": report.to_json() + "\n",
        "metrics.csv": metrics_csv(report),
        "tasks.csv": tasks_csv(report),
    }
    if curves:
        files["curves.svg"] = curves
    for name, text in files.items():
        try:
            with replacing(folder / name) as file:
                file.write(text)
        except OSError as error:
            raise ArtefactError(
                f"{folder / name} cannot be written: {error.strerror}; free disk space, and run "
                "the same command again"
            ) from error
    return report


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
