"""Describe charts and their axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Dots:
    """Measured figures."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    highs: tuple[float, ...] = ()
    """The tops of their spread; empty if there is no spread."""
    main: bool = True
    """Whether these are the main figures of the chart, not secondary ones."""


@dataclass(frozen=True)
class DrawnCurve:
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


class Outline(NamedTuple):
    """An interval that is known at each of several sizes."""

    xs: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True)
class Axis:
    """A range with its label and its ticks."""

    label: str
    low: float
    high: float
    log: bool
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1 for those in range."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)

    def inside(self, value: float) -> float:
        """Return where a value lies, at the nearer end for those out of range."""
        return min(max(self.place(value), 0.0), 1.0)


@dataclass(frozen=True)
class Chart:
    """One chart."""

    title: str
    x: Axis
    y: Axis
    dots: tuple[Dots, ...] = ()
    lines: tuple[DrawnCurve, ...] = ()
    band: Outline | None = None
    limit: float | None = None
    limit_label: str = ""
    target: Target | None = None
    n_max: float | None = None


LINEAR_BELOW = 8.0
"""Sizes that span less than this factor are drawn on a plain axis."""
_EVEN_BELOW = 3.0  # a logarithmic axis that spans less has even steps
_STEPS = 5
_MOST_DECADES = 6


def linear_axis(label: str, low: float, high: float, *, whole: bool = False) -> Axis:
    """Return a plain axis over just this range; `whole`: its ticks are whole numbers."""
    return Axis(label, low, high, False, _even_ticks(low, high, 1.0 if whole else 0.0))


def log_axis(label: str, low: float, high: float) -> Axis:
    """Return a logarithmic axis over just this range, above 0."""
    if high / low < _EVEN_BELOW:
        return Axis(label, low, high, True, _even_ticks(low, high))
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = math.log10(high / low)
    stride = max(1, math.ceil(decades / _MOST_DECADES))
    steps = (1, 2, 3, 5, 7) if decades < 0.9 else (1, 2, 5) if decades < 1.7 else (1,)
    marks = [k * 10.0**e for e in range(first, last + 1) if e % stride == 0 for k in steps]
    return Axis(label, low, high, True, tuple((v, _short(v)) for v in marks if low <= v <= high))


def size_axis(low: float, high: float) -> Axis:
    """Return the axis of n from one size to another, with room at both ends."""
    if high / low >= LINEAR_BELOW:
        room = (high / low) ** 0.04
        return log_axis("n", low / room, high * room)
    room = max((high - low) * 0.05, 0.5)
    return linear_axis("n", low - room, high + room, whole=True)


_MOST_POINTS = 400
_FARTHEST = 4.0
"""An interval that reaches further than this factor from its middle is cut there."""


def drawn(interval: tuple[float, float, float] | None) -> tuple[float, float, float] | None:
    """Return what a logarithmic axis shows of an interval; None if it cannot be drawn."""
    low, middle, high = interval or (math.nan,) * 3
    if not 0 < middle < math.inf or math.isnan(low) or math.isnan(high):
        return None
    return max(low, middle / _FARTHEST), middle, min(high, middle * _FARTHEST)


def ratio_axis(label: str, values: Sequence[float]) -> Axis:
    """Return a logarithmic axis with a little room around its values, which are above 0."""
    room = max((max(values) / min(values)) ** 0.06, 1.005)
    return log_axis(label, min(values) / room, max(values) * room)


def in_order(title: str, label: str, y: Axis, values: Sequence[float]) -> Chart:
    """Return the chart of values in the order of their measurement, numbered from 1; some of many.

    Args:
        title: Of the chart.
        label: What is numbered.
        y: The axis of the values.
        values: What is drawn.
    """
    step = math.ceil(len(values) / _MOST_POINTS)
    numbers = tuple(float(number) for number in range(1, len(values) + 1, step))
    x = linear_axis(label, 0.0, len(values) + 1.0, whole=True)
    points = numbers, tuple(values[::step])
    return Chart(title, x, y, dots=(Dots(title, *points),), lines=(DrawnCurve(title, *points),))


def rounded_out(low: float, high: float) -> tuple[float, float]:
    """Return a range with room around its figures, a factor of 10 at least."""
    low, high = max(low, 1e-3) / 1.5, max(high, 1e-3) * 1.8
    if high / low < 10:
        middle = math.sqrt(high * low)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    return low, high


def _even_ticks(low: float, high: float, least: float = 0.0) -> tuple[tuple[float, str], ...]:
    rough = max((high - low) / _STEPS, least)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough)
    marks = range(math.ceil(low / step), math.floor(high / step) + 1)
    return tuple((k * step, _short(k * step)) for k in marks)


def _short(value: float) -> str:
    for factor, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if value >= factor:
            return f"{value / factor:g} {letter}" if value < 1e15 else f"{value:.0e}"
    return f"{value:,.6g}"
