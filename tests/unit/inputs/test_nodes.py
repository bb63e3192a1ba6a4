"""The tree of what arguments may be: texts with a form, alternatives, rows and tables."""

import re
from itertools import pairwise
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.families import Dice, args_of
from steelyard.inputs import visits
from steelyard.inputs._changed import changed_inputs
from steelyard.inputs._make import derive_inputs
from steelyard.inputs._workshop import Workshop
from steelyard.inputs.nodes import Changes, Style
from tests.unit.inputs.input_specs import TUNED, make_inputs, specification

DATE = [
    "len(s) == 10",
    "s[4] == '-' and s[7] == '-'",
    "1900 <= int(s[0:4]) <= 2100",
    "1 <= int(s[5:7]) <= 12",
    "1 <= int(s[8:10]) <= 31",
]
ADDRESS = ["len(s.split('.')) == 4", "all(0 <= int(p) <= 255 for p in s.split('.'))"]
FORMED: dict[str, tuple[list[str], str]] = {
    "date": (DATE, r"\d{4}-\d\d-\d\d"),
    "address": (ADDRESS, r"\d+(\.\d+){3}"),
    "number": (["-10**9 <= int(s) <= 10**9"], r"-?\d+"),
    "words": (
        ["all(w in ('up', 'down') for w in s.split())", "1 <= len(s.split()) <= 5"],
        r"(up|down)( (up|down))*",
    ),
}


@pytest.mark.parametrize("name", FORMED)
def test_texts_have_the_form_that_constraints_show(name: str) -> None:
    constraints, form = FORMED[name]
    spec = specification("s: str", constraints, [])
    made = derive_inputs(spec, seed=0, count=40)
    assert len(made.cases) == 40
    assert not made.unreached, "each number of a text reaches its bounds"
    changed = changed_inputs(spec, [case.input for case in made.cases], seed=0, count=40)
    texts: list[Any] = [args_of(case.input)[0] for case in (*made.cases, *changed)]
    assert sum(bool(re.fullmatch(form, text)) for text in texts) > 0.8 * len(texts)
    assert len({*texts}) > 50
    assert sum("repaired" in case.origin for case in made.cases) < 25


def test_items_of_a_list_follow_each_alternative_of_a_constraint() -> None:
    plays = "all(o in ('C', 'D', '+') or -30000 <= int(o) <= 30000 for o in ops)"
    spec = specification("ops: list[str]", ["1 <= len(ops) <= 1000", plays], [])
    made: list[Any] = [args_of(case.input)[0] for case in make_inputs(spec, seed=0, count=60)]
    every = {each for ops in made for each in ops}
    assert {"C", "D", "+", "-30000", "30000"} <= every
    assert any(int(each) < 0 for each in every - {"C", "D", "+"})
    mixed = [ops for ops in made if {*ops} & {"C", "D", "+"} and {*ops} - {"C", "D", "+"}]
    assert len(mixed) > 10


@pytest.mark.parametrize("form", ["1 <= int(o) <= 99", "o[0] == 'a' and len(o) == 4"])
def test_long_lists_of_texts_with_a_form_are_as_long_as_they_may_be(form: str) -> None:
    constraints = ["1 <= len(texts) <= 5000", f"all({form} for o in texts)"]
    made = derive_inputs(specification("texts: list[str]", constraints, []), seed=0, count=60)
    lengths = [len(case_args[0]) for case_args in map(args_of, (c.input for c in made.cases))]
    assert sum(n == 5000 for n in lengths) > 2
    assert sum("repaired" in case.origin for case in made.cases) < 10


def test_rows_of_several_kinds_come_together() -> None:
    kinds = "(len(q) == 2 and q[0] == 1 and 1 <= q[1] <= 9) or (len(q) == 1 and q[0] == 2)"
    spec = specification(
        "queries: list[list[int]]",
        ["1 <= len(queries) <= 500", f"all({kinds} for q in queries)"],
        [],
    )
    made = derive_inputs(spec, seed=0, count=60)
    rows: list[Any] = [args_of(case.input)[0] for case in made.cases]
    assert sum({len(row) for row in each} == {1, 2} for each in rows) > 15
    assert max(map(len, rows)) == 500
    assert {row[1] for each in rows for row in each if len(row) > 1} >= {1, 9}


@pytest.mark.parametrize(
    "kind", ["list[list[str]]", "list[dict[str, list[int]]]", "dict[str, list[tuple[str, str]]]"]
)
def test_all_that_is_inside_of_a_value_has_a_limit(kind: str) -> None:
    names = ["a", "each", "item"]
    sizes = [f"len({name}) <= 10**5" for name in names]
    inside = "a.values()" if kind.startswith("dict") else "a"
    constraints = [sizes[0], f"all({sizes[1]} for each in {inside})"]
    if kind == "list[list[str]]":
        constraints.append(f"all({sizes[2]} for each in a for item in each)")
    spec = specification(f"a: {kind}", constraints, [])
    made = make_inputs(spec, seed=0, count=60, work=20_000_000)
    assert 50_000 < max(visits(args_of(case.input)) for case in made) < 3_000_000


