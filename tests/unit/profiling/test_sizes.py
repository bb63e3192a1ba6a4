"""Sizes: a ladder that keeps its ratio and its bounds, a grid that stays in the valid region."""

import itertools
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.profiling._records import Point
from steelyard.profiling.inputs import Parameter, diagonal, grid, ladder, value_at

M = Parameter("m", 16, 2_000_000, "4*n")


def test_each_size_is_half_of_the_next() -> None:
    assert ladder(16, 2_000) == (16, 31, 63, 125, 250, 500, 1_000, 2_000)


def test_a_small_n_takes_every_value() -> None:
    assert ladder(2, 12) == tuple(range(2, 13))
    assert ladder(0, 64) == tuple(range(65))
    assert len(ladder(2, 65)) < 10


@given(st.integers(0, 10**6), st.integers(1, 10**18))
def test_a_ladder_keeps_its_bounds_and_is_never_long(n_min: int, n_max: int) -> None:
    assume(n_min <= n_max)
    sizes = ladder(n_min, n_max)
    assert sizes == tuple(sorted(set(sizes)))
    assert sizes[-1] == n_max
    assert sizes[0] >= n_min
    if n_max > 64:
        assert len(sizes) <= 25
        lowest = max(n_min, 1)
        assert sizes[0] <= 2 * lowest or len(sizes) == 25
        pairs = itertools.pairwise(sizes[3:])
        assert all(
            1.8 < high / low < max(2.2, 1.1 * (n_max / lowest) ** (1 / 24)) for low, high in pairs
        )


def test_a_value_parameter_has_25_sizes_from_its_smallest_to_its_largest() -> None:
    sizes = ladder(1_000, 10**18)
    assert (len(sizes), sizes[0], sizes[-1]) == (25, 1_000, 10**18)


@pytest.mark.parametrize(("n_min", "n_max"), [(10, 5), (-1, 5), (0, 0)])
def test_bounds_that_are_none_are_told(n_min: int, n_max: int) -> None:
    with pytest.raises(UsageError, match="the largest n must"):
        ladder(n_min, n_max)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n", 10),
        ("4*n", 40),
        ("n**2 // 3", 33),
        ("n / 4", 2),
        ("(n - 1) * 2", 18),
        ("-n", -10),
        ("1e3", 1000),
        ("200000", 200_000),
        (" 2 * n ", 20),
        ("n ** 0.5", 3),
    ],
)
def test_an_expression_of_n_has_its_value(text: str, value: int) -> None:
    assert value_at(text, 10) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n n",
        "m",
        "f(n)",
        "n.real",
        "[n][0]",
        "n if n else 1",
        "True",
        "'4'",
        "n / 0",
        "n % 3",
        "9**9**9",
        "n**-99",
        "1e999",
        "(-n)**0.5",
        "__import__('os')",
        "(" * 300,
        "1+" * 99 + "1",
        "n; n",
        "x := 3",
        "lambda: n",
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match=r"4\*n") as caught:
        value_at(text, 10)
    assert "\n" not in str(caught.value)


def test_a_parameter_is_read_from_the_command_line() -> None:
    assert Parameter.parse("m=16:2000000:4*n") == M
    assert Parameter.parse("m=16:2e6:4*n") == M
    assert Parameter.parse("k=1:9") == Parameter("k", 1, 9, "n")
    assert [M.at(n) for n in (1, 1_000, 10**6)] == [16, 4_000, 2_000_000]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m",
        "m=1",
        "m=1:2:3:4",
        "n=1:2:n",
        "m=9:3:n",
        "m=0:3:n",
        "m=a:3:n",
        "m=1:2.5:n",
        "m=1:9:q",
        "=1:9:n",
    ],
)
def test_what_names_no_parameter_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Parameter.parse(text)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value) or ", got " in str(caught.value)


def test_on_the_diagonal_m_follows_n() -> None:
    assert diagonal((100, 200), M) == (Point(100, 400), Point(200, 800))
    assert diagonal((100, 200), None) == (Point(100), Point(200))


def test_a_grid_has_four_sizes_of_each_around_the_default() -> None:
    points = grid(16, 27_000, M)
    assert len(points) == 16
    assert sorted({point.n for point in points}) == [1_000, 3_000, 9_000, 27_000]
    assert [point.m for point in points if point.n == 1_000] == [2_000, 4_932, 12_164, 30_000]


def test_a_grid_keeps_to_what_is_valid() -> None:
    """A simple graph has at most n(n-1)/2 edges, a connected one at least n-1."""

    def simple(points: list[Point]) -> list[bool]:
        return [point.n - 1 <= point.m <= point.n * (point.n - 1) // 2 for point in points]

    points = grid(4, 200, Parameter("m", 1, 10**6, "4*n"), simple)
    assert all(simple(list(points)))
    for n in sorted({point.n for point in points})[1:]:
        row = [point.m for point in points if point.n == n]
        assert len(row) == 4
        assert row[-1] / row[0] > 5


def test_a_range_that_is_cut_on_one_side_reaches_further_on_the_other() -> None:
    points = grid(1_000, 27_000, Parameter("m", 10, 27_000, "n"))
    row = [point.m for point in points if point.n == 27_000]
    assert row[-1] == 27_000
    assert math.isclose(row[-1] / row[0], 15, rel_tol=0.01)


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.sampled_from(["n", "4*n", "100", "n**2"]),
)
def test_a_grid_keeps_all_bounds(n1: int, n2: int, m1: int, m2: int, default: str) -> None:
    parameter = Parameter("m", min(m1, m2), max(m1, m2), default)
    low, high = min(n1, n2), max(n1, n2)
    points = grid(low, high, parameter)
    assert 1 <= len(points) <= 16
    assert len(set(points)) == len(points)
    assert all(low <= point.n <= high for point in points)
    assert all(parameter.minimum <= point.m <= parameter.maximum for point in points)


def test_a_grid_with_no_valid_point_is_told() -> None:
    with pytest.raises(UsageError, match="allows no point"):
        grid(4, 100, M, lambda points: [False] * len(points))
