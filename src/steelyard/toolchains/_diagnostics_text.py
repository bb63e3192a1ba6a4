"""Collect diagnostics, within limits, and read those in plain text.

Clang, javac, node, go, assemblers and linkers write such text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from steelyard.schemas import Diagnostic

MAX_DIAGNOSTICS = 100
"""The first so many errors are kept, and the first so many warnings."""
MAX_MESSAGE_CHARS = 500
_TEMPORARY = re.compile(r"(?:/usr/bin/(?:\S{0,40}-)?ld: )?/tmp/[\w.-]{1,80}")
_MAX_LINE = 2**31 - 1
_MARKERS: tuple[tuple[str, Literal["error", "warning"]], ...] = (
    ("fatal error: ", "error"),
    ("internal compiler error: ", "error"),
    ("error: ", "error"),
    ("Error: ", "error"),
    ("warning: ", "warning"),
    ("Warning: ", "warning"),
)
_LINK_ERRORS = (
    "undefined reference to ",
    "multiple definition of ",
    "undefined symbol: ",
    "relocation truncated to fit",
    "cannot find -l",
)
_OUR_STATIC = "in statically linked applications requires at runtime"
"""ld's warning about `-static`, which is a default flag and not the source's choice."""
_SUMMARIES = ("ld returned ", "linker command failed ")
_MAX_LINES = 20_000
_MAX_LINE_CHARS = 4_096


@dataclass(slots=True)
class DiagnosticsSoFar:
    """The errors and warnings found so far."""

    source: str
    """The source file's name: a position in another file goes into the message instead."""
    succeeded: bool
    """True if the compiler exited with status 0: then there was no error, and text that reads like
    one, which only the source can have caused, is a warning."""
    errors: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """True if no further diagnostic would be kept."""
        return len(self.errors) >= MAX_DIAGNOSTICS and len(self.warnings) >= MAX_DIAGNOSTICS

    def add(
        self,
        severity: Literal["error", "warning"],
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        """Add one diagnostic, cleaned and shortened, unless there are enough of its kind.

        Args:
            severity: Its kind.
            message: As the compiler gave it; control characters and line ends become spaces.
            file: The file that it is about; "" if none.
            line: From 1; dropped if `file` is not the source.
            column: From 1, in bytes.
        """
        if self.succeeded:
            severity = "warning"
        kept = self.errors if severity == "error" else self.warnings
        if len(kept) >= MAX_DIAGNOSTICS:
            return
        text = one_line(message)
        if file.rpartition("/")[2] != self.source:
            if file and line:
                text = f"{text[: MAX_MESSAGE_CHARS - 80]} (in {one_line(file)[-60:]}:{line})"
            line = column = None
        kept.append(
            Diagnostic(
                severity=severity,
                message=text or "the compiler gave no message",
                line=line if line is not None and 0 < line <= _MAX_LINE else None,
                column=column if column is not None and 0 < column <= _MAX_LINE else None,
            )
        )


def read_clang(text: str, findings: DiagnosticsSoFar) -> None:
    """Read Clang's diagnostics without carets and colours: one per line.

    An error inside a header is reported at the source line that led there, if one of the notes
    that follow it names that line.
    """
    lines = list(_lines(text))
    for index, line in enumerate(lines):
        found = _diagnostic(line, findings)
        if found is None:
            _read_link_error(line, findings)
            continue
        severity, location, message = found
        file, number, column = _location(location)
        if file.rpartition("/")[2] != findings.source:
            for note in lines[index + 1 : index + 33]:
                note_location, marker, _ = note.partition(": note: ")
                if not marker:
                    break
                note_file, note_line, note_column = _location(note_location)
                if note_file.rpartition("/")[2] == findings.source:
                    file, number, column = note_file, note_line, note_column
                    break
        findings.add(severity, message, file=file, line=number, column=column)


def read_linker(text: str, findings: DiagnosticsSoFar) -> None:
    """Read the lines of an assembler or a linker (GCC's own come as JSON)."""
    for line in _lines(text):
        found = _diagnostic(line, findings)
        if found is None:
            _read_link_error(line, findings)
            continue
        severity, location, message = found
        file, number, column = _location(location)
        findings.add(severity, message, file=file, line=number, column=column)


def read_text(text: str, findings: DiagnosticsSoFar) -> None:
    """Read nothing: messages without a known format become one error if the compile failed."""


def read_javac(text: str, findings: DiagnosticsSoFar) -> None:
    """Read javac's diagnostics: a line with the message, the source's line, a caret below it."""
    lines = list(_lines(text))
    carets = {index for index, line in enumerate(lines) if line.strip(" \t") == "^"}
    for index, line in enumerate(lines):
        if index + 1 in carets:  # a line of the source
            continue
        found = _diagnostic(line, findings)
        if found is None:
            continue
        severity, location, message = found
        file, number, _ = _location(location)
        column = None
        for caret in range(index + 2, min(index + 6, len(lines))):
            if caret in carets:
                column = len(lines[caret - 1][: lines[caret].index("^")].encode()) + 1
                detail = lines[caret + 1].strip() if caret + 1 < len(lines) else ""
                if detail.startswith("symbol:"):
                    message = f"{message} ({detail})"
                break
        findings.add(severity, message, file=file, line=number, column=column)


def read_node(text: str, findings: DiagnosticsSoFar) -> None:
    """Read a syntax error of `node --check`: location, source line, caret, then the message."""
    lines = list(_lines(text.rstrip()))
    if findings.succeeded or not lines:
        return
    file, number, _ = _location(lines[0])
    column = None
    if len(lines) > 2 and lines[2].strip(" \t^") == "" and "^" in lines[2]:
        column = len(lines[1][: lines[2].index("^")].encode()) + 1
    message = next((line for line in lines[3:] if "Error: " in line), lines[-1])
    findings.add("error", message, file=file, line=number, column=column)


def read_go(text: str, findings: DiagnosticsSoFar) -> None:
    """Read `go build`: each line is a location and a message, and each is an error."""
    for line in _lines(text):
        location, colon, message = line.partition(": ")
        file, number, column = _location(location)
        if colon and number is not None and not findings.succeeded:
            findings.add("error", message, file=file, line=number, column=column)


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines()[:_MAX_LINES]:
        yield line[:_MAX_LINE_CHARS]


def _diagnostic(
    line: str, findings: DiagnosticsSoFar
) -> tuple[Literal["error", "warning"], str, str] | None:
    """Split a line at its leftmost marker, into severity, location and message.

    A file name that the source sets (`#line 1 "x: note: "`) can put a false marker before
    the true marker, so a line with any marker counts.
    """
    found: tuple[int, int, Literal["error", "warning"]] | None = None
    for marker, severity in _MARKERS:
        at = 0 if line.startswith(marker) else line.find(": " + marker)
        if at >= 0 and (found is None or at < found[0]):
            found = at, at + len(marker) + (0 if line.startswith(marker) else 2), severity
    if found is None:
        return None
    at, end, severity = found
    message = line[end:]
    if _is_ours(message):
        return None
    if findings.errors and any(summary in message for summary in _SUMMARIES):
        return None
    return severity, line[:at], message


def _is_ours(message: str) -> bool:
    """Return True if ld warns about `-static`, unless a file name only imitates that warning."""
    return (
        message.startswith("Using '")
        and _OUR_STATIC in message
        and not any(marker in message for marker, _ in _MARKERS)
    )


def _read_link_error(line: str, findings: DiagnosticsSoFar) -> None:
    for complaint in _LINK_ERRORS:
        at = line.find(complaint)
        if at >= 0 and not findings.succeeded:
            findings.add("error", line[at:])
            return


def _location(text: str) -> tuple[str, int | None, int | None]:
    """Split `file:line:column` or `file:line`; parts that are not numbers belong to the file."""
    rest, _, last = text.rpartition(":")
    number = _number(last)
    if number is None:
        return text, None, None
    file, _, middle = rest.rpartition(":")
    line = _number(middle)
    return (rest, number, None) if line is None else (file, line, number)


def _number(text: str) -> int | None:
    return int(text) if len(text) <= 9 and text.isascii() and text.isdigit() else None


def one_line(text: str) -> str:
    """Return text as one short line without control characters and temporary names."""
    text = _TEMPORARY.sub("", text[: 4 * MAX_MESSAGE_CHARS])
    printable = "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(printable.split()).removeprefix(": ")
    return words if len(words) <= MAX_MESSAGE_CHARS else words[: MAX_MESSAGE_CHARS - 1] + "…"
