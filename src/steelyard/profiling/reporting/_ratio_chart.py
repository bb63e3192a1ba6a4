"""Work over the fit of a class: flat if the class is right, bent for its rival."""

from dataclasses import replace

import numpy as np

from steelyard.profiling.fitting import Curve, outgrows
from steelyard.profiling.reporting._axes import size_axis
from steelyard.profiling.reporting._series import Array, Kind, Series, as_floats, likeliest, rival
from steelyard.profiling.reporting._words import class_name
from steelyard.rendering import Axis, Chart, Dots, Line
from steelyard.schemas import Measurement, ProfileReport, StopReason

_TOP = 4.0  # a ratio above it leaves the chart
_SIZES_CLASSIFIED = 9
_READING = ("O(n)", "O(m)")  # the work of reading the input, which is in every small size


def ratio_chart(report: ProfileReport) -> Chart | None:
    """Return the work over the fitted sum of its terms, or CPU time if that named the class.

    The sum holds the terms of the class and, of work, the terms of lower order that the report
    names, those of reading the input, and a constant. The rival takes the place of the class in
    the same sum.

    Returns:
        None if there are too few figures, or no class.
    """
    kind = _kind(report)
    items = _measured(report, kind)
    two = len(report.parameters) > 1 and any(item.m for item in items)
    series = Series.of(items if two else items[-_SIZES_CLASSIFIED:], kind)
    if kind == "cpu_ms":
        series = replace(series, y=series.y - report.base_cpu_ms)
    name = likeliest(report.time)
    terms = [*(term.complexity for term in report.time.terms), *_READING] if kind == "work" else []
    own = series.curve(name, constant=kind == "work", lower=terms) if name else None
    if own is None:
        return None
    other_name = rival(report.time)
    lower = [term for term in terms if outgrows(name, term)]
    other = series.curve(other_name, constant=kind == "work", lower=lower) if other_name else None
    return _drawn(series, own, other, what="work" if kind == "work" else "time", two=two)


def _kind(report: ProfileReport) -> Kind:
    """Return the figures that name the class."""
    counted = sum(bool(item.work) for item in report.measurements) > 1
    return "work" if counted and report.time.basis in ("work", "none") else "cpu_ms"


def _measured(report: ProfileReport, kind: Kind) -> list[Measurement]:
    """Return the runs that were not stopped; for times, only those well above the base."""
    items = [
        item
        for item in report.measurements
        if getattr(item, kind) and item.stop is StopReason.EXITED
    ]
    if kind == "cpu_ms":
        items = [item for item in items if (item.cpu_ms or 0) > 2 * report.base_cpu_ms]
    return sorted(items, key=lambda item: (item.n, item.m or 0))


def _drawn(series: Series, own: Curve, other: Curve | None, *, what: str, two: bool) -> Chart:
    """Return the chart, over n or, of two parameters, over the fitted sum itself."""
    x, xs = _positions(series, own, what=what, two=two)
    order = np.argsort(xs)
    positions, level = as_floats(xs[order]), as_floats(_over(series, own)[order])
    label = f"{what} ÷ fitted {class_name(f'O({own.name})')}"
    dots, heights = [Dots(label, positions, level)], list(level)
    lines = [
        Line(label, positions[:: len(positions) - 1], (1.0, 1.0))
        if two
        else Line(label, positions, level)
    ]
    if other is not None and (other.along(series.n, series.m) > 0).all():
        bent = as_floats(_over(series, other)[order])
        text = f"{what} ÷ fitted {class_name(f'O({other.name})')}"
        if two:
            dots.append(Dots(text, positions, bent, main=False))
        else:
            lines.append(Line(text, positions, bent, rival=True))
        heights += bent
    return Chart(
        title=f"{what.capitalize()} ÷ fit: flat if the class is right",
        x=x,
        y=_ratio_axis(f"{what} ÷ fit", max(heights)),
        dots=tuple(dots),
        lines=tuple(lines),
    )


def _positions(series: Series, own: Curve, *, what: str, two: bool) -> tuple[Axis, Array]:
    """Return the axis, and the position of each figure on it."""
    if not two:
        xs = np.maximum(series.n, 1.0)
        return size_axis(float(xs.min()), float(xs.max())), xs
    xs = np.maximum(own.along(series.n, series.m), 1e-3)
    axis = size_axis(float(xs.min()), float(xs.max()))
    return replace(axis, label="fitted work" if what == "work" else "fitted CPU time (ms)"), xs


def _over(series: Series, curve: Curve) -> Array:
    """Return the figures over the curve, at most `_TOP`."""
    whole = np.maximum(curve.along(series.n, series.m), 1e-300)
    return np.asarray(np.clip(series.y / whole, 0.0, _TOP), dtype=float)


def _ratio_axis(label: str, highest: float) -> Axis:
    top = max(1.5, 1.08 * highest)
    step = 0.5 if top <= 3 else 1.0
    ticks = tuple((k * step, f"{k * step:g}") for k in range(int(top / step) + 1))
    return Axis(label, 0.0, top, False, ticks)
