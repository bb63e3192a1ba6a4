"""A person who waits sees what is done, with its counts."""

import io
import sys
from collections.abc import Callable

import pytest

from steelyard.cli import _progress
from steelyard.schemas import Event


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class AtOnce:
    """A timer that does not wait."""

    def __init__(self, _seconds: float, start: Callable[[], None]) -> None:
        self.start = start

    def cancel(self) -> None:
        pass

    def join(self) -> None:
        pass


def test_the_bar_has_the_message_of_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(_progress, "Timer", AtOnce)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with _progress.progress("comparing") as show:
        show(Event(job="compare", stage="original's tests", message="1 of 71 test functions"))
    assert "original's tests: 1 of 71 test functions" in shown.getvalue()
