"""Output of a command: one JSON object on standard output, and files."""

import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from steelyard._printable import printable
from steelyard._replaced_files import replaceable
from steelyard.errors import UsageError

__all__ = [
    "check_output",
    "error_object",
    "json_is_printed",
    "one_line",
    "print_json",
    "write_output",
    "written",
]


class _Printed:
    json = False


def print_json(report: str | Mapping[str, object]) -> None:
    """Print the one JSON object of a command: a report's text, or plain values."""
    text = report if isinstance(report, str) else json.dumps(report, indent=2, ensure_ascii=False)
    _Printed.json = True
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def error_object(kind: str, message: str, status: int) -> dict[str, object]:
    """Return an error as `--json` prints it."""
    return {"error": {"type": kind, "message": one_line(message), "exit_status": status}}


def one_line(message: str) -> str:
    """Return a message without line breaks and without what could steer a terminal."""
    return printable(" ".join(message.split()))


def json_is_printed() -> bool:
    """Return True if the command has printed its object: an error that follows adds no other."""
    return _Printed.json


def check_output(file: Path) -> None:
    """Check before the work that a file can be written.

    Raises:
        UsageError: where it cannot.
    """
    # `os.path`'s questions: `Path`'s raise for some names.
    if not os.path.isdir(file.parent):
        raise UsageError(f"{file} cannot be written: {file.parent} is not a folder; make it")
    if os.path.isdir(file) or not os.access(_what_is_there(file), os.W_OK):
        raise UsageError(f"{file} cannot be written; name another file")


def write_output(file: Path, text: str) -> None:
    """Write a file.

    Raises:
        UsageError: where it cannot be written.
    """
    with written(file) as out:
        out.write(text)


@contextmanager
def written(file: Path, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Open a file that appears when it is complete; a device or a pipe is written to at once.

    Raises:
        UsageError: if it cannot be written.
    """
    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            with open(file, "w", encoding=encoding, newline="\n") as out:
                yield out
            return
        target = replaceable(file)
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=target.parent)
        try:
            with open(descriptor, "w", encoding=encoding, newline="\n") as out:
                yield out
            os.chmod(name, _mode_of(target))
            os.replace(name, target)
        except BaseException:  # an interrupt, too, must leave no half-written file
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}; name another file"
        ) from error


def _mode_of(target: Path) -> int:
    """Return the mode of a file, or that of one that is created."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _what_is_there(file: Path) -> Path:
    """Return the file, or the folder that it would be created in."""
    try:
        os.stat(file)
    except FileNotFoundError:
        return file.parent
    except (OSError, ValueError) as error:  # too long a name, a NUL byte, a loop of links
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{file} cannot be written: {why}; name another file") from error
    return file
