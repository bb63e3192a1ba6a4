"""Values that only a candidate knows come to stand where calls take them."""

import copy
import itertools
from typing import Any

from steelyard.comparing.calls.incell.parts import Call
from steelyard.comparing.calls.incell.planted import planted


def first(count: int, calls: list[Call], *values: object) -> list[Any]:
    """The only argument of each of the first calls."""
    made = itertools.islice(planted(calls, values, seed=0), count)
    return [args[0] for args, _ in made]


def call(*args: object) -> Call:
    return args, {}


def test_a_whole_number_comes_as_length_and_as_item_with_its_neighbours() -> None:
    made = first(6, [call([1, 2]), call([3])], 70)
    assert {len(each) for each in made if len(each) > 2} == {69, 70, 71}
    assert [each for each in made if len(each) == 2] == [[70, 2], [71, 2], [69, 2]]


def test_each_recorded_call_and_each_place_has_its_turn() -> None:
    made = first(40, [call([1, 2]), call([3])], 70)
    assert [1, 70] in made
    assert [70] in made
    assert [3] * 70 in made


def test_several_values_take_turns() -> None:
    made = first(4, [call(1)], 70, 500)
    assert made == [70, 500, 71, 501]


def test_a_text_comes_alone_and_within_another() -> None:
    assert first(3, [call("ab")], "key") == ["key", "keyab", "abkey"]


def test_each_argument_and_each_field_has_the_value_early() -> None:
    made = list(itertools.islice(planted([call(1, {"a": 2, "b": 3})], [70], seed=0), 3))
    assert made == [
        ((70, {"a": 2, "b": 3}), {}),
        ((1, {"a": 70, "b": 3}), {}),
        ((1, {"a": 2, "b": 70}), {}),
    ]


def test_types_are_kept_and_recorded_calls_are_not_changed() -> None:
    calls = [call([True, 1.5, "x", None])]
    before = copy.deepcopy(calls)
    made = first(20, calls, 70)
    assert calls == before
    assert [True, 70.0, "x", None] in made
    assert all(type(each[0]) is bool for each in made if isinstance(each, list) and each)
    assert {len(each) for each in made} >= {4, 70}


def test_two_values_come_into_one_call_in_the_end() -> None:
    made = list(itertools.islice(planted([call(1, 2)], [70, 500], seed=0), 60))
    assert any({70, 500} == set(args) for args, _ in made)
