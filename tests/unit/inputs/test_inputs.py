"""Inputs made without a model: valid, different, at the bounds, and the same from the same seed."""

import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from steelyard.constraints import Validator, bounds_of
from steelyard.errors import SpecificationError
from steelyard.families import args_of, expand
from steelyard.inputs import (
    DerivedInputs,
    derive_inputs,
    exhaustive_inputs,
    make_inputs,
    near_invalid,
)
from steelyard.inputs import _workshop as workshop
from steelyard.inputs._kin import FORMS
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import (
    RESIDUAL,
    SOLVED,
    TUNED,
    UNSEEN,
    Spec,
    specification,
)

pytestmark = pytest.mark.xdist_group("inputs")  # one worker makes them once
COUNT = 60
MADE: dict[str, DerivedInputs] = {}


def made(name: str, spec: Spec) -> DerivedInputs:
    """The inputs of a specification, made once for all tests."""
    if name not in MADE:
        MADE[name] = derive_inputs(specification(*spec), seed=1, count=COUNT)
    return MADE[name]


ALL = {**TUNED, **UNSEEN}
each_spec = pytest.mark.parametrize(("name", "spec"), ALL.items(), ids=ALL)


@each_spec
def test_every_input_is_valid_and_no_two_are_equal(name: str, spec: Spec) -> None:
    derived = made(name, spec)
    validator = Validator.of(specification(*spec))
    assert len(derived.cases) == COUNT
    assert len({case.input.digest for case in derived.cases}) == COUNT
    assert len({case.name for case in derived.cases}) == COUNT
    for case in derived.cases:
        assert validator.broken(args_of(case.input)) == ()


@each_spec
def test_every_category_has_inputs(name: str, spec: Spec) -> None:
    derived = made(name, spec)
    categories = Counter(case.category for case in derived.cases)
    assert set(categories) == {"basic", "edge", "adversarial", "domain", "stress"}
    assert categories.most_common(1)[0][1] < 0.7 * COUNT
    examples = [case.origin for case in derived.cases[: len(spec[2])]]
    assert examples == [f"example {number}" for number in range(1, len(spec[2]) + 1)]


def test_builds_are_valid_and_bounds_are_reached() -> None:
    built = valid = led = bounds = missed = 0
    for name, spec in ALL.items():
        derived = made(name, spec)
        bounds, missed = bounds + derived.bounds, missed + len(derived.unreached)
        for origin in ("family", "bound"):
            tally = derived.tallies[origin]
            built, valid, led = built + tally.built, valid + tally.valid, led + tally.led
    assert valid >= 0.88 * built
    assert valid + led >= 0.96 * built
    assert bounds > 100
    assert bounds - missed >= 0.94 * bounds


@each_spec
def test_bounds_that_are_not_reached_are_named(name: str, spec: Spec) -> None:
    derived = made(name, spec)
    args = [args_of(case.input) for case in derived.cases]
    for bound in bounds_of(Validator.of(specification(*spec))):
        is_reached = any(map(bound.reached_by, args))
        assert is_reached is (f"{bound.where}: {bound.side} {bound.value}" not in derived.unreached)
    for each in derived.unreached:
        assert f"no input reaches the bound of {each}" in derived.notes


@pytest.mark.parametrize(("name", "spec"), RESIDUAL.items(), ids=RESIDUAL)
def test_repair_leads_to_what_no_family_builds(name: str, spec: Spec) -> None:
    validator = Validator.of(specification(*spec))
    derived = derive_inputs(specification(*spec), seed=3, count=40)
    assert len(derived.cases) == 40
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)


@pytest.mark.parametrize(("name", "spec"), SOLVED.items(), ids=SOLVED)
def test_the_solver_finds_what_repair_does_not(name: str, spec: Spec) -> None:
    pytest.importorskip("z3")
    validator = Validator.of(specification(*spec))
    derived = derive_inputs(specification(*spec), seed=3, count=12)
    assert len(derived.cases) >= 10
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)


