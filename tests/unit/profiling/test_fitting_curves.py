"""One curve serves predictions and pictures: its values and its growing part, at a size or many."""

import numpy as np
import pytest

from steelyard.profiling._records import Point
from steelyard.profiling.fitting import UNSURE, fit_curve, predict_memory

LADDER = [Point(n) for n in (100, 200, 400, 800, 1600)]
GRID = [Point(n, m) for n in (100, 200, 400) for m in (50, 100, 200)]


def test_the_constant_and_the_coefficient_are_found_again() -> None:
    curve = fit_curve(LADDER, [7 + 0.25 * point.n for point in LADDER], "O(n)")
    assert curve is not None
    assert curve.name == "n"
    assert curve.constant == pytest.approx(7)
    assert curve.at(Point(10_000)) == pytest.approx(2507)
    assert curve.grown(Point(3200), Point(800)) == pytest.approx(4)
    assert curve.residual == pytest.approx(0, abs=1e-9)


def test_values_along_many_sizes_are_those_at_each() -> None:
    curve = fit_curve(GRID, [3 + 2 * point.n * point.m + point.n for point in GRID], "O(n*m)")
    assert curve is not None
    n = np.array([float(point.n) for point in GRID])
    m = np.array([float(point.m) for point in GRID])
    assert curve.along(n, m).tolist() == pytest.approx([curve.at(point) for point in GRID])
    assert (curve.constant + curve.growing(n, m)).tolist() == pytest.approx(
        curve.along(n, m).tolist()
    )


def test_without_a_constant_all_of_it_grows() -> None:
    values = [9 * point.n**2 for point in LADDER]
    curve = fit_curve(LADDER, values, "O(n^2)", constant=False)
    assert curve is not None
    assert curve.constant == 0
    assert curve.at(LADDER[0]) == pytest.approx(values[0])


@pytest.mark.parametrize("constant", [True, False])
def test_what_does_not_grow_is_level(constant: bool) -> None:
    curve = fit_curve(LADDER, [5.0] * 5, "O(1)", constant=constant)
    assert curve is not None
    assert [curve.at(point) for point in LADDER] == pytest.approx([5.0] * 5)
    assert curve.name == "1"


def test_the_nearest_base_of_an_exponential_is_taken() -> None:
    points = [Point(n) for n in range(10, 31, 4)]
    curve = fit_curve(points, [1e-3 * 1.5**point.n for point in points], "O(2^n)")
    assert curve is not None
    assert curve.name.startswith("1.5")
    assert curve.grown(Point(32), Point(30)) == pytest.approx(2.25, rel=0.02)


def test_of_equal_points_the_least_value_counts() -> None:
    points, values = [*LADDER, *LADDER], [2.0 * point.n for point in LADDER]
    curve = fit_curve(points, [*values, *(9 * value for value in values)], "O(n)")
    assert curve is not None
    assert curve.at(LADDER[-1]) == pytest.approx(values[-1])


def test_there_is_none_without_a_class_or_with_too_few_points() -> None:
    values = [float(point.n) for point in LADDER]
    assert fit_curve(LADDER, values, UNSURE) is None
    assert fit_curve(LADDER[:2], values[:2], "O(n)") is None
    assert fit_curve([LADDER[0]] * 3, values[:3], "O(n)") is None


def test_a_size_beyond_all_floats_needs_endless_memory() -> None:
    points = [Point(n) for n in (1, 2, 11)]
    band = predict_memory(points, [0, 0, 17725.0], "O(n!)", Point(10**6))
    assert band is not None
    assert (band.mid, band.high) == (float("inf"), float("inf"))
