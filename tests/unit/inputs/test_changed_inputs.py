"""Small and large changes of inputs, and a budget that large ones do not take from small ones."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.families import args_of, as_compact
from steelyard.inputs._changed import changed_inputs
from tests.unit.inputs.input_specs import TUNED, make_inputs, specification


@pytest.mark.parametrize("name", ["two sum", "matrix", "intervals", "floats"])
def test_changed_inputs_are_valid_new_and_the_same_for_a_seed(name: str) -> None:
    spec = specification(*TUNED[name])
    validator = Validator.of(spec)
    start = [case.input for case in make_inputs(spec, seed=1, count=10)]
    found = changed_inputs(spec, start, seed=1, count=40)
    few = changed_inputs(spec, start, seed=1, count=10)
    assert few == changed_inputs(spec, start, seed=1, count=10)
    assert few != changed_inputs(spec, start, seed=2, count=10)
    each = [args_of(case.input) for case in found]
    assert len({json.dumps(args) for args in each}) == len(each) > 20
    assert all(validator.is_valid(args) for args in each)


def test_arguments_of_two_inputs_come_together() -> None:
    texts = [letter * 40 for letter in "abc"]
    spec = specification("s: str; t: str", ["len(s) <= 80", "len(t) <= 80"], [texts[:2]])
    found = changed_inputs(spec, [as_compact((each, each)) for each in texts], seed=1, count=60)
    pairs: list[Any] = [args_of(case.input) for case in found]
    usual = {tuple(max(text, key=text.count, default="") for text in pair) for pair in pairs}
    assert any(one != other for one, other in usual)
    often = [{each for each in text if text.count(each) > 5} for pair in pairs for text in pair]
    assert any(len(letters) > 1 for letters in often), "the start of one and the end of another"


def test_rows_and_columns_of_a_table_are_repeated_left_out_and_turned() -> None:
    spec = specification(
        "rows: list[str]",
        [
            "1 <= len(rows) <= 9",
            "all(len(row) == len(rows[0]) for row in rows)",
            "len(rows[0]) <= 9",
            "all(set(row) <= set('.#') for row in rows)",
        ],
        [[["..#", "#.."]]],
    )
    start = [as_compact([["..#", "#.."]])]
    found: list[Any] = [
        args_of(case.input)[0] for case in changed_inputs(spec, start, seed=1, count=200)
    ]
    assert ["#..", "..#"] in found
    sizes = {(len(rows), len(rows[0])) for rows in found}
    assert {rows for rows, _ in sizes} > {1, 2, 4}
    assert {width for _, width in sizes} > {1, 2, 3, 6}


def test_nothing_is_changed_where_nothing_is() -> None:
    assert not changed_inputs(specification(*TUNED["two sum"]), [], seed=1, count=5)


def test_large_inputs_leave_half_of_the_work_to_small_ones() -> None:
    spec = specification(
        "rows: list[str]",
        ["0 <= len(rows) <= 20000", "all(len(s) <= 5 and s.isalpha() for s in rows)"],
        [[["ab", "c"]]],
    )
    made = make_inputs(spec, seed=1, count=150, work=4_000_000)
    assert len(made) == 150
    inputs: list[Any] = [args_of(case.input) for case in made]
    assert any(len(texts) == 20_000 for (texts,) in inputs)


def test_large_tables_are_put_in_order_by_rows_and_columns() -> None:
    in_columns = "all(t[i][j] <= t[i + 1][j] for i in range(len(t) - 1) for j in range(len(t[0])))"
    spec = specification(
        "t: list[list[int]]; k: int",
        [
            "1 <= len(t) <= 100",
            "is_rectangular(t)",
            "1 <= len(t[0]) <= 100",
            "all(is_sorted(row) for row in t)",
            in_columns,
            "all(-1000 <= x <= 1000 for row in t for x in row)",
            "1 <= k <= len(t) * len(t[0])",
        ],
        [[[[1, 5], [2, 7]], 2]],
    )
    tables: Iterator[Any] = (
        args_of(case.input)[0]
        for seed in range(16)
        for case in make_inputs(spec, seed=seed, count=40)
    )
    large = (table for table in tables if len(table) * len(table[0]) > 1_000)
    assert any(len({item for row in table for item in row}) > 10 for table in large)


def test_lists_have_items_of_each_alternative_of_a_constraint() -> None:
    spec = specification(
        "log: list[str]",
        [
            "1 <= len(log) <= 50",
            "all(1 <= len(entry) <= 5 for entry in log)",
            "all(e in ['<', '>'] or e.isdigit()\n or e.islower() and e.isalpha() for e in log)",
        ],
        [[["ab", "1", "<"]]],
    )
    logs: list[Any] = [args_of(case.input)[0] for case in make_inputs(spec, seed=0, count=30)[1:]]
    kinds = [{entry[0].isalpha() + 2 * entry[0].isdigit() for entry in log} for log in logs]
    assert sum(len(each) == 3 for each in kinds) > 2


def test_an_alternative_that_is_no_constraint_is_left_out() -> None:
    spec = specification("a: int", ["0 <= a <= 9", "a > 3 or 'x' in 'xy' or a == 1"], [[5]])
    assert len(make_inputs(spec, seed=0, count=6)) == 6
