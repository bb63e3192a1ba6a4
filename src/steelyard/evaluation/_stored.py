"""Read what the folder of an evaluation holds, without changing it."""

from pathlib import Path

from pydantic import ValidationError

from steelyard.evaluation._record import RECORD, program_file, read_head
from steelyard.evaluation._report import count_report
from steelyard.evaluation._tallies import Tally, read_tallies
from steelyard.schemas import EvaluatedSample, EvaluationReport

_K = (1, 10, 100)


def stored_report(folder: Path) -> EvaluationReport:
    """Return the report of an evaluation; counted from its record if there is no newer one.

    Raises:
        UsageError: if the folder holds no evaluation, or one of another version.
    """
    read_head(folder)
    file = folder / "report.json"
    try:
        if file.stat().st_mtime_ns >= (folder / RECORD).stat().st_mtime_ns:
            return EvaluationReport.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        pass  # there is none yet, or another version wrote it
    return count_report(folder, _K)


def stored_task(folder: Path, task: str) -> Tally | None:
    """Return a task with its samples; None if the record does not have it.

    Raises:
        UsageError: if the record cannot be read.
    """
    return next(iter(read_tallies(folder, task)), None)


def stored_program(folder: Path, sample: EvaluatedSample, *, most_bytes: int) -> str:
    """Return the text of a sample's program; empty if it was not kept or is outside the folder.

    Args:
        folder: Of the evaluation.
        sample: A line of its record.
        most_bytes: The part to read.
    """
    file = program_file(folder, sample) if sample.program else None
    if file is None or not file.is_file():
        return ""
    try:
        with file.open("rb") as source:
            return source.read(most_bytes).decode("utf-8", "replace")
    except OSError:
        return ""
