"""Weighted least squares with coefficients that are not below 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from steelyard.profiling.fitting._models import Array


@dataclass(frozen=True)
class Fit:
    """Coefficients, and how well they fit."""

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
