"""What a program will need at a size that was not run."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assayer.profiling._records import Point
from assayer.profiling.fitting._drift import time_drift
from assayer.profiling.fitting._models import (
    Array,
    Variant,
    curves_of,
    fitted_exponential,
    is_small,
    rank,
    variant_named,
)
from assayer.profiling.fitting._names import LADDER, canonical, terms_of
from assayer.profiling.fitting._nonnegative import fit_nonnegative
from assayer.profiling.fitting._two import two_columns
from assayer.schemas import Band

LEAST_MS = 5.0
"""Time above the base that the longest run must have; below, half of all intervals held."""
LEAST_OF_BASE = 0.25
"""The same as a share of the base, which itself varies from run to run."""
FEWEST_POINTS = 3
KEPT_DRIFT = 0.3
"""How much of the drift of times against the class goes on beyond the longest run. Measured on the
corpus from n_max/4: 0.3 gives the least error; 0 predicts too little, 1 too much."""
MOST_DRIFT = 0.5
"""In powers of n; more is no effect of caches."""
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
"""What the residual is measured against at least: smaller growth says little."""


@dataclass(frozen=True)
class Curve:
    """A fit of `c0 + c1 f`, to be drawn or read off elsewhere."""

    constant: float
    coefficients: tuple[float, ...]
    growths: tuple["_Growth", ...]
    residual: float
    """The greatest relative distance of a point from it."""

    def at(self, point: Point) -> float:
        """Its value, in the unit of what was fitted."""
        return self.constant + self._growing(point)

    def grown(self, point: Point, since: Point) -> float | None:
        """How many times the part that grows is what it was; None where nothing grows."""
        before = self._growing(since)
        return self._growing(point) / before if before > 0 else None

    def _growing(self, point: Point) -> float:
        return sum(
            coefficient * growth.at(point)
            for coefficient, growth in zip(self.coefficients, self.growths, strict=True)
        )


@dataclass(frozen=True)
class _Growth:
    """A term of a fit, as a multiple of its value at the largest point."""

    variant: Variant | None
    scale: float
    """Logarithm of the variant's value at the largest size, or the monomial's value."""
    exponents: tuple[float, float, int] = (0.0, 0.0, 0)

    def at(self, point: Point) -> float:
        if self.variant is not None:
            log = float(self.variant.log_f(np.array([float(point.n)]))[0])
            return math.exp(min(log - self.scale, 700.0))
        n, m, log = self.exponents
        size = max(point.n, 1) ** n * max(point.m, 1) ** m
        return float(size * math.log2(max(point.n + point.m, 2)) ** log / self.scale)


def fit_curve(
    points: Sequence[Point], values: Sequence[float], complexity: str, curve: str = ""
) -> Curve | None:
    """The best `c0 + c1 f` of a class, with coefficients of at least 0 and relative weights.

    Of a class with several curves (2^n, phi^n) the nearest is taken; of a class in two parameters
    each term has its own coefficient.

    Args:
        points: In any order; all m are 0 for a class in one parameter.
        values: CPU milliseconds, MiB or another measure of each; above 0.
        complexity: A class, by any of its names.
        curve: The curve within it that is known to fit, such as `phi^n`; empty: the nearest.

    Returns:
        None with fewer than three distinct points, or for `unsure`.
    """
    known = _least(points, values)
    name = canonical(complexity)
    if len(known) < FEWEST_POINTS:
        return None
    sizes = [point for point, _ in known]
    y = np.array([value for _, value in known])
    try:
        terms = terms_of(name)
    except ValueError:
        return None
    if any(term.m for term in terms) or name not in LADDER:
        if any(term.family for term in terms):
            return None
        growths = [tuple(_Growth(None, 1.0, (term.n, term.m, term.log)) for term in sorted(terms))]
    else:
        growths = _of_ladder(name, curve, sizes, y)
    fits = [_fitted(sizes, y, candidate) for candidate in growths]
    return min(fits, key=lambda fit: fit[0])[1]


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
        In milliseconds; None where the longest run is less than 5 ms, or a quarter of the
        base, above the base, or the class is not known.
    """
    known = _least(points, cpu_ms)
    least = max(LEAST_MS, LEAST_OF_BASE * base_ms)
    if not known or max(value for _, value in known) - base_ms < least:
        return None
    if not any(point.m for point, _ in known):
        known = known if known[-1][0].n <= 64 else known[-LAST_SIZES:]
    fit = fit_curve([point for point, _ in known], [value for _, value in known], complexity, curve)
    if fit is None:
        return None
    last, longest_ms = max(known, key=lambda entry: entry[1])
    grown = fit.grown(at, last)
    mid = fit.at(at)
    if grown is not None:
        mid = base_ms + (longest_ms - base_ms) * grown * _drifted(known, base_ms, complexity, at)
    low, high = _cache_band(memory_growth_mib)
    return Band(low=mid * low, mid=mid, high=mid * high)


