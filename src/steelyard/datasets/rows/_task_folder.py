"""Read a folder that holds one row: each of its files is a field, as APPS is distributed."""

import json
from pathlib import Path

from steelyard.datasets.rows._limits import MAX_ROW_BYTES, RowError

__all__ = ["TASK_FILE", "read_task_folder"]

TASK_FILE = "question.txt"
"""The file that marks such a folder."""
_KINDS = (".txt", ".json", ".py")


def read_task_folder(folder: Path) -> bytes:
    """Return the row as JSON: the names of its files without endings, and its own as `problem_id`.

    Raises:
        RowError: if a file is not UTF-8, or all are too large together.
        OSError: if a file cannot be read.
    """
    fields, size = {"problem_id": folder.name}, 0
    for file in sorted(folder.iterdir()):
        if file.suffix not in _KINDS or file.is_symlink() or not file.is_file():
            continue
        size += file.stat().st_size
        if size > MAX_ROW_BYTES:
            raise RowError(f"a task of over {MAX_ROW_BYTES >> 20} MiB; split it")
        try:
            fields[file.stem] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise RowError(f"{file.name} is not UTF-8 (byte {error.start}); convert it") from error
    return json.dumps(fields).encode()
