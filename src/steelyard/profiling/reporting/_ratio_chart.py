"""Work over f(n): flat where f is the right class, tilted where it is the rival's."""

from dataclasses import replace

import numpy as np

from steelyard.profiling.fitting import Curve, same_class
from steelyard.profiling.reporting._axes import size_axis
from steelyard.profiling.reporting._chart import Chart, Dots, Line
from steelyard.profiling.reporting._series import Array, Kind, Series, as_floats, likeliest, rival
from steelyard.profiling.reporting._words import class_name
from steelyard.rendering import Axis
from steelyard.schemas import ComplexityEstimate, Measurement, ProfileReport, StopReason

__all__ = ["ratio_chart"]

_FLAT_TOP = 4.0  # work / f above it leaves the chart: constants of the smallest inputs
_SIZES_CLASSIFIED = 9


def ratio_chart(report: ProfileReport) -> Chart | None:
    """Work over f(n), or CPU time where no work was counted; 1 at the largest size.

    Returns:
        None where there are too few figures, or no class.
    """
    counted = sum(bool(item.work) for item in report.measurements) > 1
    kind: Kind = "work" if counted else "cpu_ms"
    items = _measured(report, kind)
    two = len(report.parameters) > 1 and any(item.m for item in items)
    series = Series.of(items if two else items[-_SIZES_CLASSIFIED:], kind)
    if not counted:
        series = replace(series, y=series.y - report.base_cpu_ms)
    name = likeliest(report.time)
    curve = series.curve(name, constant=False) if name else None
    if curve is None:
        return None
    return _drawn(report.time, series, curve, what="work" if counted else "time", two=two)


def _measured(report: ProfileReport, kind: Kind) -> list[Measurement]:
    """The runs that ended by themselves, of times only those that are well above the base."""
    items = [
        item
        for item in report.measurements
        if getattr(item, kind) and item.stop is StopReason.EXITED
    ]
    if kind == "cpu_ms":
        items = [item for item in items if (item.cpu_ms or 0) > 2 * report.base_cpu_ms]
    return sorted(items, key=lambda item: (item.n, item.m or 0))


def _drawn(
    estimate: ComplexityEstimate, series: Series, curve: Curve, *, what: str, two: bool
) -> Chart:
    """The chart, over n or, of two parameters, over f itself."""
    label = class_name(curve.name)
    x, xs = _places(series, curve, label, two=two)
    order = np.argsort(xs)
    places = as_floats(xs[order])
    level = np.clip(_level(estimate, series, curve, rounded=what == "work"), 0.0, _FLAT_TOP)
    own = Dots(f"{what} ÷ ({label})", places, as_floats(level[order]))
    dots, lines, heights = [own], [], list(own.ys)
    if not two:
        lines.append(Line(own.label, own.xs, own.ys))
    other_name = rival(estimate)
    other = series.curve(other_name, constant=False) if other_name else None
    if other is not None and (other.growing(series.n, series.m) > 0).all():
        tilted = as_floats(np.minimum(_levelled(series.y, other, series), _FLAT_TOP)[order])
        text = f"{what} ÷ ({class_name(other.name)})"
        if two:
            dots.append(Dots(text, places, tilted, main=False))
        else:
            lines.append(Line(text, places, tilted, rival=True))
        heights += tilted
    return Chart(
        title=f"{what.capitalize()} ÷ f: flat if f is right",
        x=x,
        y=_ratio_axis(f"{what} ÷ f, 1 at the largest size", max(heights)),
        dots=tuple(dots),
        lines=tuple(lines),
    )


def _places(series: Series, curve: Curve, label: str, *, two: bool) -> tuple[Axis, Array]:
    """The axis, and where each figure lies on it."""
    xs = np.maximum(series.n, 1.0)
    if two:
        xs = curve.growing(series.n, series.m)
        xs = xs / xs.min()
    x = size_axis(float(xs.min()), float(xs.max()))
    if two:
        x = Axis(f"{label}, as a multiple of its least", x.low, x.high, x.log, x.ticks)
    return x, xs


def _level(estimate: ComplexityEstimate, series: Series, curve: Curve, *, rounded: bool) -> Array:
    """The figures over f, without what terms of lower order are known to add.

    Where shares of terms are `rounded`, they are taken off only if that makes it more level.
    """
    whole = _levelled(series.y, curve, series)
    own = series.y - _lower_part(estimate, series)
    if not rounded or own[-1] <= 0:
        return whole
    return min(whole, _levelled(own, curve, series), key=np.std)


def _lower_part(estimate: ComplexityEstimate, series: Series) -> Array:
    """The work of the terms other than the class's own, by their shares at the largest size."""
    lower = np.zeros(len(series.n))
    for term in estimate.terms:
        if same_class(term.complexity, likeliest(estimate)):
            continue
        curve = replace(series, y=np.ones(len(series.n))).curve(term.complexity, constant=False)
        grown = np.zeros(1) if curve is None else curve.growing(series.n, series.m)
        if grown[-1] > 0:
            lower += term.share * float(series.y[-1]) * grown / grown[-1]
    return lower


def _levelled(y: Array, curve: Curve, series: Series) -> Array:
    shares = y / np.maximum(curve.growing(series.n, series.m), 1e-300)
    return np.asarray(shares / shares[-1], dtype=float)


def _ratio_axis(label: str, highest: float) -> Axis:
    top = max(1.5, 1.08 * highest)
    step = 0.5 if top <= 3 else 1.0
    ticks = tuple((k * step, f"{k * step:g}") for k in range(int(top / step) + 1))
    return Axis(label, 0.0, top, False, ticks)
