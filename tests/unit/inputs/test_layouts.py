"""Large inputs in blocks: lists laid out anew, and what is repeated stretched."""

from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.errors import SpecificationError
from steelyard.families import Dice, args_of, as_compact, expand
from steelyard.inputs import changed_inputs, pumped_inputs, stretched_inputs
from steelyard.inputs._layouts import joined, laid_out
from steelyard.inputs._repeats import repeated
from tests.unit.inputs.input_specs import specification

LOG = specification(
    "n: int; steps: list[tuple[str, int]]; m: int",
    [
        "1 <= n <= 9000",
        "1 <= len(steps) <= 9000",
        "all(0 <= v < n for kind, v in steps)",
        "all(kind in ['put', 'take'] for kind, v in steps)",
        "m == len(steps)",
    ],
    [[2, [["put", 0], ["take", 1], ["put", 1]], 3]],
)
BLOCKS = "[[3] * 300 + [1] * 300]"


@pytest.mark.parametrize("value", [[["a", at % 50] for at in range(1_000)], "abc" * 70, [7] * 200])
def test_a_layout_has_the_length_and_a_few_items_in_blocks(value: Any) -> None:
    dice = Dice(0, "layouts")
    found = [laid_out(value, dice) for _ in range(200)]
    for each in found:
        assert type(each.value) is type(value)
        assert len(each.value) == len(value)
        assert all(item in value for item in each.value)
        few = len({str(item) for item in each.value}) <= 8
        assert few or "advancing" in each.write()
        assert expand(f"[{each.write()}]") == [each.value]
        assert len(each.write()) < 700


def test_numbers_in_rows_advance_within_those_that_there_are() -> None:
    dice = Dice(0, "layouts")
    rows = [["join", at, 2 * at] for at in range(500)]
    found = [laid_out(rows, dice).value for _ in range(200)]
    assert all(0 <= a < 500 and 0 <= b < 1_000 for each in found for _, a, b in each)
    steps = {(b[1] - a[1], b[2] - a[2]) for each in found for a, b in pairwise(each)}
    assert {(1, 1), (1, 0), (0, 1), (0, -1)} <= steps


def test_layouts_are_of_one_to_three_blocks() -> None:
    dice = Dice(0, "layouts")
    texts = {laid_out("ab" * 300, dice).write() for _ in range(300)}
    assert "'a' * 600" in texts
    assert "'a' * 300 + 'b' * 300" in texts
    assert any(text.startswith("'ab' * ") for text in texts)
    assert any(text.count("*") == 3 for text in texts)


def test_pieces_are_joined_and_written_without_empty_ones() -> None:
    found = joined([("ab", 2), ("", 5), ("c", 0), ("d", 1)])
    assert found.value == "ababd"
    assert found.write() == "'ab' * 2 + 'd'"


def test_long_lists_are_laid_out_by_changes() -> None:
    start = [2, [["put", 0], ["take", 1], ["put", 1], ["take", 0]] * 500, 2_000]
    found = changed_inputs(LOG, [as_compact(start)], seed=0, count=60)
    blocks = [args_of(case.input)[1] for case in found]
    assert all(len(steps) == 2_000 for steps in blocks)
    assert any(steps == [steps[0]] * 1_000 + [steps[-1]] * 1_000 for steps in blocks)


def test_what_is_repeated_is_stretched_to_the_largest_length() -> None:
    cases = pumped_inputs(LOG, [as_compact(LOG.examples[0].args)], seed=0, count=20, most_items=600)
    assert all(len(args_of(case.input)[1]) <= 600 for case in cases)
    found = stretched_inputs(LOG, [case.input for case in cases], count=20)
    assert len(found) == len(cases) > 8
    for case in found:
        args = args_of(case.input)
        assert Validator.of(LOG).is_valid(args)
        assert len(args[1]) == args[2] > 8_500
        assert len(case.input.expression) < 400


def test_a_shorter_stretch_is_found_where_the_longest_is_not_valid() -> None:
    spec = specification(
        "a: list[int]",
        ["1 <= len(a) <= 9000", "all(0 <= x <= 9 for x in a)", "sum(a) <= 6000"],
        [[[3, 1]]],
    )
    (case,) = stretched_inputs(spec, [as_compact(expand(BLOCKS), BLOCKS)], count=1)
    (numbers,) = args_of(case.input)
    assert 600 * 3 < len(numbers) <= 3_000


def test_runs_get_more_numbers_and_numbers_make_room_for_them() -> None:
    spec = specification(
        "a: list[int]; b: list[int]; most: int",
        [
            "1 <= len(a) <= 6000",
            "len(b) == len(a)",
            "all(0 <= x <= most for x in a)",
            "all(0 <= x <= 9999 for x in b)",
            "9 <= most <= 50000",
        ],
        [],
    )
    start = "[range(7, 607, 1), range(598, -2, -2) + [5] * 300, 700]"
    (case,) = stretched_inputs(spec, [as_compact(expand(start), start)], count=1)
    a, b, most = args_of(case.input)
    assert a == [*range(7, 6007)]
    assert b == [*range(2_999, -1, -1)] + [5] * 3_000
    assert most == 50_000