@pytest.mark.parametrize(
    "constraint",
    [
        "sorted(a) == sorted(b) and a != b", "set(a) == set(b)", "a.count(k) == 2", "a == b[::-1]",
        "len(set(a)) == 2 and k in a", "sum(a) % 7 == 3 and sum(b) == 40", "max(a) - min(a) == k",
        "all(x * x == y for x, y in zip(a, b))", "a[1:] == b[:-1] and a[0] == k",
        "sum(1 for x in a if x > 9) == 3", "any(x == 17 for x in a) and abs(k) == 3",
        "all(x // 5 == k for x in b)", "is_permutation(a, b) and is_increasing(b)",
        "(a[0] if k > 0 else a[1]) == 7 and k != 1", "a[0] ** 2 + a[1] ** 2 == a[2] ** 2",
    ],
)  # fmt: skip
def test_what_the_solver_finds_is_valid(constraint: str) -> None:
    pytest.importorskip("z3")
    from steelyard.families import Dice
    from steelyard.inputs._solver import solved

    limits = ["all(0 <= x <= 99 for x in a)", "all(0 <= x <= 9999 for x in b)", "-9 <= k <= 99"]
    spec = specification("a: list[int]; b: list[int]; k: int", [*limits, constraint], [])
    validator = Validator.of(spec)
    for seed in range(3):
        start = [[1, 2, 3, 4], [5, 6, 7, 8], 2]
        found = solved(validator, tuple(validator.types.values()), start, Dice(seed))
        assert found is not None
        assert validator.broken(found) == ()


def test_the_solver_knows_texts_rows_and_floats() -> None:
    pytest.importorskip("z3")
    from steelyard.families import Dice
    from steelyard.inputs._solver import solved

    spec = specification(
        "s: str; rows: list[tuple[int, float]]; flag: bool",
        [
            "s.isalpha() and s[0] == 'q' and s == s[::-1]",
            "all(c in 'qxy' for c in s) and s.count('x') == 1",
            "all(w * 4 == n + 1 for n, w in rows) and rows[0][0] == 8",
            "flag or len(rows) > 5",
        ],
        [],
    )
    validator = Validator.of(spec)
    start = ["abcde", [[0, 0.5], [3, 1.0]], False]
    found = solved(validator, tuple(validator.types.values()), start, Dice(0))
    assert found is not None
    assert validator.broken(found) == ()
    assert found[1][0] == [8, 2.25]


