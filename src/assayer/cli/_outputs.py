"""Files that a command writes beside what it prints."""

import os
from pathlib import Path

from assayer.errors import UsageError

__all__ = ["check_output", "write_output"]


def check_output(file: Path) -> None:
    """Tells before the work, rather than after it, that a file cannot be written.

    Raises:
        UsageError: where it cannot.
    """
    if not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: {file.parent} is not a folder; make it")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise UsageError(f"{file} cannot be written; name another file")


def write_output(file: Path, text: str) -> None:
    """Writes a file.

    Raises:
        UsageError: where it cannot be written.
    """
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}; name another file"
        ) from error
