"""Texts whose letters may not follow each other at will: formulas, words, lists of numbers."""

from collections.abc import Callable
from itertools import pairwise
from math import prod
from string import ascii_lowercase
from typing import Any

import pytest

from steelyard.constraints import Validator, Work, shape_of
from steelyard.errors import SpecificationError
from steelyard.families import FAMILIES, WEAVES, Dice, Weave, args_of, expand, mended
from steelyard.inputs import changed_inputs, dense_inputs, make_inputs
from steelyard.inputs._pokes import Pokes
from steelyard.inputs._weaves import weaves_of
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import specification

FORMULA = [
    "1 <= len(s) <= 2000",
    "all(c in '0123456789+-*()' for c in s)",
    "s[0] not in '+*)'",
    "s[-1] not in '+-*('",
    "all(b not in '+*)' for a, b in pairwise(s) if a in '+-*(')",
    "all(b not in '0123456789(' for a, b in pairwise(s) if a == ')')",
    "all(b != '(' for a, b in pairwise(s) if a in '0123456789')",
    "is_balanced(s)",
]
WORDS = [
    "1 <= len(s) <= 300",
    "all(c in 'abcdefghijklmnopqrstuvwxyz ' for c in s)",
    "s[0] != ' ' and s[-1] != ' '",
    "'  ' not in s",
]


def weave_of(constraints: list[str], example: str) -> Weave | None:
    validator = Validator.of(text_specification(constraints, example))
    return weaves_of(validator, shape_of(validator)).get("s")


def text_specification(constraints: list[str], example: str) -> Specification:
    return specification("s: str", constraints, [[example]])


def test_what_may_follow_is_found_out_by_trying() -> None:
    formula = weave_of(FORMULA, "1+1")
    assert formula is not None
    assert formula.balanced
    assert set(formula.after["+"]) == set("0123456789-(")
    assert set(formula.after[")"]) == set("+-*)")
    assert set(formula.after["7"]) == set("0123456789+-*)")
    assert set(formula.first) == set("0123456789-(")
    assert set(formula.last) == set("0123456789)")

    words = weave_of(WORDS, "ab c")
    assert words is not None
    assert " " not in words.after[" "] + words.first + words.last
    assert set(words.after["q"]) == set("abcdefghijklmnopqrstuvwxyz ")


@pytest.mark.parametrize(
    "constraint",
    [
        "s == s[::-1]",
        "len(set(s)) == len(s)",
        "s.count('a') == s.count('b')",
        "len(s) >= 5",
        "is_balanced(s)",
        "s != 'ab'",
        "'aaa' not in s",
    ],
)
def test_what_is_more_than_neighbours_gives_no_weave(constraint: str) -> None:
    for letters in ("ab()", "abcdefghijkl0123456789()"):
        constraints = ["len(s) <= 50", f"all(c in '{letters}' for c in s)", constraint]
        assert weave_of(constraints, "") is None


def test_other_constraints_do_not_hide_neighbours() -> None:
    constraints = [
        "len(s) <= 50",
        "all(c in 'abc' for c in s)",
        "s.count('a') == s.count('b')",
        "all(a != b for a, b in pairwise(s))",
    ]
    found = weave_of(constraints, "")
    assert found is not None
    assert {letter: set(follow) for letter, follow in found.after.items()} == {
        "a": set("bc"),
        "b": set("ac"),
        "c": set("ab"),
    }


@pytest.mark.parametrize("form", WEAVES)
@pytest.mark.parametrize("n", [1, 2, 9, 400])
def test_woven_texts_are_valid_and_as_long_as_asked(form: str, n: int) -> None:
    weave = weave_of(FORMULA, "1+1")
    assert weave is not None
    validator = Validator.of(text_specification(FORMULA, "1+1"))
    after = [letter + follow for letter, follow in weave.after.items()]
    for seed in range(20):
        text = FAMILIES["woven"].make(n, after, weave.first, weave.last, True, form, seed)
        assert n - 3 <= len(text) <= n
        assert validator.is_valid([text]), text


def test_forms_have_what_they_are_named_for() -> None:
    weave = weave_of(FORMULA, "1+1")
    assert weave is not None
    after = [letter + follow for letter, follow in weave.after.items()]

    def woven(form: str) -> list[str]:
        make = FAMILIES["woven"].make
        return [make(300, after, weave.first, weave.last, True, form, seed) for seed in range(20)]

    def deepest(text: str) -> int:
        depth = deepest = 0
        for letter in text:
            depth += (letter == "(") - (letter == ")")
            deepest = max(deepest, depth)
        return deepest

    def longest(text: str) -> int:
        return max(map(len, "".join(c if c.isdigit() else " " for c in text).split()), default=0)

    assert max(map(deepest, woven("deep"))) > 2 * max(map(deepest, woven("even")))
    assert max(map(longest, woven("long"))) > 2 * max(map(longest, woven("even")))


