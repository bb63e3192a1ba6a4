"""Write a report's files next to its record."""

from pathlib import Path

from steelyard._installation import install_command
from steelyard._replaced_files import replacing
from steelyard.errors import ArtefactError
from steelyard.evaluation._stored import stored_program
from steelyard.evaluation._tallies import read_tallies
from steelyard.evaluation.reporting._curves import curve_rows, draw_curves, plotnine_is_installed
from steelyard.evaluation.reporting._markdown import markdown_of
from steelyard.evaluation.reporting._page import page_of
from steelyard.evaluation.reporting._tables import metrics_csv, tasks_csv
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
