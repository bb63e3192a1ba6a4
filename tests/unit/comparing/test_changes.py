"""Calls near to a recorded one: what they keep, what they change, and which bugs they find."""

import copy
import dataclasses
import datetime as dt
import enum
import itertools
import math
import pickle
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pydantic
import pytest

from steelyard.comparing.calls.incell.changes import Changes
from steelyard.comparing.calls.incell.hints import literals
from steelyard.comparing.calls.incell.near import Source
from steelyard.comparing.calls.incell.oddities import pointed_to
from steelyard.comparing.calls.incell.parts import Call, Distinct
from tests.unit.comparing.patched_processes import shown_plain_and_patched
from tests.unit.comparing.planted_pairs import PAIRS, Pair, is_endless, outcome


class Point(NamedTuple):
    x: int
    y: int


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass(frozen=True)
class Order:
    name: str
    amount: int

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise ValueError("amount")


class Model(pydantic.BaseModel):
    amount: int = pydantic.Field(ge=0, alias="Amount")


class Stack:
    def __init__(self) -> None:
        self.limit = 3
        self._items = [1, 2]


def _changed(calls: Sequence[Call], count: int, seed: int = 1, **source: Sequence) -> list[Call]:
    """The first so many different calls."""
    changes, rng = Changes(calls, (), Source(**source)), random.Random(seed)
    distinct = Distinct(list(calls))
    made = (distinct.take(changes.draw(rng)) for _ in range(30 * count if changes else 0))
    return list(itertools.islice((call for call in made if call is not None), count))


def _values(value: object, count: int = 200, seed: int = 5) -> list:
    return [call[0][0] for call in _changed([((value,), {})], count, seed)]


def _rows(records: list | dict) -> list[tuple]:
    rows = list(records.values()) if isinstance(records, dict) else records
    plain = [dataclasses.astuple(row) if dataclasses.is_dataclass(row) else row for row in rows]
    return [tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in plain]


def _differs(pair: Pair, call: tuple) -> bool:
    return outcome(pair.original, copy.deepcopy(call)) != outcome(
        pair.candidate, copy.deepcopy(call)
    )


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_planted_bug_is_found_from_two_recorded_calls(pair: Pair) -> None:
    assert not any(_differs(pair, call) for call in pair.recorded)
    made = _changed(pair.recorded, 150, constants=literals(pair.original))
    assert any(_differs(pair, call) for call in made if not is_endless(call))


