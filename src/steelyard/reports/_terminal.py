"""Show blocks on a terminal.

1. Texts are made visible. A terminal that takes ASCII alone gets substitutes for our own characters
   and escapes for all others, before anything is laid out.
2. A terminal's lines are broken at blanks. A table that is too wide loses its columns of detail;
   then its widest columns are folded. A file or a pipe has no width, so its lines stay whole.
3. Tones become colours only on a terminal that wants them.

Rich is not used here: its import takes longer than a short judgement.
"""

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TextIO

from steelyard.reports._blocks import (
    Block,
    Charts,
    Code,
    Column,
    Columns,
    Diff,
    Drawing,
    Facts,
    Figure,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Line,
    Note,
    Span,
    Table,
    Tally,
    Text,
    filled,
    plain,
    spans,
)
from steelyard.reports._chart import Chart
from steelyard.reports._text import cut, visible_lines

_CODES = {
    "strong": "1",
    "quiet": "2",
    "bad": "31",
    "good": "32",
    "warn": "33",
    "main": "34",
    "mark": "35",
    "accent": "36",
}
_ASCII = {
    "✓": "+",
    "✗": "x",
    "⏎": "\\n",
    "⇥": "\\t",
    "␍": "\\r",
    "…": "...",
    "µ": "u",
    "\u2013": "-",
    "·": "*",
    "÷": "/",
    "√": "sqrt ",
    "φ": "phi",
    "→": "->",
    "●": "o",
    "○": "+",
    "◆": "X",
    "╌": "-",
    "┃": "|",
    "│": "|",
    "└": "+",
    "─": "-",
}
"""For characters of our own; all others become escapes."""
_BRAILLE = range(0x2800, 0x2900)
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ][⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ·]*")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ·", "0123456789n.")
_GAP = 2
_WIDEST_COLUMN = 100
"""Columns of a table's column: output that is piped has no width of its own."""
_NARROWEST_COLUMN = 3
_PLOT_WIDTH, _PLOT_HEIGHT = 76, 12
_SIGNS = {"added": "good", "removed": "bad", "hunk": "accent"}


def print_blocks(blocks: Iterable[Block], out: TextIO | None = None) -> None:
    """Print blocks on standard output, or another stream."""
    out = out or sys.stdout
    terminal = out.isatty()
    coloured = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else None
    ascii_only = not (out.encoding or "").lower().startswith("utf")
    for line in terminal_lines(blocks, width=width, ascii_only=ascii_only):
        out.write(f"{_painted(line) if coloured else plain(line).rstrip()}\n")


