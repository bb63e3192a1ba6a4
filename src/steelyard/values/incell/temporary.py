"""Run in a cell: the names that `tempfile` generates, which are another's wherever they are shown.

Which one comes depends on how often it was asked before, and on the files that are there.
"""

from __future__ import annotations

import re
import tempfile
from typing import Any

_NAME = re.compile(r"(?=([a-z0-9_]{8}))")
_made: set[str] = set()


def note_names() -> None:
    """From here on each generated name is noted."""
    names: Any = tempfile._RandomNameSequence  # type: ignore[attr-defined]
    real = names.__next__

    def noted(sequence: Any) -> str:
        name: str = real(sequence)
        _made.add(name)
        return name

    names.__next__ = noted


def masked(text: str) -> str:
    """The text with a number in the place of each generated name, the first one's being 1."""
    if not _made:
        return text
    numbers: dict[str, int] = {}
    parts, end = [], 0
    for found in _NAME.finditer(text):
        name = found[1]
        if name in _made and found.start() >= end:
            number = numbers.setdefault(name, len(numbers) + 1)
            parts += [text[end : found.start()], f"<generated name {number}>"]
            end = found.end(1)
    return "".join([*parts, text[end:]])
