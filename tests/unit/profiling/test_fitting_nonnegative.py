"""Fits are the best there are, as scipy finds them."""

import numpy as np
import pytest
from scipy.optimize import nnls

from steelyard.profiling.fitting._class_curves import fit_nonnegative


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["grows", "any sign", "nearly the same column"])
def test_a_small_fit_is_the_best_one(columns: int, kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        points = int(rng.integers(columns + 1, 12))
        matrix = rng.random((points, columns)) * 10.0 ** rng.integers(-3, 4, columns)
        y = matrix.sum(axis=1) + 0.1 * rng.random(points)
        if kind == "any sign":
            matrix, y = matrix - matrix.mean(), rng.standard_normal(points)
        elif kind == "nearly the same column":
            matrix[:, -1] = matrix[:, 0] * (1 + 1e-6 * rng.standard_normal(points))
        weights = 0.5 + rng.random(points)
        fit = fit_nonnegative(list(matrix.T), y, weights)
        best = nnls(matrix * weights[:, None], y * weights)[1] ** 2
        assert (fit.coefficients >= 0).all()
        assert fit.chi2 <= best + 1e-9 * float((y * weights) @ (y * weights))


def test_columns_and_values_of_nothing_are_fitted_with_nothing() -> None:
    for columns in ([np.zeros(4)], [np.zeros(4), np.ones(4)]):
        fit = fit_nonnegative(columns, np.zeros(4), np.ones(4))
        assert fit.chi2 == 0
