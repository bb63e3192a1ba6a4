"""A comparison as one self-contained HTML page."""

from collections.abc import Iterator

from steelyard.equivalence.reporting._cases import rows_of_both, shared_scope, telling
from steelyard.equivalence.reporting._cuts import cut, cut_middle
from steelyard.equivalence.reporting._forest import forest, strip
from steelyard.equivalence.reporting._page_behaviour import behaviour_part
from steelyard.equivalence.reporting._page_code import diff_part, profile_part
from steelyard.equivalence.reporting._page_parts import definitions, html_table, left_over
from steelyard.equivalence.reporting._page_style import STYLE
from steelyard.equivalence.reporting._words import (
    duration,
    headline,
    method_lines,
    reasons_in_order,
    speedup,
)
from steelyard.reports import document, escaped
from steelyard.schemas import Comparison, Speed, SpeedCase

_LONGEST_LINE = 2000
_LONGEST_NAME = 300
_ROWS_DRAWN = 30
_ROWS_LISTED = 200


def comparison_page(comparison: Comparison, *, title: str) -> str:
    """A comparison as one HTML page: no scripts, no network, light or dark as the reader has it.

    Args:
        comparison: What to show.
        title: Of the page, such as the candidate's file.

    Returns:
        The page. Whatever came from the project or the candidate is escaped and cut to a length
        that can be read.
    """
    return document(cut(title, _LONGEST_NAME), sections(comparison), style=STYLE)


def sections(comparison: Comparison) -> Iterator[str]:
    """Yield the parts of a comparison as HTML, in which whatever came from outside is escaped."""
    verdict = comparison.verdict
    name = escaped(cut(comparison.function, _LONGEST_NAME))
    yield f'<h1><span class="stamp {verdict}">{verdict.upper()}</span>{name}</h1>'
    if grounds := headline(comparison):
        yield f'<p class="lead">{escaped(grounds)}</p>'
    for reason in reasons_in_order(comparison.reasons):
        kind = "note" if reason.rejects else "note mild"
        warning = "" if reason.rejects else "warning: "
        said = escaped(cut(reason.text, _LONGEST_LINE))
        yield f'<p class="{kind}"><b>{warning}{reason.code}</b> {said}</p>'
    yield from diff_part(comparison.diff, comparison.coverage)
    if comparison.behaviour is not None:
        yield from behaviour_part(comparison.behaviour)
    if comparison.speed is not None:
        yield from _speed(comparison.speed)
    rows = rows_of_both(comparison)
    if rows:
        yield "<h2>Both versions</h2>"
        cells = ((row.name, row.original, row.candidate) for row in rows)
        yield html_table(("", "original", "candidate"), cells, "both")
    if comparison.line_profile is not None:
        yield from profile_part(comparison.line_profile)
    if comparison.notes:
        yield "<h2>Notes</h2>"
    for note in comparison.notes:
        yield f'<p class="note mild">{escaped(cut(note, _LONGEST_LINE))}</p>'
    if methods := definitions(
        (name, cut(said, _LONGEST_LINE)) for name, said in method_lines(comparison)
    ):
        yield f"<h2>How it was measured</h2>{methods}"


def _speed(speed: Speed) -> Iterator[str]:
    if speed.speedup is None and not speed.cases and not speed.notes:
        return
    yield "<h2>Speed</h2>"
    drawn = telling(speed.cases, _ROWS_DRAWN)
    some = "" if len(drawn) == len(speed.cases) else f", {len(drawn)} of {len(speed.cases):,}"
    charts = (
        (f"Speedup by test{some}", forest(speed, drawn)),
        ("Speedup by pair of processes", strip(speed)),
    )
    figures = "".join(f"<figure><h3>{name}</h3>{chart}</figure>" for name, chart in charts if chart)
    if figures:
        yield f'<div class="charts">{figures}</div>'
    if speed.cases:
        listed = telling(speed.cases, _ROWS_LISTED)
        scope = shared_scope([case.name for case in speed.cases])
        headings = (cut_middle(scope, _LONGEST_NAME), "speedup", "original", "candidate")
        yield html_table(headings, _rows(speed, listed, scope))
        yield left_over(len(speed.cases) - len(listed), "tests")
    if speed.wall_speedup is not None:
        yield f"<p>{speed.wall_speedup:,.2f} times as fast by wall-clock time.</p>"
    for note in speed.notes:
        yield f'<p class="note mild">{escaped(cut(note, _LONGEST_LINE))}</p>'


def _rows(speed: Speed, listed: list[SpeedCase], scope: str) -> Iterator[tuple[str, ...]]:
    for case in listed:
        times = (duration(ns) for ns in (case.original_ns, case.candidate_ns))
        yield (
            cut_middle(case.name.removeprefix(scope), _LONGEST_NAME),
            speedup(case.speedup),
            *times,
        )
    if speed.speedup is not None and len(speed.cases) > 1:
        yield "all together", speedup(speed.speedup), "", ""
