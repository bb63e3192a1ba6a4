"""Large inputs: a part of a small one repeated, rows valid alone, one argument with a base."""

import random
from itertools import islice
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.families import Dice, args_of, as_compact, expand
from steelyard.inputs import make_inputs, pumped_inputs, stress_inputs, visits
from steelyard.inputs._drafts import Drafts
from steelyard.inputs._made import made
from steelyard.inputs._meter import longest_of
from steelyard.inputs._sieve import with_valid_rows
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import specification
from tests.unit.inputs.test_neighbours import FORMULA

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


def grown(spec: Specification, *starts: list[Any], seed: int = 0, count: int = 40) -> list[Any]:
    found = pumped_inputs(spec, [as_compact(each) for each in starts], seed=seed, count=count)
    valid = Validator.of(spec)
    assert all(valid.is_valid(args_of(case.input)) for case in found)
    return [args_of(case.input) for case in found]


def test_parts_of_a_log_are_repeated_to_its_largest_length() -> None:
    found = grown(LOG, [2, [1, 0], [["ask", 0], ["ask", 1], ["back", 0]]])
    assert len(found) > 25
    assert sum(len(events) > 1_490 for _, _, events in found) > 22
    assert any(all(event == ["ask", 1] for event in events[1:-1]) for _, _, events in found)
    assert any(events[:4] == [["ask", 0], ["ask", 1]] * 2 for _, _, events in found)
    assert {len(copies) == 2 for _, copies, _ in found} == {True, False}, "others may grow too"


def test_brackets_that_match_are_repeated_together() -> None:
    spec = specification("s: str", [*FORMULA[1:], "1 <= len(s) <= 1500"], [["(1+2)"]])
    found = [text for (text,) in grown(spec, ["(1+2)"], count=30)]
    assert max(map(len, found)) > 1_490
    assert any(text.startswith("(" * 450) and text.endswith(")" * 450) for text in found)


def test_arguments_of_one_length_and_their_number_grow_as_one() -> None:
    spec = specification(
        "n: int; a: list[int]; b: list[int]; m: int",
        ["1 <= n <= 300", "len(a) == n", "len(b) == n", "0 <= m <= 9"],
        [[2, [5, 6], [7, 8], 2]],
    )
    for n, a, b, m in grown(spec, [2, [5, 6], [7, 8], 2]):
        assert n == len(a) == len(b) > 290
        assert m == 2


def test_a_sum_that_has_a_limit_makes_it_shorter() -> None:
    spec = specification("a: list[int]", ["len(a) <= 900", "sum(a) <= 400"], [[[1, 1]]])
    assert {sum(a) > 200 for (a,) in grown(spec, [[1, 1]], count=5)} == {True}


@pytest.mark.parametrize(
    ("constraints", "start"),
    [
        (["len(a) <= 100"], [1, 1]),
        (["len(a) <= 900"], []),
        (["len(a) <= 900", "all(x >= 1 for x in a)", "sum(a) <= 2"], [1, 1]),
    ],
)
def test_nothing_comes_of_what_cannot_be_repeated(constraints: list[str], start: list[int]) -> None:
    assert grown(specification("a: list[int]", constraints, [[[1]]]), [start]) == []


def test_numbers_grow_where_others_could_not_be_repeated() -> None:
    spec = specification(
        "a: list[int]; b: list[list[int]]",
        [
            "1 <= len(a) <= 900",
            "is_parents(a)",
            "len(set(x for x, y in b)) == len(b)",
            "len(b) <= 900",
            "all(len(pair) == 2 for pair in b)",
        ],
        [[[-1, 0], [[3, 5]]]],
    )
    found = grown(spec, [[-1, 0], [[3, 5]]])
    assert any(a == [*range(-1, 899)] for a, _ in found), "a chain"
    assert any(a == [-1] + [0] * 899 for a, _ in found), "a star"
    assert any(b == [[3 + at, 5] for at in range(900)] for _, b in found)
    assert any(b == [[3 + at, 5 + at] for at in range(900)] for _, b in found)


