"""Compare two programs line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal

_MOST_LINES = 2_000
"""Longer programs are not compared: the time grows with the square of the lines."""


@dataclass(frozen=True)
class DiffLine:
    """A line of a comparison."""

    kind: Literal["same", "added", "removed", "place"]
    text: str


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...] | None:
    """Return what changed, with three lines around each change.

    Returns:
        The lines; none if the programs are equal. None if a program is too long to compare.
    """
    first, second = before.splitlines(), after.splitlines()
    if max(len(first), len(second)) > _MOST_LINES:
        return None
    return tuple(_lines(first, second))


def _lines(first: list[str], second: list[str]) -> Iterator[DiffLine]:
    for number, line in enumerate(unified_diff(first, second, lineterm="")):
        if number < 2:
            continue  # the names of files, which programs do not have
        if line.startswith("@@"):
            yield DiffLine("place", line)
        elif line.startswith("+"):
            yield DiffLine("added", line[1:])
        elif line.startswith("-"):
            yield DiffLine("removed", line[1:])
        else:
            yield DiffLine("same", line[1:])
