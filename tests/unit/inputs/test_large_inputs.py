"""Large inputs: rows that are valid alone, and the largest argument with those of a base."""

import random
from itertools import islice, pairwise
from typing import Any

import pytest

from steelyard.constraints import Validator, Work
from steelyard.families import Dice, args_of, expand
from steelyard.inputs import inputs_of, visits
from steelyard.inputs._made import made
from steelyard.inputs._meter import longest_of
from steelyard.inputs._sieve import with_valid_rows
from steelyard.inputs._stress import stress_inputs
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import specification

LOG = specification(
    "members: int; copies: list[int]; events: list[tuple[str, int]]",
    [
        "1 <= members <= 50000",
        "1 <= len(copies) <= 900",
        "all(0 <= c <= 9 for c in copies)",
        "1 <= len(events) <= 1500",
        "all(0 <= m < members for kind, m in events)",
        "all(kind in ['ask', 'back', 'quit'] for kind, m in events)",
    ],
    [[2, [1, 0], [["ask", 0], ["ask", 1], ["back", 0]]]],
)
MAZE = specification(
    "grid: list[str]; row: int; moves: str",
    [
        "1 <= len(grid) <= 40",
        "all(x in '.#' for line in grid for x in line)",
        "0 <= row < len(grid)",
        "len(grid[0]) == 3",
        "is_rectangular(grid)",
        "grid[row] == '#.#'",
        "len(moves) == 30000",
    ],
    [],
)


def test_the_visits_of_rows_are_those_of_each_value() -> None:
    dice = random.Random(0)

    def value(depth: int) -> Any:
        leaves = [lambda: dice.randint(-9, 9), lambda: "x" * dice.randint(0, 4), lambda: None]
        if depth == 0 or dice.random() < 0.3:
            return dice.choice(leaves)()
        items = [value(depth - 1) for _ in range(dice.randint(0, 4))]
        return items if dice.random() < 0.9 else {str(at): item for at, item in enumerate(items)}

    def plainly(value: Any) -> tuple[int, int]:
        items = list(value.values()) if isinstance(value, dict) else value
        if isinstance(items, str):
            return 1 + len(items), len(items)
        if not isinstance(items, list):
            return 1, 0
        inner = [plainly(item) for item in items]
        return 1 + sum(n for n, _ in inner), max([len(items), *(most for _, most in inner)])

    for _ in range(3_000):
        each = value(3)
        assert (visits(each), longest_of(each)) == plainly(each)


@pytest.mark.exhaustive
def test_long_lists_have_only_rows_that_are_valid_by_themselves() -> None:
    log = LOG.model_copy(
        update={
            "constraints": (
                *LOG.constraints,
                "all(m == 0 for kind, m in events if kind == 'quit')",
                "len(events) == 1500",
            )
        }
    )
    cases = [case for _, case in stress_inputs(log, seed=0, work=10**8, counter=Work())]
    found: list[Any] = [args_of(case.input) for case in cases]
    assert len(found) >= 3
    for members, _, events in found:
        assert len(events) == 1_500
        assert all(m < members and (kind != "quit" or m == 0) for kind, m in events)
    assert any({kind for kind, _ in events} == {"ask", "back", "quit"} for _, _, events in found)
    assert any(case.origin.endswith("sieved") for case in cases)


def test_rows_that_all_break_the_same_constraint_are_left_to_repair() -> None:
    types = "rows: list[list[int]]"
    spec = specification(types, ["all(row[0] > 99 for row in rows)", "len(rows) == 99"], [[[[1]]]])
    assert with_valid_rows([made([[n] for n in range(90)])], Validator.of(spec), Dice(0)) is None
    (rows,) = with_valid_rows([made([[n] for n in range(200)])], Validator.of(spec), Dice(0)) or ()
    assert {row[0] > 99 for row in rows.value} == {True}
    assert expand(f"[{rows.write()}]") == [rows.value]
    assert len(rows.value) == 200


