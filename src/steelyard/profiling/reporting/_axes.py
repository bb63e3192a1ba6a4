"""Choose the range of an axis, and the values with a label."""

import math

from steelyard.rendering import Axis

LINEAR_BELOW = 8.0
"""Sizes that span less than this factor are drawn on a plain axis."""


def size_axis(low: float, high: float) -> Axis:
    """Return the axis of n from one size to another, with room at both ends."""
    if high / low >= LINEAR_BELOW:
        room = (high / low) ** 0.04
        return log_axis("n", low / room, high * room)
    room = max((high - low) * 0.05, 0.5)
    low, high = low - room, high + room
    step = _round_step((high - low) / 5)
    first = math.ceil(low / step)
    marks = range(first, math.floor(high / step) + 1)
    return Axis("n", low, high, False, tuple((k * step, _short(k * step)) for k in marks))


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(max(rough, 1.0)))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= rough)


def rounded_out(low: float, high: float) -> tuple[float, float]:
    """Return a range with room around its figures, a factor of 10 at least."""
    low, high = max(low, 1e-3) / 1.5, max(high, 1e-3) * 1.8
    if high / low < 10:
        middle = math.sqrt(high * low)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    return low, high


def log_axis(label: str, low: float, high: float) -> Axis:
    """Return a logarithmic axis over just this range, above 0."""
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
