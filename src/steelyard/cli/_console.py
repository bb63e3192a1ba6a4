"""The console of every command: tables keep their shape in ASCII, and no line wraps in a pipe."""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from rich.console import Console, ConsoleOptions, Group, OverflowMethod, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Span, Text

from steelyard.reports import in_ascii

_UNBOUNDED = 1_000_000
"""Characters; more than any line has."""


def report_console(*, stderr: bool = False, quiet: bool = False) -> Console:
    """Return a console for reports, which adds no colours of its own to figures."""
    return _ReportConsole(stderr=stderr, quiet=quiet, highlight=False)


class _ReportConsole(Console):
    """Replace what its terminal cannot show before it lays anything out.

    The output stream would do so after that: each escape is wider than its character, and shifts
    the borders behind it.

    Only a terminal has a width. Lines for a file or another program are as long as they are.
    """

    def print(self, *objects: Any, **settings: Any) -> None:
        if not self.is_terminal:
            settings.setdefault("soft_wrap", True)
        super().print(*objects, **settings)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        if (options or self.options).ascii_only:
            renderable = _in_ascii(renderable)
        options = options or self.options
        if not self.is_terminal and isinstance(renderable, Table):
            renderable = copy(renderable)
            renderable.expand = False
            options = options.update(max_width=_UNBOUNDED)
        # A table's cells are padded, too. They have a column, whose width and side they keep.
        if not self.is_terminal and isinstance(renderable, Padding) and options.justify is None:
            return self._indented(renderable, options)
        return super().render(renderable, options)

    def _indented(self, padding: Padding, options: ConsoleOptions) -> Iterator[Segment]:
        """Yield the lines of what is padded, without the blanks that would fill them."""
        options = options.update(max_width=_UNBOUNDED)
        yield from [Segment.line()] * padding.top
        for line in self.render_lines(padding.renderable, options, pad=False):
            yield Segment(" " * padding.left)
            yield from line
            yield Segment.line()
        yield from [Segment.line()] * padding.bottom


def _in_ascii(renderable: Any) -> Any:
    match renderable:
        case str():
            return in_ascii(renderable)
        case Text():
            return _text_in_ascii(renderable)
        case Table():
            return _table_in_ascii(renderable)
        case Padding():
            padded = copy(renderable)
            padded.renderable = _in_ascii(renderable.renderable)
            return padded
        case Group():
            return Group(*map(_in_ascii, renderable.renderables), fit=renderable.fit)
        case _:
            return renderable


def _text_in_ascii(text: Text) -> Text:
    if text.plain.isascii():
        return text
    parts = [in_ascii(char) for char in text.plain]
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part))
    plain = text.copy()
    plain.plain = "".join(parts)
    plain.spans = [Span(starts[span.start], starts[span.end], span.style) for span in text.spans]
    return plain


def _table_in_ascii(table: Table) -> Table:
    plain = copy(table)
    plain.title, plain.caption = _in_ascii(table.title), _in_ascii(table.caption)
    plain.columns = [
        replace(
            column,
            header=_in_ascii(column.header),
            footer=_in_ascii(column.footer),
            overflow=_overflow(column),
            _cells=[_in_ascii(cell) for cell in column.cells],
        )
        for column in table.columns
    ]
    return plain


def _overflow(column: Column) -> OverflowMethod:
    """Return how to shorten a text that is too wide; an ellipsis is not in ASCII."""
    if column.overflow != "ellipsis":
        return column.overflow
    return "crop" if column.no_wrap else "fold"
