"""Classify one deterministic series of counts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.profiling.fitting._models import (
    LOWER,
    PRIOR,
    Array,
    Variant,
    first_variant,
    fitted_exponential,
    is_small,
    rank,
    variants,
)
from steelyard.profiling.fitting._result import normalised

RELATIVE_SIGMA = 0.02
"""Spread of a count around its curve at the largest size, as a share of it. Measured: counts
repeat exactly, this is what the inputs' chance and the curve's roughness leave."""
SIGMA_GROWTH = 0.25
"""By which power of (n_max / n) the spread grows towards small sizes..."""
SIGMA_GROWTH_LIMIT = 4.0
"""...and how many times at most: n may be a value up to 1e18, and its small ones count too."""
POISSON = 0.25
"""Variance for each count: small counts wander by their square root's half."""
LOWER_SHARE = 0.3
"""How much of the value at n_max a negative term of lower order may take away."""
LOWER_SHARE_LOG = 0.8
"""The same for classes with a logarithm, where n log(n/k) is common."""
MISFIT = 50.0
"""Chi-square per degree of freedom above which no curve meets a series: the smallest sizes, which a
threshold or a constant rules, are left out until one does. Measured: counts of programs stay far
below; work that begins at some size, such as that of long integers, lies in the hundreds."""
FEWEST_OF_SERIES = 5
"""Sizes that are kept; where no curve meets even these, half of the evidence is the prior."""
LOWER_SHARE_ADDED = 0.6
"""How much of the value at n_max a positive term of lower order may be."""


@dataclass(frozen=True)
class InputBasis:
    """The input's length as a curve of its own.

    Loops over digits do as many steps as the input has bytes, and as numbers grow longer with n
    that would look like n log n.
    """

    length: Array
    """Bytes, shape (sizes,)."""
    complexity: str
    """The class that such a loop counts as."""

    def without_smallest(self) -> "InputBasis":
        """Return the basis of all sizes but the smallest."""
        return InputBasis(self.length[1:], self.complexity)


@dataclass(frozen=True)
class SeriesClass:
    """The growth of one series."""

    complexity: str
    posterior: dict[str, float]
    curve: str

    def at_least(self, lowest: int) -> float:
        """Return the probability that the class is at this index of the ladder or above."""
        return sum(p for name, p in self.posterior.items() if rank(name) >= lowest)


@dataclass(frozen=True)
class _Fit:
    chi2: float
    parameters: int
    curve: str

    def criterion(self, sizes: int) -> float:
        """BIC, without the constant."""
        return self.chi2 + self.parameters * math.log(sizes)


def classify_series(
    n: Array,
    counts: Array,
    basis: InputBasis | None = None,
    *,
    small: bool | None = None,
    noise: Array | None = None,
) -> SeriesClass:
    """Return the class of one series.

    Every class is fitted as `a f(n)` and as `a f(n) + b g(n)` with g of lower order; the best by
    BIC represents the class, and the chi-squares are scaled so that the best class fits as well as
    its spread allows.

    Args:
        n: Sizes, ascending, shape (sizes,), at least 3.
        counts: Shape (sizes,); the last one above 0.
        basis: The input's length, where it may explain a series.
        small: Whether exponentials are thought of; None: where n allows.
        noise: Standard errors of the counts as shares of them, shape (sizes,), where inputs of
            one size were seen to differ; added to what every series is granted.
    """
    small = is_small(n) if small is None else small
    growth = np.minimum((n[-1] / n) ** (0.0 if small else SIGMA_GROWTH), SIGMA_GROWTH_LIMIT)
    variance = (RELATIVE_SIGMA * growth * counts) ** 2 + POISSON * counts + 1.0
    if noise is not None:
        variance += (noise * counts) ** 2
    weights = 1 / np.sqrt(variance)
    best: dict[str, _Fit] = {}

    def offer(complexity: str, fit: _Fit) -> None:
        known = best.get(complexity)
        if known is None or fit.criterion(len(n)) < known.criterion(len(n)):
            best[complexity] = fit

    for complexity, curves in variants(small=small).items():
        candidates: Sequence[Variant] = curves
        if complexity == "O(2^n)" and (free := fitted_exponential(n, counts)):
            candidates = [*curves, free]
        for variant in candidates:
            for fit in _fits(complexity, variant, n, counts, weights):
                offer(complexity, fit)
    if basis is not None and not small:
        for fit in _input_fits(basis, counts, weights):
            offer(basis.complexity, fit)
    if small or _misfit(best, len(n)) <= MISFIT:
        return _posterior(best, len(n))
    if len(n) > FEWEST_OF_SERIES:
        return classify_series(
            n[1:],
            counts[1:],
            basis and basis.without_smallest(),
            small=small,
            noise=None if noise is None else noise[1:],
        )
    return _in_doubt(_posterior(best, len(n)))


