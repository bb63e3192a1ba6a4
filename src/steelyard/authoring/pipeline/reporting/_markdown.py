"""Show a report as Markdown; texts of models cannot become markup."""

import re
from collections.abc import Sequence

from steelyard.authoring.pipeline.reporting._blocks import (
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Table,
)
from steelyard.authoring.pipeline.reporting._content import blocks_of, title_of
from steelyard.rendering import visible, visible_lines
from steelyard.schemas import AuthorReport

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_FENCE = re.compile(r"`{3,}")


def markdown_of(report: AuthorReport) -> str:
    """Return the report as a Markdown page."""
    parts = [f"# {_escaped(title_of(report))}", *map(_shown, blocks_of(report))]
    return "\n\n".join(parts) + "\n"


def _shown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"## {_escaped(text)}"
        case Paragraph(text):
            return _escaped(text)
        case Items(lines):
            return "\n".join(f"- {_escaped(line)}" for line in lines)
        case Table(headings, rows):
            rule = ["---"] * len(headings)
            return "\n".join(map(_row, (headings, rule, *rows)))
        case Code(text):
            longest = max((len(each) for each in _FENCE.findall(text)), default=2)
            fence = "`" * (longest + 1)
            return f"{fence}\n{visible_lines(text)}\n{fence}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(each if each == '---' else _escaped(each) for each in cells)} |"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(text))
