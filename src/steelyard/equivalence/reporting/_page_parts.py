"""What the parts of the page are built of. All that comes from outside is escaped here."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """Names beside what they say; empty without any."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>" for name, said in pairs)
    return f"<dl>{items}</dl>" if items else ""


def html_table(headings: Sequence[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """A table of plain texts; the first of each row is its name.

    Of the kind `stacked`, a narrow page shows the cells of a row below each other, each behind its
    heading.
    """
    first, *others = headings
    head = f'<th scope="col" class="left wrap">{escape(first)}</th>' if first else "<td></td>"
    head += "".join(f'<th scope="col">{escape(heading)}</th>' for heading in others)
    body = "".join(f"<tr>{''.join(_cells(row, headings))}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(row: Iterable[str], headings: Sequence[str]) -> Iterator[str]:
    for k, (text, heading) in enumerate(zip(row, headings, strict=True)):
        kind = ' class="left wrap"' if k == 0 else ""
        yield f'<td{kind} data-heading="{escape(heading)}">{escape(text)}</td>'


def left_over(number: int, what: str) -> str:
    """What is not shown; empty where all is."""
    return f'<p class="quiet">and {number:,} more {escape(what)}</p>' if number > 0 else ""
