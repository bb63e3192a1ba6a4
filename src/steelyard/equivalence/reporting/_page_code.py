"""The candidate's text on the page: what it changes, and which lines take time."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from textwrap import dedent

from steelyard.equivalence.reporting._cuts import cut_code
from steelyard.equivalence.reporting._page_parts import left_over
from steelyard.equivalence.reporting._words import duration
from steelyard.reports import DiffRow, Piece, percent, read_diff
from steelyard.schemas import Coverage, LineProfile, LineTime

_ROWS_SHOWN = 1500
_LINES_SHOWN = 400
_LONGEST_LINE = 500
_SIGNS = {"same": " ", "removed": "-", "added": "+"}


def diff_part(diff: str, coverage: Coverage | None) -> Iterator[str]:
    """The diff, with a bar beside the lines that no test reaches; nothing where it is empty."""
    rows = read_diff(diff) if diff.strip() else []
    if not rows:
        return
    old = set(coverage.original.missing_lines) if coverage else set()
    new = set(coverage.candidate.missing_lines) if coverage else set()
    shown = rows[:_ROWS_SHOWN]
    yield "<h2>What changes</h2>"
    if any(row.old in old or row.new in new for row in shown):
        yield '<p class="quiet"><span class="missed-key">no test reaches these lines</span></p>'
    yield '<table class="diff"><tbody>'
    for row in shown:
        yield _row(row, old, new)
    yield "</tbody></table>"
    yield left_over(len(rows) - len(shown), "lines of the diff")


def _row(row: DiffRow, old: Collection[int], new: Collection[int]) -> str:
    if row.kind in ("hunk", "other"):
        return f'<tr class="{row.kind}"><td colspan="4">{_code(row.spans)}</td></tr>'
    return (
        f'<tr class="{row.kind}">'
        f"{_number(row.old, old)}{_number(row.new, new)}"
        f'<td class="sign">{_SIGNS[row.kind]}</td><td>{_code(row.spans)}</td></tr>'
    )


def _number(line: int | None, missing: Collection[int]) -> str:
    missed = " missed" if line is not None and line in missing else ""
    return f'<td class="no{missed}">{"" if line is None else line}</td>'


def _code(spans: Sequence[Piece]) -> str:
    parts, room = [], _LONGEST_LINE
    for text, changed in spans:
        if room <= 0:
            parts.append("...")
            break
        shown = escape(_span(text, room))
        parts.append(f"<mark>{shown}</mark>" if changed and shown else shown)
        room -= len(text)
    return "".join(parts)


def _span(text: str, room: int) -> str:
    """Spaces at its end are kept: the next piece follows them."""
    kept = text[len(text.rstrip(" ")) :] if len(text) < room else ""
    return cut_code(text, room) + kept


def profile_part(profile: LineProfile) -> Iterator[str]:
    """Both versions line by line, side by side where there is room."""
    if not (profile.original or profile.candidate):
        return
    yield '<h2>Time by line</h2><div class="pair">'
    for name, lines in (("original", profile.original), ("candidate", profile.candidate)):
        yield f"<div><h3>{name}</h3>"
        yield from _lines(lines)
        yield "</div>"
    yield "</div>"


def _lines(lines: Sequence[LineTime]) -> Iterator[str]:
    total = sum(line.time_ns for line in lines)
    yield '<div class="scroll" tabindex="0"><table class="lines"><thead><tr>'
    headings = ("line", "hits", "time", "share", "code")
    yield "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    yield "</tr></thead><tbody>"
    shown = lines[:_LINES_SHOWN]
    texts = dedent("\n".join(_one_line(line.text) for line in shown)).split("\n")
    for line, text in zip(shown, texts, strict=True):
        share = line.time_ns / total if total > 0 else 0.0
        hits = f"{line.hits:,}" if line.hits else ""
        took = duration(line.time_ns) if line.hits else ""
        said = percent(share) if line.hits else ""
        yield (
            f'<tr><td class="quiet">{line.line}</td><td>{hits}</td><td>{took}</td>'
            f'<td class="heat" style="--hot:{100 * min(max(share, 0), 1):.1f}%">{said}</td>'
            f"<td>{escape(cut_code(text, _LONGEST_LINE))}</td></tr>"
        )
    yield "</tbody></table></div>"
    yield left_over(len(lines) - _LINES_SHOWN, "lines")


def _one_line(text: str) -> str:
    """A line's text without its end; one of blanks alone stays a line."""
    return text[: _LONGEST_LINE + 1].rstrip("\r\n").replace("\n", " ")
