"""Lines and columns in colour without Rich, whose import takes longer than a short judgement."""

import os
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

Part = str | tuple[str, str]
"""A text, or a text and its style: words of `_CODES`."""
Line = Sequence[Part]

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_STAND_INS = {
    "✓": "+",
    "✗": "x",
    "⏎": "\\n",
    "⇥": "\\t",
    "␍": "\\r",
    "…": "...",
    "µ": "u",
    "\N{EN DASH}": "-",
    "·": "*",
    "÷": "/",
}
"""For characters of our own; all others become escapes."""
_GAP = "  "


def show(lines: Iterable[Line]) -> None:
    """Print lines on standard output: in colour on a terminal, in ASCII if it takes no more."""
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    coloured = coloured and os.environ.get("TERM") != "dumb"
    for line in lines:
        text = "".join(_painted(*_pair(part), coloured=coloured) for part in line).rstrip()
        sys.stdout.write(f"{_encodable(text)}\n")


def columns(
    headings: Sequence[str], rows: Sequence[Sequence[Part]], *, right: Collection[int] = ()
) -> Iterator[Line]:
    """Yield a line of headings and a line for each row, each cell as wide as its column.

    Args:
        headings: The names of the columns.
        rows: The cells of each row.
        right: The columns whose cells end below each other, such as those of figures.
    """
    heads: list[Part] = [(heading, "bold") for heading in headings]
    table = [
        [(_encodable(text), style) for text, style in map(_pair, row)] for row in (heads, *rows)
    ]
    widths = [max(_width(row[i][0]) for row in table) for i in range(len(headings))]
    for row in table:
        line: list[Part] = []
        for i, cell in enumerate(row):
            blanks = " " * (widths[i] - _width(cell[0]))
            line += [blanks, cell] if i in right else [cell, blanks]
            line.append(_GAP)
        yield line


def in_ascii(text: str) -> str:
    """Return a text with a substitute, or an escape, for each character that is not ASCII."""
    return text if text.isascii() else "".join(map(_stand_in, text))


def _encodable(text: str) -> str:
    """Return the text as standard output takes it."""
    return text if (sys.stdout.encoding or "").lower().startswith("utf") else in_ascii(text)


def _stand_in(char: str) -> str:
    if char.isascii():
        return char
    return _STAND_INS.get(char) or char.encode("ascii", "backslashreplace").decode()


def _pair(part: Part) -> tuple[str, str]:
    return (part, "") if isinstance(part, str) else part


def _painted(text: str, style: str, *, coloured: bool) -> str:
    if not (coloured and style and text):
        return text
    return f"\x1b[{';'.join(_CODES[word] for word in style.split())}m{text}\x1b[0m"


def _width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)
