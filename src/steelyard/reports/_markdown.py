"""Show blocks as Markdown, in which no text of theirs is markup, and tables as CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from steelyard.reports._blocks import (
    Block,
    Charts,
    Code,
    Diff,
    Drawing,
    Facts,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Line,
    Note,
    Table,
    Tally,
    Text,
    filled,
    plain,
    spans,
)
from steelyard.reports._text import cut, visible, visible_lines

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_FORMULA = re.compile(r"^(?![-+][\d.]+(e[-+]?\d+)?$)[-=+@]")
_FENCE = re.compile(r"`{3,}")


def markdown(title: str, blocks: Iterable[Block]) -> str:
    """Return a Markdown page of blocks.

    Args:
        title: Of the page.
        blocks: What to show. Charts are left out.
    """
    parts = [f"# {_unmarked(title)}", *(part for block in filled(blocks) for part in _parts(block))]
    return "\n\n".join(parts) + "\n"


def csv_text(table: Table) -> str:
    """Return a table as CSV, in which no text is a formula of a spreadsheet."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([head.heading for head in table.heads()])
    writer.writerows(
        [_FORMULA.sub(r"'\g<0>", visible(plain(cell.line))) for cell in row]
        for row in table.cells()
    )
    return file.getvalue()


def _parts(block: Block) -> Iterator[str]:
    match block:
        case Headline(verdict, text):
            yield f"**{_unmarked(verdict)}** {_unmarked(text)}".rstrip()
        case Heading(text):
            yield f"## {_unmarked(text)}"
        case Text(line) | Note(line):
            yield _unmarked(line)
        case Items(lines):
            yield _list(lines)
        case Figures(figures):
            rows = [(each.label, each.value, each.aside) for each in figures]
            yield _table(("figure", "value", ""), rows)
        case Facts(pairs):
            yield _list([(name, ": ", *spans(line)) for name, line in pairs])
        case Tally(counts):
            yield ", ".join(f"{_unmarked(span)} {count:,}" for span, count in counts)
        case Table():
            heads = [head.heading for head in block.heads()]
            yield _table(heads, [[cell.line for cell in row] for row in block.cells()])
            if block.caption:
                yield _unmarked(block.caption)
        case Code(text, title):
            if title:
                yield _unmarked(title)
            yield _fenced(text)
        case Diff(text):
            yield _fenced(text)
        case Fold(title, inner):
            yield _unmarked(title)
            yield from (part for each in inner for part in _parts(each))
        case Charts() | Drawing():
            return


def _list(lines: Iterable[Line]) -> str:
    return "\n".join(f"- {_unmarked(line)}" for line in lines)


def _table(headings: Sequence[str], rows: Iterable[Iterable[Line]]) -> str:
    lines = [map(_unmarked, headings), ["---"] * len(headings)]
    lines += [map(_unmarked, row) for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _fenced(text: str) -> str:
    longest = max((len(each) for each in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{visible_lines(text)}\n{fence}"


def _unmarked(line: Line) -> str:
    return _MARKUP.sub(r"\\\1", "".join(cut(span.text) for span in spans(line)))
