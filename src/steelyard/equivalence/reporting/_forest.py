"""Speedups with their intervals as SVG: a row a test, and the whole as each process saw it."""

import math
from collections.abc import Iterable, Iterator, Sequence

from steelyard.equivalence.reporting._cases import shared_scope
from steelyard.equivalence.reporting._cuts import cut_middle
from steelyard.equivalence.reporting._words import speedup
from steelyard.rendering import Axis, svg_dot, svg_line, svg_text
from steelyard.schemas import Interval, Speed, SpeedCase

__all__ = ["forest", "strip"]

_WIDTH, _SIDE_ROOM = 420, 12
_TOP, _FOOT = 28, 36
_ROW, _STRIP_HEIGHT = 31, 110
_LONGEST_NAME = 42
_CAP = 5.5  # how far an interval's ends reach out of its line; more than a dot does
_FARTHEST = 4.0  # an interval that reaches out further than this factor is cut at the edge
_NEAR = 1.3  # a mark that is this factor away from the figures is still shown
_MOST_ESTIMATES = 400


def forest(speed: Speed, cases: Sequence[SpeedCase]) -> str:
    """A row for each case whose speedup is known, and one for all together; empty without any."""
    rows = [(case.name, case.speedup, False) for case in cases if _drawable(case.speedup)]
    if speed.speedup is not None and _drawable(speed.speedup):
        rows.append(("all together", speed.speedup, True))
    if not rows:
        return ""
    axis = _axis(_reach(interval for _, interval, _ in rows), speed.threshold, near=math.inf)
    height = _TOP + len(rows) * _ROW + _FOOT
    parts = [*_frame(axis, height, speed.threshold)]
    scope = shared_scope([case.name for case in cases])
    for k, (name, interval, whole) in enumerate(rows):
        parts += _forest_row(axis, _TOP + k * _ROW, name.removeprefix(scope), interval, whole=whole)
    return _svg("Speedup by test", height, parts)


def strip(speed: Speed) -> str:
    """The speedup as each pair of processes saw it, the first on top; empty without any."""
    estimates = [value for value in speed.estimates if value > 0 and math.isfinite(value)]
    if len(estimates) < 2:
        return ""
    estimates = estimates[:: math.ceil(len(estimates) / _MOST_ESTIMATES)]
    whole = speed.speedup if speed.speedup and _drawable(speed.speedup) else None
    reach = [*estimates, *(_reach([whole]) if whole else ())]
    axis = _axis(reach, speed.threshold, near=_NEAR)
    height = _TOP + _STRIP_HEIGHT + _FOOT
    parts = []
    if whole:
        left, right = _x(axis, whole.low), _x(axis, whole.high)
        parts.append(
            f'<rect x="{left:.1f}" y="{_TOP}" width="{max(right - left, 1):.1f}" '
            f'height="{_STRIP_HEIGHT}" class="band"/>'
        )
    parts += _frame(axis, height, speed.threshold)
    gap = (_STRIP_HEIGHT - 12) / (len(estimates) - 1)
    parts += (svg_dot(_x(axis, v), _TOP + 6 + k * gap, "dot") for k, v in enumerate(estimates))
    return _svg("Speedup by pair of processes", height, parts)


def _svg(label: str, height: int, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _x(axis: Axis, value: float) -> float:
    return _SIDE_ROOM + axis.inside(value) * (_WIDTH - 2 * _SIDE_ROOM)


def _frame(axis: Axis, height: int, threshold: float) -> Iterator[str]:
    foot = height - _FOOT
    for value, label in axis.ticks:
        x = _x(axis, value)
        yield svg_line(x, _TOP, x, foot, "grid")
        yield svg_text(x, foot + 14, label, "tick", "middle")
    yield svg_text(_WIDTH / 2, foot + 30, axis.label, "tick", "middle")
    yield from _mark(axis, 1.0, foot, "alike", "equal")
    if threshold > 0:
        yield from _mark(axis, 1 + threshold, foot, "limit", "threshold")


def _mark(axis: Axis, value: float, foot: int, kind: str, label: str) -> Iterator[str]:
    """A line across all rows where the axis reaches it, its name on top, each on its own height."""
    if not axis.low <= value <= axis.high:
        return
    x, y = _x(axis, value), 10 if kind == "alike" else 21
    yield svg_line(x, y + 3, x, foot, kind)
    near_edge = x > _WIDTH - 70
    at, anchor = (x - 4, "end") if near_edge else (x + 4, "start")
    yield svg_text(at, y, label, f"{kind}-label", anchor)


def _forest_row(
    axis: Axis, top: float, name: str, interval: Interval, *, whole: bool
) -> Iterator[str]:
    kind = "name total" if whole else "name"
    yield svg_text(_SIDE_ROOM, top + 11, cut_middle(name, _LONGEST_NAME), kind)
    yield svg_text(_WIDTH - _SIDE_ROOM, top + 11, speedup(interval), kind, "end")
    low, mid, high = (_x(axis, value) for value in (interval.low, interval.mid, interval.high))
    y = top + 21
    if whole:
        low, high = min(low, mid - 2), max(high, mid + 2)
        points = f"{low:.1f},{y} {mid:.1f},{y - 6} {high:.1f},{y} {mid:.1f},{y + 6}"
        yield f'<polygon points="{points}" class="whole"/>'
        return
    yield svg_line(low, y, high, y, "interval")
    for end in (low, high):  # seen where the dot is wider than the interval
        yield svg_line(end, y - _CAP, end, y + _CAP, "cap")
    yield svg_dot(mid, y, "dot")


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
            max(each.low, each.mid / _FARTHEST), each.mid, min(each.high, each.mid * _FARTHEST),
        )
    ]  # fmt: skip


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