class TestChanges:
    CALL = (([3, 1, 2], "ab"), {"rate": 0.5, "table": {"k": [1, 2]}})

    def test_the_same_seed_gives_the_same_calls(self) -> None:
        first, again, other = (repr(_changed([self.CALL], 80, i)) for i in (1, 1, 2))
        assert first == again != other

    def test_so_it_does_in_a_process_with_the_deterministic_patches(self) -> None:
        script = (
            "import sys\n"
            "from random import Random\n"
            "from steelyard.comparing.calls.incell.changes import Changes\n"
            "from steelyard.comparing.calls.incell.near import Source\n"
            "from steelyard.comparing.steadiness.incell import patches\n"
            "if sys.argv[1] == 'patched':\n    patches.apply()\n"
            "changes, rng = Changes([(([3, 1, 2], 'ab'), {'k': 1.5})], (), Source()), Random(1)\n"
            "print([changes.draw(rng) for _ in range(60)])\n"
        )
        plain, patched = shown_plain_and_patched(script)
        assert plain == patched != ""

    def test_the_recorded_call_stays_as_it_is(self) -> None:
        call = copy.deepcopy(self.CALL)
        made = _changed([call], 100, 1)
        assert call == self.CALL
        for args, kwargs in made:
            args[0].append(99)
            kwargs.clear()
        assert call == self.CALL

    def test_all_are_different_and_none_is_the_recorded_one(self) -> None:
        made = _changed([self.CALL], 120, 1)
        shown = {repr(call) for call in made}
        assert len(made) == len(shown) == 120
        assert repr(self.CALL) not in shown

    def test_each_level_gets_its_share(self) -> None:
        made = _changed([(([[1, 2], [3, 4]], 7), {})], 120)
        rows = [call[0][0] for call in made]
        assert sum(call[0][1] != 7 for call in made) >= 16
        assert sum(len(some) != 2 for some in rows) >= 8
        assert sum(len(some) == 2 and len(some[0]) != len(some[1]) for some in rows) >= 8
        assert sum([len(row) for row in some] == [2, 2] for some in rows) >= 16

    def test_types_are_kept(self) -> None:
        assert {type(value) for value in _values(3)} == {int}
        assert {type(value) for value in _values(1.5)} == {float}
        assert {type(value) for value in _values("a")} == {str}
        assert {type(value) for value in _values(b"a")} == {bytes}
        assert {type(value) for value in _values({1, 2})} == {set}
        assert _values(True) == [False]

    def test_numbers_have_their_edges(self) -> None:
        assert {8, 6, 0, -7} <= set(_values(7))
        floats = _values(2.5)
        assert any(math.isnan(value) for value in floats)
        assert {math.inf, -math.inf, 0.0, -2.5} <= set(floats)
        assert any(value == 0 and math.copysign(1, value) < 0 for value in floats)

    @pytest.mark.parametrize("start", [7, 70_000, [7], [[1, 2], [3]]])
    def test_some_whole_numbers_are_large_and_most_are_not(self, start: object) -> None:
        sizes = [
            max(map(abs, map(int, re.findall(r"-?\d+", repr(value)))), default=0)
            for seed in range(5)
            for value in _values(start, count=20, seed=seed)
        ]
        large = [size for size in sizes if size >= 2**31]
        assert large
        assert len(large) < len(sizes) / 2
        assert len({size for size in large if size >= 2**53}) > 1

    def test_some_floats_are_at_the_ends_of_what_a_float_holds(self) -> None:
        made = {repr(value) for seed in range(5) for value in _values(2.5, seed=seed)}
        assert {"1e+308", "1e-308", "-0.0", "0.30000000000000004"} <= made

    def test_some_texts_have_odd_characters_and_most_have_none(self) -> None:
        made = [value for seed in range(5) for value in _values("12 word", count=40, seed=seed)]
        odd = [value for value in made if not value.isascii()]
        assert 10 < len(odd) < len(made) / 2
        assert any(value.isdigit() != value.isdecimal() for text in made for value in text.split())

    def test_characters_that_matter_come_before_others(self) -> None:
        made = _changed([(("a b",), {})], 30, 1, characters=("\u2028", "\x1c"))
        texts = [call[0][0] for call in made]
        assert any("\u2028" in text for text in texts)
        assert any("\x1c" in text for text in texts)
        assert any(b"\r\n" in value for value in _values(b"a b"))

    def test_an_array_never_stands_for_one_of_other_dimensions(self) -> None:
        call = ((np.ones((2, 3)), np.ones(2)), {"rest": [np.ones((1, 2)), np.ones(3)]})
        made = _changed([call], 300, 1) + _changed([call], 20, 1)
        assert {(args[0].ndim, args[1].ndim) for args, _ in made} == {(2, 1)}

    def test_strings_have_theirs_and_can_all_be_encoded(self) -> None:
        made = _values("word")
        assert {"", "wordword", "wor", "WORD", " word"} <= set(made)
        assert any("ß" in value for value in made)
        assert any(value.isdecimal() and not value.isascii() for value in made)
        for value in made:
            value.encode()

    def test_lists_are_emptied_cut_reordered_and_made_to_tie(self) -> None:
        made = _values([3, 1, 2])
        for wanted in ([], [3], [2, 1, 3], [3, 1, 2, 3], [1, 2, 3], [3, 1, 2, 3, 1, 2], [3, 3, 3]):
            assert wanted in made

    def test_records_tie_in_one_of_their_fields(self) -> None:
        made = _values([{"id": 1, "score": 7}, {"id": 2, "score": 9}], count=300)
        pairs = [value for value in made if [list(row) for row in value] == [["id", "score"]] * 2]
        assert any(a["score"] == b["score"] and a["id"] != b["id"] for a, b in pairs)

    @pytest.mark.parametrize(
        "records",
        [
            [("zoe", 7), ("adam", 9), ("kim", 8)],
            [{"id": "zoe", "n": 7}, {"id": "adam", "n": 9}, {"id": "kim", "n": 8}],
            [Order("zoe", 7), Order("adam", 9), Order("kim", 8)],
            [Point(1, 7), Point(2, 9), Point(3, 8)],
            {"x": ("zoe", 7), "y": ("adam", 9), "z": ("kim", 8)},
            [("zoe", (0, 7)), ("adam", (1, 9)), ("kim", (2, 8))],
        ],
        ids=["tuples", "dicts", "dataclasses", "named tuples", "values of a dict", "nested"],
    )
    def test_records_tie_in_one_part_in_both_orders(self, records: list | dict) -> None:
        made = [_rows(value) for value in _values(records, count=400)]
        ties = [
            (one[0], two[0])
            for rows in made
            for one, two in itertools.combinations(rows, 2)
            if len(rows) == 3 and len(one) == len(two) == 2
            if one[-1] == two[-1] and one[0] != two[0]
        ]
        names = {row[0] for row in _rows(records)}
        both = {frozenset(pair) for pair in ties if pair[::-1] in ties and set(pair) <= names}
        assert both

    def test_all_records_tie_too(self) -> None:
        made = _values([("zoe", 7), ("adam", 9), ("kim", 8)], count=300)
        columns = [([row[0] for row in rows], {row[1] for row in rows}) for rows in made]
        assert any(len(set(names)) == 3 and len(amounts) == 1 for names, amounts in columns)

    def test_a_value_of_one_argument_comes_into_another(self) -> None:
        made = _changed([(([40, 700], [1_234]), {})], 100, 1)
        assert any(1_234 in call[0][0] and call[0][1] == [1_234] for call in made)

    def test_numbers_all_change_at_once_and_get_many_digits(self) -> None:
        made = _changed([(([0.5, 2.0], 0.25), {})], 100, 1)
        numbers = [[*call[0][0], call[0][1]] for call in made if len(call[0][0]) == 2]
        anew = [some for some in numbers if not set(some) & {0.5, 2.0, 0.25}]
        assert any(all((number * 1024) % 1 for number in some) for some in anew)

    def test_the_first_of_many_numbers_is_none(self) -> None:
        made = _values([1.0, 2.0, 3.0, 4.0], count=200)
        assert any(math.isnan(value[0]) and value[1:] == [2.0, 3.0, 4.0] for value in made if value)

    @pytest.mark.parametrize("edited", ["2024-1-05", "2024-02-05", "2024-001-05", "202401-05"])
    def test_texts_lose_double_and_change_single_characters(self, edited: str) -> None:
        assert edited in _values("2024-01-05", count=1_200)

    @pytest.mark.parametrize("spelled", ["2024-1-5", "02024-001-005", "2024-1-05"])
    def test_numbers_in_texts_are_spelled_otherwise(self, spelled: str) -> None:
        assert spelled in _values("2024-01-05", count=200)

    def test_many_literals_leave_room_for_other_changes(self) -> None:
        words = [f"word {i}" for i in range(60)]
        made = _changed([(("2024-01-05", 1.5), {})], 150, constants=[*words, *range(60)])
        assert any(len(call[0][0]) == 9 for call in made)
        assert any(math.isnan(call[0][1]) for call in made)

    def test_a_tuple_of_several_types_keeps_its_length(self) -> None:
        assert {len(value) for value in _values((1, "a"))} == {2}
        assert {len(value) for value in _values((1, 2))} >= {0, 1, 2, 3}
        made = _values(Point(1, 2))
        assert made
        assert {type(value) for value in made} == {Point}

    def test_dicts_lose_gain_and_reorder_keys(self) -> None:
        made = _values({"a": 1, "b": 2})
        assert {} in made
        assert {"a": 1} in made
        assert any(len(value) == 3 for value in made)
        assert any(list(value) == ["b", "a"] for value in made)

    def test_times_and_decimals(self) -> None:
        days = _values(dt.date(2023, 5, 17))
        assert {dt.date(2024, 2, 29), dt.date(2023, 12, 31), dt.date(2023, 5, 16)} <= set(days)
        amounts = _values(Decimal("1.5"))
        assert "0.50" in {str(value) for value in amounts}
        assert any(value.is_nan() for value in amounts)

    def test_objects_change_through_their_own_checks(self) -> None:
        orders = _values(Order("x", 4))
        assert len({order.amount for order in orders}) > 3
        assert all(order.amount >= 0 for order in orders)
        models = _values(Model(Amount=4))
        assert len({model.amount for model in models}) > 3
        assert all(model.amount >= 0 for model in models)

    def test_private_fields_are_left_alone(self) -> None:
        stacks = _values(Stack())
        assert len({stack.limit for stack in stacks}) > 3
        assert all(stack._items == [1, 2] for stack in stacks)

    def test_an_enum_takes_its_other_members(self) -> None:
        assert _values(Colour.RED) == [Colour.BLUE]

    def test_arrays_keep_their_dtype(self) -> None:
        table = np.arange(6, dtype=np.float32).reshape(3, 2)
        made = _values(table)
        assert {value.dtype for value in made} == {table.dtype}
        assert {value.ndim for value in made} == {2}
        assert any(len(value) == 0 for value in made)
        assert any(np.isnan(value).any() for value in made)
        assert any(value.flags.f_contiguous and value.shape == (3, 2) for value in made)
        assert {value.dtype for value in _values(np.uint8(3))} == {np.dtype(np.uint8)}

    def test_tables_get_missing_values_and_double_labels(self) -> None:
        pandas = pytest.importorskip("pandas")
        made = _values(pandas.DataFrame({"a": [1.0, 2.0], "n": [1, 2]}), count=40)
        assert any(len(value) == 0 for value in made)
        assert any(value["a"].isna().any() for value in made)
        assert any(value.index.has_duplicates for value in made)
        assert {str(value["n"].dtype) for value in made} == {"int64"}

    def test_literals_are_values_and_lengths(self) -> None:
        made = _changed([(([1, 2], 5, "a"), {})], 700, constants=(16, "end"))
        assert {15, 16, 17} <= {call[0][1] for call in made}
        assert {15, 16, 17} <= {len(call[0][0]) for call in made}
        assert {"end", "aend"} <= {call[0][2] for call in made}

    def test_a_keyword_argument_is_left_out(self) -> None:
        assert ((1,), {}) in _changed([((1,), {"name": "x"})], 90, 1)

    def test_a_value_that_holds_itself(self) -> None:
        loop: list = [1]
        loop.append(loop)
        made = _values(loop, count=30)
        assert len(made) == 30

    def test_what_cannot_be_copied_gives_nothing(self) -> None:
        assert _changed([(((x for x in ()),), {})], 5, 1) == []

    def test_what_has_no_pickle_is_copied_otherwise(self) -> None:
        class Local:
            def __init__(self) -> None:
                self.size = 3

        made = _values(Local(), count=10)
        assert len({value.size for value in made}) > 2

    def test_a_call_without_arguments(self) -> None:
        assert _changed([((), {})], 5, 1) == []

    def test_a_long_list_is_changed_at_both_ends(self) -> None:
        start = list(range(5000))
        made = [value for value in _values(start, count=60) if len(value) == 5000]
        changed = {i for value in made for i in range(5000) if value[i] != i}
        assert {0, 4999} <= changed


