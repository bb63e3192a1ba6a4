"""What the parts of the terminal's view are built of."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_NAME_WIDTH = 11


def section(name: str) -> Text:
    """A heading, with room above it."""
    return Text(f"\n{name}", style="bold")


def field(
    name: str, said: str | Text, *, style: str = "", name_style: str = "dim", indent: int = 0
) -> Padding:
    """A name, and beside it a text that wraps below itself."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=_NAME_WIDTH, no_wrap=True)
    grid.add_column(overflow="fold")
    text = said if isinstance(said, Text) else Text(said, style=style)
    grid.add_row(Text(name, style=name_style), text)
    return Padding(grid, (0, 0, 0, indent), expand=False)


def table(headings: Sequence[str], rows: Iterable[Sequence[Text]]) -> Table:
    """The first column holds names, which wrap; the others hold figures."""
    built = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    built.add_column(headings[0], overflow="fold")
    for heading in headings[1:]:
        built.add_column(heading, justify="right", overflow="fold")
    for row in rows:
        built.add_row(*row)
    return built