def _fits(complexity: str, variant: Variant, n: Array, counts: Array, weights: Array) -> list[_Fit]:
    """Return the curve alone, and with each term of lower order that makes sense."""
    main = variant.scaled(n)
    _, chi2 = _least_squares([main], counts, weights)
    fits = [_Fit(chi2, 1 + variant.parameters, variant.name)]
    for lower in LOWER[complexity]:
        scale, chi2 = _least_squares([main, first_variant(lower).scaled(n)], counts, weights)
        has_log = "log" in complexity and complexity != "O(log n)" and lower != "O(1)"
        taken = (LOWER_SHARE_LOG if has_log else LOWER_SHARE) * counts[-1]
        if scale[0] > 0 and -taken <= scale[1] <= LOWER_SHARE_ADDED * counts[-1]:
            fits.append(_Fit(chi2, 2 + variant.parameters, variant.name))
    return fits


def _input_fits(basis: InputBasis, counts: Array, weights: Array) -> list[_Fit]:
    length = basis.length / basis.length[-1]
    _, chi2 = _least_squares([length], counts, weights)
    fits = [_Fit(chi2, 1, "input bytes")]
    scale, chi2 = _least_squares([length, np.ones(len(length))], counts, weights)
    if scale[0] > 0 and abs(scale[1]) < LOWER_SHARE * counts[-1]:
        fits.append(_Fit(chi2, 2, "input bytes"))
    return fits


def _least_squares(columns: Sequence[Array], y: Array, weights: Array) -> tuple[Array, float]:
    """Coefficients and chi-square of a weighted fit."""
    matrix = np.array(columns).T
    weighted = matrix * weights[:, None]
    scale = np.abs(weighted).max(axis=0)
    scale[scale == 0] = 1
    solution = np.linalg.lstsq(weighted / scale, y * weights, rcond=None)[0] / scale
    residual = (matrix @ solution - y) * weights
    return solution, float(residual @ residual)


def _misfit(best: dict[str, _Fit], sizes: int) -> float:
    """Return the chi-square per degree of freedom of the best curve."""
    winner = min(best.values(), key=lambda fit: fit.criterion(sizes))
    return winner.chi2 / max(1, sizes - winner.parameters)


def _in_doubt(found: SeriesClass) -> SeriesClass:
    posterior = {name: (p + PRIOR[name]) / 2 for name, p in found.posterior.items()}
    return SeriesClass(found.complexity, posterior, found.curve)


def _posterior(best: dict[str, _Fit], sizes: int) -> SeriesClass:
    inflation = max(1.0, _misfit(best, sizes))
    posterior = normalised(
        {
            name: math.log(PRIOR[name])
            - 0.5 * (fit.chi2 / inflation + fit.parameters * math.log(sizes))
            for name, fit in best.items()
        }
    )
    complexity = max(posterior, key=posterior.__getitem__)
    return SeriesClass(complexity, posterior, best[complexity].curve)
