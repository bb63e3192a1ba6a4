"""Fit the curve of a class to measured figures, and predict those of sizes that were not run."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._class_curves import (
    Array,
    Variant,
    curves_of,
    fit_nonnegative,
    fitted_exponential,
    is_small,
    rank,
    variant_named,
)
from steelyard.profiling.fitting._class_from_times import least_values, time_drift
from steelyard.profiling.fitting._class_names import LADDER, Monomial, canonical, terms_of
from steelyard.schemas import Band

FEWEST_POINTS = 3
_Growth = Callable[[Array, Array], Array]
"""A term of a fit at sizes n and m, each of shape (points,)."""


@dataclass(frozen=True)
class Curve:
    """A fit of `c0 + c1 f1 + ...`."""

    name: str
    """What grows, such as `n log n` or `phi^n`."""
    constant: float
    coefficients: tuple[float, ...]
    growths: tuple[_Growth, ...]
    residual: float
    """The greatest relative distance of a point from it."""

    def at(self, point: Point) -> float:
        """Its value, in the unit of what was fitted."""
        return float(self.along(*_sizes([point]))[0])

    def grown(self, point: Point, since: Point) -> float | None:
        """Return how many times the part that grows is what it was; None if nothing grows."""
        after, before = self.growing(*_sizes([point, since])).tolist()
        return after / before if before > 0 else None

    def along(self, n: Array, m: Array) -> Array:
        """Its values.

        Args:
            n: Sizes, shape (points,).
            m: Second parameters, 0 for one parameter, shape (points,).
        """
        return self.constant + self.growing(n, m)

    def growing(self, n: Array, m: Array) -> Array:
        """Return the part of `along` that grows; infinite if no float is so large."""
        whole = np.zeros(len(n))
        with np.errstate(over="ignore"):
            for coefficient, growth in zip(self.coefficients, self.growths, strict=True):
                whole = whole + coefficient * growth(n, m)
        return whole


def fit_curve(
    points: Sequence[Point],
    values: Sequence[float],
    complexity: str,
    curve: str = "",
    *,
    constant: bool = True,
    lower: Iterable[str] = (),
) -> Curve | None:
    """Return the best `c0 + c1 f` of a class, with coefficients of at least 0 and relative weights.

    Of a class with several curves (2^n, phi^n) the nearest is taken; of a class in two parameters
    each term has its own coefficient.

    Args:
        points: In any order; all m are 0 for a class in one parameter. Of equal ones the least
            value counts.
        values: CPU milliseconds, MiB or another measure of each; above 0.
        complexity: A class, by any of its names.
        curve: The curve within it that is known to fit, such as `phi^n`; empty: the nearest.
        constant: Whether the values hold a part that does not grow; without, c0 is 0.
        lower: Classes of terms that the values hold too; those that the class does not outgrow,
            exponential ones and unreadable names are left out.

    Returns:
        None with fewer than three distinct points, or for `unsure`.
    """
    known = least_values(points, values)
    name = canonical(complexity)
    if len(known) < FEWEST_POINTS:
        return None
    n, m = _sizes([point for point, _ in known])
    y = np.array([value for _, value in known])
    try:
        terms = terms_of(name)
    except ValueError:
        return None
    others = [term for term in _monomials(lower) if any(term.is_below(own) for own in terms)]
    if any(term.m for term in terms) or name not in LADDER:
        if any(term.family for term in terms):
            return None
        shapes = [(name[2:-1], tuple(_of_monomial(term) for term in sorted(terms)))]
    elif name == "O(1)" and constant:
        shapes = [("1", ())]
    else:
        shapes = [
            (variant.name, (_of_variant(variant, n[-1:]),))
            for variant in _variants(name, curve, n, y)
        ]
    more = tuple(map(_of_monomial, others))
    fits = [
        _fitted(shape, (*growths, *more), n, m, y, constant=constant) for shape, growths in shapes
    ]
    return min(fits, key=lambda fit: fit[0])[1]


def _monomials(classes: Iterable[str]) -> list[Monomial]:
    """Return the terms of all these classes that grow as a power does, each once."""
    found: set[Monomial] = set()
    for name in classes:
        with suppress(ValueError):
            found |= terms_of(canonical(name))
    return sorted(term for term in found if not term.family and term != Monomial())


def _sizes(points: Sequence[Point]) -> tuple[Array, Array]:
    """Return the n and m of points, each of shape (points,)."""
    return (
        np.array([float(point.n) for point in points]),
        np.array([float(point.m) for point in points]),
    )


def _variants(name: str, curve: str, n: Array, y: Array) -> list[Variant]:
    """Return each curve that the class may follow, or the known one."""
    exact = variant_named(curve) if rank(name) >= rank("O(2^n)") else None
    if exact is not None:
        return [exact]
    variants = [variant for variant in curves_of(name) if variant.name != "n log log n"]
    if name == "O(2^n)" and is_small(n):
        free = fitted_exponential(n, y - y.min())
        variants += [free] if free is not None else []
    return variants


def _of_variant(variant: Variant, largest: Array) -> _Growth:
    """As a multiple of its value at the largest size."""
    scale = variant.log_f(largest)
    return lambda n, _: np.exp(np.minimum(variant.log_f(n) - scale, 700.0))


def _of_monomial(term: Monomial) -> _Growth:
    def values(n: Array, m: Array) -> Array:
        powers: Array = np.maximum(n, 1.0) ** term.n * np.maximum(m, 1.0) ** term.m
        logs: Array = np.log2(np.maximum(n + m, 2.0)) ** term.log
        return powers * logs

    return values


def _fitted(
    name: str, growths: tuple[_Growth, ...], n: Array, m: Array, y: Array, *, constant: bool
) -> tuple[float, Curve]:
    """Return the curve, and the sum of its squared relative distances."""
    columns = [np.ones(len(n))] if constant else []
    columns += [growth(n, m) for growth in growths]
    positive = np.maximum(y, 1e-6 * max(float(y.max()), 1e-6))
    fit = fit_nonnegative(columns, positive, 1 / positive)
    residual = float(np.abs(fit.fitted / positive - 1).max())
    found = fit.coefficients.tolist()
    base = found.pop(0) if constant else 0.0
    return fit.chi2, Curve(name, base, tuple(found), growths, residual)


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
    known = least_values(points, cpu_ms)
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
    values = [value for _, value in least_values(points, memory_mib)]
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
