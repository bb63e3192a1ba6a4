"""Output of a command: one JSON object on standard output, lines for people, files, and logs.

Rich is not used here: its import takes longer than a short judgement.
"""

import errno
import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from steelyard._printable import printable
from steelyard._replaced_files import replacing
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.logs import Level

_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EBUSY)
"""Errors where a folder takes no new file, or a file is mounted by itself."""
_DEVICES = ("/dev/", "/proc/")
"""Folders in which a link such as `stdout` may lead to a file that a shell has open."""

Part = str | tuple[str, str]
"""A text, or a text and its style: words of `_CODES`."""
Line = Sequence[Part]
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_ASCII = {
    "✓": "+",
    "✗": "x",
    "⏎": "\\n",
    "⇥": "\\t",
    "␍": "\\r",
    "…": "...",
    "µ": "u",
    "\u2013": "-",
    "·": "*",
    "÷": "/",
}
"""For characters of our own; all others become escapes."""
_GAP = "  "


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


def show(lines: Iterable[Line]) -> None:
    """Print lines on standard output: in colour on a terminal, in ASCII if it takes no more."""
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    coloured = coloured and os.environ.get("TERM") != "dumb"
    for line in lines:
        text = "".join(_painted(*_pair(part), coloured=coloured) for part in line).rstrip()
        sys.stdout.write(f"{_encodable(text)}\n")


def columns(
    headings: Sequence[str], rows: Sequence[Sequence[Part]], *, right: Collection[int] = ()
) -> Iterator[Line]:
    """Yield a line of headings and a line for each row, each cell as wide as its column.

    Args:
        headings: The names of the columns.
        rows: The cells of each row.
        right: The columns whose cells end below each other, such as those of figures.
    """
    heads: list[Part] = [(heading, "bold") for heading in headings]
    table = [
        [(_encodable(text), style) for text, style in map(_pair, row)] for row in (heads, *rows)
    ]
    widths = [max(_width(row[i][0]) for row in table) for i in range(len(headings))]
    for row in table:
        line: list[Part] = []
        for i, cell in enumerate(row):
            blanks = " " * (widths[i] - _width(cell[0]))
            line += [blanks, cell] if i in right else [cell, blanks]
            line.append(_GAP)
        yield line


def in_ascii(text: str) -> str:
    """Return a text with a substitute, or an escape, for each character that is not ASCII."""
    return text if text.isascii() else "".join(map(_char_in_ascii, text))


def _encodable(text: str) -> str:
    """Return the text as standard output takes it."""
    return text if (sys.stdout.encoding or "").lower().startswith("utf") else in_ascii(text)


def _char_in_ascii(char: str) -> str:
    if char.isascii():
        return char
    return _ASCII.get(char) or char.encode("ascii", "backslashreplace").decode()


def _pair(part: Part) -> tuple[str, str]:
    return (part, "") if isinstance(part, str) else part


def _painted(text: str, style: str, *, coloured: bool) -> str:
    if not (coloured and style and text):
        return text
    return f"\x1b[{';'.join(_CODES[word] for word in style.split())}m{text}\x1b[0m"


def _width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    import unicodedata  # few texts need it  # noqa: PLC0415

    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


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
