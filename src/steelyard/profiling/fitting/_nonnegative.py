"""Weighted least squares with coefficients that are not below 0."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    solve = _two if len(columns) <= 2 else _many
    coefficients = solve(scaled, target / size) * size / scale
    fitted = matrix @ coefficients
    residual = (fitted - y) * weights
    return Fit(coefficients, fitted, float(residual @ residual))


def _two(matrix: Array, target: Array) -> Array:
    """For one column or two: the free solution, or the best one with a single column.

    Stored curves are drawn from such fits, without scipy: it loads slowly.
    """
    free: Array = np.asarray(np.linalg.lstsq(matrix, target, rcond=None)[0], dtype=float)
    if (free >= 0).all():
        return free
    best, least = np.zeros(matrix.shape[1]), float(target @ target)
    for index, column in enumerate(matrix.T):
        square = float(column @ column)
        share = max(float(column @ target) / square, 0.0) if square else 0.0
        left = target - share * column
        if (rest := float(left @ left)) < least:
            best, least = np.zeros(matrix.shape[1]), rest
            best[index] = share
    return best


def _many(matrix: Array, target: Array) -> Array:
    from scipy.optimize import nnls  # noqa: PLC0415

    try:
        solution: Array = nnls(matrix, target)[0]
    except RuntimeError:  # it went round in circles: the best constant is still an answer
        solution = np.zeros(matrix.shape[1])
    return solution