class TestSeveralCalls:
    CALLS = ((([1], {"a": 1}), {"k": 2}), (([5, 6], {"b": 2}), {"k": 9}))

    def test_arguments_come_from_different_calls(self) -> None:
        made = _changed(self.CALLS, 2_000)
        assert (([5, 6], {"a": 1}), {"k": 2}) in made
        assert (([1], {"a": 1}), {"k": 9}) in made
        assert (([1, 5, 6], {"a": 1}), {"k": 2}) in made
        assert not [call for call in made if call in self.CALLS]

    def test_two_arguments_are_one_object(self) -> None:
        made = [call[0] for call in _changed([(([1], [2]), {})], 40)]
        assert ([1], [1]) in made
        assert ([2], [2]) in made
        assert any(one is two for one, two in made)

    def test_none_from_none(self) -> None:
        assert _changed([], 5, 1) == []


def test_literals_of_a_function_are_those_of_its_code_and_inner_functions() -> None:
    def function(x):
        """Not this."""
        return [y for y in x if y in (4711, "end")] and (lambda: 0.25)

    assert {4711, "end", 0.25} <= set(literals(function))
    assert "Not this." not in literals(function)


_BOUNDS = {"low": 4_100, "high": 9_900}


def _helper(x):
    return x == 3_300


