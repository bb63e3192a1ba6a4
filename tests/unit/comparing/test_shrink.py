"""The smallest failing call: how small, how soon, and that it still fails."""

import copy
import dataclasses
import datetime as dt
import itertools
import math
import pickle
import random

import numpy as np
import pytest

from steelyard.comparing.calls.incell.changes import Changes
from steelyard.comparing.calls.incell.near import Source
from steelyard.comparing.calls.incell.shrink import shrink
from tests.unit.comparing.planted_pairs import PAIRS, Pair, is_endless, outcome


@dataclasses.dataclass
class Node:
    value: int
    left: "Node | None" = None
    right: "Node | None" = None


def _shrunk(call: tuple, differs) -> tuple:
    """Without an end in time: only the tries are bounded."""
    return shrink(call, differs, seconds=1e6, most_tries=3000)


def _numbers(count: int) -> list[int]:
    return random.Random(4).sample(range(100_000), count)


class TestSmallest:
    def test_a_duplicate_among_two_hundred(self) -> None:
        numbers = _numbers(199)
        numbers.insert(150, numbers[20])
        made = _shrunk(((numbers,), {}), lambda call: len(set(call[0][0])) < len(call[0][0]))
        assert made == (([0, 0],), {})

    def test_two_neighbours(self) -> None:
        call = ((sorted([*_numbers(100), 70_001, 70_002]),), {})
        made = _shrunk(call, lambda call: any(b - a == 1 for a, b in _steps(call[0][0])))
        assert made == (([0, 1],), {})

    def test_a_limit_is_met_exactly(self) -> None:
        assert _shrunk(((10**9 + 7,), {}), lambda call: call[0][0] >= 65_537) == ((65_537,), {})
        assert _shrunk(((-987,), {}), lambda call: call[0][0] <= -13) == ((-13,), {})

    def test_a_sum_needs_few_numbers(self) -> None:
        (made,), _ = _shrunk((([30] * 50,), {}), lambda call: sum(call[0][0]) >= 100)
        assert len(made) <= 4
        assert sum(made) == 100

    def test_a_float(self) -> None:
        assert _shrunk(((123.4567,), {}), lambda call: call[0][0] % 1 != 0) == ((0.5,), {})
        (made,), _ = _shrunk(
            (([0.25, math.nan, 7.5],), {}), lambda call: any(x != x for x in call[0][0])
        )
        assert len(made) == 1
        assert math.isnan(made[0])

    def test_a_letter_in_a_long_text(self) -> None:
        text = "hello " * 40 + "ß" + "world" * 30
        assert _shrunk(((text,), {}), lambda call: "ß" in call[0][0]) == (("ß",), {})
        made = _shrunk(((text,), {}), lambda call: len(call[0][0]) > 9)
        assert made == (("a" * 10,), {})

    def test_two_equal_texts(self) -> None:
        made = _shrunk(
            ((["pear", "plum", "fig", "plum"],), {}),
            lambda call: len(set(call[0][0])) < len(call[0][0]),
        )
        assert made == ((["", ""],), {})

    def test_records_keep_the_key_that_matters(self) -> None:
        rows = [{"id": i, "name": f"n{i}", "tags": ["x", "y"]} for i in range(40)]
        made = _shrunk(
            ((rows,), {"by": "id"}),
            lambda call: sum("y" in row.get("tags", ()) for row in call[0][0]) >= 2,
        )
        assert made == (([{"tags": ["y"]}, {"tags": ["y"]}],), {})

    def test_two_must_go_at_once(self) -> None:
        made = _shrunk(
            (([1, 1, 1, 1, 1, 1],), {}),
            lambda call: len(call[0][0]) % 2 == 0 and len(call[0][0]) > 0,
        )
        assert made == (([0, 0],), {})

    def test_a_tree_becomes_the_node_that_matters(self) -> None:
        def grown(depth: int) -> Node | None:
            left, right = (grown(depth - 1), grown(depth - 1)) if depth > 1 else (None, None)
            return Node(depth, left, right)

        def fails(call: tuple) -> bool:
            stack, found = [call[0][0]], False
            while stack:
                node = stack.pop()
                if isinstance(node, Node):
                    found |= node.value == 1
                    stack += [node.left, node.right]
            return found

        assert _shrunk(((grown(5),), {}), fails) == ((Node(1),), {})

    def test_optional_arguments_go(self) -> None:
        made = _shrunk(((5,), {"a": [1], "b": None, "c": 3}), lambda call: call[1].get("c", 0) >= 2)
        assert made == ((0,), {"c": 2})

    def test_a_moment(self) -> None:
        made = _shrunk(
            ((dt.datetime(2023, 2, 28, 13, 14, 15, 16),), {}), lambda call: call[0][0].month == 2
        )
        assert made == ((dt.datetime(2000, 2, 1),), {})

    def test_an_array_loses_rows_and_columns(self) -> None:
        table = np.arange(280, dtype=np.int32).reshape(40, 7)
        (made,), _ = _shrunk(((table,), {}), lambda call: (call[0][0] == 100).any())
        assert made.dtype == np.int32
        assert made.tolist() == [[100]]

    def test_a_table_does_too(self) -> None:
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame({"a": range(60), "b": list("xyz") * 20})
        (made,), _ = _shrunk(
            ((table,), {}), lambda call: "b" in call[0][0] and "y" in set(call[0][0]["b"])
        )
        assert made.shape == (1, 1)

    def test_one_object_in_two_places_stays_one(self) -> None:
        shared = [4, 5, 6]
        (first, second), _ = _shrunk(
            ((shared, shared), {}), lambda call: call[0][0] is call[0][1] and len(call[0][0]) > 0
        )
        assert first is second
        assert first == [0]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_what_is_shrunk_still_differs_and_is_no_larger(pair: Pair) -> None:
    def differs(call: tuple) -> bool:
        return outcome(pair.original, copy.deepcopy(call)) != outcome(
            pair.candidate, copy.deepcopy(call)
        )

    changes, rng = Changes(pair.recorded, (), Source()), random.Random(3)
    made = [changes.draw(rng) for _ in range(200)]
    failing = [call for call in made if not is_endless(call) and differs(call)]
    if not failing:  # some bugs need the function's literals to be found
        assert pair.name in ("edge of a limit", "length of a limit")
        return
    start = max(failing, key=lambda call: len(repr(call)))
    before = repr(start)
    small = _shrunk(start, differs)
    assert differs(small)
    assert len(pickle.dumps(small)) <= len(pickle.dumps(start))
    assert repr(start) == before