@pytest.mark.parametrize("name", TUNED)
def test_values_that_are_drawn_and_changed_have_their_type(name: str) -> None:
    spec = specification(*TUNED[name])
    kinds, nodes = Validator.of(spec).types.values(), Workshop(spec, 1, 1_000_000).nodes
    dice = Dice(1)
    for _ in range(30):
        for kind, node in zip(kinds, nodes, strict=True):
            value = node.one(Style.drawn(dice)).value
            assert not kind.fault_of(value)
            for _ in range(5):
                value = node.tidy(node.changed(value, Changes(dice, [value], parts=0.3)))
                assert not kind.fault_of(value)


def test_a_part_is_repeated_turned_merged_ordered_and_thinned() -> None:
    spec = specification(
        "nums: list[int]", ["len(nums) <= 20", "all(0 <= n <= 9 for n in nums)"], []
    )
    (node,) = Workshop(spec, 0).nodes
    changes = Changes(Dice(0), parts=1.0)
    start = [3, 1, 2, 5, 4]
    found = [tuple(node.changed(start, changes)) for _ in range(600)]
    assert (4, 5, 2, 1, 3) in found
    assert (1, 2, 3, 4, 5) in found
    assert (3, 1, 2, 5, 4) * 2 in found
    assert (3,) * 5 in found
    assert (3, 2, 4) in found
    assert {len(each) for each in found} > {1, 3, 5, 10, 20}


def test_a_row_is_changed_as_its_columns_allow() -> None:
    spec = specification(
        "rows: list[list[int]]",
        [
            "1 <= len(rows) <= 9",
            "all(len(row) == 3 for row in rows)",
            "all(1 <= a <= 5 and -9 <= b <= 10**6 and c == 7 for a, b, c in rows)",
        ],
        [[[[1, 2, 7]]]],
    )
    made = [case.input for case in make_inputs(spec, seed=0, count=30)]
    found: list[Any] = [
        args_of(each.input)[0] for each in changed_inputs(spec, made, seed=0, count=200)
    ]
    assert len(found) == 200
    rows = [row for each in found for row in each]
    assert {1, 5} <= {row[0] for row in rows}
    assert {-9, 10**6} <= {row[1] for row in rows}
    assert any(one[0] != other[0] for each in found for one, other in pairwise(each))


def test_points_lie_all_over_a_table() -> None:
    spec = specification(
        "rows: list[str]; start: list[int]",
        [
            "1 <= len(rows) <= 40",
            "1 <= len(rows[0]) <= 40",
            "all(len(row) == len(rows[0]) for row in rows)",
            "all(set(row) <= set('.#') for row in rows)",
            "len(start) == 2",
            "0 <= start[0] < len(rows)",
            "0 <= start[1] < len(rows[0])",
            "rows[start[0]][start[1]] == '.'",
        ],
        [[["..", ".."], [0, 1]]],
    )
    found: list[Any] = [
        args_of(case.input) for seed in range(4) for case in make_inputs(spec, seed=seed, count=150)
    ]
    large = [(rows, start) for rows, start in found if min(len(rows), len(rows[0])) > 8]
    assert sum(max(start) >= 5 for _, start in large) > len(large) / 3 > 12
    assert any(start == [len(rows) - 1, len(rows[0]) - 1] for rows, start in large)
    changed = [
        args_of(case.input)
        for case in changed_inputs(
            spec, [case.input for case in make_inputs(spec, seed=0, count=60)], seed=0, count=300
        )
    ]
    assert sum(max(start) >= 5 for _, start in changed) >= 30


@pytest.mark.parametrize(
    ("parameters", "constraints", "example"),
    [
        (
            "t: list[list[int] | None]; k: int",
            ["1 <= len(t) <= 5", "t[0] is not None", "0 <= k < len(t[0])"],
            [[[1], None], 0],
        ),
        ("t: tuple[int, list[int]]", ["len(t[1]) <= 4"], [[3, [1, 2]]]),
        ("t: tuple[list[int], int]", ["len(t[0]) <= 4"], [[[1, 2], 3]]),
        ("t: tuple[int, str, bool]", ["len(t[1]) <= 4"], [[3, "ab", True]]),
        pytest.param(
            "t: list[str]; c: int",
            [
                "1 <= len(t) <= 20",
                "all(len(r) == len(t[0]) for r in t)",
                "0 <= c < len(t[0])",
                "all(set(r) <= set('.#') for r in t)",
            ],
            [["..", "##"], 0],
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_rows_of_every_type_are_made_and_changed(
    parameters: str, constraints: list[str], example: list[Any]
) -> None:
    spec = specification(parameters, constraints, [example])
    made = make_inputs(spec, seed=0, count=40)
    changed = changed_inputs(spec, [case.input for case in made], seed=0, count=100)
    validator = Validator.of(spec)
    assert len(made) >= 10
    assert changed
    assert all(validator.is_valid(args_of(case.input)) for case in (*made, *changed))