def test_literals_are_also_those_of_the_helpers_and_tables_that_are_named() -> None:
    def function(x):
        return _helper(x) or x > _BOUNDS["low"]

    assert {3_300, 4_100, 9_900, "high"} <= set(literals(function))
    assert literals(function)[0] == "low"


_SPACED = re.compile(r"\s+")


def _lines(text):
    return text.splitlines()


@pytest.mark.parametrize(
    ("function", "character"),
    [
        (lambda text: [*_lines(text)], "\u2028"),
        (lambda text: text.split("\n"), "\r\n"),
        (lambda text: text.strip(), "\u00a0"),
        (lambda text: text.isdigit(), "\u00b2"),
        (lambda text: [word.casefold() for word in text], "ß"),
        (lambda text: float(text) + 1, "1_0"),
        (lambda text: _SPACED.sub(" ", text), "\u3000"),
        (lambda text: re.match("[0-9]+", text), "\u0663"),
    ],
)
def test_what_a_function_calls_points_to_characters(function, character: str) -> None:
    assert character in pointed_to(function)


def test_a_function_that_asks_nothing_of_characters_points_to_none() -> None:
    assert pointed_to(lambda text: text + "x") == ()


def test_changed_calls_can_be_pickled() -> None:
    for call in _changed([TestChanges.CALL], 40, 1):
        assert pickle.loads(pickle.dumps(call)) is not None
