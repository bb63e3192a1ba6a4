"""The charts of a report."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.profiling._records import Point
from steelyard.profiling._words import (
    Quantity,
    basis_in_words,
    class_name,
    headline,
    interval,
    prediction_figure,
    quantities,
    term_in_words,
    terms_shown,
)
from steelyard.profiling.fitting import Curve, fit_curve, outgrows
from steelyard.reports import (
    LINEAR_BELOW,
    Axis,
    Chart,
    Dots,
    DrawnCurve,
    Outline,
    Target,
    draw,
    linear_axis,
    log_axis,
    plain,
    rounded_out,
    size_axis,
)
from steelyard.schemas import ComplexityEstimate, Measurement, ProfileReport, StopReason


def charts_of(report: ProfileReport) -> tuple[Chart, ...]:
    """Return the charts that a report has figures for: time, memory, work over f(n)."""
    growth = (_growth_chart(report, each) for each in quantities(report))
    charts = (*growth, ratio_chart(report))
    return tuple(chart for chart in charts if chart is not None)


Array = NDArray[np.float64]
Kind = Literal["cpu_ms", "memory_mib", "work"]
"""Which of a measurement's figures."""


@dataclass(frozen=True)
class Series:
    """Figures above 0, each array of shape (sizes,)."""

    n: Array
    m: Array
    """0 if there is no second parameter."""
    y: Array

    @classmethod
    def of(cls, items: Iterable[Measurement], kind: Kind) -> "Series":
        """Return the figures of measurements that have them."""
        rows = [(item.n, item.m or 0, getattr(item, kind)) for item in items]
        return cls(*np.array(rows, dtype=float).reshape(-1, 3).T)

    def curve(
        self, complexity: str, *, constant: bool = True, lower: Iterable[str] = ()
    ) -> Curve | None:
        """Return a class's curve through them; None if it has none, or they are too few.

        Args:
            complexity: The class.
            constant: Whether they hold a part that does not grow.
            lower: Classes of terms of lower order that they hold too.
        """
        points = [Point(int(n), int(m)) for n, m in zip(self.n, self.m, strict=True)]
        return fit_curve(points, self.y.tolist(), complexity, constant=constant, lower=lower)


def likeliest(estimate: ComplexityEstimate) -> str:
    """Return the class that is drawn, however unsure; empty if no class is known."""
    if not estimate.unsure:
        return estimate.complexity
    return estimate.candidates[0][0] if estimate.candidates else ""


def rival(estimate: ComplexityEstimate) -> str:
    """Return the second class that is drawn; empty if no other is known."""
    if estimate.runner_up:
        return estimate.runner_up
    others = [name for name, _ in estimate.candidates if name != likeliest(estimate)]
    return others[0] if others else ""


def as_floats(values: Array) -> tuple[float, ...]:
    """Return an array as charts hold it."""
    return tuple(values.tolist())


_CURVE_POINTS = 96
_LEAST_ON_PATH = 3


def time_chart(report: ProfileReport) -> Chart | None:
    """CPU time over n; None if nothing was timed."""
    return _growth_chart(report, quantities(report)[0])


def _growth_chart(report: ProfileReport, what: Quantity) -> Chart | None:
    path = _path(report, what.kind)
    if not path:
        return None
    end, estimate, band, limit = report.prediction, what.estimate, what.band, what.limit
    sizes = [item.n for item in path]
    span = (float(max(min(sizes), 1)), float(max(*sizes, end.n, 1)))
    lines, outline = _line_and_band(report, path, what, span)
    dots = _dots(report, path, what)
    heights = [y for group in dots for y in (*group.ys, *group.highs)]
    heights += [y for line in lines for y in line.ys]
    heights += [band.low, band.high] if band else []
    heights += [limit] if limit else []
    low, high = rounded_out(min(heights), max(heights))
    return Chart(
        title=f"{what.label}: {class_name('unsure' if estimate.unsure else estimate.complexity)}",
        x=size_axis(*span),
        y=log_axis(f"{what.label} ({what.unit})", low, high),
        dots=dots,
        lines=lines,
        band=outline,
        limit=limit,
        limit_label=f"limit {what.write(limit)}" if limit else "",
        target=_target(report, what),
        n_max=float(end.n),
    )


def _path(report: ProfileReport, kind: Kind) -> list[Measurement]:
    """Return the measurements along which only n grows, m being what it is by default.

    The default m may be a number or a multiple of n: whichever of the two joins more of the
    measurements to the largest input is taken.
    """
    known = [item for item in report.measurements if getattr(item, kind)]
    end = report.prediction
    if end.m is None or not end.n:
        return sorted(known, key=lambda item: item.n)
    same = [item for item in known if item.m == end.m]
    slope = end.m / end.n
    along = [i for i in known if i.m is not None and abs(i.m - slope * i.n) <= max(1, 0.01 * i.m)]
    best = max(along, same, key=len)
    return sorted(best if len(best) >= _LEAST_ON_PATH else known, key=lambda item: item.n)