def test_no_text_is_made_where_none_can_end() -> None:
    assert not FAMILIES["woven"].make(9, ["ab", "ba"], "a", "", False, "even", 1)
    assert Weave({"a": "b", "b": "a"}, "a", "c").only("ab") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1+1", "1+1"), ("((", "((0))"), ("1)", "1"), ("", "0"), ("+", "0+0"), ("1(2)", "1+(2)")],
)
def test_a_broken_text_is_mended_nearby(text: str, expected: str) -> None:
    weave = weave_of(FORMULA, "1+1")
    assert weave is not None
    found = mended(text, weave, 20)
    assert len(found) == len(expected)
    assert Validator.of(text_specification(FORMULA, "1+1")).is_valid([found]), found
    assert mended(found, weave, 20) == found


def test_any_text_is_mended_within_its_length() -> None:
    weave = weave_of(FORMULA, "1+1")
    assert weave is not None
    validator, dice = Validator.of(text_specification(FORMULA, "1+1")), Dice(3)
    for _ in range(500):
        text = "".join(dice.pick("01+-*()x") for _ in range(dice.below(30)))
        assert validator.is_valid([mended(text, weave, 15)]), text
        assert len(mended(text, weave, 15)) <= 15


def test_formulas_are_made_and_changed_without_many_attempts() -> None:
    spec = text_specification(FORMULA, "(1+2)*3")
    made = make_inputs(spec, seed=0, count=30)
    texts: list[Any] = [args_of(case.input)[0] for case in made]
    assert len(texts) == 30
    assert len({letter for text in texts for letter in text}) == 15
    assert max(map(len, texts)) == 2000
    some = [case.input for case in made if case.input.args is not None]
    changed = changed_inputs(spec, some, seed=0, count=40)
    assert len(changed) == 40
    validator = Validator.of(spec)
    assert all(validator.is_valid(args_of(case.input)) for case in changed)


def test_a_text_with_all_printable_letters_is_left_alone() -> None:
    assert weave_of(["len(s) <= 9", "s.isprintable()", "s.isascii()", "'  ' not in s"], "a") is None


@pytest.mark.exhaustive
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
    shop = Workshop(spec, 0)
    (column,) = {row.items[0].numbers for row in shop.grounds[0].items}
    assert (column.low, column.high) == (-9, 10**6)
    made = [case.input for case in make_inputs(spec, seed=0, count=30)]
    found: list[Any] = [
        args_of(each.input)[0] for each in changed_inputs(spec, made, seed=0, count=200)
    ]
    assert len(found) == 200
    rows = [row for each in found for row in each]
    assert {1, 5} <= {row[0] for row in rows}
    assert {-9, 10**6} <= {row[1] for row in rows}
    assert any(one[0] != other[0] for each in found for one, other in pairwise(each))
    pokes, row = Pokes(Dice(0)), shop.grounds[0].items[0]
    poked = [pokes.poked([3, 4, 7], row) for _ in range(200)]
    kept = [each for each in poked if len(each) == 3 and 1 <= each[0] <= 5 and each[2] == 7]
    assert len(kept) > 120, "the change of a row suits its position"