def test_rows_are_tried_no_longer_than_their_work_allows() -> None:
    spec = specification(
        "rows: list[list[int]]; n: int",
        ["len(rows) <= 300", "all(row[0] > n for row in rows for i in range(10**5))"],
        [[[[1]], 0]],
    )
    valid = Validator.of(spec)
    with_valid_rows([made([[1 + n % 2] for n in range(300)]), made(1)], valid, Dice(0))
    assert valid.work.steps < 20_000_000


def test_the_largest_argument_is_valid_beside_those_of_a_base() -> None:
    def made(spec: Specification, **options: Any) -> list[Any]:
        cases = stress_inputs(spec, seed=0, work=30_000_000, counter=Work(), **options)
        return [args_of(case.input) for _, case in cases]

    found = made(MAZE, bases=[[["###", "#.#"], 1, "U"]])
    assert any(args[0] == ["###", "#.#"] and len(args[2]) == 30_000 for args in found)
    assert all(Validator.of(MAZE).is_valid(args) for args in found)


def test_large_inputs_of_every_size_have_the_same_kinds_in_the_same_order() -> None:
    spec = specification(
        "nums: list[int]", ["2 <= len(nums) <= 50000", "all(0 <= x <= 10**9 for x in nums)"], []
    )
    kinds = [
        [case.origin.split(": ")[-1].split("family ")[-1] for case in islice(found, 5)]
        for found in (inputs_of(spec).large(n) for n in (100, 777, 20_000))
    ]
    assert kinds[0] == kinds[1] == kinds[2]


def test_large_inputs_repeat_parts_of_examples() -> None:
    spec = specification(
        "n: int; moves: list[tuple[str, int, int]]",
        [
            "1 <= n <= 5000",
            "1 <= len(moves) <= 2000",
            "all(kind in ('put', 'take') and 0 <= a < n and 0 <= b < n for kind, a, b in moves)",
        ],
        [[3, [["put", 0, 1], ["take", 2, 2]]]],
    )
    inputs = inputs_of(spec)
    kinds = inputs.kinds(300, 40)
    found: list[Any] = [args_of(case.input) for case in inputs.cases(2_000, kinds)]
    assert len(found) > 30
    links = [sum(one[2] == other[1] != one[1] for one, other in pairwise(m)) for _, m in found]
    assert max(links) > 600, "each move goes on where the last one ended"
    short = [case.input.expression for case in inputs.cases(2_000, kinds)]
    assert min(map(len, short)) < 60, "what is repeated is short to write"
    assert all(Validator.of(spec).is_valid(args) for args in found)
    alike = [{case.origin for case in inputs.cases(n, kinds)} for n in (300, 700, 2_000)]
    assert len(alike[0] & alike[1] & alike[2]) > len(alike[0]) / 2


def test_a_text_is_made_of_parts_of_an_example() -> None:
    spec = specification("s: str", ["len(s) <= 900", "all(x in 'LR' for x in s)"], [["LLR"]])
    inputs = inputs_of(spec)
    found: list[Any] = [args_of(case.input)[0] for case in inputs.cases(900, inputs.kinds(300, 40))]
    assert "L" * 900 in found
    assert "LLR" * 300 in found


def test_lists_grow_along_with_the_longest_one() -> None:
    names = ("a", "b", "c")
    spec = specification(
        "a: list[int]; b: list[int]; c: list[int]",
        [f"1 <= len({name}) <= 3000 and all(0 <= x <= 9 for x in {name})" for name in names],
        [],
    )
    inputs = inputs_of(spec)
    assert inputs.size.quantity == "len(a)"
    for n in (30, 600):
        sizes = [[len(x) for x in args_of(case.input)] for case in islice(inputs.large(n), 6)]
        assert all(a == n >= max(b, c) for a, b, c in sizes)
        assert any(min(b, c) >= n // 3 for _, b, c in sizes)