def _painted(line: Iterable[Span]) -> str:
    parts = []
    for tone, group in groupby(line, key=lambda span: span.tone):
        codes = ";".join(_CODES[word] for word in tone.split() if word in _CODES)
        text = plain(list(group))
        parts.append(f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
    return "".join(parts)


def in_ascii(text: str) -> str:
    """Return a text with a substitute, or an escape, for each character that is not ASCII."""
    if text.isascii():
        return text
    text = _RAISED.sub(lambda found: f"^{found[0].translate(_LOWERED)}", text)
    return "".join(map(_char_in_ascii, text))


def _char_in_ascii(char: str) -> str:
    if char.isascii():
        return char
    if ord(char) in _BRAILLE:
        return "."
    return _ASCII.get(char) or char.encode("ascii", "backslashreplace").decode()


def text_columns(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def terminal_lines(
    blocks: Iterable[Block], *, width: int | None = None, ascii_only: bool = False
) -> Iterator[list[Span]]:
    """Yield the lines of blocks.

    Args:
        blocks: What to show.
        width: Columns of the terminal; None for a file or a pipe.
        ascii_only: Leave out all characters that are not ASCII.
    """
    writer = _TerminalWriter(width, ascii_only)
    for block in filled(blocks):
        yield from writer.lines(block)


class _TerminalWriter:
    def __init__(self, width: int | None, ascii_only: bool) -> None:
        self.width, self.ascii_only = width, ascii_only

    def clean(self, line: Line, tone: str = "") -> list[Span]:
        """Return a line as the terminal takes it; `tone` is for spans without one."""
        return [self.span(cut(each.text), each.tone or tone) for each in spans(line)]

    def span(self, text: str, tone: str = "") -> Span:
        return Span(in_ascii(text) if self.ascii_only else text, tone)

    def wrapped(self, line: Line, indent: int = 0, tone: str = "") -> Iterator[list[Span]]:
        clean = self.clean(line, tone)
        blanks = Span(" " * indent)
        for row in _folded(clean, self.width and max(self.width - indent, 1)):
            yield [blanks, *row] if indent else row

    def lines(self, block: Block) -> Iterator[list[Span]]:
        """Yield the lines of one block."""
        match block:
            case Headline(verdict, text):
                gap = (Span("  "),) if verdict and text else ()
                yield from self.wrapped([*spans(verdict), *gap, *spans(text)])
            case Heading(text):
                yield []
                yield from self.wrapped(Span(text, "strong accent"))
            case Text(line, tone, indent):
                yield from self.wrapped(line, indent, tone)
            case Note(line, label):
                yield from self.wrapped([Span(f"{label.text:<7} ", label.tone), *spans(line)])
            case Items(lines):
                for line in lines:
                    yield from self.wrapped([Span("- "), *spans(line)])
            case Figures(figures):
                yield from self._figures(figures)
            case Facts(pairs):
                for name, line in pairs:
                    yield from self.wrapped([Span(f"{name}: "), *spans(line)], tone="quiet")
            case Tally(counts):
                parts = [part for span, n in counts for part in (span, Span(f" {n:,}"), Span(", "))]
                yield from self.wrapped(parts[:-1])
            case Table():
                yield from self._table(block)
            case Charts(charts):
                yield from self._chart(charts[0])
            case Drawing():
                return
            case Code(text, title):
                if title:
                    yield from self.wrapped(Span(title, "quiet"))
                yield from ([self.span(line)] for line in visible_lines(text).splitlines())
            case Diff(text):
                yield from self._diff(text)
            case Columns(inner):
                yield from (line for each in inner for line in self.lines(each))
            case Fold(title, inner):
                yield from self.wrapped(title)
                inside = _TerminalWriter(self.width and max(self.width - 2, 1), self.ascii_only)
                for line in (line for each in inner for line in inside.lines(each)):
                    yield [Span("  "), *line]

    def _figures(self, figures: Sequence[Figure]) -> Iterator[list[Span]]:
        widest = max((text_columns(each.label) for each in figures), default=0) + _GAP
        for each in figures:
            aside = (Span("  "), *spans(each.aside)) if each.aside else ()
            label = Span(each.label.ljust(widest), "quiet")
            yield from self.wrapped([label, *spans(each.value), *aside])
            for line in each.details:
                yield from self.wrapped(line, widest)

    def _diff(self, text: str) -> Iterator[list[Span]]:
        from steelyard.reports._diff import SIGNS, read_diff  # noqa: PLC0415

        for row in read_diff(text):
            shown = SIGNS[row.kind] + row.text.expandtabs(4)
            yield self.clean(Span(shown, _SIGNS.get(row.kind, "")))

    def _chart(self, chart: Chart) -> Iterator[list[Span]]:
        from steelyard.reports._plot import plot_lines  # noqa: PLC0415

        width = min(self.width or _PLOT_WIDTH, _PLOT_WIDTH)
        for line in plot_lines(chart, width=width, height=_PLOT_HEIGHT):
            yield from self.wrapped(line)

    def _table(self, table: Table) -> Iterator[list[Span]]:
        heads = table.heads()
        rows = [[self.clean(cell.line) for cell in row] for row in table.cells()]
        rows.insert(0, [self.clean(Span(head.heading, "strong")) for head in heads])
        widths = [max(text_columns(plain(row[k])) for row in rows) for k in range(len(heads))]
        widths = [min(each, _WIDEST_COLUMN) for each in widths[:-1]] + widths[-1:]
        shown = [k for k in range(len(heads)) if not (heads[k].detail and self._beyond(widths))]
        widths = self._shrunk([widths[k] for k in shown])
        for row in rows:
            cells = [_folded(row[k], wide) for k, wide in zip(shown, widths, strict=True)]
            for parts in zip_longest(*cells, fillvalue=[]):
                yield _row(parts, widths, [heads[k] for k in shown])
        if table.caption:
            yield from self.wrapped(Span(table.caption, "quiet"))

    def _beyond(self, widths: Sequence[int]) -> bool:
        return self.width is not None and sum(widths) + _GAP * (len(widths) - 1) > self.width

    def _shrunk(self, widths: list[int]) -> list[int]:
        widths = [min(each, self.width) for each in widths] if self.width else widths
        while self._beyond(widths) and max(widths) > _NARROWEST_COLUMN:
            widths[widths.index(max(widths))] -= 1
        return widths


def _row(parts: Sequence[list[Span]], widths: Sequence[int], heads: Sequence[Column]) -> list[Span]:
    line: list[Span] = []
    for part, wide, head in zip(parts, widths, heads, strict=True):
        blanks = Span(" " * (wide - text_columns(plain(part))))
        line += [blanks, *part] if head.kind == "figure" else [*part, blanks]
        line.append(Span(" " * _GAP))
    while line and not line[-1].text.strip():
        line.pop()
    return line


def _folded(line: Sequence[Span], width: int | None) -> Iterator[list[Span]]:
    """Yield a line in rows of at most `width` columns, broken at blanks where there are any."""
    if width is None or text_columns(plain(line)) <= width:
        yield list(line)
        return
    row: list[Span] = []
    room = width
    words = [(word, s.tone) for s in line for word in re.findall(r"\S+|\s+", s.text)]
    words.reverse()
    while words:
        word, tone = words.pop()
        if text_columns(word) <= room:
            row.append(Span(word, tone))
            room -= text_columns(word)
            continue
        if row:
            yield row
            row, room = [], width
            words.append((word.lstrip(), tone))
            continue
        head = word[:width]
        while text_columns(head) > width and len(head) > 1:
            head = head[:-1]
        yield [Span(head, tone)]
        words.append((word[len(head) :], tone))
    if row:
        yield row
