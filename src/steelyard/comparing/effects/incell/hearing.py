"""Run in a cell: note the log records and warnings that the project's code emits."""

from __future__ import annotations

import functools
import logging
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

from steelyard.project_runs.incell.project import PLACE

_MOST_CHARS = 20_000
_OWN = f"{PLACE}/"
_OF_NUMBERS = re.compile(r"((?:divide by zero|overflow|underflow|invalid value) encountered) in .*")
"""Warnings of numpy; a loop and whole arrays get the same from different functions of it."""


class Hearing:
    """Hears the records and warnings that code in the scratch tree gives; the rest is not its own.

    Records count where some logger lets them through, and warnings whether a filter hides them or
    not: which of those that are alike is shown hangs on the line that they come from.
    """

    def __init__(self) -> None:
        self._log: list[str] = []
        self._warnings: list[str] = []
        self._left_chars = _MOST_CHARS
        self._listen()

    def take(self) -> dict[str, str]:
        """Return what was emitted since the last time, by kind; kinds with nothing are left out."""
        heard = {"log": self._log, "warnings": dict.fromkeys(self._warnings)}
        self._log, self._warnings, self._left_chars = [], [], _MOST_CHARS
        return {kind: "\n".join(texts) for kind, texts in heard.items() if texts}

    def _listen(self) -> None:
        handle, warn, show = logging.Logger.handle, warnings.warn, warnings.formatwarning

        @functools.wraps(handle)
        def heard_record(logger: logging.Logger, record: logging.LogRecord) -> Any:
            if str(record.pathname).startswith(_OWN):
                self._keep_record(record)
            return handle(logger, record)

        @functools.wraps(warn)
        def heard_warning(
            message: Any, category: Any = None, stacklevel: int = 1, *rest: Any, **more: Any
        ) -> Any:
            if sys._getframe(1).f_code.co_filename.startswith(_OWN):
                self._keep_warning(message, category)
            return warn(message, category, max(stacklevel, 1) + 1, *rest, **more)

        @functools.wraps(show)
        def shown_without_its_place(
            message: Any, category: Any, filename: str, *rest: Any, **more: Any
        ) -> str:
            if not str(filename).startswith(_OWN):
                return show(message, category, filename, *rest, **more)
            # One of compiled code comes only by this way.
            self._keep_warning(message, category)
            return ""

        logging.Logger.handle = heard_record  # type: ignore[method-assign,assignment]
        warnings.warn = heard_warning
        warnings.formatwarning = shown_without_its_place
        # Which lines have warned before is not what the function does.
        warnings.simplefilter("always", append=True)

    def _keep_record(self, record: logging.LogRecord) -> None:
        head = f"{record.levelname} {record.name}: "
        # A message need not fit its arguments.
        self._keep(self._log, lambda: head + record.getMessage(), lambda: f"{head}{record.msg}")

    def _keep_warning(self, message: Any, category: Any) -> None:
        kind = type(message) if isinstance(message, Warning) else category or UserWarning

        def text() -> str:
            return _OF_NUMBERS.sub(r"\1", f"{getattr(kind, '__name__', kind)}: {message}")

        # A warning of the program's own need not have a text.
        self._keep(self._warnings, text, lambda: "a warning")

    def _keep(self, heard: list[str], text: Callable[[], str], other: Callable[[], str]) -> None:
        try:
            found = text()
        except Exception as error:
            found = f"{other()} ({type(error).__name__})"
        if self._left_chars > 0:
            heard.append(found[: self._left_chars])
            self._left_chars -= len(found)
