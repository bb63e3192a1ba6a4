"""How long both versions take, at a terminal: by test, and line by line."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from steelyard.equivalence.reporting._cases import hottest, shared_scope, telling
from steelyard.equivalence.reporting._cuts import cut, cut_code, cut_middle
from steelyard.equivalence.reporting._terminal_parts import section, table
from steelyard.equivalence.reporting._words import duration, speedup
from steelyard.reports import percent
from steelyard.schemas import Interval, LineProfile, LineTime, Speed

_ROWS_SHOWN = 12
_HOT_LINES_SHOWN = 5
_LONGEST_NAME = 120
_LONGEST_NOTE = 600
_NARROW = 64  # below it the table keeps only what was asked first
_ROOM_FOR_TWO = 96
_LINE_WIDTH, _SHARE_WIDTH, _BETWEEN = 6, 12, 4


def speed_part(speed: Speed, *, width: int, unicode: bool) -> Iterator[RenderableType]:
    """Nothing where nothing was timed and no note says why."""
    notes = [cut(note, _LONGEST_NOTE) for note in speed.notes]
    if not speed.cases and speed.wall_speedup is None and not notes:
        return
    yield section("speed")
    if speed.cases:
        yield from _table(speed, narrow=width < _NARROW, unicode=unicode)
    if speed.wall_speedup is not None:
        yield Text(f"{speed.wall_speedup:,.2f} times as fast by wall-clock time")
    yield from (Text(f"- {note}") for note in notes)


def _table(speed: Speed, *, narrow: bool, unicode: bool) -> Iterator[RenderableType]:
    cases = telling(speed.cases, _ROWS_SHOWN)
    scope = shared_scope([case.name for case in speed.cases])
    figures = ("speedup",) if narrow else ("original", "candidate", "speedup")
    headings = (cut_middle(scope, _LONGEST_NAME), *figures)
    rows = []
    for case in cases:
        times = (duration(ns, unicode=unicode) for ns in (case.original_ns, case.candidate_ns))
        rows.append(
            (
                Text(cut_middle(case.name.removeprefix(scope), _LONGEST_NAME)),
                *(() if narrow else (Text(time) for time in times)),
                _speedup(case.speedup, speed.threshold),
            )
        )
    if speed.speedup is not None and len(speed.cases) > 1:
        gaps = () if narrow else (Text(), Text())
        overall = _speedup(speed.speedup, speed.threshold)
        rows.append((Text("all together", style="bold"), *gaps, overall))
    yield table(headings, rows)
    left = len(speed.cases) - len(cases)
    if left:
        yield Text(f"{left:,} more tests are not listed", style="dim")


def _speedup(interval: Interval, threshold: float) -> Text:
    """In colour only where the whole interval is beyond the threshold."""
    style = ""
    if interval.low > 1 + threshold:
        style = "green"
    elif interval.high < 1 / (1 + threshold):
        style = "red"
    return Text(speedup(interval), style=style)


def hot_lines_part(profile: LineProfile, *, width: int) -> Iterator[RenderableType]:
    """The lines that take most time, side by side where there is room."""
    both = (
        ("original", hottest(profile.original, _HOT_LINES_SHOWN)),
        ("candidate", hottest(profile.candidate, _HOT_LINES_SHOWN)),
    )
    shown = [(name, lines) for name, lines in both if lines]
    if not shown:
        return
    yield section("lines that take most time")
    if width < _ROOM_FOR_TWO or len(shown) < 2:
        for name, lines in shown:
            yield _lines(name, lines, width)
        return
    half = (width - _BETWEEN) // 2
    grid = Table.grid(padding=(0, _BETWEEN, 0, 0), pad_edge=False)
    grid.add_row(*(_lines(name, lines, half) for name, lines in shown))
    yield grid


def _lines(name: str, lines: Sequence[tuple[LineTime, float]], width: int) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=_LINE_WIDTH, justify="right", no_wrap=True)
    grid.add_column(width=_SHARE_WIDTH, justify="right", no_wrap=True)
    room = max(width - _LINE_WIDTH - _SHARE_WIDTH - 2, 8)
    grid.add_column(max_width=room, no_wrap=True, overflow="crop")
    grid.add_row(Text("line", "dim"), Text("share", "dim"), Text(name, "bold"))
    for line, share in lines:
        code = Text(cut_code(line.text.strip(), room))
        grid.add_row(Text(str(line.line), "dim"), Text(percent(share)), code)
    return grid
