"""The curve of a complexity class through measured figures, for drawing."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from assayer.profiling.fitting._models import curves_of, fitted_exponential
from assayer.profiling.fitting._names import LADDER, Monomial, canonical, same_class, terms_of

__all__ = ["Array", "Curve", "fit_curve", "same_class"]

Array = NDArray[np.float64]
_LogTerm = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Curve:
    """`constant + sum of factor * f(n, m)`, fitted; each f is kept as its logarithm."""

    label: str
    """What grows, such as `n log n`."""
    constant: float
    factors: tuple[float, ...]
    terms: tuple[_LogTerm, ...]

    def growing(self, n: Array, m: Array) -> Array:
        """The part that grows, shape (sizes,)."""
        parts = [
            factor * np.exp(np.minimum(term(n, m), 700.0))
            for factor, term in zip(self.factors, self.terms, strict=True)
        ]
        return np.asarray(sum(parts, np.zeros(len(n))), dtype=float)

    def at(self, n: Array, m: Array) -> Array:
        """All of it, shape (sizes,)."""
        return self.constant + self.growing(n, m)


def fit_curve(name: str, n: Array, m: Array, y: Array, *, constant: bool = True) -> Curve | None:
    """A class's curve through figures, by least squares of the relative errors.

    Args:
        name: The class, such as `O(n log n)`.
        n: Sizes, ascending, shape (sizes,).
        m: Second parameters, 1 where there is none, shape (sizes,).
        y: Figures above 0, shape (sizes,).
        constant: Whether the figures hold a part that does not grow.

    Returns:
        None where the name has no curve, or there are no figures.
    """
    fits = [
        fit
        for label, terms in _shapes(name, n, y)
        if len(y) and (fit := _fit(label, terms, n, m, y, constant=constant))
    ]
    return min(fits, key=lambda fit: fit[0])[1] if fits else None


def _shapes(name: str, n: Array, y: Array) -> list[tuple[str, tuple[_LogTerm, ...]]]:
    """The ways in which a class may grow: several for exponentials, whose base is not known."""
    known = canonical(name)
    if known in LADDER:
        variants = list(curves_of(known))
        if known not in ("O(2^n)", "O(n!)"):
            variants = variants[:1]
        elif len(n):
            fitted = fitted_exponential(n, np.maximum(y - y.min(), 0.0))
            variants += [fitted] if fitted else []
        return [(v.name, (_of_n(v.log_f),)) for v in variants]
    try:
        terms = sorted(terms_of(name), reverse=True)
    except ValueError:
        return []
    return [(known.removeprefix("O(").removesuffix(")"), tuple(_monomial(t) for t in terms))]


def _of_n(log_f: Callable[[Array], Array]) -> _LogTerm:
    return lambda n, _: np.asarray(log_f(n), dtype=float)


def _monomial(term: Monomial) -> _LogTerm:
    def log_values(n: Array, m: Array) -> Array:
        ln_n, ln_m = np.log(np.maximum(n, 2.0)), np.log(np.maximum(m, 1.0))
        powers = term.n * ln_n + term.m * ln_m + term.log * np.log(ln_n)
        return np.asarray(powers + (n * math.log(2) if term.family else 0.0), dtype=float)

    return log_values


def _fit(
    label: str, terms: tuple[_LogTerm, ...], n: Array, m: Array, y: Array, *, constant: bool
) -> tuple[float, Curve] | None:
    columns = [term(n, m) for term in terms]
    tops = [float(column.max()) for column in columns]
    if not all(math.isfinite(top) and top < 600 for top in tops):
        return None  # a factorial of a large n: no figure was ever that large
    ones = [np.ones(len(y))] if constant else []
    scaled = [np.exp(c - top) for c, top in zip(columns, tops, strict=True)]
    solution, residual = nnls(np.array([*ones, *scaled]).T / y[:, None], np.ones(len(y)))
    found = [float(value) for value in solution]
    base = found.pop(0) if constant else 0.0
    factors = tuple(value * math.exp(-top) for value, top in zip(found, tops, strict=True))
    return float(residual), Curve(label, base, factors, terms)