@pytest.mark.parametrize(
    "constraints",
    [
        ["set(s) <= set('abcd+-')", "sum(1 for i in range(10**5)) + len(s) > 0"],
        [f"set(s) <= set({letters!r})" for letters in ["!#$%&()*+,-./:;<=>?@[]^_`{|}~"]]
        + [f"s.count({each!r}) <= {n}" for n, each in enumerate("!#$%&*+,-./:;<=>?@^_`|~")],
        ["set(s) <= set('ab')", "s[5] == 'a'", "int(s) > 3"],
    ],
)
def test_constraints_that_take_long_or_raise_are_not_tried_for_long(
    constraints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work()
    monkeypatch.setattr("steelyard.inputs._weaves.Work", lambda: work)
    validator = Validator.of(text_specification(["len(s) <= 20", *constraints], "ab"))
    weaves_of(validator, shape_of(validator))
    assert 0 < work.steps < 10_000_000


def test_a_woven_text_costs_no_more_than_it_has_letters() -> None:
    follow = ["a" + "b" * 1_000_000, "ba"]
    assert set(FAMILIES["woven"].make(5, follow, "a", "a", False, "even")) <= {"a", "b"}
    with pytest.raises(ValueError, match="at most 100 letters"):
        FAMILIES["woven"].make(5, [chr(0x4E00 + n) for n in range(101)], "a", "a", False, "even")
    with pytest.raises(SpecificationError, match="items"):
        expand(f"[woven(5, ['a' + 'b' * {10**9}], 'a', 'a', False, 'even')]")


def test_brackets_alone_are_a_weave() -> None:
    weave = weave_of(FORMULA, "1+1")
    assert weave is not None
    assert weave.only("()") is None, "a formula has a number"
    pairs = Weave({"(": "()", ")": "()", "a": "a"}, "(a", ")a", balanced=True)
    assert pairs.only("()") is not None


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


STEPS = specification(
    "n: int; steps: list[tuple[str, int]]",
    [
        "1 <= n <= 10**5",
        "1 <= len(steps) <= 10**4",
        "all(0 <= at < n for kind, at in steps)",
        "all(kind in ['ask', 'back', 'drop', 'first', 'quit'] for kind, at in steps)",
    ],
    [[3, [["ask", 1], ["drop", 2]]]],
)


@pytest.mark.parametrize("parameters", ["n: int", "b: bool; x: float"])
def test_without_a_list_nothing_is_dense(parameters: str) -> None:
    example: list[Any] = [1] if parameters == "n: int" else [True, 0.5]
    made = make_inputs(specification(parameters, [], [example]), seed=0, count=60)
    assert not [case.origin for case in made if case.origin.startswith("dense")]
    assert dense_inputs(specification(parameters, [], [example]), seed=0, count=9) == ()


def test_long_lists_of_few_and_small_numbers_are_made() -> None:
    found = dense_inputs(STEPS, seed=0, count=40)
    assert len(found) == 40
    assert found == dense_inputs(STEPS, seed=0, count=40) != dense_inputs(STEPS, seed=1, count=40)
    inputs: list[Any] = [args_of(case.input) for case in found]
    assert all(Validator.of(STEPS).is_valid(each) for each in inputs)
    lengths = [len(steps) for _, steps in inputs]
    assert 64 <= min(lengths) < 200 < 400 < max(lengths) <= 600
    assert sum(n <= 10 for n, _ in inputs) > 30


def test_letters_come_in_long_runs_in_some_dense_lists_of_texts() -> None:
    letters = "all(c in 'abcdefghijklmnopqrstuvwxyz' for w in words for c in w)"
    lengths = ["1 <= len(words) <= 5000", "all(0 <= len(w) <= 100 for w in words)"]
    spec = specification("words: list[str]", [*lengths, letters], [[["ab", "ba"]]])
    inputs: list[Any] = [args_of(case.input) for case in dense_inputs(spec, seed=0, count=40)]
    assert all(Validator.of(spec).is_valid(each) for each in inputs)

    def collide(words: list[str], key: Callable[[str], int]) -> bool:
        counts = {tuple(sorted(word)) for word in words}
        return len({key(word) for word in words}) < len(counts)

    keys: list[Callable[[str], int]] = [
        lambda word: sum(10 ** (ord(c) - 97) for c in word),
        lambda word: prod(2 * (ord(c) - 97) + 2 for c in word) % 2**64,
        lambda word: int("".join(str(word.count(c)) for c in ascii_lowercase)),
    ]
    assert all(any(collide(words, key) for (words,) in inputs) for key in keys)


def test_lists_that_are_always_longer_are_not_dense() -> None:
    spec = specification("a: list[int]", ["len(a) == 5000", "all(0 <= x <= 9 for x in a)"], [])
    assert dense_inputs(spec, seed=0, count=9) == ()


@pytest.mark.exhaustive
def test_operations_of_one_kind_are_frequent_in_some_dense_inputs() -> None:
    spec = STEPS
    made: list[Any] = [
        args_of(case.input)
        for case in make_inputs(spec, seed=0, count=150)
        if case.origin.startswith("dense")
    ]
    assert len(made) >= 8
    assert all(len(steps) >= 10 for _, steps in made)
    assert sum(n <= 10 for n, _ in made) > len(made) * 0.7
    kinds = [[kind for kind, _ in steps] for _, steps in made]
    most = [max(map(each.count, each)) / len(each) for each in kinds]
    assert max(most) > 0.5 > min(most)
    small = [case.input for case in make_inputs(spec, seed=0, count=40) if case.input.args]
    changed: list[Any] = [
        args_of(each.input) for each in changed_inputs(spec, small, seed=0, count=200)
    ]
    assert len(changed) == 200
