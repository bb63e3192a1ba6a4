"""Read the head and the record of an evaluation's folder."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from steelyard.datasets import file_name_of
from steelyard.errors import UsageError
from steelyard.schemas import (
    EVALUATION_LINE,
    RECORD_VERSION,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
)

HEAD, RECORD, _PROGRAMS = "run.json", "record.jsonl", "results"
_RUN = b'{"kind":"run",'

Line = EvaluatedTask | EvaluatedSample | EvaluatedRun


def read_head(path: Path) -> EvaluationHead:
    """Return what an evaluation's folder holds.

    Raises:
        UsageError: if it is not such a folder, or one of another version.
    """
    file = path / HEAD
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of an evaluation"
        ) from error
    version = re.search(rb'"record_version"\s*:\s*"([^"]{1,20})"', data)
    found = version[1].decode("utf-8", "replace") if version else RECORD_VERSION
    if found != RECORD_VERSION:
        raise UsageError(
            f"{path} holds a record of version {found}, and this Steelyard writes version "
            f"{RECORD_VERSION}; choose another folder"
        )
    try:
        return EvaluationHead.model_validate_json(data)
    except ValidationError as error:
        raise UsageError(
            f"{file} is not an evaluation ({_fault(error)}); choose another folder"
        ) from error


def read_record(path: Path, task: str | None = None) -> Iterator[Line]:
    """Yield the lines of an evaluation's record; an unfinished last line is not one.

    Args:
        path: The evaluation's folder.
        task: Leave out lines that do not hold this task's id; None for all lines.

    Raises:
        UsageError: if a line cannot be read; the message names it.
    """
    sought = b"" if task is None else json.dumps(task, ensure_ascii=False).encode()
    return _lines(path, lambda line: sought in line)


def last_run(path: Path) -> EvaluatedRun | None:
    """Return the latest end of a run in a record; None if no run has ended.

    Raises:
        UsageError: if the record cannot be read.
    """
    found: EvaluatedRun | None = None
    for line in _lines(path, lambda line: line.startswith(_RUN)):
        assert isinstance(line, EvaluatedRun)
        found = line
    return found


def _lines(path: Path, is_wanted: Callable[[bytes], bool]) -> Iterator[Line]:
    """Yield the lines of a record; those that are not wanted need not be parsed."""
    file = path / RECORD
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                if not is_wanted(line):
                    continue
                try:
                    yield EVALUATION_LINE.validate_json(line)
                except ValidationError as error:
                    raise UsageError(
                        f"{file}:{number}: {_fault(error)}; remove the line, and run again to "
                        "repeat its sample"
                    ) from error
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of an evaluation"
        ) from error


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def place_of(sample: EvaluatedSample) -> Path:
    """Return where an evaluation's folder holds the files of a sample, and of others like it."""
    return Path(_PROGRAMS, file_name_of(sample.task), f"seed_{sample.seed}")


def program_file(folder: Path, sample: EvaluatedSample) -> Path | None:
    """Return the path of a sample's program; None if it would not be among the folder's programs.

    Links are followed: a record may come from another machine.
    """
    try:
        file = (folder / sample.program).resolve()
    except (OSError, ValueError):
        return None
    return file if file.is_relative_to(folder.resolve() / _PROGRAMS) else None
