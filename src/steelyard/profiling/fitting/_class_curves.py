"""Define the curves of each class of one parameter, and the prior of each class.

Curves are handled as the logarithm of f(n), since factorials leave the range of floats. Sums of
them are fitted with coefficients that are not below 0 (`fit_nonnegative`).

Source of every number here: measured on 72 labelled programs, then held fixed for 39 others.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from steelyard.profiling.fitting._class_names import LADDER

Array = NDArray[np.float64]
LogCurve = Callable[[Array], Array]
SMALL_N = 64
"""Largest n up to which exponential growth is considered: 2^64 steps never finish."""


@dataclass(frozen=True)
class Variant:
    """One curve of a class."""

    name: str
    log_f: LogCurve
    """Natural logarithm of f(n), for n of shape (sizes,)."""
    parameters: int = 0
    """How many numbers in it were fitted to the data beforehand."""

    def scaled(self, n: Array) -> Array:
        """f(n) / f(largest n), of shape (sizes,)."""
        logs = self.log_f(n)
        shares: Array = np.exp(logs - logs[-1])
        return shares


def _ln(n: Array) -> Array:
    return np.log(np.maximum(n, 1.0))


def _ln_ln(n: Array) -> Array:
    """Logarithm of log n; log 1 is 0, which has none."""
    return np.log(np.maximum(_ln(n), 1e-9))


def _power(exponent: float, logs: float = 0.0) -> LogCurve:
    return lambda n: exponent * _ln(n) + (logs * _ln_ln(n) if logs else 0.0)


def _exponential(base: float, power: float = 0.0) -> LogCurve:
    return lambda n: n * math.log(base) + power * _ln(n)


def _factorial(shift: float, power: float = 0.0) -> LogCurve:
    return lambda n: np.array([math.lgamma(each + shift) for each in n]) + power * _ln(n)


GOLDEN = (1 + math.sqrt(5)) / 2
_POLYNOMIAL: Mapping[str, tuple[Variant, ...]] = MappingProxyType(
    {
        "O(1)": (Variant("1", _power(0)),),
        "O(log n)": (Variant("log n", _power(0, 1)),),
        "O(sqrt n)": (Variant("sqrt n", _power(0.5)),),
        "O(n)": (
            Variant("n", _power(1)),
            Variant("n log log n", lambda n: _ln(n) + np.log(np.maximum(_ln_ln(n), 1e-9))),
        ),
        "O(n log n)": (Variant("n log n", _power(1, 1)),),
        "O(n log^2 n)": (Variant("n log^2 n", _power(1, 2)),),
        "O(n sqrt n)": (Variant("n sqrt n", _power(1.5)),),
        "O(n^2)": (Variant("n^2", _power(2)),),
        "O(n^2 log n)": (Variant("n^2 log n", _power(2, 1)),),
        "O(n^3)": (Variant("n^3", _power(3)),),
        "O(n^4)": (Variant("n^4", _power(4)),),
    }
)
_EXPONENTIAL: Mapping[str, tuple[Variant, ...]] = MappingProxyType(
    {
        "O(2^n)": (
            Variant("2^n", _exponential(2)),
            Variant("phi^n", _exponential(GOLDEN)),
            Variant("n 2^n", _exponential(2, 1)),
            Variant("n^2 2^n", _exponential(2, 2)),
        ),
        "O(n!)": (
            Variant("n!", _factorial(1)),
            Variant("(n-1)!", _factorial(0)),
            Variant("n n!", _factorial(1, 1)),
        ),
    }
)
PRIOR: Mapping[str, float] = MappingProxyType(
    {
        "O(1)": 0.07,
        "O(log n)": 0.06,
        "O(sqrt n)": 0.05,
        "O(n)": 0.22,
        "O(n log n)": 0.19,
        "O(n log^2 n)": 0.02,
        "O(n sqrt n)": 0.04,
        "O(n^2)": 0.17,
        "O(n^2 log n)": 0.04,
        "O(n^3)": 0.07,
        "O(n^4)": 0.01,
        "O(2^n)": 0.05,
        "O(n!)": 0.02,
    }
)
"""How common each class is among programs that people profile, roughly; sums to about 1."""
LOWER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "O(1)": (),
        "O(log n)": ("O(1)",),
        "O(sqrt n)": ("O(1)", "O(log n)"),
        "O(n)": ("O(1)", "O(sqrt n)"),
        "O(n log n)": ("O(n)", "O(1)"),
        "O(n log^2 n)": ("O(n)",),
        "O(n sqrt n)": ("O(n)",),
        "O(n^2)": ("O(n)", "O(1)"),
        "O(n^2 log n)": ("O(n^2)",),
        "O(n^3)": ("O(n^2)",),
        "O(n^4)": ("O(n^3)",),
        "O(2^n)": ("O(1)",),
        "O(n!)": ("O(1)", "O(2^n)"),
    }
)
"""The terms of lower order that one series of a class may hold in addition to its own."""
BASE_RANGE = (1.15, 6.0)
"""Bases that an exponential may have: below, it looks like a power for n up to 64; above, it
is a factorial."""


def rank(name: str) -> int:
    """Return the index of a class on the ladder."""
    return LADDER.index(name)


def is_small(n: Array) -> bool:
    """Return whether the sizes are so small that exponential growth must be considered."""
    return bool(n[-1] <= SMALL_N)


def variants(*, small: bool) -> Mapping[str, tuple[Variant, ...]]:
    """Return the curves of every class; exponentials and factorials only where n is `small`."""
    return {**_POLYNOMIAL, **_EXPONENTIAL} if small else _POLYNOMIAL


def curves_through(n: Array, growing: Array) -> Iterator[tuple[str, Variant]]:
    """Yield each curve that a series may follow, with its class.

    Args:
        n: Sizes, ascending, shape (sizes,).
        growing: The part of the series that grows, shape (sizes,).
    """
    small = is_small(n)
    for name, known in variants(small=small).items():
        yield from ((name, variant) for variant in known)
    if small and (free := fitted_exponential(n, growing)):
        yield "O(2^n)", free


def first_variant(name: str) -> Variant:
    """Return the plain curve of a class of the ladder."""
    return curves_of(name)[0]


def growth_between(name: str, start: float, end: float) -> float:
    """Return how many times a class grows from one n to another, such as 4 for O(n^2) and 2 n."""
    logs = first_variant(name).log_f(np.array([start, end]))
    return math.exp(min(float(logs[1] - logs[0]), 700.0))


def curves_of(name: str) -> Sequence[Variant]:
    """Return all curves of a class of the ladder."""
    return variants(small=True)[name]


def fitted_exponential(n: Array, values: Array) -> Variant | None:
    """Return an exponential whose base is read from the upper half of a series; None: it has none.

    Args:
        n: Sizes, ascending, shape (sizes,).
        values: Work, CPU time above the base, or bytes; shape (sizes,).
    """
    usable = values > 0
    upper = np.flatnonzero(usable)[-max(4, int(usable.sum()) // 2) :]
    if len(upper) < 4:
        return None
    slope = float(np.polyfit(n[upper], np.log(values[upper]), 1)[0])
    base = math.exp(min(slope, 50.0))
    if not BASE_RANGE[0] <= base <= BASE_RANGE[1]:
        return None
    return Variant(f"{base:.4g}^n", _exponential(base), parameters=1)


def variant_named(curve: str) -> Variant | None:
    """Return the curve of this name, such as `phi^n` or `1.47^n`; None if unknown."""
    for variant in chain.from_iterable(variants(small=True).values()):
        if variant.name == curve:
            return variant
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\^n", curve)
    return Variant(curve, _exponential(float(match[1]))) if match else None


@dataclass(frozen=True)
class Fit:
    """A weighted least squares fit."""

    coefficients: Array
    """One for each column."""
    fitted: Array
    """Shape (points,)."""
    chi2: float
    """Sum of squared weighted residuals."""


def fit_nonnegative(columns: Sequence[Array], y: Array, weights: Array) -> Fit:
    """Return the best sum of columns with coefficients of at least 0.

    Args:
        columns: Each of shape (points,).
        y: What to fit, shape (points,).
        weights: One over the spread of each point.
    """
    matrix = np.array(columns, dtype=float).T
    scale = np.abs(matrix).max(axis=0)
    scale[scale == 0] = 1
    target = y * weights
    size = float(np.abs(target).max()) or 1.0  # the solver's tolerance is absolute
    scaled = matrix / scale * weights[:, None]
    coefficients = _solved(scaled, target / size) * size / scale
    fitted = matrix @ coefficients
    residual = (fitted - y) * weights
    return Fit(coefficients, fitted, float(residual @ residual))


def _solved(matrix: Array, target: Array) -> Array:
    """Return the free solution, or the best one in which some coefficients are 0.

    The best solution is the free one of the columns that it uses, and a fit here has four columns
    at most: so all sets of columns are tried.
    """
    free = _free(matrix, target)
    if (free >= 0).all():
        return free
    best, least = np.zeros(len(free)), float(target @ target)
    for count in range(1, len(free)):
        for chosen in combinations(range(len(free)), count):
            columns = matrix[:, chosen]
            coefficients = _free(columns, target)
            left = target - columns @ coefficients
            if (coefficients >= 0).all() and (rest := float(left @ left)) < least:
                best, least = np.zeros(len(free)), rest
                best[list(chosen)] = coefficients
    return best


def _free(matrix: Array, target: Array) -> Array:
    """Return the least squares solution with coefficients of any sign."""
    return np.asarray(np.linalg.lstsq(matrix, target, rcond=None)[0], dtype=float)
