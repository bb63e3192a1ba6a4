"""What each chart of a report shows, apart from how it is drawn."""

import math
from dataclasses import dataclass

import numpy as np

from assayer.profiling.reporting._curves import Array, Curve, fit_curve, same_class
from assayer.profiling.reporting._words import class_name, interval, mebibytes, milliseconds
from assayer.schemas import Band, ComplexityEstimate, Measurement, ProfileReport, StopReason

__all__ = ["Axis", "Chart", "Dots", "Line", "Target", "charts_of", "time_chart"]

_CURVE_POINTS = 96
_LINEAR_BELOW = 8.0  # sizes that span less than this factor are drawn on a plain axis
_FLAT_TOP = 4.0  # work / f above it leaves the chart: constants of the smallest inputs
_SIZES_CLASSIFIED = 9
_LEAST_ON_PATH = 3


_Outline = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Axis:
    """A range with its label and its ticks."""

    label: str
    low: float
    high: float
    log: bool
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1 for those in range."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)


@dataclass(frozen=True)
class Dots:
    """Measured figures."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    highs: tuple[float, ...] = ()
    """The tops of their spread; empty where there is none."""
    main: bool = True
    """Whether they are what the chart is about, rather than beside it."""


@dataclass(frozen=True)
class Line:
    """A curve."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rival: bool = False


@dataclass(frozen=True)
class Target:
    """The largest input with its predicted interval."""

    x: float
    low: float
    mid: float
    high: float
    label: str


@dataclass(frozen=True)
class Chart:
    """One chart."""

    title: str
    x: Axis
    y: Axis
    dots: tuple[Dots, ...] = ()
    lines: tuple[Line, ...] = ()
    band: _Outline | None = None
    """Sizes, lower ends, upper ends."""
    limit: float | None = None
    limit_label: str = ""
    limit_missed: bool = False
    target: Target | None = None
    n_max: float | None = None


def charts_of(report: ProfileReport) -> tuple[Chart, ...]:
    """The charts that a report has figures for: time, memory, work over f(n)."""
    charts = (time_chart(report), _memory_chart(report), _ratio_chart(report))
    return tuple(chart for chart in charts if chart is not None)


def time_chart(report: ProfileReport) -> Chart | None:
    """CPU time over n; None where nothing was timed."""
    return _growth_chart(
        report,
        report.time,
        kind="cpu_ms",
        title="CPU time",
        unit="ms",
        band=report.prediction.cpu_ms,
        limit=report.time_limit_ms,
        missed=report.prediction.meets_time_limit is False,
    )


def _memory_chart(report: ProfileReport) -> Chart | None:
    return _growth_chart(
        report,
        report.space,
        kind="memory_mib",
        title="Peak memory",
        unit="MiB",
        band=report.prediction.memory_mib,
        limit=report.memory_limit_mib,
        missed=report.prediction.meets_memory_limit is False,
    )


def _growth_chart(
    report: ProfileReport,
    estimate: ComplexityEstimate,
    *,
    kind: str,
    title: str,
    unit: str,
    band: Band | None,
    limit: float | None,
    missed: bool,
) -> Chart | None:
    path = _path(report, kind)
    ended = [item for item in path if item.stop is StopReason.EXITED]
    killed = [item for item in path if item.stop is not StopReason.EXITED]
    on_path = {id(item) for item in path}
    beside = [i for i in report.measurements if getattr(i, kind) and id(i) not in on_path]
    if not ended and not killed:
        return None
    predicted = report.prediction
    sizes = [item.n for item in path]
    span = (float(max(min(sizes), 1)), float(max(*sizes, predicted.n, 1)))
    write = milliseconds if unit == "ms" else mebibytes
    curve = _curve(estimate, ended, kind)
    line, widened = _line_and_band(report, ended, curve, band, kind, span)
    spread = [item.cpu_ms_max or item.cpu_ms or 0.0 for item in ended] if unit == "ms" else []
    dots = [_dots("measured", ended, kind, spread)]
    if beside:
        dots.append(_dots("other m", beside, kind, [], main=False))
    if killed:
        dots.append(_dots("stopped at a limit", killed, kind, [], main=False))
    target = None
    if band is not None:
        how = "measured" if predicted.measured else "predicted"
        target = Target(
            float(predicted.n), band.low, band.mid, band.high, f"{how} {_ends(band, unit)}"
        )
    heights = [y for group in dots for y in (*group.ys, *group.highs)]
    heights += [y for part in line for y in part.ys]
    heights += [band.low, band.high] if band else []
    heights += [limit] if limit else []
    low, high = _rounded_out(min(heights), max(heights))
    label = estimate.complexity if not estimate.unsure else "unsure"
    return Chart(
        title=f"{title}: {class_name(label)}",
        x=_size_axis(*span),
        y=_log_axis(f"{title} ({unit})", low, high),
        dots=tuple(group for group in dots if group.xs),
        lines=line,
        band=widened,
        limit=limit,
        limit_label=f"limit {write(limit)}" if limit else "",
        limit_missed=missed,
        target=target,
        n_max=float(predicted.n),
    )


