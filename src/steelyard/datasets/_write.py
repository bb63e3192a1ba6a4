"""Write tasks: in our own form, or as rows for trainers."""

import json
import re
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from steelyard._replaced_files import replacing
from steelyard.datasets._read import with_sized_tests
from steelyard.errors import DatasetError
from steelyard.schemas import Task, sha256_of

ExportFormat = Literal["steelyard", "trainer"]
_MAX_NAME: Final = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def write_tasks(
    tasks: Iterable[Task],
    target: str | Path,
    *,
    format: ExportFormat = "steelyard",  # noqa: A002
) -> int:
    """Write tasks, and return their number. Without tasks nothing is written or replaced.

    Args:
        tasks: The tasks. They are taken one at a time.
        target: A file ending in `.jsonl`, which gets one task a line and replaces another one
            when it is complete; or a folder, which gets `SOURCE/task_ID.json` for each task.
        format: `steelyard`: the fields of `Task`. `trainer`: the columns `prompt`, `tests`,
            `entry`, `task_id` and others, which trainers pass to a reward function; for a file.

    Raises:
        DatasetError: if the target cannot be written, or the format is unknown.
    """
    if format not in EXPORTS:
        raise DatasetError(f"unknown format {format!r}; use one of {', '.join(EXPORTS)}")
    path, row_of = Path(target), EXPORTS[format]
    try:
        if path.suffix == ".jsonl":
            return _write_lines(map(row_of, tasks), path)
        if format != "steelyard" or path.suffix:
            raise DatasetError(f"{path}: the format {format} is written to a file NAME.jsonl")
        return _write_files(tasks, path)
    except OSError as error:
        raise DatasetError(
            f"{error.filename or path} cannot be written: {error.strerror}; name another target"
        ) from error
    except ValueError as error:  # a NUL byte in the path
        raise DatasetError(f"{path!s} cannot be written: {error}; name another target") from error


def _task_row(task: Task) -> str:
    fields = task.model_dump(mode="json", exclude_defaults=True)
    return json.dumps({"schema_version": task.schema_version, **fields})


def _trainer_row(task: Task) -> str:
    """Return the columns that a reward function needs, with the tests as JSON text.

    Rows of one table have one type a column, and tests of different tasks have different keys.
    """
    task = with_sized_tests(task)
    # A trainer may turn the prompt into messages, and a completion continues it as it is here.
    continued = task.completion == "continuation" and not task.starter_code
    begun = task.prompt if continued else task.starter_code
    row = {
        "prompt": task.prompt,
        "tests": json.dumps(task.tests),
        "setup": task.setup,
        "ending": task.ending,
        "entry": task.entry,
        "form": task.form,
        "task_id": task.id,
        "source": task.source,
        "language": task.language,
        "completion": task.completion,
        "starter_code": begun,
        "match_mode": task.match_mode,
        "abs_tol": task.abs_tol,
        "rel_tol": task.rel_tol,
        "sequences_alike": task.sequences_alike,
        "one_item_lists": task.one_item_lists,
        "ignore_case": task.ignore_case,
        "checker": task.checker and task.checker.model_dump_json(),
        "time_limit_ms": task.time_limit_ms,
        "memory_limit_mib": task.memory_limit_mib,
        "license": task.provenance.license,
    }
    return json.dumps(row)


EXPORTS: dict[str, Callable[[Task], str]] = {"steelyard": _task_row, "trainer": _trainer_row}
"""The formats of `write_tasks`."""


def file_name_of(task_id: str) -> str:
    """Return a name for a task's file or folder, which differs for each id."""
    safe = _UNSAFE.sub("_", task_id).lstrip(".")
    if safe == task_id and len(safe) <= _MAX_NAME:
        return safe
    return f"{safe[:_MAX_NAME]}-{sha256_of(task_id)[:8]}"


def _write_lines(rows: Iterable[str], path: Path) -> int:
    found = iter(rows)
    first = next(found, None)
    if first is None:
        return 0
    number = 0
    with replacing(path) as out:
        for row in chain((first,), found):
            out.write(f"{row}\n")
            number += 1
    return number


def _write_files(tasks: Iterable[Task], root: Path) -> int:
    number = 0
    for task in tasks:
        folder = root / file_name_of(task.source or "tasks")
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / f"task_{file_name_of(task.id)}.json") as out:
            out.write(json.dumps(json.loads(_task_row(task)), indent=2, ensure_ascii=False) + "\n")
        number += 1
    return number