def _dots(report: ProfileReport, path: list[Measurement], what: Quantity) -> tuple[Dots, ...]:
    """Return the measurements on the path, those of another m, and the stopped ones."""
    ended = [item for item in path if item.stop is StopReason.EXITED]
    killed = [item for item in path if item.stop is not StopReason.EXITED]
    on_path = {id(item) for item in path}
    beside = [i for i in report.measurements if getattr(i, what.kind) and id(i) not in on_path]
    spread = [item.cpu_ms_max or item.cpu_ms or 0.0 for item in ended]
    groups = []
    for label, items, highs in (
        ("measured", ended, spread if what.kind == "cpu_ms" else []),
        ("other m", beside, []),
        ("stopped at a limit", killed, []),
    ):
        if items:
            series = Series.of(items, what.kind)
            xs = as_floats(np.maximum(series.n, 1.0))
            main = label == "measured"
            groups.append(Dots(label, xs, as_floats(series.y), tuple(highs), main))
    return tuple(groups)


def _target(report: ProfileReport, what: Quantity) -> Target | None:
    band, end = what.band, report.prediction
    if band is None:
        return None
    how = "measured" if end.measured else "predicted"
    label = f"{how} {interval(what.write(band.low), what.write(band.high))}"
    return Target(float(end.n), band.low, band.mid, band.high, label)


def _line_and_band(
    report: ProfileReport, path: list[Measurement], what: Quantity, span: tuple[float, float]
) -> tuple[tuple[DrawnCurve, ...], Outline | None]:
    """Return the fit, bent to the predicted middle at n_max, and its opening interval."""
    known = Series.of((i for i in path if i.stop is StopReason.EXITED), what.kind)
    name, band = likeliest(what.estimate), what.band
    curve = known.curve(name) if name else None
    if curve is None:
        return (), None
    end = float(report.prediction.n)
    n = _steps(*span)
    y = curve.along(n, _default_m(known, report, n))
    last = float(max(known.n[-1], 1))
    outline = None
    if band is not None and band.mid > 0 and end > last:
        beyond = np.clip(np.log(n / last) / math.log(end / last), 0.0, 1.0)
        y = y * (band.mid / y[-1]) ** beyond
        from_last = n >= last
        lows = y * (max(band.low, 1e-9) / band.mid) ** beyond
        highs = y * (band.high / band.mid) ** beyond
        outline = Outline(*(as_floats(each[from_last]) for each in (n, lows, highs)))
    return (DrawnCurve(f"fit: {class_name(curve.name)}", as_floats(n), as_floats(y)),), outline


def _default_m(known: Series, report: ProfileReport, n: Array) -> Array:
    """Return the second parameter at sizes between those measured and n_max."""
    end = report.prediction
    if end.m is None:
        return np.zeros(len(n))
    ns, ms = np.append(known.n, end.n), np.append(known.m, end.m)
    logs = np.interp(np.log(n), np.log(np.maximum(ns, 1)), np.log(np.maximum(ms, 1)))
    return np.asarray(np.exp(logs), dtype=float)


def _steps(low: float, high: float) -> Array:
    if high / low < LINEAR_BELOW:
        return np.linspace(low, high, _CURVE_POINTS)
    return np.geomspace(low, high, _CURVE_POINTS)


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
        DrawnCurve(label, positions[:: len(positions) - 1], (1.0, 1.0))
        if two
        else DrawnCurve(label, positions, level)
    ]
    if other is not None and (other.along(series.n, series.m) > 0).all():
        bent = as_floats(_over(series, other)[order])
        text = f"{what} ÷ fitted {class_name(f'O({other.name})')}"
        if two:
            dots.append(Dots(text, positions, bent, main=False))
        else:
            lines.append(DrawnCurve(text, positions, bent, rival=True))
        heights += bent
    return Chart(
        title=f"{what.capitalize()} ÷ fit: flat if the class is right",
        x=x,
        y=linear_axis(f"{what} ÷ fit", 0.0, max(1.5, 1.08 * max(heights))),
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


def plot(report: ProfileReport, path: str | Path) -> None:
    """Draw a report: time and memory with their fits and limits, and work over f(n).

    Args:
        report: What to draw.
        path: The file; its name ends in .png or .svg.

    Raises:
        UsageError: for another ending, a path that cannot be written, or if matplotlib is not
            installed.
    """
    draw(charts_of(report), path, title=headline(report), text=_findings(report))


def _findings(report: ProfileReport) -> str:
    found = [basis_in_words(report.time), *map(term_in_words, terms_shown(report.time.terms)[:2])]
    for what in quantities(report):
        each = prediction_figure(report, what)
        found.append(f"{each.label} {plain(each.value)}, {plain(each.aside)}")
    return "   ·   ".join(filter(None, found))
