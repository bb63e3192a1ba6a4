"""Fit the curve of a class to measured figures, for a prediction or a chart."""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._models import (
    Array,
    Variant,
    curves_of,
    fitted_exponential,
    is_small,
    rank,
    variant_named,
)
from steelyard.profiling.fitting._names import LADDER, Monomial, canonical, terms_of
from steelyard.profiling.fitting._nonnegative import fit_nonnegative

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
    known = least_by_point(points, values)
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


def least_by_point(points: Sequence[Point], values: Sequence[float]) -> list[tuple[Point, float]]:
    """Return the least finite value of each point, by size."""
    least: dict[Point, float] = {}
    for point, value in zip(points, values, strict=True):
        if math.isfinite(value):
            least[point] = min(value, least.get(point, math.inf))
    return sorted(least.items())


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
