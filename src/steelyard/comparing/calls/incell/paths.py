"""Which lines of the project a call executes, to tell calls apart by what they reach."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

_MOST_EVENTS = 20_000
"""Lines beyond are not looked at: tracing costs some hundred ns for each."""


class Path:
    """Collects the lines that run between `start` and `stop`, in files beside a function's own.

    It is cut off after a number of lines and not of seconds: what is seen is the same each time.

    Args:
        function: Its file's folder is the one that is looked at.
    """

    def __init__(self, function: Any) -> None:
        code = getattr(function, "__code__", None)
        self._folder = os.path.dirname(code.co_filename) if code else ""
        self._lines: set[tuple[str, int]] = set()
        self._left = 0

    def start(self) -> None:
        """Begins with no lines."""
        self._lines, self._left = set(), _MOST_EVENTS
        if self._folder:
            sys.settrace(self._enter)

    def stop(self) -> frozenset[tuple[str, int]]:
        """Ends it; the lines as file and number."""
        sys.settrace(None)
        return frozenset(self._lines)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        if self._left <= 0:
            sys.settrace(None)
            return None
        self._left -= 1
        file = frame.f_code.co_filename
        return self._line if file.startswith(self._folder) else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self._lines.add((frame.f_code.co_filename, frame.f_lineno))
            self._left -= 1
            if self._left <= 0:
                sys.settrace(None)
                return None
        return self._line


def by_turns(paths: Sequence[object], rare: Sequence[bool]) -> list[int]:
    """An order in which each path has its share: of one seen often more calls, yet not all.

    The share of a path grows as the square root of how often it is seen.

    Args:
        paths: Each call's path.
        rare: For each call whether it is to come half as often.

    Returns:
        The calls' places, all of them.
    """
    members: dict[object, list[int]] = {}
    for place, path in enumerate(paths):
        members.setdefault(path, []).append(place)
    keyed: list[tuple[float, int]] = []
    for places in members.values():
        for turn, place in enumerate(places):
            step = (turn + 1) / len(places) ** 0.5
            keyed.append((2 * step if rare[place] else step, place))
    return [place for _, place in sorted(keyed)]
