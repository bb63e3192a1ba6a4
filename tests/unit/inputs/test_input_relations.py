"""Arguments that depend on each other are made from each other, at any size."""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from steelyard.families import args_of, expand
from steelyard.inputs._make import derive_inputs
from steelyard.inputs._relations import FORMS
from tests.unit.inputs.input_specs import TUNED, make_inputs, specification


def test_arguments_are_computed_from_each_other() -> None:
    calls = [
        args_of(case.input)
        for seed in range(3)
        for case in make_inputs(specification(*TUNED["two sum"]), seed=seed, count=130)
    ]
    pairs = elements = 0
    for nums, target in calls:
        assert isinstance(nums, list)
        if len(nums) > 100:
            continue
        pairs += any(a + b == target for i, a in enumerate(nums) for b in nums[:i])
        elements += target in nums
    assert pairs > 30
    assert elements > 20


def test_keys_and_values_of_a_dict_are_what_the_constraints_allow() -> None:
    spec = specification(
        "table: dict[str, int]",
        [
            "len(table) <= 9",
            "all(1 <= len(name) <= 4 for name in table)",
            "all(-7 <= table[name] <= 99 for name in table)",
        ],
        [[{"bun": 3}]],
    )
    tables: list[Any] = [args_of(case.input)[0] for case in make_inputs(spec, seed=0, count=60)]
    assert {len(name) for table in tables for name in table} == {1, 2, 3, 4}
    assert {-7, 0, 99} < {value for table in tables for value in table.values()}


def test_both_ends_of_a_grid_are_built_as_the_constraints_ask() -> None:
    constraints = [
        "2 <= len(grid) <= 40",
        "all(2 <= len(row) <= 30 for row in grid)",
        "is_rectangular(grid)",
        "all(0 <= x <= 1 for row in grid for x in row)",
        "grid[0][0] == 0",
        "grid[-1][-1] == 0",
    ]
    spec = specification("grid: list[list[int]]", constraints, [[[[0, 1], [1, 0]]]])
    tallies = derive_inputs(spec, seed=0, count=60).tallies
    assert tallies["family"].valid > 0.8 * tallies["family"].built


def test_one_argument_is_made_from_the_keys_of_another_at_any_size() -> None:
    spec = specification(
        "prices: dict[str, int]; basket: list[str]",
        [
            "0 <= len(prices) <= 2000",
            "all(1 <= len(name) <= 8 for name in prices)",
            "0 <= len(basket) <= 2000",
            "all(1 <= len(name) <= 8 for name in basket)",
        ],
        [[{"bun": 3, "tea": 5}, ["tea"]]],
    )
    calls: list[Any] = [args_of(case.input) for case in make_inputs(spec, seed=0, count=100)]
    assert sum(len(basket) > 1 and {*basket} <= {*prices} for prices, basket in calls) > 9
    assert any(
        basket and 0 < len({*basket} - {*prices}) < len({*basket}) for prices, basket in calls
    )
    assert any(len(prices) == 2000 for prices, _ in calls)


def test_listed_words_are_mixed_at_any_size() -> None:
    spec = specification(
        "size: int; steps: list[tuple[str, int]]",
        [
            "1 <= size <= 300",
            "1 <= len(steps) <= 1000",
            "all(1 <= s[1] <= 10**9 for s in steps)",
            "all(s[0] in ['use', 'forget'] for s in steps)",
        ],
        [[2, [["use", 1], ["forget", 1], ["use", 2]]]],
    )
    calls: list[Any] = [args_of(case.input) for case in make_inputs(spec, seed=0, count=60)]
    logs = [steps for _, steps in calls if len(steps) > 5]
    assert sum(len({word for word, _ in steps}) == 2 for steps in logs) > len(logs) / 2
    assert sum(len(steps) == 1000 for steps in logs) > 2


def test_names_inside_of_an_argument_are_those_of_another() -> None:
    spec = specification(
        "names: list[str]; pairs: list[tuple[str, str]]",
        [
            "1 <= len(names) <= 200",
            "all(1 <= len(n) <= 6 for n in names)",
            "0 <= len(pairs) <= 500",
            "all(p[0] in names and p[1] in names for p in pairs)",
        ],
        [[["a", "b"], [["a", "b"]]]],
    )
    derived = derive_inputs(spec, seed=0, count=60)
    calls: list[Any] = [args_of(case.input) for case in derived.cases]
    assert len(calls) == 60
    assert any(len(pairs) == 500 for _, pairs in calls)


@pytest.mark.exhaustive
def test_names_in_a_dict_are_graphs_of_any_depth() -> None:
    spec = specification(
        "links: dict[str, list[str]]; start: str",
        [
            "1 <= len(links) <= 300",
            "start in links",
            "all(1 <= len(k) <= 4 for k in links)",
            "all(len(v) <= 5 for v in links.values())",
            "all(x in links for v in links.values() for x in v)",
        ],
        [[{"a": ["b"], "b": []}, "a"]],
    )
    depths = []
    for case in make_inputs(spec, seed=0, count=100):
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
        [
            "len(one) <= 30",
            "len(other) <= 30",
            "len(both) == len(one) + len(other)",
            *map(text.format, ("one", "other", "both")),
        ],
        [["ab", "c", "acb"]],
    )
    found = 0
    for case in chain.from_iterable(make_inputs(spec, seed=n, count=80) for n in range(6)):
        one, other, both = args_of(case.input)
        assert isinstance(one, str)
        assert isinstance(other, str)
        found += len(one) > 2 < len(other) and sorted(one + other) == sorted(str(both))
    assert found > 15


def test_some_of_the_largest_lists_are_in_each_order() -> None:
    spec = specification("nums: list[int]", ["1 <= len(nums) <= 400"], [[[1, 2]]])
    found: set[bool] = set()
    for seed in range(8):
        for case in make_inputs(spec, seed=seed, count=130):
            nums: Any = args_of(case.input)[0]
            if case.category == "stress" and len({*nums}) > 100:
                found |= {fall for fall in (False, True) if nums == sorted(nums, reverse=fall)}
        if found == {False, True}:
            return
    pytest.fail(f"only these orders come, with True for one that falls: {found}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[keys_of(keyed(['a', 'b'], [1, 2]))]", [["a", "b"]]),
        ("[part([1, 2, 3, 4], 1, 3), cycled([1, 2], 5)]", [[2, 3], [1, 2, 1, 2, 1]]),
        ("[cycled([], 3), planted([1], [2, 3])]", [[], [1]]),
        ("[cycled([1, 3], 5, [4], 2), cycled('ab', 3)]", [[1, 3, 5, 7, 1], "aba"]),
        ("[cycled([['x', 0, 1]], 2, [0, 1, 1], 9)]", [[["x", 0, 1], ["x", 1, 2]]]),
        ("[mixed([1, 1, 1], [1])]", [[1, 1, 1]]),
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


def test_a_text_made_from_another_may_have_any_length() -> None:
    spec = specification(
        "text: str; part: str",
        ["1 <= len(text) <= 300", "1 <= len(part) <= 300"],
        [["abcabd", "ab"]],
    )
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
        [
            "1 <= len(a) <= 40",
            "len(a) == len(b)",
            "all(0 <= x <= 9 for x in a)",
            "all(0 <= x <= 9 for x in b)",
        ],
        [[[1, 2], [2, 1]]],
    )
    derived = derive_inputs(spec, seed=0, count=120)
    tally = derived.tallies["relation"]
    assert tally.valid > 0.9 * tally.built
