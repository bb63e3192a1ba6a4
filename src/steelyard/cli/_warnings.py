"""Warnings as the command line shows them: one line each, like its errors."""

import sys
import warnings
from typing import TextIO

from steelyard._printable import printable
from steelyard.errors import SteelyardWarning


def show_warnings_as_lines() -> None:
    """Show each `SteelyardWarning` as one line on standard error; others as Python does."""
    before = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, SteelyardWarning):
            text = printable(" ".join(str(message).split()))
            print(f"steelyard: warning: {text}", file=file or sys.stderr)
        else:
            before(message, category, filename, lineno, file, line)

    warnings.showwarning = show
