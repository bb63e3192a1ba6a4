"""Speedups with their intervals as SVG: a row a test, and the whole as each process saw it."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from steelyard.equivalence.reporting._cases import shared_scope
from steelyard.equivalence.reporting._cuts import cut_middle
from steelyard.equivalence.reporting._words import speedup, threshold_percent
from steelyard.reports import (
    LINE_HEIGHT,
    Axis,
    Key,
    svg_dot,
    svg_legend,
    svg_line,
    svg_text,
    svg_ticks,
    text_width,
)
from steelyard.schemas import Interval, Speed, SpeedCase

_WIDTH, _EDGE = 360, 10
_TOP, _NAME_HEIGHT, _TRACK_HEIGHT, _ROW_GAP = 4, 16, 16, 4
_ROW = _NAME_HEIGHT + _TRACK_HEIGHT + _ROW_GAP
_AXIS_HEIGHT = 40
_PAIRS_LEFT, _PAIRS_TOP, _PAIRS_HEIGHT = 34, 24, 110
_PAIRS_LABELLED = 6
_CAP = 5.5  # how far an interval's ends reach out of its line; more than a dot does
_FARTHEST = 4.0  # an interval that reaches out further than this factor is cut at the edge
_NEAR = 1.3  # a mark that is this factor away from the figures is still shown
_MOST_ESTIMATES = 400
_SHORTEST_NAME = 8


def forest(speed: Speed, cases: Sequence[SpeedCase]) -> str:
    """A row for each case whose speedup is known, and one for all together; empty without any.

    A row is a name with its figure, and below them a track, which alone has the lines of the axis:
    no line crosses a text.
    """
    rows = [(case.name, case.speedup, False) for case in cases if _drawable(case.speedup)]
    if speed.speedup is not None and _drawable(speed.speedup):
        rows.append(("all together", speed.speedup, True))
    if not rows:
        return ""
    axis = _axis(_reach(interval for _, interval, _ in rows), speed.threshold, near=math.inf)
    scale = _Scale(axis, _EDGE)
    scope = shared_scope([case.name for case in cases])
    parts: list[str] = []
    for k, (name, interval, whole) in enumerate(rows):
        top = _TOP + k * _ROW
        parts += _lines_of_axis(scale, speed.threshold, top + _NAME_HEIGHT, _TRACK_HEIGHT)
        parts += _forest_row(scale, top, name.removeprefix(scope), interval, whole=whole)
    kinds = {whole for _, _, whole in rows}
    keys = [Key("dot", "dot", "one test")] if False in kinds else []
    keys += [Key("diamond", "whole", "all together")] if True in kinds else []
    keys += _keys_of_marks(axis, speed.threshold)
    return _svg("Speedup by test", scale, _TOP + len(rows) * _ROW, parts, keys)


def strip(speed: Speed) -> str:
    """The speedup as each pair of processes saw it, the first on top; empty without any."""
    estimates = [value for value in speed.estimates if value > 0 and math.isfinite(value)]
    if len(estimates) < 2:
        return ""
    estimates = estimates[:: math.ceil(len(estimates) / _MOST_ESTIMATES)]
    whole = speed.speedup if speed.speedup and _drawable(speed.speedup) else None
    reach = [*estimates, *(_reach([whole]) if whole else ())]
    axis = _axis(reach, speed.threshold, near=_NEAR)
    scale = _Scale(axis, _PAIRS_LEFT)
    parts = [svg_text(4, 12, "pair of processes, in the order measured", "tick")]
    keys = [Key("dot", "dot", "one pair")]
    if whole:
        left, right = scale.x(whole.low), scale.x(whole.high)
        parts.append(
            f'<rect x="{left:.1f}" y="{_PAIRS_TOP}" width="{max(right - left, 1):.1f}" '
            f'height="{_PAIRS_HEIGHT}" class="band"/>'
        )
        keys.append(Key("box", "band", "interval of all together"))
    parts += _lines_of_axis(scale, speed.threshold, _PAIRS_TOP, _PAIRS_HEIGHT)
    gap = (_PAIRS_HEIGHT - 12) / (len(estimates) - 1)
    heights = [_PAIRS_TOP + 6 + k * gap for k in range(len(estimates))]
    stride = math.ceil((len(estimates) - 1) / _PAIRS_LABELLED)
    for k in range(0, len(estimates), stride):
        parts.append(svg_text(_PAIRS_LEFT - 8, heights[k] + 3.5, f"{k + 1}", "tick", "end"))
    parts += (svg_dot(scale.x(v), y, "dot") for v, y in zip(estimates, heights, strict=True))
    keys += _keys_of_marks(axis, speed.threshold)
    return _svg("Speedup by pair of processes", scale, _PAIRS_TOP + _PAIRS_HEIGHT, parts, keys)


@dataclass(frozen=True)
class _Scale:
    """An axis in the picture."""

    axis: Axis
    left: float

    def x(self, value: float) -> float:
        """Where a value lies, at the nearer end for those out of range."""
        return self.left + self.axis.inside(value) * (_WIDTH - _EDGE - self.left)


def _svg(label: str, scale: _Scale, foot: float, parts: Iterable[str], keys: Sequence[Key]) -> str:
    """The picture with its axis and its legend below."""
    axis = scale.axis
    legend, more = svg_legend(keys, 4, _WIDTH, foot + _AXIS_HEIGHT + LINE_HEIGHT / 2)
    middle = (scale.left + _WIDTH - _EDGE) / 2
    return "".join(
        (
            f'<svg viewBox="0 0 {_WIDTH} {foot + _AXIS_HEIGHT + more:.0f}" role="img" ',
            f'aria-label="{label}">',
            *parts,
            *svg_ticks(axis, scale.x, foot + 14, _WIDTH),
            svg_text(middle, foot + 30, axis.label, "tick", "middle"),
            *legend,
            "</svg>",
        )
    )


def _lines_of_axis(scale: _Scale, threshold: float, top: float, height: float) -> Iterator[str]:
    """Its grid, and the marks that it reaches, between two heights."""
    marks = _marks(scale.axis, threshold)
    lines = [("grid", value) for value, _ in scale.axis.ticks]
    lines += [(kind, value) for kind, value, _ in marks]
    for kind, value in lines:
        x = scale.x(value)
        yield svg_line(x, top, x, top + height, kind)


def _marks(axis: Axis, threshold: float) -> list[tuple[str, float, str]]:
    """The class, the value and the name of each mark that the axis reaches."""
    marks = [("alike", 1.0, "equal")]
    if threshold > 0:
        marks.append(("limit", 1 + threshold, f"threshold, {threshold_percent(threshold)} faster"))
    return [mark for mark in marks if axis.low <= mark[1] <= axis.high]


def _keys_of_marks(axis: Axis, threshold: float) -> list[Key]:
    return [Key("upright", kind, name) for kind, _, name in _marks(axis, threshold)]


def _forest_row(
    scale: _Scale, top: float, name: str, interval: Interval, *, whole: bool
) -> Iterator[str]:
    kind = "name total" if whole else "name"
    figure = speedup(interval)
    room = _WIDTH - 2 * _EDGE - text_width(figure) - _EDGE
    yield svg_text(_EDGE, top + 12, _name_in(name, room), kind)
    yield svg_text(_WIDTH - _EDGE, top + 12, figure, kind, "end")
    low, mid, high = (scale.x(value) for value in (interval.low, interval.mid, interval.high))
    y = top + _NAME_HEIGHT + _TRACK_HEIGHT / 2
    if whole:
        low, high = min(low, mid - 2), max(high, mid + 2)
        points = f"{low:.1f},{y} {mid:.1f},{y - 6} {high:.1f},{y} {mid:.1f},{y + 6}"
        yield f'<polygon points="{points}" class="whole"/>'
        return
    yield svg_line(low, y, high, y, "interval")
    for end in (low, high):  # seen where the dot is wider than the interval
        yield svg_line(end, y - _CAP, end, y + _CAP, "cap")
    yield svg_dot(mid, y, "dot")


def _name_in(name: str, room: float) -> str:
    """A name, cut so that it has room."""
    most = int(room / text_width("n"))
    while text_width(cut_middle(name, most)) > room and most > _SHORTEST_NAME:
        most -= 1
    return cut_middle(name, most)


def _drawable(interval: Interval) -> bool:
    return (
        interval.mid > 0
        and all(
            not math.isnan(value) and value != -math.inf
            for value in (interval.low, interval.mid, interval.high)
        )
        and math.isfinite(interval.mid)
    )


def _reach(intervals: Iterable[Interval]) -> list[float]:
    """The figures that an axis should show."""
    return [
        value
        for each in intervals
        for value in (
            max(each.low, each.mid / _FARTHEST),
            each.mid,
            min(each.high, each.mid * _FARTHEST),
        )
    ]


def _axis(values: Sequence[float], threshold: float, *, near: float) -> Axis:
    """A logarithmic axis around the figures, and around those of its marks that are near."""
    low, high = min(values), max(values)
    marks = [mark for mark in (1.0, 1 + threshold) if low / near <= mark <= high * near]
    low, high = min(low, *marks, low), max(high, *marks, high)
    room = max((high / low) ** 0.06, 1.005)
    low, high = low / room, high * room
    return Axis("times as fast as the original", low, high, log=True, ticks=_ticks(low, high))


def _ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """A handful of round figures: even steps over a short range, else 1, 2, 5, 10."""
    if high / low < 3:
        rough = (high - low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough)
        marks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    else:
        decades = math.log10(high / low)
        stride = max(1, math.ceil(decades / 6))
        steps = (1, 2, 3, 5, 7) if decades < 0.9 else (1, 2, 5) if decades < 2.5 else (1,)
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        marks = [k * 10.0**e for e in powers if e % stride == 0 for k in steps]
        marks = [mark for mark in marks if low <= mark <= high]
    return tuple((mark, f"{mark:,.0f}" if mark >= 1000 else f"{mark:.4g}") for mark in marks)
