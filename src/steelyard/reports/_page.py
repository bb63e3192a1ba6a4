"""Show blocks as HTML: a page that loads nothing from the network, or a part of another page.

Templates escape every text. A page runs no script but its own, which its policy names by its hash.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from steelyard._printable import printable
from steelyard.reports._blocks import (
    Block,
    Column,
    Columns,
    Diff,
    Fold,
    Line,
    Table,
    TableCell,
    filled,
    spans,
)
from steelyard.reports._chart import Chart, drawn
from steelyard.reports._diff import SIGNS, read_diff
from steelyard.reports._svg import svg_chart, svg_interval, svg_scale
from steelyard.reports._text import count, cut, visible_lines

_OWN = Path(__file__).parent
_DIFF_ROWS = 1_500
_LONGEST_LINE = 500
_MOST_TEXT = 20_000
"""Characters of a block of code."""


def page(title: str, blocks: Iterable[Block]) -> str:
    """Return an HTML page of blocks, light or dark as the reader has it.

    Args:
        title: Of the page, such as the program's name.
        blocks: What to show.
    """
    listed = list(filled(blocks))
    script = _file("sort.js") if _has_sortable(listed) else ""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    template = _environment().get_template("page.html")
    return template.render(title=title, blocks=listed, style=style(), script=script, digest=digest)


def html(blocks: Iterable[Block]) -> Markup:
    """Return blocks as a part of a page, which has the same style."""
    text = _environment().get_template("blocks.html").render(blocks=list(filled(blocks)), top="")
    return Markup(text)  # noqa: S704  (the template escapes)


def style() -> str:
    """Return the style sheet of all pages."""
    return _file("style.css")


@cache
def _file(name: str) -> str:
    return (_OWN / name).read_text(encoding="utf-8")


def _has_sortable(blocks: Iterable[Block]) -> bool:
    return any(
        (isinstance(each, Table) and each.sortable)
        or (isinstance(each, Fold | Columns) and _has_sortable(each.blocks))
        for each in blocks
    )


def environment(package: str) -> Environment:
    """Return what makes pages of a package's templates, in which every value is escaped."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    made = environment("steelyard.reports")
    made.filters.update(
        line=_inline,
        lines=_cut_lines,
        count=count,
        svg=_drawn,
        track=_track,
        scale=_scale,
        diff=_diff,
        kind=lambda block: type(block).__name__,
    )
    return made


def _inline(line: Line, tone: str = "") -> Markup:
    return Markup().join(_spans(line, tone))


def _spans(line: Line, tone: str) -> Iterator[str]:
    tagged = Markup('<span class="{}">{}</span>')
    for span in spans(line):
        tones = f"{tone} {span.tone}".strip()
        text = cut(span.text)
        yield tagged.format(tones, text) if tones else text


def _cut_lines(text: str) -> str:
    rest = len(text) - _MOST_TEXT
    head = visible_lines(text[:_MOST_TEXT])
    return head if rest <= 0 else f"{head}\n... {rest:,} characters more"


def _drawn(chart: Chart) -> Markup:
    return Markup(svg_chart(chart))  # noqa: S704  (its texts are escaped)


def _track(cell: TableCell, head: Column) -> Markup:
    """Return the interval of a cell over the axis of its column; empty without either."""
    interval = drawn(cell.interval)
    if interval is None or head.axis is None:
        return Markup()
    return Markup(svg_interval(interval, head.axis, head.marks))  # noqa: S704


def _scale(head: Column) -> Markup:
    return Markup(svg_scale(head.axis, head.marks) if head.axis else "")  # noqa: S704


def _diff(block: Diff) -> dict[str, Any]:
    """Return what the template shows of a diff: the rows, and what they leave out."""
    lines = block.text.split("\n")
    cut = (line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..." for line in lines)
    rows = read_diff("\n".join(printable(line.expandtabs(4)) for line in cut))
    missed = any(row.old in block.missed_old or row.new in block.missed_new for row in rows)
    left = max(len(rows) - _DIFF_ROWS, 0)
    return {"rows": rows[:_DIFF_ROWS], "signs": SIGNS, "missed": missed, "left": left}
