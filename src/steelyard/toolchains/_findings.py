"""Where the parsers of compilers' output put what they find, within bounds."""

import re
from dataclasses import dataclass, field
from typing import Literal

from steelyard.schemas import Diagnostic

MAX_DIAGNOSTICS = 100
"""As many errors, and as many warnings, are kept; the first ones."""
MAX_MESSAGE_CHARS = 500

_TEMPORARY = re.compile(r"(?:/usr/bin/(?:\S{0,40}-)?ld: )?/tmp/[\w.-]{1,80}")
_MAX_LINE = 2**31 - 1


@dataclass(slots=True)
class Findings:
    """The errors and warnings that were read so far."""

    source: str
    """The source file's name: places in other files are told in the message instead."""
    succeeded: bool
    """Whether the compiler ended well: then there was no error, and what reads like one, which
    only text of the source's own can, is a warning."""
    errors: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """Whether nothing more would be kept."""
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
        """Keep one diagnostic, cleaned and cut, unless there are enough of its kind.

        Args:
            severity: Its kind.
            message: As the compiler gave it; control characters and line ends become spaces.
            file: Where it points; "" where it points nowhere.
            line: From 1; dropped where `file` is not the source.
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
    """Text fit to be shown: one line, no control characters, no temporary names, cut to size."""
    text = _TEMPORARY.sub("", text[: 4 * MAX_MESSAGE_CHARS])
    printable = "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(printable.split()).removeprefix(": ")
    return words if len(words) <= MAX_MESSAGE_CHARS else words[: MAX_MESSAGE_CHARS - 1] + "…"