def test_without_the_solver_what_was_not_made_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "has_solver", lambda: False)
    derived = derive_inputs(specification(*SOLVED["disjoint intervals"]), seed=3, count=30)
    for case in derived.cases:
        assert "solver" not in case.origin
    if len(derived.cases) < 30:
        assert any(note.startswith("made ") for note in derived.notes)


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    script = (
        "import sys\n"
        "from steelyard.inputs import make_inputs\n"
        "from steelyard.schemas import Specification\n"
        "for text in sys.argv[1:]:\n"
        "    spec = Specification.model_validate_json(text)\n"
        "    for case in make_inputs(spec, seed=5, count=25):\n"
        "        print(case.model_dump_json())"
    )
    specs = [specification(*ALL[name]) for name in ("words", "weighted graph")]
    command = [sys.executable, "-c", script, *(spec.model_dump_json() for spec in specs)]
    env = {"PYTHONHASHSEED": "77"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    cases = [make_inputs(spec, seed=5, count=25) for spec in specs]
    here = [case.model_dump_json() for suite in cases for case in suite]
    assert done.stdout.splitlines() == here
    assert make_inputs(specs[0], seed=6, count=25) != cases[0]


def test_large_inputs_are_compact_and_come_last() -> None:
    spec = specification(
        "nums: list[int]; k: int",
        ["1 <= len(nums) <= 10**5", "all(0 <= x <= 10**9 for x in nums)", "1 <= k <= len(nums)"],
        [[[1, 2], 1]],
    )
    cases = make_inputs(spec, seed=1, count=40)
    sizes = [len(args_of(case.input)[0]) for case in cases]  # type: ignore[arg-type]
    assert max(sizes) == 10**5
    assert sizes.index(10**5) > 25
    assert all(len(case.model_dump_json()) < 3_000 for case in cases)
    assert {"bound len(nums) = 100000", "bound k = 100000"} & {case.origin for case in cases}


def test_arguments_are_computed_from_each_other() -> None:
    calls = [
        args_of(case.input)
        for case in make_inputs(specification(*TUNED["two sum"]), seed=2, count=130)
    ]
    pairs = elements = 0
    for nums, target in calls:
        assert isinstance(nums, list)
        if len(nums) > 100:
            continue
        pairs += any(a + b == target for i, a in enumerate(nums) for b in nums[:i])
        elements += target in nums
    assert pairs > 15
    assert elements > 5


def test_keys_and_values_of_a_dict_are_what_the_constraints_allow() -> None:
    spec = specification(
        "table: dict[str, int]",
        ["len(table) <= 9", "all(1 <= len(name) <= 4 for name in table)",
         "all(-7 <= table[name] <= 99 for name in table)"],
        [[{"bun": 3}]],
    )  # fmt: skip
    tables: list[Any] = [args_of(case.input)[0] for case in make_inputs(spec, seed=0, count=60)]
    assert {len(name) for table in tables for name in table} == {1, 2, 3, 4}
    assert {-7, 0, 99} < {value for table in tables for value in table.values()}


def test_both_ends_of_a_grid_are_built_as_the_constraints_ask() -> None:
    constraints = [
        "2 <= len(grid) <= 40", "all(2 <= len(row) <= 30 for row in grid)", "is_rectangular(grid)",
        "all(0 <= x <= 1 for row in grid for x in row)", "grid[0][0] == 0", "grid[-1][-1] == 0",
    ]  # fmt: skip
    spec = specification("grid: list[list[int]]", constraints, [[[[0, 1], [1, 0]]]])
    tallies = derive_inputs(spec, seed=0, count=60).tallies
    assert tallies["family"].valid > 0.8 * tallies["family"].built


def test_one_argument_is_made_from_the_keys_of_another_at_any_size() -> None:
    spec = specification(
        "prices: dict[str, int]; basket: list[str]",
        [
            "0 <= len(prices) <= 2000", "all(1 <= len(name) <= 8 for name in prices)",
            "0 <= len(basket) <= 2000", "all(1 <= len(name) <= 8 for name in basket)",
        ],
        [[{"bun": 3, "tea": 5}, ["tea"]]],
    )  # fmt: skip
    calls: list[Any] = [args_of(case.input) for case in make_inputs(spec, seed=0, count=100)]
    assert sum(len(basket) > 1 and {*basket} <= {*prices} for prices, basket in calls) > 9
    assert any(
        basket and 0 < len({*basket} - {*prices}) < len({*basket}) for prices, basket in calls
    )
    assert any(len(prices) == 2000 for prices, _ in calls)


def test_listed_words_are_mixed_at_any_size() -> None:
    spec = specification(
        "size: int; steps: list[tuple[str, int]]",
        ["1 <= size <= 300", "1 <= len(steps) <= 1000", "all(1 <= s[1] <= 10**9 for s in steps)",
         "all(s[0] in ['use', 'forget'] for s in steps)"],
        [[2, [["use", 1], ["forget", 1], ["use", 2]]]],
    )  # fmt: skip
    calls: list[Any] = [args_of(case.input) for case in make_inputs(spec, seed=0, count=60)]
    logs = [steps for _, steps in calls if len(steps) > 5]
    assert sum(len({word for word, _ in steps}) == 2 for steps in logs) > len(logs) / 2
    assert sum(len(steps) == 1000 for steps in logs) > 3


def test_names_inside_of_an_argument_are_those_of_another() -> None:
    spec = specification(
        "names: list[str]; pairs: list[tuple[str, str]]",
        ["1 <= len(names) <= 200", "all(1 <= len(n) <= 6 for n in names)",
         "0 <= len(pairs) <= 500", "all(p[0] in names and p[1] in names for p in pairs)"],
        [[["a", "b"], [["a", "b"]]]],
    )  # fmt: skip
    derived = derive_inputs(spec, seed=0, count=60)
    calls: list[Any] = [args_of(case.input) for case in derived.cases]
    assert len(calls) == 60
    assert any(len(pairs) == 500 for _, pairs in calls)


def test_names_in_a_dict_are_graphs_of_any_depth() -> None:
    spec = specification(
        "links: dict[str, list[str]]; start: str",
        ["1 <= len(links) <= 300", "start in links", "all(1 <= len(k) <= 4 for k in links)",
         "all(len(v) <= 5 for v in links.values())",
         "all(x in links for v in links.values() for x in v)"],
        [[{"a": ["b"], "b": []}, "a"]],
    )  # fmt: skip
    depths = []
    for case in make_inputs(spec, seed=0, count=60):
        links, start = args_of(case.input)
        assert isinstance(links, dict)
        level, seen = {start}, {start}
        depths.append(0)
        while level := {to for each in level for to in links[each]} - seen:
            seen |= level
            depths[-1] += 1
    assert max(depths) > 50
    assert sum(2 < depth < 50 for depth in depths) > 3


def test_one_argument_is_made_from_two_others() -> None:
    text = "set({0}) <= set('abc')"
    spec = specification(
        "one: str; other: str; both: str",
        ["len(one) <= 30", "len(other) <= 30", "len(both) == len(one) + len(other)",
         *map(text.format, ("one", "other", "both"))],
        [["ab", "c", "acb"]],
    )  # fmt: skip
    found = 0
    for case in make_inputs(spec, seed=0, count=80):
        one, other, both = args_of(case.input)
        assert isinstance(one, str)
        assert isinstance(other, str)
        found += len(one) > 2 < len(other) and sorted(one + other) == sorted(str(both))
    assert found > 5


def test_some_of_the_largest_lists_are_in_each_order() -> None:
    spec = specification("nums: list[int]", ["1 <= len(nums) <= 400"], [[[1, 2]]])
    large: list[Any] = [
        args_of(case.input)[0]
        for case in make_inputs(spec, seed=0, count=130)
        if case.category == "stress"
    ]
    different = [nums for nums in large if len({*nums}) > 100]
    assert any(nums == sorted(nums) for nums in different)
    assert any(nums == sorted(nums, reverse=True) for nums in different)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[keys_of(keyed(['a', 'b'], [1, 2]))]", [["a", "b"]]),
        ("[part([1, 2, 3, 4], 1, 3), cycled([1, 2], 5)]", [[2, 3], [1, 2, 1, 2, 1]]),
        ("[cycled([], 3), edited([], []), planted([1], [2, 3])]", [[], [], [1]]),
        ("[mixed([1, 1, 1], [1]), reordered(['aa', ''])]", [[1, 1, 1], ["aa", ""]]),
        ("[overlapped([1], 3), overlapped([], 3), renamed([1, 2, 1])]", [[1] * 3, [], [2, 1, 2]]),
        ("[interleaved([], [1, 2]), interleaved([1], [])]", [[1, 2], [1]]),
        ("[named([[0, 1, 1], []], ['a', 'b'], 2)]", [[["a", "b"], []]]),
        ("[referring([[1, 5], [1, 6]], [-1, 0], ['a'])]", [[["a", 5], ["a", 6]]]),
        ("[referring({'a': [9]}, [-1, 1, -1], ['a'])]", [{"a": ["a"]}]),
        ("[thickened(chain(4), 4, 4)]", [[[0, 1], [1, 2], [2, 3], [0, 3]]]),
        ("[pieces(1), pieces(0)]", [[], []]),
    ],
)
def test_lists_are_made_from_lists(expression: str, expected: list[Any]) -> None:
    assert list(expand(expression)) == expected


