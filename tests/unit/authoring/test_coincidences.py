"""What an input's numbers have in common."""

from typing import Any

import pytest

from steelyard.authoring.evidence._features import coincidences
from steelyard.families import Dice


def new_in(args: list[Any], others: list[list[Any]]) -> frozenset[int]:
    """Return what no other input has."""
    return coincidences(args).difference(*map(coincidences, others))


USUAL = [[[4, 9, 11], 5], [[4, 9, 11], 50], [[9, 4, 11, 3], 5], [[3, 3, 8], 6], [[8], 3], [[8], 30]]


@pytest.mark.parametrize(
    "args",
    [
        [[4, 9, 11], 3],
        [[4, 9, 11], 4],
        [[4, 9, 11], 11],
        [[4, 9, 11], 24],
        [[8], 8],
        [[], 5],
        [[4, 9, 11], 12],
        [[4, 9, 4], 5],
        [[11, 9, 4], 5],
        [[7, 7, 7], 5],
        [[4, 9, 11], 0],
    ],
)
def test_a_special_input_has_what_usual_ones_have_not(args: list[Any]) -> None:
    assert new_in(args, USUAL)


@pytest.mark.parametrize(
    "args",
    [
        [["tea", "Tea"]],
        [["tea", "eat"]],
        [["tea", "t ea"]],
        [["tea", "aet"]],
        [["tea", "teas"]],
        [{"tea": 1}, ["TEA"]],
        [[[1, 2], [2, 1]]],
        [[[1, 2], [1, 3]]],
        [[[1, 2], [3, 2]]],
        [[["a", 5], ["a", 5]]],
    ],
)
def test_what_programs_take_for_each_other_is_noted(args: list[Any]) -> None:
    others = [[["tea", "cup"]], [{"tea": 1}, ["cup"]], [[[1, 2], [3, 4]]], [[["a", 5], ["b", 6]]]]
    assert new_in(args, others)


def test_usual_inputs_have_little_that_is_new() -> None:
    assert not new_in([[5, 9, 13], 6], USUAL)
    assert not new_in([[4, 9, 11], 51], USUAL)


def test_any_value_of_a_specification_can_be_looked_at() -> None:
    rows = [[[1, 2], [3, 4]], [[1], [2, 3]], [[]], []]
    texts = ["", "a", "abba", ["ab", "ba"], ["#.", ".#"]]
    others = [{"a": 1, "b": 1}, {}, None, True, 0.5, [None, 1], [[1, None]], [["a", 1]], [[[1]]]]
    for value in [*rows, *texts, *others]:
        assert coincidences([value, 2])
        assert coincidences([value, 2]) == coincidences([value, 2])
    assert len(coincidences([list(range(60))] * 40)) < 1_000, "a hostile number of arguments"


def test_numbers_beyond_all_limits_are_left_out() -> None:
    assert coincidences([2**2000, 0.5]) == coincidences([-(2**2000), 0.5])
    assert coincidences([[2**2000, 0.5, 1e308, 1e308], 3])


def test_floats_are_told_apart_by_order_alone() -> None:
    dice = Dice(1)
    rows = [[[dice.random() for _ in range(4)], 1] for _ in range(50)]
    assert len(frozenset().union(*map(coincidences, rows))) < 300
