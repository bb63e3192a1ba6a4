"""Draw charts as SVG. Their parts carry classes, such as `dot` and `fit`, of the style sheet."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Literal, NamedTuple

from steelyard.reports._chart import Axis, Chart


class Key(NamedTuple):
    """An entry of a legend."""

    shape: Literal["line", "upright", "dot"]
    kind: str
    """The class of the shape."""
    label: str


_WIDTH, _PLOT_HEIGHT = 360, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 14, 24, 38
_SIDE, _UP = _WIDTH - _LEFT - _RIGHT, _PLOT_HEIGHT - _TOP - _BOTTOM
_FOOT = _PLOT_HEIGHT - _BOTTOM


def svg_chart(chart: Chart) -> str:
    """Return the chart as one `<svg>` element; its parts carry classes such as `dot` and `fit`."""
    legend, more = svg_legend(_keys(chart), 4, _WIDTH, _PLOT_HEIGHT + LINE_HEIGHT / 2)
    size = f"0 0 {_WIDTH} {_PLOT_HEIGHT + more:.0f}"
    return "".join(
        (
            f'<svg viewBox="{size}" role="img" aria-label="{escape(chart.title)}">',
            *_axes(chart),
            *_shapes(chart),
            *_target(chart),
            *legend,
            "</svg>",
        )
    )


def _x(chart: Chart, value: float) -> float:
    return _LEFT + chart.x.inside(value) * _SIDE


def _y(chart: Chart, value: float) -> float:
    return _FOOT - chart.y.inside(value) * _UP


def _points(chart: Chart, xs: Iterable[float], ys: Iterable[float]) -> str:
    pairs = zip(xs, ys, strict=True)
    return " ".join(f"{_x(chart, x):.1f},{_y(chart, y):.1f}" for x, y in pairs)


def _axes(chart: Chart) -> Iterator[str]:
    for value, _ in chart.x.ticks:
        x = _x(chart, value)
        yield svg_line(x, _TOP, x, _FOOT, "grid")
    yield from svg_ticks(chart.x, lambda value: _x(chart, value), _FOOT + 14, _WIDTH)
    for value, label in chart.y.ticks:
        y = _y(chart, value)
        yield svg_line(_LEFT, y, _LEFT + _SIDE, y, "grid")
        yield svg_text(_LEFT - 5, y + 3.5, label, "tick", "end")
    yield svg_text(_LEFT + _SIDE / 2, _FOOT + 30, chart.x.label, "tick", "middle")
    yield svg_text(4, 12, chart.y.label, "tick")


def _shapes(chart: Chart) -> Iterator[str]:
    if chart.n_max is not None:
        x = _x(chart, chart.n_max)
        yield svg_line(x, _TOP, x, _FOOT, "end")
        yield svg_text(x - 3, _FOOT - 4, "n max", "tick", "end")
    if chart.band is not None:
        xs, lows, highs = chart.band
        outline = _points(chart, (*xs, *xs[::-1]), (*lows, *highs[::-1]))
        yield f'<polygon points="{outline}" class="band"/>'
    if chart.limit is not None:
        y = _y(chart, chart.limit)
        yield svg_line(_LEFT, y, _LEFT + _SIDE, y, "limit")
        yield svg_text(_LEFT + 4, y - 4, chart.limit_label, "limit-label")
    for line in chart.lines:
        kind = "rival" if line.rival else "fit"
        yield f'<polyline points="{_points(chart, line.xs, line.ys)}" class="{kind}"/>'
    for dots in chart.dots:
        kind = "dot" if dots.main else "ring"
        for x, y in zip(dots.xs, dots.ys, strict=True):
            yield svg_dot(_x(chart, x), _y(chart, y), kind)


def _target(chart: Chart) -> Iterator[str]:
    target = chart.target
    if target is None:
        return
    x, low, high = _x(chart, target.x), _y(chart, target.low), _y(chart, target.high)
    yield svg_line(x, low, x, high, "target")
    y = _y(chart, target.mid)
    yield f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" class="mark"/>'
    right = min(max(x + 4, text_width(target.label)), _WIDTH - 1)
    yield svg_text(right, max(high - 7, _TOP + 9), target.label, "target-label", "end")


def _keys(chart: Chart) -> list[Key]:
    """Return what the legend explains; nothing if there is one shape only."""
    drawn = {line.label for line in chart.lines}
    keys = [Key("line", "rival" if line.rival else "fit", line.label) for line in chart.lines]
    keys += [
        Key("dot", "dot" if dots.main else "ring", dots.label)
        for dots in chart.dots
        if dots.label not in drawn
    ]
    return keys if len(keys) > 1 else []


_TRACK_WIDTH, _TRACK_HEIGHT, _TRACK_EDGE, _CAP = 240, 16, 8, 5.5


def svg_interval(
    interval: tuple[float, float, float], axis: Axis, marks: Sequence[tuple[str, float, str]]
) -> str:
    """Return an interval with its middle, over an axis that `svg_scale` labels."""
    low, middle, high = (_track_x(axis, value) for value in interval)
    y = _TRACK_HEIGHT / 2
    lines = [(_track_x(axis, value), 0.0, float(_TRACK_HEIGHT), kind) for kind, value, _ in marks]
    lines += [(end, y - _CAP, y + _CAP, "cap") for end in (low, high)]
    parts = [svg_line(x, top, x, bottom, kind) for x, top, bottom, kind in lines]
    parts += [svg_line(low, y, high, y, "interval"), svg_dot(middle, y, "dot")]
    return _track(parts, _TRACK_HEIGHT)


def svg_scale(axis: Axis, marks: Sequence[tuple[str, float, str]]) -> str:
    """Return the labels of an axis, and what its marks are."""
    keys = [Key("upright", kind, label) for kind, _, label in marks]
    legend, more = svg_legend(keys, _TRACK_EDGE, _TRACK_WIDTH, LINE_HEIGHT / 2)
    ticks = svg_ticks(axis, lambda value: _track_x(axis, value), more + 12, _TRACK_WIDTH)
    return _track([*legend, *ticks], more + LINE_HEIGHT)


def _track_x(axis: Axis, value: float) -> float:
    return _TRACK_EDGE + axis.inside(value) * (_TRACK_WIDTH - 2 * _TRACK_EDGE)


def _track(parts: Iterable[str], height: float) -> str:
    size = f"0 0 {_TRACK_WIDTH} {height:.0f}"
    return f'<svg class="track" viewBox="{size}" aria-hidden="true">{"".join(parts)}</svg>'


LINE_HEIGHT = 16.0
"""From one line of text to the next; its size is 11, as the page's style sheet has it."""
_NARROW, _WIDE = 6.4, 11.0  # widths of a character; fonts differ, so on the large side
_SAMPLE, _AFTER_SAMPLE, _BETWEEN = 18.0, 5.0, 12.0
_TICK_GAP = 5.0


