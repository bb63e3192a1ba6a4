"""Long lists whose columns are in simple orders, and how they are written and stretched."""

from itertools import pairwise
from typing import Any

import pytest

from steelyard.constraints import Domain, Validator
from steelyard.errors import SpecificationError
from steelyard.families import Dice, args_of, as_compact, expand
from steelyard.inputs import changed_inputs, ordered_inputs, stretched_inputs
from steelyard.inputs._columns import ordered, width_of
from steelyard.inputs._ground import Ground
from steelyard.inputs._made import made
from steelyard.inputs._repeats import repeated
from tests.unit.inputs.input_specs import specification

SNAILS = specification(
    "places: list[int]; speeds: list[int]; most: int",
    [
        "1 <= len(places) <= 20000",
        "len(speeds) == len(places)",
        "1 <= most <= 10**9",
        "all(0 <= x <= most for x in places)",
        "all(0 <= x <= 10**6 for x in speeds)",
    ],
    [[[0, 4], [5, 3], 100]],
)
SHIPS = specification(
    "ships: list[tuple[str, int, int]]",
    [
        "1 <= len(ships) <= 9000",
        "all(kind in ['sail', 'tug'] for kind, a, b in ships)",
        "all(0 <= a <= 10**9 and 1 <= b <= 10**6 for kind, a, b in ships)",
    ],
    [[[["sail", 4, 3]]]],
)


def trend(column: list[Any]) -> str:
    if len(set(column)) == 1:
        return "equal"
    ups = [one <= other for one, other in pairwise(column)]
    return "rise" if all(ups) else "mixed" if any(ups) else "fall"


def test_columns_go_together_in_all_ways() -> None:
    found = ordered_inputs(SNAILS, seed=0, count=150)
    args: list[Any] = [args_of(case.input) for case in found]
    assert len(args) == 150
    assert all(Validator.of(SNAILS).is_valid(each) for each in args)
    assert all(len(places) == 600 for places, _, _ in args)
    pairs = {(trend(places), trend(speeds)) for places, speeds, _ in args}
    assert {("rise", "fall"), ("rise", "equal"), ("equal", "rise"), ("fall", "rise")} <= pairs


def test_columns_of_rows_are_in_an_order_too() -> None:
    found = ordered_inputs(SHIPS, seed=0, count=60)
    ships: list[Any] = [args_of(case.input)[0] for case in found]
    assert all(len(each) == 600 for each in ships)
    kinds = [[row[0] for row in each] for each in ships]
    assert any(some == sorted(some) and len({*some}) == 2 for some in kinds), "one, then the other"
    pairs = {(trend([row[1] for row in some]), trend([row[2] for row in some])) for some in ships}
    assert {("rise", "rise"), ("rise", "fall"), ("equal", "rise")} <= pairs


@pytest.mark.parametrize("spec", [SNAILS, SHIPS])
def test_what_is_in_order_is_stretched(spec: Any) -> None:
    found = ordered_inputs(spec, seed=0, count=12)
    longer = stretched_inputs(spec, [case.input for case in found], count=12)
    assert len(longer) > 8
    for case in longer:
        args = args_of(case.input)
        assert Validator.of(spec).is_valid(args)
    assert sum(len(args_of(case.input)[0]) > 8_000 for case in longer) > 6


def test_a_text_or_a_short_list_is_left_alone() -> None:
    assert not ordered_inputs(
        specification("s: str", ["len(s) <= 9000"], [["ab"]]), seed=0, count=5
    )
    assert not ordered_inputs(
        specification("a: list[int]", ["len(a) <= 90"], [[[1]]]), seed=0, count=5
    )


