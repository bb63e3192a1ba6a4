"""The parts of a report, apart from how they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's title."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of lines."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Code:
    """A program, or a diff."""

    text: str


Block = Heading | Paragraph | Items | Table | Code