def _ends(band: Band, unit: str) -> str:
    write = milliseconds if unit == "ms" else mebibytes
    return interval(write(band.low), write(band.high))


def _path(report: ProfileReport, kind: str) -> list[Measurement]:
    """The measurements along which only n grows, m being what it is by default.

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


def _dots(
    label: str, items: list[Measurement], kind: str, highs: list[float], *, main: bool = True
) -> Dots:
    return Dots(
        label,
        tuple(float(max(item.n, 1)) for item in items),
        tuple(float(getattr(item, kind)) for item in items),
        tuple(highs),
        main,
    )


def _arrays(items: list[Measurement], kind: str) -> tuple[Array, Array, Array]:
    return (
        np.array([item.n for item in items], dtype=float),
        np.array([item.m or 1 for item in items], dtype=float),
        np.array([getattr(item, kind) for item in items], dtype=float),
    )


def _likeliest(estimate: ComplexityEstimate) -> str:
    if not estimate.unsure:
        return estimate.complexity
    return estimate.candidates[0][0] if estimate.candidates else ""


def _rival(estimate: ComplexityEstimate) -> str:
    if estimate.runner_up:
        return estimate.runner_up
    others = [name for name, _ in estimate.candidates if name != _likeliest(estimate)]
    return others[0] if others else ""


def _curve(estimate: ComplexityEstimate, items: list[Measurement], kind: str) -> Curve | None:
    name = _likeliest(estimate)
    return fit_curve(name, *_arrays(items, kind)) if name and items else None


def _line_and_band(
    report: ProfileReport,
    items: list[Measurement],
    curve: Curve | None,
    band: Band | None,
    kind: str,
    span: tuple[float, float],
) -> tuple[tuple[Line, ...], _Outline | None]:
    """The fit up to n_max, led to the predicted middle there, and the interval opening to it."""
    if curve is None or len(items) < 2:
        return (), None
    n_known, m_known, _ = _arrays(items, kind)
    end = float(report.prediction.n)
    n = _steps(*span)
    m = np.ones(len(n))
    if report.prediction.m is not None:
        ends = (np.append(n_known, end), np.append(m_known, report.prediction.m))
        m = np.exp(np.interp(np.log(n), np.log(np.maximum(ends[0], 1)), np.log(ends[1])))
    y = curve.at(n, m)
    last = float(max(n_known[-1], 1))
    beyond = np.zeros(len(n))
    if end > last:
        beyond = np.clip(np.log(n / last) / math.log(end / last), 0.0, 1.0)
    widened = None
    if band is not None and band.mid > 0 and end > last:
        y = y * (band.mid / y[-1]) ** beyond
        from_last = n >= last
        lows = y * (max(band.low, 1e-9) / band.mid) ** beyond
        highs = y * (band.high / band.mid) ** beyond
        widened = (_tuple(n[from_last]), _tuple(lows[from_last]), _tuple(highs[from_last]))
    return (Line(f"fit: {class_name(curve.label)}", _tuple(n), _tuple(y)),), widened


def _steps(low: float, high: float) -> Array:
    if high / low < _LINEAR_BELOW:
        return np.linspace(low, high, _CURVE_POINTS)
    return np.geomspace(low, high, _CURVE_POINTS)


def _ratio_chart(report: ProfileReport) -> Chart | None:
    """Work over f(n), 1 at the largest size; flat where f is the right class."""
    counted = [item for item in report.measurements if item.work]
    what, kind = ("work", "work") if len(counted) > 1 else ("time", "cpu_ms")
    items = sorted(
        (i for i in report.measurements if getattr(i, kind) and i.stop is StopReason.EXITED),
        key=lambda item: (item.n, item.m or 0),
    )
    if kind == "cpu_ms":
        items = [item for item in items if (item.cpu_ms or 0) > 2 * report.base_cpu_ms]
    two = len(report.parameters) > 1 and any(item.m for item in items)
    items = items if two else items[-_SIZES_CLASSIFIED:]
    name = _likeliest(report.time)
    if len(items) < 2 or not name:
        return None
    n, m, y = _arrays(items, kind)
    if kind == "cpu_ms":
        y = y - report.base_cpu_ms
    curve = fit_curve(name, n, m, y, constant=False)
    if curve is None:
        return None
    rival_name = _rival(report.time)
    rival = fit_curve(rival_name, n, m, y, constant=False) if rival_name else None
    label = class_name(curve.label)
    xs = curve.growing(n, m) if two else np.maximum(n, 1.0)
    xs = xs / xs.min() if two else xs
    order = np.argsort(xs)
    flat = _levelled(y, curve.growing(n, m))
    own = y - _lower_part(report.time, name, n, m, float(y[-1]))
    if kind == "work" and own[-1] > 0:  # a term's share is rounded: taken off only where it levels
        flat = min(flat, _levelled(own, curve.growing(n, m)), key=np.std)
    level = np.clip(flat, 0.0, _FLAT_TOP)[order]
    dots = [Dots(f"{what} ÷ ({label})", _tuple(xs[order]), _tuple(level))]
    lines = [] if two else [Line(dots[0].label, dots[0].xs, dots[0].ys)]
    heights = list(dots[0].ys)
    if rival is not None and (rival.growing(n, m) > 0).all():
        tilted = np.minimum(_levelled(y, rival.growing(n, m)), _FLAT_TOP)[order]
        text = f"{what} ÷ ({class_name(rival.label)})"
        if two:
            dots.append(Dots(text, _tuple(xs[order]), _tuple(tilted), main=False))
        else:
            lines.append(Line(text, _tuple(xs[order]), _tuple(tilted), rival=True))
        heights += [float(value) for value in tilted]
    top = max(1.5, 1.08 * max(heights))
    step = 0.5 if top <= 3 else 1.0
    ticks = tuple((k * step, f"{k * step:g}") for k in range(int(top / step) + 1))
    x = _size_axis(float(xs.min()), float(xs.max()))
    if two:
        x = Axis(f"{label}, as a multiple of its least", x.low, x.high, x.log, x.ticks)
    return Chart(
        title=f"{what.capitalize()} ÷ f: flat if f is right",
        x=x,
        y=Axis(f"{what} ÷ f, 1 at the largest size", 0.0, top, False, ticks),
        dots=tuple(dots),
        lines=tuple(lines),
    )


def _lower_part(
    estimate: ComplexityEstimate, name: str, n: Array, m: Array, largest: float
) -> Array:
    """The work of the terms other than the class's own, by their shares at the largest size."""
    lower = np.zeros(len(n))
    for term in estimate.terms:
        curve = fit_curve(term.complexity, n, m, np.ones(len(n)), constant=False)
        if curve is not None and not same_class(term.complexity, name):
            grown = curve.growing(n, m)
            if grown[-1] > 0:
                lower += term.share * largest * grown / grown[-1]
    return lower