class TestBounds:
    def test_tries_are_counted(self) -> None:
        tried = []

        def differs(call: tuple) -> bool:
            tried.append(call)
            return len(tried) == 1

        shrink(((list(range(1000)), "x" * 1000), {}), differs, seconds=1e6, most_tries=7)
        assert len(tried) == 7

    def test_no_time_gives_the_call_itself(self) -> None:
        call = (([5, 6],), {})
        assert shrink(call, lambda _: True, seconds=-1, most_tries=100) == call

    def test_a_call_that_does_not_fail_is_given_back(self) -> None:
        call = (([5, 6],), {})
        assert shrink(call, lambda _: False, seconds=9, most_tries=100) is call

    def test_it_ends_though_all_fails_and_nothing_is_left(self) -> None:
        call = (([5, {"k": (1.5, "x", b"y", None, True)}], dt.timedelta(5)), {"z": {1, 2}})
        assert _shrunk(call, lambda _: True) == (([], dt.timedelta(0)), {})

    def test_what_it_changes_is_not_seen_outside(self) -> None:
        def spoils(call: tuple) -> bool:
            call[0][0].append(9)
            return len(call[0][0]) > 2

        call = (([5, 6, 7],), {})
        assert _shrunk(call, spoils) == (([0, 0],), {})
        assert call == (([5, 6, 7],), {})

    def test_an_error_of_the_question_is_passed_on(self) -> None:
        def fails(call: tuple) -> bool:
            if len(call[0][0]) < 2:
                raise OSError("no process")
            return True

        with pytest.raises(OSError, match="no process"):
            _shrunk((([5, 6],), {}), fails)

    def test_what_cannot_be_copied_is_given_back(self) -> None:
        call = (((x for x in ()),), {})
        assert shrink(call, lambda _: True, seconds=9, most_tries=9) is call

    def test_a_value_that_holds_itself(self) -> None:
        loop: list = [1, 2]
        loop.append(loop)
        made = _shrunk(((loop, 5), {}), lambda call: call[0][1] > 3)
        assert made == (([], 4), {})

    def test_a_flaky_failure_ends(self) -> None:
        rolls = random.Random(1)
        made = _shrunk(((_numbers(50),), {}), lambda _: rolls.random() < 0.5)
        assert len(made[0][0]) <= 50


def _steps(numbers: list[int]) -> list[tuple[int, int]]:
    return list(itertools.pairwise(numbers))