def nearly(spec: Specification, count: int) -> tuple[tuple[tuple[Any, ...], str], ...]:
    """Inputs close to those of a suite, each with the constraint that it breaks."""
    inputs = [args_of(case.input) for case in make_inputs(spec, seed=1, count=60)]
    return near_invalid(spec, inputs, seed=1, count=count)


def test_near_invalid_inputs_break_one_constraint_each() -> None:
    covered = constraints = 0
    for name in ("two sum", "coins", "matrix", "intervals", "floats"):
        spec = specification(*TUNED[name])
        validator = Validator.of(spec)
        found = nearly(spec, 20)
        assert len({json.dumps(args) for args, _ in found}) == len(found)
        for args, text in found:
            assert validator.broken(args) == (text,)
        covered += len({text for _, text in found})
        constraints += len(spec.constraints)
    assert covered >= 0.76 * constraints


def test_near_invalid_inputs_miss_a_bound_by_one() -> None:
    spec = specification("n: int; k: int", ["3 <= n <= 10", "1 <= k <= n"], [[5, 2]])
    found = {args for args, _ in nearly(spec, 60)}
    assert {n for n, _ in found} >= {2, 11}
    assert {(n, k) for n, k in found if 3 <= n <= 10} >= {(n, 0) for n in (3, 10)}
    assert any(k == n + 1 for n, k in found)


def test_all_tiny_inputs_are_listed_in_order() -> None:
    spec = specification("nums: list[int]; k: int", ["0 <= len(nums) <= 3", "0 <= k <= 1"], [])
    found, reach = exhaustive_inputs(spec, 40)
    assert reach == "len(nums) <= 1, values -1..1, values 0..1"
    assert found[0] == ([], 0)
    assert set(map(repr, found)) == {
        repr((nums, k)) for nums in ([], [-1], [0], [1]) for k in (0, 1)
    }
    more, reach = exhaustive_inputs(spec, 400)
    assert len(more) > len(found)
    assert reach.startswith("len(nums) <= ")


@pytest.mark.parametrize(
    ("parameters", "constraints", "count"),
    [
        ("n: int", ["1 <= n <= 3"], 3),
        ("flag: bool; other: bool | None", [], 6),
        ("s: str", ["len(s) == 2", "set(s) <= set('ab')"], 4),
        ("d: dict[str, bool]", ["len(d) <= 1", "all(k == 'a' for k in d)"], 3),
        ("n: int; edges: list[list[int]]", ["n == 3", "is_tree(n, edges)"], 24),
        ("p: list[int]", ["len(p) == 3", "is_permutation(p)"], 6),
    ],
)
def test_all_inputs_of_a_small_problem_are_listed(
    parameters: str, constraints: list[str], count: int
) -> None:
    found, reach = exhaustive_inputs(specification(parameters, constraints, []), 500)
    assert len(found) == count
    assert reach