def text_width(text: str) -> float:
    """Return about how wide a text is, at most."""
    return sum(_WIDE if unicodedata.east_asian_width(char) in "WF" else _NARROW for char in text)


def svg_text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    """Return a text, escaped; `anchor`: which of its ends lies at x."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def svg_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def svg_dot(x: float, y: float, kind: str) -> str:
    """Return a measured figure."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" class="{kind}"/>'


def svg_ticks(axis: Axis, x_of: Callable[[float], float], y: float, right: float) -> Iterator[str]:
    """Yield the labels below a horizontal axis, those that have room.

    Args:
        axis: The axis.
        x_of: Gives the position of a value.
        y: The baseline of the labels.
        right: Where the picture ends; 0 is where it begins.
    """
    taken = -_TICK_GAP
    for value, label in axis.ticks:
        half = text_width(label) / 2
        x = min(max(x_of(value), half), right - half)
        if x - half >= taken + _TICK_GAP:
            yield svg_text(x, y, label, "tick", "middle")
            taken = x + half


def svg_legend(keys: Sequence[Key], left: float, right: float, y: float) -> tuple[list[str], float]:
    """Return a legend in as many lines as it needs, and their height.

    Args:
        keys: Its entries.
        left: Where each line begins.
        right: Where the picture ends.
        y: The middle of the first line.
    """
    parts: list[str] = []
    x, first = left, y
    for key in keys:
        wide = _SAMPLE + _AFTER_SAMPLE + text_width(key.label)
        if x > left and x + wide > right:
            x, y = left, y + LINE_HEIGHT
        parts.append(_sample(key, x, y))
        parts.append(svg_text(x + _SAMPLE + _AFTER_SAMPLE, y + 3.5, key.label, "key"))
        x += wide + _BETWEEN
    return parts, y - first + LINE_HEIGHT if keys else 0.0


def _sample(key: Key, x: float, y: float) -> str:
    middle = x + _SAMPLE / 2
    match key.shape:
        case "line":
            return svg_line(x, y, x + _SAMPLE, y, key.kind)
        case "upright":
            return svg_line(middle, y - 6, middle, y + 6, key.kind)
        case "dot":
            return svg_dot(middle, y, key.kind)
