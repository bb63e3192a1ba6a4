"""Time or memory over n: what was measured, the fit, and what is to be expected at n_max."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from steelyard.profiling.fitting import Curve
from steelyard.profiling.reporting._axes import LINEAR_BELOW, log_axis, rounded_out, size_axis
from steelyard.profiling.reporting._series import Array, Kind, Series, as_floats, likeliest
from steelyard.profiling.reporting._words import class_name, interval
from steelyard.rendering import Chart, Dots, Line, Outline, Target, mebibytes, milliseconds
from steelyard.schemas import Band, ComplexityEstimate, Measurement, ProfileReport, StopReason

_CURVE_POINTS = 96
_LEAST_ON_PATH = 3


@dataclass(frozen=True)
class _Subject:
    """The figure that grows."""

    kind: Kind
    title: str
    unit: str
    write: Callable[[float], str]
    estimate: ComplexityEstimate
    band: Band | None
    limit: float | None


def time_chart(report: ProfileReport) -> Chart | None:
    """CPU time over n; None if nothing was timed."""
    predicted = report.prediction
    return _growth_chart(
        report,
        _Subject(
            "cpu_ms",
            "CPU time",
            "ms",
            milliseconds,
            report.time,
            predicted.cpu_ms,
            report.time_limit_ms,
        ),
    )


def memory_chart(report: ProfileReport) -> Chart | None:
    """Peak memory over n; None if it is not known."""
    predicted = report.prediction
    return _growth_chart(
        report,
        _Subject(
            "memory_mib",
            "Peak memory",
            "MiB",
            mebibytes,
            report.space,
            predicted.memory_mib,
            report.memory_limit_mib,
        ),
    )


def _growth_chart(report: ProfileReport, what: _Subject) -> Chart | None:
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
        title=f"{what.title}: {class_name('unsure' if estimate.unsure else estimate.complexity)}",
        x=size_axis(*span),
        y=log_axis(f"{what.title} ({what.unit})", low, high),
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


def _dots(report: ProfileReport, path: list[Measurement], what: _Subject) -> tuple[Dots, ...]:
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


def _target(report: ProfileReport, what: _Subject) -> Target | None:
    band, end = what.band, report.prediction
    if band is None:
        return None
    how = "measured" if end.measured else "predicted"
    label = f"{how} {interval(what.write(band.low), what.write(band.high))}"
    return Target(float(end.n), band.low, band.mid, band.high, label)


def _line_and_band(
    report: ProfileReport, path: list[Measurement], what: _Subject, span: tuple[float, float]
) -> tuple[tuple[Line, ...], Outline | None]:
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
    return (_line(curve, n, y),), outline


def _line(curve: Curve, n: Array, y: Array) -> Line:
    return Line(f"fit: {class_name(curve.name)}", as_floats(n), as_floats(y))


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
