"""Weighted least squares with coefficients that are not below 0."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assayer.profiling.fitting._models import Array


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
    """The best sum of columns with coefficients of at least 0.

    Args:
        columns: Each of shape (points,).
        y: What to fit, shape (points,).
        weights: One over the spread of each point.
    """
    from scipy.optimize import nnls  # loads slowly, and only measured figures need it  # noqa: PLC0415

    matrix = np.array(columns, dtype=float).T
    scale = np.abs(matrix).max(axis=0)
    scale[scale == 0] = 1
    target = y * weights
    size = float(np.abs(target).max()) or 1.0  # the solver's tolerance is absolute
    try:
        solution = nnls(matrix / scale * weights[:, None], target / size)[0] * size
    except RuntimeError:  # it went round in circles: the best constant is still an answer
        solution = np.zeros(len(columns))
    coefficients = solution / scale
    fitted = matrix @ coefficients
    residual = (fitted - y) * weights
    return Fit(coefficients, fitted, float(residual @ residual))
