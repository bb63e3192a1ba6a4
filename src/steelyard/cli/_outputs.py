"""Output of a command: one JSON object on standard output, lines for people, files, and logs.

Rich is not used here: its import takes longer than a short judgement.
"""

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from steelyard._printable import printable
from steelyard._replaced_files import replacing
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.logs import Level
    from steelyard.reports import Block
    from steelyard.schemas import Report

_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EBUSY)
"""Errors where a folder takes no new file, or a file is mounted by itself."""
_DEVICES = ("/dev/", "/proc/")
"""Folders in which a link such as `stdout` may lead to a file that a shell has open."""


class _Printed:
    json = False


def print_json(report: str | Mapping[str, object]) -> None:
    """Print the one JSON object of a command: a report's text, or plain values."""
    text = report if isinstance(report, str) else json.dumps(report, indent=2, ensure_ascii=False)
    _Printed.json = True
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def print_result(
    plain: "Report | str | Mapping[str, object]", view: "Iterable[Block]", *, json: bool
) -> None:
    """Print the result of a command: its one JSON object, or blocks for people."""
    if json:
        print_json(plain if isinstance(plain, str | Mapping) else plain.to_json())
    else:
        from steelyard.reports import print_blocks  # noqa: PLC0415

        print_blocks(view)


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
    """Write a file: all of it, or it stays as it was.

    A device or a pipe is written to. So is a file that can be written to and not replaced, as in
    the folder of another user.

    Raises:
        UsageError: where it cannot be written.
    """
    try:
        is_device = file.exists() and not file.is_file() and not file.is_dir()
        if is_device or os.path.abspath(file).startswith(_DEVICES):
            file.write_text(text, encoding="utf-8")
            return
        try:
            with replacing(file) as out:
                out.write(text)
        except OSError as error:
            if error.errno not in _NOT_REPLACED or not file.is_file():
                raise
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_written(file, error) from error


@contextmanager
def private_file(file: Path, encoding: str) -> Iterator[IO[str]]:
    """Open a file that appears when it is complete; a new one only its owner can read.

    Raises:
        UsageError: if it cannot be written.
    """
    try:
        with replacing(file, encoding=encoding, mode=0o600) as out:
            yield out
    except OSError as error:
        raise _not_written(file, error) from error


def _not_written(file: Path, error: OSError) -> UsageError:
    return UsageError(f"{file} cannot be written: {error.strerror}; name another file")


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


class _Verbosity:
    level = 0
    """The number of `-v`."""


def be_verbose(level: int) -> None:
    """Write logs if they were asked for: by `-v`, `-vv` or `LOG_LEVEL`."""
    from steelyard.logs import configure_logs, level_from_environment  # noqa: PLC0415

    _Verbosity.level = level
    if level or level_from_environment():
        configure_logs(log_level())


def is_verbose() -> bool:
    """Return True if `-v` was given: reports then have details that most readers do not need."""
    return _Verbosity.level > 0


def log_level() -> "Level":
    """Return the level that was asked for; else INFO."""
    from steelyard.logs import level_from_environment  # noqa: PLC0415

    if _Verbosity.level > 1:
        return "DEBUG"
    return ("INFO" if _Verbosity.level else level_from_environment()) or "INFO"
