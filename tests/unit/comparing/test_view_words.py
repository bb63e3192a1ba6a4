"""The words and figures of a comparison."""

import pytest

from steelyard.comparing._words import (
    line_ranges,
    shared_scope,
    speedup,
    storage,
    telling,
)
from steelyard.schemas import Interval, SpeedCase
from tests.unit.comparing.sample_comparisons import around, speed_cases


@pytest.mark.parametrize(
    ("low", "mid", "high", "shown"),
    [
        (1.79, 1.84, 1.9, "1.84 (1.79 to 1.90)"),
        (1.0198, 1.0213, 1.0231, "1.021 (1.020 to 1.023)"),
        (1.0, 1.0, 1.0, "1.00"),
        (131.2, 134.4, 138.9, "134 (131 to 139)"),
        (1200, 1834.2, 2100, "1,834 (1,200 to 2,100)"),
        (0.0053, 0.0055, 0.0057, "0.0055 (0.0053 to 0.0057)"),
        (1.0, 2.0, float("inf"), "2.00 (1.00 to unbounded)"),
        (float("nan"), float("nan"), 1.0, "unknown"),
    ],
)
def test_a_speedup_has_the_decimals_that_its_interval_supports(low, mid, high, shown) -> None:
    assert speedup(Interval(low=low, mid=mid, high=high)) == shown


def test_figures_as_people_read_them() -> None:
    assert [storage(size) for size in (0, 1023, 3482, 13_002_000)] == [
        "0 B",
        "1023 B",
        "3.4 KiB",
        "12.4 MiB",
    ]
    assert line_ranges((14, 8, 9, 10, 9)) == "8-10, 14"
    assert line_ranges(range(1, 99, 2)).endswith("23, ...")


def test_names_of_tests_lose_what_all_share() -> None:
    assert shared_scope(["a.py::T::test_x", "a.py::T::test_y"]) == "a.py::T::"
    assert shared_scope(["a.py::test_x", "a.py::T::test_y"]) == "a.py::"
    assert shared_scope(["a.py::test_x", "b.py::test_x"]) == ""
    assert shared_scope(["a.py::test_x"]) == ""


def test_the_cases_that_are_listed_hold_the_worst_and_the_costliest_in_order() -> None:
    cases = list(speed_cases(40))
    cases[3] = SpeedCase(name="worst", original_ns=1, candidate_ns=9, speedup=around(0.1))
    chosen = telling(cases, 6)
    assert len(chosen) == 6
    assert cases[3] in chosen
    assert cases[39] in chosen
    assert [cases.index(case) for case in chosen] == sorted(cases.index(case) for case in chosen)
    assert telling(cases, 40) == cases
