"""Show a report on a terminal. All texts of models are escaped."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from steelyard.authoring.pipeline.reporting._blocks import (
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Table,
)
from steelyard.authoring.pipeline.reporting._content import blocks_of, findings_of, title_of
from steelyard.rendering import visible, visible_lines
from steelyard.schemas import AuthorReport

_STYLES = {
    "done": "bold green",
    "open": "bold yellow",
    "failed": "bold red",
    "sandbox_error": "bold yellow",
}


_WIDEST = 60
"""Characters of a column: output that is piped has no width of its own."""


@dataclass(frozen=True)
class AuthorView:
    """An authoring report: its result with a line for each kind of evidence, or all of it."""

    report: AuthorReport
    brief: bool = True

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        report = self.report
        yield Text.assemble(
            (report.status.upper().replace("_", " "), _STYLES[report.status]),
            f"  {visible(title_of(report))}: {visible(report.reason or report.stop)}",
        )
        if self.brief:
            found = list(findings_of(report))
            width = max((len(name) for name, _ in found), default=0)
            yield from (Text(f"{name:{width}}  {visible(text)}") for name, text in found)
        else:
            blocks = blocks_of(report)
            next(blocks)  # the first line again
            for block in blocks:
                yield from _shown(block)
        if report.folder:
            yield Text(f"results in {visible(report.folder)}")


def _shown(block: Block) -> Iterator[RenderableType]:
    match block:
        case Heading(text):
            yield Text(f"\n{visible(text)}", style="bold cyan")
        case Paragraph(text):
            yield Text(visible(text))
        case Items(lines):
            for line in lines:
                yield Text(f"- {visible(line)}")
        case Table(headings, rows):
            table = RichTable()
            for heading in headings:
                table.add_column(heading, overflow="fold", max_width=_WIDEST)
            for row in rows:
                table.add_row(*(Text(visible(each)) for each in row))
            yield table
        case Code(text):
            yield Padding(Text(visible_lines(text), style="dim"), (0, 0, 0, 2))