@pytest.mark.parametrize(
    "rows",
    [
        [["a", at, 0.5] for at in range(300)],
        [[at, None, True] for at in range(300)],
        [at // 2 for at in range(300)],
        ["ab", "c"] * 150,
        [[1, 2], [3]] * 150,
    ],
)
def test_any_list_keeps_its_length_and_what_is_not_in_order(rows: list[Any]) -> None:
    ground = Ground(
        "list", items=(Ground("int", numbers=Domain.span(-5, 10**9, is_integral=True)),)
    )
    for seed in range(60):
        found = ordered(made(rows), ground, Dice(seed))
        assert len(found.value) == len(rows)
        assert expand(f"[{found.write()}]") == [found.value]


def test_lists_within_rows_are_not_columns() -> None:
    assert width_of([[[1], 2], [[3], 4]]) == 0
    assert width_of([[1, 2], [3]]) == 1
    assert width_of([1, 2]) == 1
    assert width_of([]) == 0
    assert width_of("ab") == 0


@pytest.mark.parametrize(
    ("expression", "longer"),
    [
        ("columns(range(0, 300, 1), [5] * 300)", "columns(range(0, 600, 1), [5] * 600)"),
        (
            "with_columns(chosen(uniform(300, 0, 9, 4), [[0, 1]]), [0], [5] * 300)",
            "with_columns(chosen(uniform(600, 0, 9, 4), [[0, 1]]), [0], [5] * 600)",
        ),
        (
            "parents(relabelled(chain(300, 0, 9), 300, 0, 4), 300, 0, -1)",
            "parents(relabelled(chain(600, 0, 9), 600, 0, 4), 600, 0, -1)",
        ),
        ("chosen(uniform(300, 0, 1, 7), ['a', 'b'])", "chosen(uniform(600, 0, 1, 7), ['a', 'b'])"),
        ("put([0] * 300, 150, 7)", "put([0] * 600, 150, 7)"),
        ("uniform(300, 0, 5 * 10, 4)", "uniform(600, 0, 5 * 10, 4)"),
        (f"sampled([1] * 300, {10**400})", f"sampled([1] * 600, {10**400})"),
        ("put([0] * 300, -1, 7)", "put([0] * 600, -1, 7)"),
        ("range(1000, 700, -1)", "range(1000, 400, -1)"),
        ("range(300, 0, -1)", "range(600, 0, -1)"),
    ],
)
def test_families_are_stretched(expression: str, longer: str) -> None:
    assert repeated(expression, 2.0) == longer


def test_lists_of_one_length_have_one_again() -> None:
    spec = specification(
        "a: list[int]; b: list[int]",
        ["1 <= len(a) <= 5000", "len(b) == len(a)"],
        [[[1], [2]]],
    )
    start = "[[1, 2, 3] + [4] * 597, [5, 6] * 300]"
    (case,) = stretched_inputs(spec, [as_compact(expand(start), start)], count=1)
    a, b = args_of(case.input)
    assert len(a) == len(b) > 4_900
    assert "[4] * " in case.input.expression


def test_changes_leave_an_expression_one() -> None:
    start = ordered_inputs(SHIPS, seed=0, count=20)
    found = changed_inputs(SHIPS, [case.input for case in start], seed=0, count=100, in_blocks=True)
    assert sum("put(" in case.input.expression for case in found) > 5
    assert all(0 < len(case.input.expression) < 2_500 for case in found)


@pytest.mark.parametrize(("low", "high"), [(-(2**63), 2**63 - 1), (0, 10**20)])
def test_numbers_may_have_any_bounds(low: int, high: int) -> None:
    spec = specification(
        "a: list[int]", ["1 <= len(a) <= 9000", f"all({low} <= x <= {high} for x in a)"], [[[1]]]
    )
    found = ordered_inputs(spec, seed=0, count=40)
    assert len(found) == 40


def test_a_wide_table_is_left_as_it_is() -> None:
    assert width_of([[1] * 9] * 30) == 0
    assert width_of([[1] * 8] * 30) == 8


def test_columns_are_replaced_as_far_as_they_reach() -> None:
    (found,) = expand("[with_columns([[1, 2]] * 3, [1, 0], [7, 8], ['a'] * 9)]")
    assert found == [["a", 7], ["a", 8], ["a", 2]]
    with pytest.raises(SpecificationError):
        expand("[with_columns([[1, 2]] * 3, [1, 0], [7, 8])]")
    with pytest.raises(SpecificationError, match="more than"):
        expand("[with_columns([[1, 2]] * 2000000, [1], [7])]")


def test_only_a_text_is_put_into_a_text() -> None:
    assert expand("[put('abc', -1, 'xy')]") == ["abxy"]
    with pytest.raises(SpecificationError, match="only a text"):
        expand("[put('abc', 0, [7])]")
