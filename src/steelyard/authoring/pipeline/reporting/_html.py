"""Show a report as one HTML page, without scripts."""

from collections.abc import Sequence
from html import escape

from steelyard.authoring.pipeline.reporting._blocks import (
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Table,
)
from steelyard.authoring.pipeline.reporting._content import blocks_of, title_of
from steelyard.rendering import document, escaped, visible_lines
from steelyard.schemas import AuthorReport

_STYLE = """
td,th{text-align:left;white-space:normal;overflow-wrap:break-word;vertical-align:top;max-width:28rem}
.scroll{margin:1rem 0}
pre{background:var(--card);border-radius:.5rem;padding:.8rem;font-size:.85rem;white-space:pre-wrap;
overflow-wrap:anywhere}
"""


def html_of(report: AuthorReport) -> str:
    """Return the report as an HTML page."""
    title = title_of(report)
    body = [f"<h1>{escaped(title)}</h1>", *map(_shown, blocks_of(report))]
    return document(f"author: {title}", body, style=_STYLE)


def _shown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escaped(text)}</h2>"
        case Paragraph(text):
            return f"<p>{escaped(text)}</p>"
        case Items(lines):
            return f"<ul>{''.join(f'<li>{escaped(line)}</li>' for line in lines)}</ul>"
        case Table(headings, rows):
            body = "".join(_row(row, "td") for row in rows)
            table = f"<table>{_row(headings, 'th')}{body}</table>"
            return f'<div class="scroll" tabindex="0">{table}</div>'
        case Code(text):
            return f"<pre>{escape(visible_lines(text))}</pre>"


def _row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escaped(each)}</{tag}>' for each in cells)}</tr>"
