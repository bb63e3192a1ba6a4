"""Blocks: what a report consists of, whatever shows it.

1. A job's view returns blocks: the result first, then what it rests on.
2. Writers show the same blocks at a terminal, as HTML and as Markdown.
3. Blocks hold plain texts. The writers make untrusted text visible, cut it to 1,000 characters of a
   line and escape it, so no view does.
4. A view yields each section without asking if it has anything to show. The writers leave out empty
   blocks, and headings with nothing under them.
5. A text's tone is one or more of the words `good bad warn quiet strong accent`: a colour at a
   terminal, a class in HTML.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from steelyard.reports._chart import Axis, Chart
from steelyard.reports._text import more


@dataclass(frozen=True, slots=True)
class Span:
    """A text with its tone."""

    text: str
    tone: str = ""


Line = str | Span | Sequence[str | Span]
"""A text of one line."""


def spans(line: Line) -> Iterator[Span]:
    """Yield the spans of a line."""
    for part in (line,) if isinstance(line, str | Span) else line:
        yield part if isinstance(part, Span) else Span(part)


def plain(line: Line) -> str:
    """Return the text of a line."""
    return "".join(span.text for span in spans(line))


@dataclass(frozen=True, slots=True)
class Headline:
    """The result in one line, such as `PASS  sort.cpp meets both limits`."""

    verdict: str | Span
    text: Line = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph of one line."""

    line: Line
    tone: str = ""
    indent: int = 0
    """Columns at a terminal."""


@dataclass(frozen=True, slots=True)
class Note:
    """A line that the reader must not miss, with a word before it at a terminal."""

    line: Line
    label: Span = Span("note", "warn")


@dataclass(frozen=True, slots=True)
class Items:
    """A list of lines."""

    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its name, what qualifies it, and lines of detail."""

    label: str
    value: Line
    aside: Line = ""
    details: Sequence[Line] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that a reader asks for first: cards on a page."""

    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class Facts:
    """Named facts, such as how each kind of figure was measured."""

    pairs: Sequence[tuple[str, Line]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    heading: str
    kind: str = ""
    """`figure` (its cells end below each other), `code`, or empty for a text."""
    detail: bool = False
    """A narrow terminal leaves it out."""
    axis: Axis | None = None
    """What its intervals are drawn over."""
    marks: Sequence[tuple[str, float, str]] = ()
    """The class, the value and the name of each line across its intervals."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell that is more than a text; writers that cannot show the rest show the text."""

    line: Line
    share: float | None = None
    """The length of its bar, from 0 to 1."""
    value: float | None = None
    """What it is sorted by, if not by its text."""
    link: str = ""
    """An address, such as that of a `Fold` on the same page: `#task-3`."""
    interval: tuple[float, float, float] | None = None
    """Its low end, middle and high end, drawn over the column's axis."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. A `str` for a column is the heading of a text."""

    columns: Sequence[str | Column]
    rows: Sequence[Sequence[Line | TableCell]]
    caption: str = ""
    """What is not shown."""
    sortable: bool = False

    def heads(self) -> list[Column]:
        """Return the columns."""
        return [Column(each) if isinstance(each, str) else each for each in self.columns]

    def cells(self) -> list[list[TableCell]]:
        """Return the cells by row."""
        return [[_cell(each) for each in row] for row in self.rows]


def _cell(given: Line | TableCell) -> TableCell:
    return given if isinstance(given, TableCell) else TableCell(given)


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a few things: one bar on a page."""

    counts: Sequence[tuple[Span, int]]


@dataclass(frozen=True, slots=True)
class Charts:
    """Charts next to each other. A terminal draws the first."""

    charts: Sequence[Chart]


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG that our own code made. Pages show it as it is."""

    svg: str


@dataclass(frozen=True, slots=True)
class Code:
    """A text of several lines, such as a program."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff."""

    text: str
    missed_old: Collection[int] = ()
    """Lines of the original that no test reaches."""
    missed_new: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """Blocks next to each other, where a page has room."""

    blocks: Sequence["Block"]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that a reader of a page unfolds."""

    title: Line
    blocks: Sequence["Block"]
    is_open: bool = False
    anchor: str = ""


Block = (
    Headline
    | Heading
    | Text
    | Note
    | Items
    | Figures
    | Facts
    | Table
    | Tally
    | Charts
    | Drawing
    | Code
    | Diff
    | Columns
    | Fold
)


def first(blocks: Sequence[Block], most: int, noun: str) -> Iterator[Block]:
    """Yield the first blocks of a list, and the number of all others."""
    yield from blocks[:most]
    yield Text(more(len(blocks) - most, noun), "quiet")


def filled(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield what shows something: no empty block or fact, and no heading with nothing under it."""
    heading: list[Block] = []
    for block in map(_trimmed, blocks):
        if isinstance(block, Heading):
            heading = [block]
        elif not _is_empty(block):
            yield from heading
            heading = []
            yield block


def _trimmed(block: Block) -> Block:
    match block:
        case Facts(pairs):
            return Facts([pair for pair in pairs if plain(pair[1])])
        case Columns(inner):
            return Columns(list(filled(inner)))
        case Fold(_, inner):
            return replace(block, blocks=list(filled(inner)))
    return block


def _is_empty(block: Block) -> bool:
    match block:
        case Text(line):
            return not plain(line)
        case Drawing(text) | Code(text) | Diff(text):
            return not text.strip()
        case Items(own) | Figures(own) | Facts(own) | Tally(own) | Charts(own) | Columns(own):
            return not own
        case Table(columns):
            return not columns
    return False