def _drifted(
    known: Sequence[tuple[Point, float]], base_ms: float, complexity: str, at: Point
) -> float:
    """What is to be expected of caches beyond the longest run, going by what they did before it."""
    last = known[-1][0]
    if last.m or at.n <= last.n or is_small(np.array([float(last.n)])):
        return 1.0
    drift = time_drift([point.n for point, _ in known], [value for _, value in known], base_ms,
                       complexity)  # fmt: skip
    expected = KEPT_DRIFT * min(max(drift or 0.0, 0.0), MOST_DRIFT)
    return float((at.n / last.n) ** expected)


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
    values = [value for _, value in _least(points, memory_mib)]
    growth = max(values) - min(values)
    if growth <= 0 or mid <= max(values):
        margin = RESIDUAL_FACTOR * curve.residual * mid
    else:  # what the fit is off by within the growth that was seen grows with it
        off = RESIDUAL_FACTOR * curve.residual * max(values) / max(growth, LEAST_MEMORY_MIB)
        margin = min(off, 1.0) * (mid - curve.constant)
    margin = max(margin, LEAST_MEMORY_SHARE * mid)
    return Band(low=max(0.0, mid - margin), mid=mid, high=mid + margin)


def _least(points: Sequence[Point], values: Sequence[float]) -> list[tuple[Point, float]]:
    least: dict[Point, float] = {}
    for point, value in zip(points, values, strict=True):
        if math.isfinite(value):
            least[point] = min(value, least.get(point, math.inf))
    return sorted(least.items())


def _of_ladder(
    name: str, curve: str, sizes: Sequence[Point], y: Array
) -> list[tuple[_Growth, ...]]:
    """One candidate for each curve of the class, or for the known one."""
    n = np.array([float(point.n) for point in sizes])
    if name == "O(1)":
        return [()]
    exact = variant_named(curve) if rank(name) >= rank("O(2^n)") else None
    if exact is not None:
        variants = [exact]
    else:
        variants = [variant for variant in curves_of(name) if variant.name != "n log log n"]
        if name == "O(2^n)" and is_small(n):
            free = fitted_exponential(n, y - y.min())
            variants = [*variants, free] if free is not None else variants
    return [(_growth(variant, n),) for variant in variants]


def _growth(variant: Variant, n: Array) -> _Growth:
    return _Growth(variant, float(variant.log_f(n[-1:])[0]))


def _fitted(sizes: Sequence[Point], y: Array, growths: tuple[_Growth, ...]) -> tuple[float, Curve]:
    two = two_columns(sizes)
    columns = [np.ones(len(two.n))]
    columns += [np.array([growth.at(point) for point in sizes]) for growth in growths]
    positive = np.maximum(y, 1e-6 * max(float(y.max()), 1e-6))
    fit = fit_nonnegative(columns, positive, 1 / positive)
    residual = float(np.abs(fit.fitted / positive - 1).max())
    coefficients = tuple(fit.coefficients.tolist())
    return fit.chi2, Curve(coefficients[0], coefficients[1:], growths, residual)


def _cache_band(memory_growth_mib: float | None) -> tuple[float, float]:
    if memory_growth_mib is None:
        return CACHE_BANDS[1][0], CACHE_BANDS[2][1]
    place = sum(memory_growth_mib >= bound for bound in CACHE_MIB)
    return CACHE_BANDS[place]
