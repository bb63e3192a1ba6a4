"""Collect the diagnostics that the parsers of compilers' output find, within limits."""

import re
from dataclasses import dataclass, field
from typing import Literal

from steelyard.schemas import Diagnostic

MAX_DIAGNOSTICS = 100
"""The first so many errors are kept, and the first so many warnings."""
MAX_MESSAGE_CHARS = 500

_TEMPORARY = re.compile(r"(?:/usr/bin/(?:\S{0,40}-)?ld: )?/tmp/[\w.-]{1,80}")
_MAX_LINE = 2**31 - 1


@dataclass(slots=True)
class Findings:
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


def one_line(text: str) -> str:
    """Return text as one short line without control characters and temporary names."""
    text = _TEMPORARY.sub("", text[: 4 * MAX_MESSAGE_CHARS])
    printable = "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(printable.split()).removeprefix(": ")
    return words if len(words) <= MAX_MESSAGE_CHARS else words[: MAX_MESSAGE_CHARS - 1] + "…"
