"""Read what the folder of an evaluation holds, without changing it."""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from steelyard.errors import UsageError
from steelyard.evaluation._record import RECORD, program_file, read_head
from steelyard.evaluation._report import count_report
from steelyard.schemas import (
    EVALUATION_LINE,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationReport,
)

__all__ = ["StoredTask", "stored_program", "stored_report", "stored_task"]

_K = (1, 10, 100)


@dataclass(frozen=True)
class StoredTask:
    """A task of a record, with its samples in order."""

    task: EvaluatedTask
    samples: tuple[EvaluatedSample, ...]


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


def stored_task(folder: Path, task: str) -> StoredTask | None:
    """Return a task with its samples; None if the record does not have it.

    Raises:
        UsageError: if the record cannot be read.
    """
    file, sought = folder / RECORD, json.dumps(task, ensure_ascii=False).encode()
    found: EvaluatedTask | None = None
    samples: dict[tuple[int, int], EvaluatedSample] = {}
    try:
        with file.open("rb") as lines:
            # Most lines are of other tasks, and need not be parsed.
            for text in (each for each in lines if sought in each and each.endswith(b"\n")):
                line = EVALUATION_LINE.validate_json(text)
                if isinstance(line, EvaluatedRun) or line.task != task:
                    continue
                if isinstance(line, EvaluatedTask):
                    found = line
                elif line.role == "sample" and (
                    line.error is None or (line.seed, line.sample) not in samples
                ):
                    samples[line.seed, line.sample] = line
    except (OSError, ValidationError) as error:
        raise UsageError(f"{file} cannot be read; give the folder of an evaluation") from error
    if found is None:
        return None
    return StoredTask(found, tuple(samples[place] for place in sorted(samples)))


def stored_program(folder: Path, sample: EvaluatedSample, *, most_bytes: int) -> str:
    """Return the text of a sample's program; empty if it was not kept or is outside the folder.

    Args:
        folder: Of the evaluation.
        sample: A line of its record.
        most_bytes: The part to read.
    """
    if not sample.program:
        return ""
    try:
        file = program_file(folder, sample)
        if file is None or not file.is_file():
            return ""
        with file.open("rb") as source:
            return source.read(most_bytes).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
