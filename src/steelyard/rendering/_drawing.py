"""A chart as SVG whose colours come from the page's style sheet."""

from collections.abc import Iterable, Iterator
from html import escape

from steelyard.rendering._chart import Chart
from steelyard.rendering._svg import (
    LINE_HEIGHT,
    Key,
    svg_dot,
    svg_legend,
    svg_line,
    svg_text,
    svg_ticks,
    text_width,
)

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
