"""A chart as SVG whose colours come from the page's style sheet."""

from collections.abc import Iterable, Iterator
from html import escape

from steelyard.profiling.reporting._chart import Chart
from steelyard.rendering import svg_dot, svg_line, svg_text

__all__ = ["svg"]

_WIDTH, _HEIGHT = 420, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 14, 14, 62
_SIDE, _UP = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
_FOOT = _HEIGHT - _BOTTOM


def svg(chart: Chart) -> str:
    """The chart as one `<svg>` element; its parts carry classes such as `dot` and `fit`."""
    return "".join(
        (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(chart.title)}">',
            *_axes(chart),
            *_shapes(chart),
            *_target(chart),
            *_legend(chart),
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
    for value, label in chart.x.ticks:
        x = _x(chart, value)
        yield svg_line(x, _TOP, x, _FOOT, "grid")
        yield svg_text(x, _FOOT + 14, label, "tick", "middle")
    for value, label in chart.y.ticks:
        y = _y(chart, value)
        yield svg_line(_LEFT, y, _LEFT + _SIDE, y, "grid")
        yield svg_text(_LEFT - 6, y + 3.5, label, "tick", "end")
    yield svg_text(_LEFT + _SIDE / 2, _FOOT + 30, chart.x.label, "tick", "middle")
    middle = _TOP + _UP / 2
    yield (
        f'<text transform="translate(12 {middle}) rotate(-90)" class="tick" '
        f'text-anchor="middle">{escape(chart.y.label)}</text>'
    )


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
    yield svg_text(x + 4, high - 7, target.label, "target-label", "end")


def _legend(chart: Chart) -> Iterator[str]:
    drawn = {line.label for line in chart.lines}
    entries = [("line", "rival" if line.rival else "fit", line.label) for line in chart.lines]
    entries += [
        ("dot", "dot" if dots.main else "ring", dots.label)
        for dots in chart.dots
        if dots.label not in drawn
    ]
    if len(entries) < 2:
        return
    at, y = float(_LEFT), _HEIGHT - 12
    for shape, kind, label in entries:
        if shape == "line":
            yield svg_line(at, y, at + 18, y, kind)
        else:
            yield svg_dot(at + 9, y, kind)
        yield svg_text(at + 23, y + 3.5, label, "key")
        at += 40 + 6.2 * len(label)
