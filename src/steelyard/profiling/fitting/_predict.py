"""Predict what a program needs at a size that was not run."""

from collections.abc import Sequence

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._curves import fit_curve, least_by_point
from steelyard.profiling.fitting._drift import time_drift
from steelyard.profiling.fitting._models import is_small
from steelyard.schemas import Band

LEAST_MS = 5.0
"""Time above the base that the longest run must have; below, half of all intervals held."""
LEAST_OF_BASE = 0.25
"""The same as a share of the base, which itself varies from run to run."""
KEPT_DRIFT = 0.5
"""How much of the drift of times against the class continues beyond the longest run. Measured on
the corpus from n_max/4: less predicts too little; more has smaller errors and wrong FAILs."""
MOST_DRIFT = 0.5
"""In powers of n; caches do not explain more."""
SLOWER, MOST_SLOWER = 0.2, 1.0
"""Drift to the other side, which the prediction follows only from 0.2 on: less is chance."""
LEAST_OF_LONGEST = 0.7
LAST_SIZES = 6
"""How many of the largest sizes of a ladder the fit rests on."""
CACHE_MIB = (1.0, 8.0)
CACHE_BANDS = ((0.7, 1.5), (0.6, 1.8), (0.7, 3.5))
"""Interval as multiples of the prediction, by how much the memory grows beyond that of the smallest
input: below 1 MiB all stays in the nearest caches, above 8 MiB it leaves them."""
LEAST_MEMORY_SHARE = 0.08
"""Of the predicted memory; its interval reaches at least so far to both sides."""
RESIDUAL_FACTOR = 2.0
"""The interval of memory is this many times the greatest residual of the fit."""
LEAST_MEMORY_MIB = 0.25
"""What the residual is measured against at least: smaller growth is not significant."""


def predict_time(
    points: Sequence[Point],
    cpu_ms: Sequence[float],
    complexity: str,
    at: Point,
    *,
    curve: str = "",
    base_ms: float,
    memory_growth_mib: float | None = None,
) -> Band | None:
    """CPU time at a size, with an interval.

    Args:
        points: Sizes of the timed runs, in any order.
        cpu_ms: User and system time of each; of equal points the least counts.
        complexity: A class, by any of its names.
        at: Where to predict.
        curve: The curve within the class that the counted work follows; empty: not known.
        base_ms: What the start of the process costs.
        memory_growth_mib: By how much memory at `at` exceeds that of the smallest input; None:
            not known, which gives the widest interval.

    Returns:
        In milliseconds; None if the longest run is less than 5 ms, or a quarter of the
        base, above the base, or the class is not known.
    """
    known = least_by_point(points, cpu_ms)
    least = max(LEAST_MS, LEAST_OF_BASE * base_ms)
    if not known or max(value for _, value in known) - base_ms < least:
        return None
    if not any(point.m for point, _ in known):
        known = known if known[-1][0].n <= 64 else known[-LAST_SIZES:]
    fit = fit_curve([point for point, _ in known], [value for _, value in known], complexity, curve)
    if fit is None:
        return None
    last, longest_ms = max(known, key=lambda entry: entry[1])
    low, high = _cache_band(memory_growth_mib)
    grown = fit.grown(at, last)
    if grown is None:
        mid = fit.at(at)
        return Band(low=mid * low, mid=mid, high=mid * high)
    extrapolated_ms = (longest_ms - base_ms) * grown
    least, likely = _drifts(known, base_ms, complexity, at)
    mid = base_ms + extrapolated_ms * likely
    lowest = low * (base_ms + extrapolated_ms * least)
    if at.n >= last.n and at.m >= last.m:  # a larger input takes no less than what was measured
        lowest, mid = max(lowest, LEAST_OF_LONGEST * longest_ms), max(mid, longest_ms)
    return Band(low=min(lowest, mid), mid=mid, high=mid * high)


def _drifts(
    known: Sequence[tuple[Point, float]], base_ms: float, complexity: str, at: Point
) -> tuple[float, float]:
    """Return the factors on the class's growth that are expected beyond the longest run.

    They follow from how times grew against the class so far. The first figure is the least to be
    expected: times that grew slower than the class may continue so, and caches may be full already.
    """
    last = known[-1][0]
    if last.m or at.n <= last.n or is_small(np.array([float(last.n)])):
        return 1.0, 1.0
    seen = (
        time_drift(
            [point.n for point, _ in known], [value for _, value in known], base_ms, complexity
        )
        or 0.0
    )
    seen = min(max(seen, -MOST_SLOWER), MOST_DRIFT)
    expected = KEPT_DRIFT * seen if seen > 0 or seen < -SLOWER else 0.0
    further = at.n / last.n
    return float(further ** min(seen, 0.0)), float(further**expected)


def predict_memory(
    points: Sequence[Point], memory_mib: Sequence[float], complexity: str, at: Point
) -> Band | None:
    """Peak memory at a size, with an interval.

    Args:
        points: Sizes of the runs, in any order.
        memory_mib: Peak resident set of each; of equal points the least counts.
        complexity: The class of memory, by any of its names.
        at: Where to predict.

    Returns:
        In MiB; the interval is at least 8 % to both sides. None with fewer than three distinct
        points, or where the class is not known.
    """
    curve = fit_curve(points, memory_mib, complexity)
    if curve is None:
        return None
    mid = curve.at(at)
    values = [value for _, value in least_by_point(points, memory_mib)]
    growth = max(values) - min(values)
    if growth <= 0 or mid <= max(values):
        margin = RESIDUAL_FACTOR * curve.residual * mid
    else:  # what the fit is off by within the growth that was seen grows with it
        off = RESIDUAL_FACTOR * curve.residual * max(values) / max(growth, LEAST_MEMORY_MIB)
        margin = min(off, 1.0) * (mid - curve.constant) if off else 0.0  # mid may be infinite
    margin = max(margin, LEAST_MEMORY_SHARE * mid)
    return Band(low=max(0.0, mid - margin), mid=mid, high=mid + margin)


def _cache_band(memory_growth_mib: float | None) -> tuple[float, float]:
    if memory_growth_mib is None:
        return CACHE_BANDS[1][0], CACHE_BANDS[2][1]
    index = sum(memory_growth_mib >= bound for bound in CACHE_MIB)
    return CACHE_BANDS[index]