HOSTILE: dict[str, Spec] = {
    "clash": ("n: int", ["n > 5", "n < 3"], []),
    "hidden clash": ("nums: list[int]", ["sum(x * x for x in nums) == -1"], []),
    "endless lists": ("nums: list[int]", ["len(nums) >= 10**12"], []),
    "giant numbers": ("n: int", ["n >= 10**900"], []),
    "deep": ("x: list[list[list[list[list[int]]]]]", ["len(x) >= 9"], []),
    "quadratic": (
        "nums: list[int]",
        ["1 <= len(nums) <= 10**5", "all(nums.count(x) < 99 for x in nums)"],
        [],
    ),
    "cubic": (
        "s: str",
        ["len(s) == 60", "all(a != b or c < 'z' for a in s for b in s for c in s)"],
        [],
    ),
    "division": ("a: int; b: int", ["a // b == 3", "a % b == 1"], []),
    "powers": ("a: int", ["2 ** (3 ** a) % 7 == 2"], []),
    "narrow": ("x: float", ["0.1 < x < 0.1000001"], []),
    "one letter": ("s: str", ["all(ord(c) == 200 for c in s)", "len(s) == 3"], []),
    "wide": (
        "a: list[int]; b: list[int]; c: list[int]; d: list[int]",
        ["len(a) * len(b) * len(c) == 360", "len(d) == len(a) + len(b)"],
        [],
    ),
}


@pytest.mark.parametrize(("name", "spec"), HOSTILE.items(), ids=HOSTILE)
def test_a_hostile_specification_ends_and_is_noted(name: str, spec: Spec) -> None:
    derived = derive_inputs(specification(*spec), seed=1, count=12, work=300_000)
    validator = Validator.of(specification(*spec))
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)
    if len(derived.cases) < 12:
        assert any(note.startswith(("made", "stopped")) for note in derived.notes)
    if name not in ("cubic", "deep", "quadratic"):
        inputs = [args_of(case.input) for case in derived.cases]
        near_invalid(specification(*spec), inputs, seed=1, count=5)


def test_a_text_made_from_another_may_have_any_length() -> None:
    spec = specification(
        "text: str; part: str", ["1 <= len(text) <= 300", "1 <= len(part) <= 300"],
        [["abcabd", "ab"]],
    )  # fmt: skip
    found = Counter(
        case.origin.removeprefix("relation ").partition(":")[0]
        for case in make_inputs(spec, seed=0, count=300)
        if case.origin.startswith("relation ")
    )
    missing = [form for form in set(FORMS) if found[form] < 2]
    assert missing == []


def test_lengths_that_depend_on_each_other_stay_so() -> None:
    spec = specification(
        "a: list[int]; b: list[int]",
        ["1 <= len(a) <= 40", "len(a) == len(b)", "all(0 <= x <= 9 for x in a)",
         "all(0 <= x <= 9 for x in b)"],
        [[[1, 2], [2, 1]]],
    )  # fmt: skip
    derived = derive_inputs(spec, seed=0, count=120)
    tally = derived.tallies["relation"]
    assert tally.valid > 0.9 * tally.built


def test_an_example_that_is_not_valid_is_noted() -> None:
    spec = specification("n: int", ["1 <= n <= 9"], [[3], [10]])
    derived = derive_inputs(spec, seed=1, count=5)
    assert [case.origin for case in derived.cases][:1] == ["example 1"]
    assert any("example 2 is left out" in note for note in derived.notes)


def test_a_specification_that_cannot_be_read_is_an_error() -> None:
    spec: Specification = specification("n: int", ["1 <= m"], [])
    with pytest.raises(SpecificationError, match="'m' is not a parameter"):
        make_inputs(spec, seed=1, count=5)
    with pytest.raises(SpecificationError, match="'m' is not a parameter"):
        near_invalid(spec, [], seed=1, count=5)


def test_work_is_what_checks_take_and_not_the_size_of_arguments() -> None:
    spec = specification(
        "n: int", ["1 <= n <= 10**5", "all(a + b > -5 for a in range(n) for b in range(n))"], []
    )
    derived = derive_inputs(spec, seed=0, count=20, work=200_000)
    assert "stopped after 200,000 units of work" in " ".join(derived.notes)
    validator = Validator.of(spec)
    assert validator.is_valid([100])
    assert 10_000 < validator.work.steps < 200_000
