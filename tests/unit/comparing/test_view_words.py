"""The parts that reports of a comparison are made of: words, cuts, the diff, the plot's axis."""

import pytest

from steelyard.comparing._words import (
    cut,
    cut_middle,
    cut_pair,
    duration,
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
    assert [duration(ns) for ns in (0, 0.31, 412, 3400, 1.2e7, 1.25e9, float("inf"))] == [
        "0 ns",
        "0.31 ns",
        "412 ns",
        "3.4 µs",
        "12 ms",
        "1.25 s",
        "unknown",
    ]
    assert [storage(size) for size in (0, 1023, 3482, 13_002_000)] == [
        "0 B",
        "1023 B",
        "3.4 KiB",
        "12.4 MiB",
    ]
    assert line_ranges((14, 8, 9, 10, 9)) == "8-10, 14"
    assert line_ranges(range(1, 99, 2)).endswith("23, ...")


def test_a_cut_text_is_one_printable_line_of_bounded_length() -> None:
    assert cut("a\nb\x1b", 20) == r"a b\x1b"
    assert cut("x" * 50, 20) == "x" * 17 + "..."
    assert cut_middle("head" + "x" * 10_000 + "[tail]", 30).endswith("xx[tail]")
    for text in ("x" * 10_000, "\x1b" * 10_000, "\u202e\n" * 30):
        assert len(cut(text, 40)) <= 40
        assert len(cut_middle(text, 40)) <= 40
        assert cut(text, 40).isprintable()


def test_a_pair_is_cut_around_its_first_difference() -> None:
    assert cut_pair("same", "other", 20) == ("same", "other")
    first, second = cut_pair("x" * 500 + "1yyy", "x" * 500 + "2" + "z" * 500, 40)
    assert "1yyy" in first
    assert "x2z" in second
    assert max(len(first), len(second)) <= 40


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