@pytest.mark.parametrize("heaviest", [900, 10**9])
def test_last_positions_and_spans_follow_lengths_if_that_is_valid(heaviest: int) -> None:
    spec = specification(
        "parents: list[int]; steps: list[list[int]]",
        [
            "1 <= len(parents) <= 20000",
            "is_parents(parents)",
            "1 <= len(steps) <= 20000",
            "all(len(step) == 2 for step in steps)",
            f"all(0 <= v < len(parents) and 0 <= w <= {heaviest} for v, w in steps)",
        ],
        [],
    )
    start = (
        "[range(-1, 399, 1), [[399, 5]] * 100 + "
        "advancing([[7, 8]], 100, [1, 0], [[0, 390], [0, 900]]) + [[399, 399]] * 200]"
    )
    (case,) = stretched_inputs(spec, [as_compact(expand(start), start)], count=1)
    parents, steps = args_of(case.input)
    last = 399 if heaviest == 900 else 19_999  # 399 may be a weight as well as a position
    assert parents == [*range(-1, 19_999)]
    assert len(steps) == 20_000
    assert steps[0] == [last, 5]
    assert steps[-1] == [last, last]
    assert max(v for v, w in steps if w == 8) == (390 if last == 399 else 5_006)


def test_spans_reach_the_last_position_where_some_rows_come_once() -> None:
    spec = specification(
        "p: list[list[int]]",
        [
            "1 <= len(p) <= 20000",
            "all(len(row) == 2 for row in p)",
            "all(0 <= x < len(p) and 0 <= y <= 9 for x, y in p)",
        ],
        [],
    )
    start = (
        "[[[0, 5], [0, 4], [0, 3], [0, 2]] + "
        "advancing([[300, 8]], 596, [-1, 0], [[0, 599], [0, 9]])]"
    )
    (case,) = stretched_inputs(spec, [as_compact(expand(start), start)], count=1)
    (rows,) = args_of(case.input)
    assert len(rows) > 19_000
    assert max(x for x, _ in rows) == len(rows) - 1


def test_spans_of_every_column_are_read() -> None:
    text = "advancing([[1] * 8], 300, [1] * 8, [[0, 9]] * 8)"
    assert repeated(text, 2) == text.replace("300", "600").replace(
        "[[0, 9]] * 8", str([[0, 9]] * 8)
    )


@pytest.mark.parametrize(
    ("expression", "followed"),
    [
        ("[[599, 1]] * 300", "[[39999, 1]] * 600"),
        ("[[[0] * 600]] * 300", "[[[0] * 600]] * 600"),
        ("[[-599, 2 ** 600, 600]] * 300", "[[-599, 2 ** 600, 40000]] * 600"),
        ("[[599 - 1]] * 300 + uniform(600, 0, 599)", "[[599 - 1]] * 600 + uniform(1200, 0, 599)"),
    ],
)
def test_positions_follow_but_counts_and_parts_of_numbers_do_not(
    expression: str, followed: str
) -> None:
    assert repeated(expression, 2, {599: 39_999, 600: 40_000}) == followed


@pytest.mark.parametrize(
    "rows", [[[1], [2]], [[1, 2], [3, 4, [5]], [5, 6]], [[], [1]], [[True], [0]], [[None], [3]]]
)
def test_short_and_uneven_rows_are_laid_out(rows: list[Any]) -> None:
    for seed in range(60):
        found = laid_out(rows * (1 + 99 * (seed % 2)), Dice(seed, "rows"))
        assert expand(f"[{found.write()}]") == [found.value]


@pytest.mark.parametrize(
    "expression", ["[2, [['put', 0], ['take', 1]], 2]", "[2, [['put', 1]] * 9000, 9000]"]
)
def test_what_repeats_nothing_or_is_as_long_as_can_be_is_not_stretched(expression: str) -> None:
    assert stretched_inputs(LOG, [as_compact(expand(expression), expression)], count=1) == ()


@pytest.mark.parametrize(
    ("expression", "longer"),
    [
        ("range(0, 300 * 2, 1)", "range(0, 1200, 1)"),
        ("range(0, 10 ** 3)", "range(0, 2000, 1)"),
        ("range(5, 5, 1) + [5] * 3000", "range(5, 5, 1) + [5] * 6000"),
        ("range(0, 9 * 10 ** 60, 10 ** 60)", "range(0, 9 * 10 ** 60, 10 ** 60)"),
    ],
)
def test_runs_of_any_form_are_read(expression: str, longer: str) -> None:
    assert repeated(expression, 2.0) == longer


def test_another_number_of_arguments_is_an_error() -> None:
    for made in (partial(stretched_inputs, count=2), partial(changed_inputs, seed=0, count=2)):
        with pytest.raises(SpecificationError, match="2 arguments; the specification has 3"):
            made(LOG, [as_compact([1, [["put", 0]]])])


@pytest.mark.exhaustive
def test_a_layout_of_a_very_long_row_stays_as_it_was() -> None:
    value = [[]] * 999 + [[0] * 900_000]
    dice = Dice(0, "layouts")
    assert all(sum(map(len, laid_out(value, dice).value)) <= 3_000_000 for _ in range(60))


def test_numbers_that_may_be_missing_do_not_rise() -> None:
    dice = Dice(0, "layouts")
    for _ in range(60):
        assert set(laid_out([3, None, 7] * 100, dice).value) <= {3, None, 7}
