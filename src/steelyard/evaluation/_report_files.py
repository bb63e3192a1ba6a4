"""Write a report's files next to its record: a page, Markdown, JSON, and its tables as CSV."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from steelyard._installation import install_command
from steelyard._replaced_files import replacing
from steelyard.errors import ArtefactError
from steelyard.evaluation._report import TaskTally, read_tallies, stored_program
from steelyard.evaluation._view import sample_view, samples_view, task_table, view
from steelyard.reports import (
    Code,
    Drawing,
    Fold,
    Heading,
    Table,
    Text,
    csv_text,
    markdown,
    more,
    page,
)
from steelyard.schemas import EvaluatedSample, EvaluationReport

_PROGRAM = 100_000
"""Bytes of a program that are read for the page."""
_MOST_CHARS = 4_000_000
"""Characters of all samples that the page shows; all are in the record."""


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
    rows = curve_rows(tallies) if plots else []
    can_draw = find_spec("plotnine") is not None
    if rows and not can_draw:
        note = f"no runtime curves: plotnine is not installed; run: {install_command('plots')}"
        report = report.model_copy(update={"notes": (*report.notes, note)})
    curves = _draw_curves(rows) if rows and can_draw else ""
    shown = list(view(report))
    samples = _samples(tallies, lambda each: stored_program(folder, each, most_bytes=_PROGRAM))
    links = {task: f"#{fold.anchor}" for task, fold in samples.items()}
    whole = [
        *shown,
        Heading("Runtime by size of the input"),
        Drawing(curves),
        Heading("Tasks"),
        task_table(report.scores, lambda score: links.get(score.task, "")),
        Heading("Samples"),
        *samples.values(),
        Text(more(report.tasks - len(samples), "task"), "quiet"),
    ]
    files = {
        "report.html": page(f"Evaluation of {report.benchmark}", whole),
        "report.md": markdown(
            f"{report.benchmark}: {report.size}",
            [*shown, Heading("Tasks"), task_table(report.scores)],
        ),
        "report.json": report.to_json() + "\n",
        "metrics.csv": csv_text(_metrics(report)),
        "tasks.csv": csv_text(_tasks(report)),
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


def _samples(
    tallies: Sequence[TaskTally], program: Callable[[EvaluatedSample], str]
) -> dict[str, Fold]:
    """Return the samples of each task by its id, as many as the page has room for.

    The first failing sample of each task comes first, then the second ones, and so on; then come
    those that pass.
    """
    ordered = [sorted(tally.samples, key=lambda each: each.passed) for tally in tallies]
    ranks = sorted(
        (sample.passed, rank, number)
        for number, samples in enumerate(ordered)
        for rank, sample in enumerate(samples)
    )
    found: dict[int, list[Fold]] = {}
    room = _MOST_CHARS
    for _, rank, number in ranks:
        sample = ordered[number][rank]
        fold = sample_view(sample, program(sample))
        room -= sum(len(each.text) for each in fold.blocks if isinstance(each, Code))
        room -= 0 if number in found else len(tallies[number].line.statement)
        if room < 0:
            break
        found.setdefault(number, []).append(fold)
    return {
        tallies[number].line.task: samples_view(tallies[number], folds, anchor=f"task-{number}")
        for number, folds in sorted(found.items())
    }


def _metrics(report: EvaluationReport) -> Table:
    headings = ("metric", "k", "value", "low", "high", "standard_error", "tasks", "unit", "basis")
    rows = [
        _texts(
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
    ]
    return Table(headings, rows)


def _tasks(report: EvaluationReport) -> Table:
    headings = (
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
    )
    rows = [
        _texts(
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
            ", ".join(f"{name} {number:,}" for name, number in each.verdicts.items()),
            each.efficient_time,
            each.efficient_memory,
            each.unjudged,
            each.fastest_ms,
            each.beyond,
            each.cost_usd,
        )
        for each in report.scores
    ]
    return Table(headings, rows)


def _texts(*values: object) -> list[str]:
    return ["" if value is None else str(value) for value in values]


_MOST_CLASSES = 12
_UNKNOWN = "class not stated"
_OTHERS = " other classes"
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def curve_rows(tallies: Sequence[TaskTally]) -> list[dict[str, Any]]:
    """Return one row for each size of each accepted program; many classes are put together."""
    rows = [
        {
            "class": tally.line.time_complexity or _UNKNOWN,
            "program": f"{tally.line.task} {sample.seed} {sample.sample}",
            "size": max(point.size, 1.0),
            "cpu_ms": max(point.cpu_ms, 0.01),
        }
        for tally in tallies
        for sample in tally.samples
        if len(sample.curve) > 1
        for point in sample.curve
    ]
    classes = sorted({str(row["class"]) for row in rows}, key=_growth)
    if len(classes) > _MOST_CLASSES:
        others = set(classes[_MOST_CLASSES - 1 :])
        name = f"{len(others)}{_OTHERS}"
        rows = [row | {"class": name} if row["class"] in others else row for row in rows]
    return rows


def _draw_curves(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the curves as SVG text, one panel for each class."""
    import matplotlib as mpl  # noqa: PLC0415  (an extra)
    import pandas as pd  # noqa: PLC0415

    p9: Any = import_module("plotnine")  # its functions are not typed
    frame = pd.DataFrame(rows)
    classes = sorted(frame["class"].unique(), key=_growth)
    frame["class"] = pd.Categorical(frame["class"], categories=classes, ordered=True)
    # Matplotlib reads text between two dollar signs as a formula, and fails if it is none.
    frame["class"] = frame["class"].cat.rename_categories(lambda name: name.replace("$", r"\$"))
    columns = min(3, len(classes))
    height = 0.6 + 2.6 * -(-len(classes) // columns)
    plot = (
        p9.ggplot(frame, p9.aes("size", "cpu_ms", group="program"))
        + p9.geom_line(color="#0072b2", alpha=0.45, size=0.6)
        + p9.geom_point(color="#0072b2", alpha=0.6, size=0.8)
        + p9.scale_x_log10()
        + p9.scale_y_log10()
        + p9.facet_wrap("class", ncol=columns)
        + p9.labs(x="size of the input", y="CPU time of the slowest case, ms")
        + p9.theme_minimal(base_size=10)
        + p9.theme(figure_size=(3.6 * columns, height))
    )
    file = io.BytesIO()
    # Without a date and with a fixed salt, equal figures give equal text.
    with mpl.rc_context({"svg.hashsalt": "steelyard", "svg.fonttype": "path"}):
        plot.save(file, format="svg", verbose=False, metadata={"Date": None})
    svg = _METADATA.sub("", _HEAD.sub("", file.getvalue().decode()))
    return re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)


def _growth(name: str) -> tuple[int, str]:
    """Return the order of a class: from constant to exponential, and what is put together last."""
    order = ("O(1)", "O(log n)", "O(sqrt n)", "O(n)", "O(n log n)", "O(n^2)", "O(n^3)", "O(2^n)")
    if name in order:
        return (order.index(name), name)
    return (len(order) + name.endswith(_OTHERS), name)