def _levelled(y: Array, f: Array) -> Array:
    shares = y / np.maximum(f, 1e-300)
    return np.asarray(shares / shares[-1], dtype=float)


def _tuple(values: Array) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _size_axis(low: float, high: float) -> Axis:
    if high / low >= _LINEAR_BELOW:
        room = (high / low) ** 0.04
        return _log_axis("n", low / room, high * room)
    room = max((high - low) * 0.05, 0.5)
    low, high = low - room, high + room
    step = _round_step((high - low) / 5)
    first = math.ceil(low / step)
    marks = range(first, math.floor(high / step) + 1)
    return Axis("n", low, high, False, tuple((k * step, _short(k * step)) for k in marks))


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(max(rough, 1.0)))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= rough)


def _rounded_out(low: float, high: float) -> tuple[float, float]:
    """A range with room around its figures, a factor of 10 at least."""
    low, high = max(low, 1e-3) / 1.5, max(high, 1e-3) * 1.8
    if high / low < 10:
        middle = math.sqrt(high * low)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    return low, high


def _log_axis(label: str, low: float, high: float) -> Axis:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = math.log10(high / low)
    stride = max(1, math.ceil(decades / 6))
    steps = (1, 2, 5) if decades < 1.7 else (1,)
    marks = [k * 10.0**e for e in range(first, last + 1) if e % stride == 0 for k in steps]
    return Axis(label, low, high, True, tuple((v, _short(v)) for v in marks if low <= v <= high))


def _short(value: float) -> str:
    for factor, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if value >= factor:
            return f"{value / factor:g} {letter}" if value < 1e15 else f"{value:.0e}"
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