def test_long_items_are_repeated_as_far_as_their_characters_allow() -> None:
    spec = specification(
        "a: list[str]", ["len(a) <= 100000", "all(len(s) <= 10**6 for s in a)"], [[["x"]]]
    )
    (found,) = grown(spec, [["x" * 100_000]], count=1)
    assert found == (["x" * 100_000] * 30,)


def test_the_names_in_a_dict_count_as_characters() -> None:
    start = [[{"k" * 5_000: 1}]]
    (found,) = grown(
        specification("a: list[dict[str, int]]", ["len(a) <= 10**6"], [start]), start, count=1
    )
    assert 500 < len(found[0]) < 700


def test_all_of_them_together_have_a_limit() -> None:
    spec = specification("a: list[int]", ["len(a) <= 200000"], [[[10**9]]])
    assert len(grown(spec, *([[10**9 + at]] for at in range(40)), count=40)) < 20


def test_a_long_part_is_written_briefly_too() -> None:
    start = [[1, 2] * 8 + [1]]
    spec = specification("a: list[int]", ["len(a) <= 100000"], [start])
    found = pumped_inputs(spec, [as_compact(start)], seed=0, count=12)
    assert len(found) > 9
    assert all(0 < len(case.input.expression) < 300 for case in found)


@pytest.mark.parametrize("most", [100, 1_000, 30_000])
def test_a_limit_far_below_the_longest_length_is_found(most: int) -> None:
    spec = specification("a: list[int]", ["len(a) <= 200000", f"sum(a) <= {most}"], [[[1, 1]]])
    assert {most * 0.8 < sum(a) <= most for (a,) in grown(spec, [[1, 1]], count=3)} == {True}


def test_arguments_that_cannot_both_be_long_grow_one_at_a_time() -> None:
    constraints = ["len(a) <= 1000", "len(b) <= 1000", "len(a) < 10 or len(b) < 3"]
    spec = specification("a: list[int]; b: list[int]", constraints, [[[1], [2]]])
    found = grown(spec, [[1], [2]], count=10)
    assert found
    assert all(max(len(a), len(b)) == 1_000 for a, b in found)


@pytest.mark.parametrize("bystander", ["tuple[int, int]", "list[int]"])
def test_what_cannot_grow_does_not_hinder_others(bystander: str) -> None:
    spec = specification(
        f"n: int; a: list[int]; t: {bystander}",
        ["len(a) <= 1000", "len(a) == n", "len(t) <= 5"],
        [[2, [1, 5], [1, 2]]],
    )
    assert {len(a) > 990 for _, a, _ in grown(spec, [2, [1, 5], [1, 2]], count=8)} == {True}


def test_they_are_written_briefly_and_depend_on_the_seed_alone() -> None:
    start = [as_compact([2, [1, 0], [["ask", 0], ["ask", 1], ["back", 0]]])]
    one, again, other = (pumped_inputs(LOG, start, seed=seed, count=12) for seed in (1, 1, 2))
    assert one == again != other
    assert not any("(" in case.input.expression for case in one)
    for case in one:
        assert 0 < len(case.input.expression) < 500
        assert tuple(expand(case.input.expression)) == args_of(case.input)


def test_a_suite_has_some_and_few_of_them() -> None:
    made = make_inputs(LOG, seed=0, count=65)
    assert 6 <= sum(case.origin.startswith("pumped") for case in made) <= 16
    moods = {draft.origin for draft in islice(Drafts(Workshop(LOG, 0)).pumped(), 20) if draft}
    assert moods == {"pumped edge", "pumped dense", "pumped examples"}


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
    cases = [*stress_inputs(log, seed=0, work=10**8)]
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
        cases = stress_inputs(spec, seed=0, work=30_000_000, **options)
        return [args_of(case.input) for case in cases]

    found = made(MAZE, bases=[[["###", "#.#"], 1, "U"]])
    assert any(args[0] == ["###", "#.#"] and len(args[2]) == 30_000 for args in found)
    assert all(Validator.of(MAZE).is_valid(args) for args in found)
