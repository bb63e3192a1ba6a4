"""What constraints state of each argument: ranges, bounds, and sets that clash."""

import json
import math
import random
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from steelyard.constraints import (
    Domain,
    Shape,
    Shapes,
    Validator,
    bounds_of,
    clash_of,
    parse_constraint,
    shape_of,
)
from steelyard.constraints._letters import KINDS
from steelyard.constraints._stated import CHECKS
from steelyard.values import parse_type


def validator(parameters: dict[str, str], *texts: str) -> Validator:
    types = {name: parse_type(kind) for name, kind in parameters.items()}
    return Validator(types, tuple(parse_constraint(text, types) for text in texts))


def shapes(parameters: dict[str, str], *texts: str) -> Shapes:
    return shape_of(validator(parameters, *texts))


NUMS = {"nums": "list[int]", "k": "int"}
EVEN = ", ".join(map(str, range(0, 320, 2)))
EDGES = {"n": "int", "edges": "list[list[int]]"}


def test_sizes_and_items_have_ranges_and_sizes_bound_scalars() -> None:
    found = shapes(NUMS, "1 <= len(nums) <= 10**5", "-9 <= nums[i] <= 9", "1 <= k <= len(nums)")
    nums, k = found
    assert nums.size == Domain.span(1, 10**5)
    assert nums.item is not None
    assert nums.item.value == Domain.span(-9, 9)
    assert k.value == Domain.span(1, 10**5)
    chosen = found.given({"len(nums)": 7})
    assert chosen is not None
    assert chosen["k"].value == Domain.span(1, 7)
    assert found.given({"len(nums)": 7, "k": 8}) is None
    assert found.rest == ()


def test_items_that_loops_number_or_pair_have_ranges() -> None:
    kinds = {"a": "list[int]", "b": "list[int]"}
    items = [each.item for each in shapes(kinds, "all(0 <= x <= 5 for i, x in enumerate(a))")]
    assert items[0] is not None
    assert items[0].value == Domain.span(0, 5)
    same = "len(a) == len(b) >= 1"
    paired = shapes(kinds, same, "all(1 <= x <= y <= 9 for x, y in zip(a, b))")
    assert [each.item and each.item.value for each in paired] == [Domain.span(1, 9)] * 2
    signed = shapes({"n": "int", "x": "int"}, "-n <= x <= n", "1 <= n <= 7")
    assert signed["x"].value == Domain.span(-7, 7)


@pytest.mark.parametrize(
    "texts",
    [
        ("all(1 <= len(name) <= 8 for name in d)", "all(0 <= d[name] <= 50 for name in d)"),
        ("all(1 <= len(name) <= 8 for name in d.keys())", "all(0 <= x <= 50 for x in d.values())"),
        ("all(1 <= len(name) <= 8 and 0 <= x <= 50 for name, x in d.items())",),
    ],
)
def test_keys_and_values_of_a_dict_have_shapes(texts: tuple[str, ...]) -> None:
    found = shapes({"d": "dict[str, int]"}, "len(d) <= 9", *texts)
    (table,) = found
    key, value = table.columns
    assert table.size == Domain.span(0, 9)
    assert key.size == Domain.span(1, 8)
    assert value.value == Domain.span(0, 50)
    assert found.rest == ()
    checked = validator({"d": "dict[str, int]"}, *texts)
    at_ends = [bound.reached_by([{"a": 0, "abcdefgh": 50}]) for bound in bounds_of(checked)]
    assert at_ends == [True] * 4
    assert not any(bound.reached_by([{"ab": 7}]) for bound in bounds_of(checked))


def test_a_value_of_a_dict_under_another_key_has_no_shape() -> None:
    found = shapes({"d": "dict[str, int]", "other": "list[str]"}, "all(d[x] > 5 for x in other)")
    assert found["d"].columns[1].value == Domain.whole(is_integral=True)
    assert clash_of(
        validator(
            {"d": "dict[str, int]"},
            "all(x > 5 for x in d.values())",
            "all(x < 3 for x in d.values())",
            "len(d) > 0",
        )
    )
    assert not clash_of(
        validator(
            {"d": "dict[str, int]"},
            "all(x > 5 for x in d.values())",
            "all(x < 3 for x in d.values())",
        )
    )


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("k != 0", Domain(((-math.inf, -1), (1, math.inf)))),
        ("2 * k <= 7", Domain.span(-math.inf, 3)),
        ("-3 * k < 7", Domain.span(-2, math.inf)),
        ("k % 3 == 1 and 0 <= k <= 9", Domain(((1, 7),), modulus=3, remainder=1)),
        ("(k + 1) % 2 == 0 and 0 <= k <= 4", Domain(((1, 3),), modulus=2, remainder=1)),
        ("k % 2 != 0 and 0 <= k <= 4", Domain(((1, 3),), modulus=2, remainder=1)),
        ("k in (1, 2, 7)", Domain(((1, 2), (7, 7)))),
        ("k in range(3, 9)", Domain.span(3, 8)),
        ("k == 3 or k == 5", Domain(((3, 3), (5, 5)))),
        ("-10 <= k <= -5 or 5 <= k <= 10", Domain(((-10, -5), (5, 10)))),
        ("not k > 4", Domain.span(-math.inf, 4)),
        ("abs(k) <= 4", Domain.span(-4, 4)),
        ("4 >= abs(k - 1)", Domain.span(-3, 5)),
        ("max(k, 3) <= 5", Domain.span(-math.inf, 5)),
        ("k <= 7 // 2", Domain.span(-math.inf, 3)),
        ("k // 2 >= 3", Domain.span(6, math.inf)),
        ("k // 2 < 3", Domain.span(-math.inf, 5)),
        ("3 > (k + 1) // 4", Domain.span(-math.inf, 10)),
        ("k // 3 <= -1", Domain.span(-math.inf, -1)),
        ("1 <= k <= 9 and k * (k - 1) // 2 <= 10", Domain.span(1, 9)),
        ("k - 5 > len(nums)", Domain.span(6, math.inf)),
        ("len(nums) == 0 or 1 <= k <= 4", Domain.whole(is_integral=True)),
    ],
)
def test_scalars(text: str, domain: Domain) -> None:
    assert shapes(NUMS, text)["k"].value == domain


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("s.isalpha() and s.islower()", "abcdefghijklmnopqrstuvwxyz"),
        ("set(s) <= set('()')", "()"),
        ("all(c in 'ab' for c in s)", "ab"),
        ("all(c in '01' for c in set(s))", "01"),
        ("set(s).issubset({'x', 'y'})", "xy"),
        ("all('a' <= c <= 'c' or c == '.' for c in s)", ".abc"),
        ("all(c.isdigit() for c in s)", "0123456789"),
        ("'x' <= s[i] <= 'z'", "xyz"),
        ("s.isdigit() and '0' not in s", "123456789"),
        ("all(ord(c) == 97 for c in s)", "a"),
        ("all(c in ['é', 'ß'] for c in s)", "ßé"),
        ("all(c.isdigit() or c in '+-' for c in s)", "+-0123456789"),
        (
            "all(s[i].islower() or s[i] == ' ' for i in range(len(s))) and '  ' not in s",
            " abcdefghijklmnopqrstuvwxyz",
        ),
        ("len(s) <= 3", None),
    ],
)
def test_letters(text: str, letters: str | None) -> None:
    assert shapes({"s": "str"}, text)["s"].letters == letters


def test_unusual_letters_are_allowed_where_the_constraints_allow_them() -> None:
    shape = shapes({"s": "str"}, "s.isalpha()")["s"]
    assert shape.letters is not None
    assert "é" not in shape.letters
    assert shape.allows("é")
    assert not shape.allows("²")
    assert shape.size == Domain.span(1, math.inf)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("sorted(nums) == nums", {"sorted"}),
        ("nums[i] < nums[i + 1]", {"increasing"}),
        ("all(nums[i] >= nums[i + 1] for i in range(0, len(nums) - 1))", {"descending"}),
        ("all(nums[i - 1] > nums[i] for i in range(1, len(nums)))", {"decreasing"}),
        ("all(b > a for a, b in zip(nums, nums[1:]))", {"increasing"}),
        ("all(a <= b for a, b in itertools.pairwise(nums))", {"sorted"}),
        ("all(a > b for a, b in zip(nums[:-1], nums[1:]))", {"decreasing"}),
        ("len(set(nums)) == len(nums)", {"unique"}),
        ("nums[i] != nums[j]", {"unique"}),
        ("sorted(nums) == list(range(len(nums)))", {"permutation"}),
        ("nums == nums[::-1]", {"palindrome"}),
    ],
)
def test_flags(text: str, flags: set[str]) -> None:
    found = shapes(NUMS, text)
    assert found["nums"].flags == flags
    assert found.rest == ()


@pytest.mark.parametrize(
    "text",
    [
        "len({(a, b) for a, b in pairs}) == len(pairs)",
        "len(pairs) == len({tuple(sorted(p)) for p in pairs})",
        "len(set(p[0] for p in pairs)) == len(pairs)",
    ],
)
def test_rows_differ_if_what_is_made_of_them_does(text: str) -> None:
    found = shapes({"pairs": "list[list[int]]"}, text)
    assert found["pairs"].flags == {"unique"}
    assert [each.text for each in found.rest] == [text]


def test_rows() -> None:
    found = shapes(
        {"grid": "list[list[int]]", "pairs": "list[list[int]]", "rows": "list[tuple[int, str]]"},
        "1 <= len(grid) <= 9",
        "all(len(row) == len(grid[0]) for row in grid)",
        "2 <= len(grid[0]) <= 4",
        "len(grid) * len(grid[0]) <= 12",
        "all(0 <= a < b <= 9 for a, b in pairs)",
        "all(len(text) == 3 for _, text in rows)",
        "all(1 <= r[0] <= 2 for r in rows)",
    )
    grid, pairs, rows = found
    assert grid.flags == {"rectangular"}
    assert grid.size == Domain.span(1, 6)
    assert grid.item is not None
    assert grid.item.size == Domain.span(2, 4)
    assert pairs.item is not None
    assert pairs.item.size == Domain.only([2])
    assert [column.value for column in pairs.item.columns] == [Domain.span(0, 8), Domain.span(1, 9)]
    assert pairs.item.flags == {"increasing"}
    assert rows.item is not None
    assert rows.item.columns[0].value == Domain.span(1, 2)
    assert rows.item.columns[1].size == Domain.only([3])
    assert found.rest == ()


def test_graphs() -> None:
    found = shapes(EDGES, "2 <= n <= 100", "is_tree(n, edges, 1)")
    edges = found["edges"]
    assert edges.graph is not None
    assert edges.graph.names == {"tree"}
    assert edges.graph.start == 1
    assert edges.graph.count({"n": 7}) == 7
    assert edges.graph.count({}) is None
    assert edges.size == Domain.span(1, 99)
    chosen = found.given({"n": 5})
    assert chosen is not None
    assert chosen["edges"].size == Domain.only([4])
    chosen = shapes(EDGES, "1 <= n <= 9", "len(edges) <= n * (n - 1) // 2").given({"n": 4})
    assert chosen is not None
    assert chosen["edges"].size == Domain.span(0, 6)


def test_lists_of_equal_length_are_run_over_together() -> None:
    found = shapes(
        {"a": "list[int]", "b": "list[int]"},
        "len(a) == len(b)",
        "0 <= len(b) <= 3",
        "all(a[i] <= b[i] <= 7 for i in range(len(a)))",
    )
    assert found["a"].size == Domain.span(0, 3)
    assert found["b"].item is not None
    assert found["b"].item.value == Domain.span(-math.inf, 7)
    assert any({name for name, _ in line.terms} == {"a[]", "b[]"} for line in found.lines)
    unrelated = shapes(
        {"a": "list[int]", "b": "list[int]"}, "all(b[i] <= 7 for i in range(len(a)))"
    )
    assert unrelated["b"].item is not None
    assert unrelated["b"].item.value == Domain.whole(is_integral=True)


def test_texts_and_places() -> None:
    found = shapes(
        {"ops": "list[str]", "s": "str", "root": "list[int | None]", "board": "list[list[str]]"},
        "all(op in ('push', 'pop') for op in ops)",
        "s[0] != '0' and s[-1] == 'x'",
        "all(v is None or 1 <= v <= 3 for v in root)",
        "all(cell in '01' for row in board for cell in row)",
    )
    ops, s, root, board = found
    assert board.item is not None
    assert board.item.item is not None
    assert board.item.item.texts == ("0", "1")
    assert ops.item is not None
    assert ops.item.texts == ("pop", "push")
    assert s.size == Domain.span(1, math.inf)
    assert root.item is not None
    assert root.item.value == Domain.span(1, 3)
    assert "s[0]" in found.quantities


@pytest.mark.parametrize(
    ("parameters", "texts", "clash"),
    [
        ({"k": "int"}, ["k > 3", "k < 9", "k < 2"], ["k > 3", "k < 2"]),
        ({"k": "int"}, ["k > 3 and k < 3"], ["k > 3 and k < 3"]),
        ({"k": "int"}, ["0 <= k <= 5", "k % 2 == 0", "k % 4 == 3"], ["k % 2 == 0", "k % 4 == 3"]),
        ({"k": "int"}, ["k <= 3 or k >= 10", "4 <= k <= 9"], None),
        ({"k": "float"}, ["0.0 < k < 1.0", "k >= 1.0"], None),
        (
            {"a": "int", "b": "int", "c": "int"},
            ["a < b", "b < c", "c < a", "a > 0"],
            ["a < b", "b < c", "c < a"],
        ),
        (NUMS, ["len(nums) == k", "k <= 3", "len(nums) >= 4"], None),
        (NUMS, ["all(5 <= v <= 3 for v in nums)", "len(nums) > 0"], None),
        (NUMS, ["nums[0] == 9", "all(v < 5 for v in nums)"], None),
        (NUMS, ["len(nums) >= 5", "1 <= nums[i] <= 3", "len(set(nums)) == len(nums)"], None),
        (NUMS, ["sum(nums) == 100", "len(nums) <= 9", "0 <= nums[i] <= 10"], None),
        (NUMS, ["max(nums) > 5", "nums[i] <= 5"], None),
        (NUMS, ["len(nums) <= 3", "len(set(nums)) == 4"], None),
        (NUMS, ["nums == sorted(nums)", "nums[i] > nums[i + 1]", "len(nums) > 1"], None),
        (NUMS, ["k in nums", "nums[i] < 5", "k > 4"], None),
        (NUMS, ["k in nums", "len(nums) < 1"], None),
        (NUMS, ["len(nums) == 0 or k > 5", "len(nums) > 0", "k < 5"], None),
        (
            {"s": "str"},
            ["s.isalpha()", "s.isdigit()", "len(s) < 9"],
            ["s.isalpha()", "s.isdigit()"],
        ),
        ({"s": "str"}, ["len(s) == 0", "s.isalpha()"], None),
        ({"s": "str"}, ["set(s) <= set('ab')", "s[0] == 'c'"], None),
        ({"s": "str"}, ["is_balanced(s)", "len(s) == 3", "set(s) <= set('()')"], None),
        (EDGES, ["is_tree(n, edges)", "len(edges) == n"], None),
        (EDGES, ["is_tree(n, edges)", "n == 0"], None),
        (EDGES, ["is_connected(n, edges)", "len(edges) < n - 1"], None),
        (
            {"words": "list[str]"},
            [
                "set(words[i]) <= set('ab')",
                "len(words[i]) <= 2",
                "len(words) == 8",
                "is_unique(words)",
            ],
            None,
        ),
        (
            {"grid": "list[list[int]]"},
            ["len(grid) * len(grid[0]) <= 10", "len(grid) >= 4", "len(grid[0]) >= 3"],
            None,
        ),
    ],
)
def test_a_smallest_set_that_clashes_is_named(
    parameters: dict[str, str], texts: list[str], clash: list[str] | None
) -> None:
    assert clash_of(validator(parameters, *texts)) == tuple(clash or texts)
    for text in clash or texts:
        assert clash_of(validator(parameters, *(each for each in texts if each != text))) != tuple(
            texts
        )


@pytest.mark.parametrize(
    ("parameters", "texts", "args"),
    [
        (NUMS, ["all(5 <= v <= 3 for v in nums)"], [[], 0]),
        (NUMS, ["all(5 <= v <= k for v in nums)", "k == 0"], [[], 0]),
        (NUMS, ["all(x < y for x in nums for y in nums)"], [[], 0]),
        (NUMS, ["nums[i] > nums[j]", "nums[i] >= 0", "k > 0"], [[2, 1], 1]),
        ({"k": "int | None"}, ["k is None or k > 3", "k is None or k < 2"], [None]),
        ({"s": "str"}, ["s.islower()", "'1' <= s[0] <= '9'"], ["1a"]),
        ({"s": "str"}, ["s.isalpha()", "all(ord(c) > 127 for c in s)"], ["é"]),
        (
            {"a": "list[int]", "b": "list[int]"},
            [
                "all(x + 5 <= y for x, y in zip(a, b))",
                "all(y < 3 for y in b)",
                "all(x > 0 for x in a)",
            ],
            [[1], []],
        ),
        (NUMS, ["nums[i] < nums[i + 1]", "len(nums) == 1"], [[4], 0]),
        ({"s": "str"}, ["is_balanced(s)", "len(s) == 3"], ["(a)"]),
        (
            {"q": "list[int]", "nums": "list[int]"},
            ["all(v in nums for v in q)", "len(nums) < 1"],
            [[], []],
        ),
        (NUMS, ["all(v > 3 for v in nums if v != 1)", "nums[i] <= 3"], [[1], 0]),
        (NUMS, ["not nums or nums[0] == 7", "nums[i] <= 3"], [[], 0]),
        (EDGES, ["is_tree(n, edges)", "n == 1"], [1, []]),
        (EDGES, ["is_dag(n, edges)", "n == 0"], [0, []]),
        (EDGES, ["is_forest(n, edges)", "n == 0"], [0, []]),
        (NUMS, [f"k not in ({EVEN})", "0 <= k <= 9"], [[], 1]),
        ({"r": "list[int] | None"}, ["not r or r[0] > 5", "r is not None", "len(r) == 0"], [[]]),
        (
            {"r": "list[int] | None", "k": "int"},
            ["r is None or k < len(r)", "k > 9", "r is None or len(r) < 3"],
            [None, 10],
        ),
        ({"x": "float"}, ["1e-200 * x <= 1e200"], [1.0]),
        (
            {"a": "int | None", "b": "int | None"},
            ["a is None or a < b", "b is None or b < a"],
            [None, None],
        ),
        (
            {"a": "float", "b": "float", "c": "float"},
            ["a <= b + 0.1", "b <= c + 0.2", "c <= a - 0.3"],
            [0.3, 0.2, 0.0],
        ),
        ({"s": "str"}, ["s.isalpha()", "all(c in '0123\u4e2d' for c in s)"], ["\u4e2d"]),
    ],
)
def test_what_some_arguments_meet_is_never_a_clash(
    parameters: dict[str, str], texts: list[str], args: list[Any]
) -> None:
    checked = validator(parameters, *texts)
    assert checked.broken(args) == ()
    assert clash_of(checked) == ()


LINES = Path(__file__).parents[2] / "corpus/constraints"


def test_shapes_hold_for_all_arguments_that_are_known_to_be_valid() -> None:
    for path in LINES.glob("*.jsonl"):
        for line in map(json.loads, path.read_text().splitlines()):
            checked = validator(line["parameters"], line["text"])
            assert clash_of(checked) == (), line["text"]
            for args in line["good"]:
                for shape, value in zip(shape_of(checked), args, strict=True):
                    assert shape.size is None or value is None or len(value) in shape.size
                    assert not isinstance(value, int) or value in (shape.value or ())


def test_random_constraints_clash_only_if_no_small_arguments_meet_them() -> None:
    """Compare with a search through all arguments in a small box."""
    dice = random.Random(5)
    atoms = [
        "a < b",
        "b <= c",
        "a + b == c",
        "a % 2 == 0",
        "b % 3 == 1",
        "c != 0",
        "a == 2 or b == 2",
        "a * b <= 4",
        "abs(a - c) >= 2",
        "2 * a == b",
        "c < a",
        "b in (1, 3)",
        "a <= c // 2",
        "b // 2 > a",
        "c * (c - 1) // 2 <= b",
        "not a <= b",
        "a + b + c > 4",
        "a - c == 1",
        "max(a, b) <= 1",
        "(a + c) % 2 == 0",
    ]
    box = ["0 <= a <= 3", "0 <= b <= 3", "0 <= c <= 3"]
    clashes = 0
    for _ in range(150):
        texts = [*box, *dice.sample(atoms, dice.randrange(2, 6))]
        checked = validator(dict.fromkeys("abc", "int"), *texts)
        points = [[a, b, c] for a in range(4) for b in range(4) for c in range(4)]
        valid = [point for point in points if checked.is_valid(point)]
        found = clash_of(checked)
        assert not (found and valid), texts
        clashes += bool(found)
        for point in valid:
            assert all(
                value in (shape.value or ())
                for shape, value in zip(shape_of(checked), point, strict=True)
            )
    assert clashes >= 20


ATOMS = [
    "len(a) == n",
    "all(x < n for x in a)",
    "a[i] <= n",
    "a[i] < a[i + 1]",
    "sum(a) == n",
    "len(a) == len(b)",
    "all(a[i] <= b[i] for i in range(len(a)))",
    "len(a) * len(b) <= 2",
    "all(x < y for x in a for y in b)",
    "all(x <= y for x, y in zip(a, b))",
    "a[0] == 2",
    "a[-1] != 0",
    "a[1] > n",
    "len(set(a)) == len(a)",
    "len(set(a)) == n",
    "max(a) == n",
    "min(a) > 0",
    "max(a) < min(b)",
    "n in a",
    "len(s) == n",
    "s.isalpha()",
    "s.islower()",
    "s.isdigit()",
    "'a' not in s",
    "set(s) <= set('aB')",
    "s[0] == 'a'",
    "s[0] != s[-1]",
    "all(c.isdigit() or c == 'a' for c in s)",
    "len(s) % 2 == 0",
    "s == '' or n > 1",
    "not s or s[0] == '1'",
    "is_tree(n, e)",
    "is_simple(n, e)",
    "is_connected(n, e)",
    "is_forest(n, e)",
    "is_dag(n, e)",
    "all(u < v for u, v in e)",
    "all(0 <= u < n for u, v in e)",
    "len(e) == n - 1",
    "len(e) <= n * (n - 1) // 2",
    "len(e) * 2 >= n",
    "n // 2 >= 1",
    "n == 0 or n == 3",
    "not a or a[0] == n",
    "abs(n - len(a)) <= 1",
    "sorted(a) == sorted(b)",
    "sorted(a) == list(range(1, n + 1))",
    "all(x % 2 == 1 for x in a if x)",
    "set(a) <= {0, 2}",
    "len(a) > 0 and a[0] > n",
    "all(a[i] <= i for i in range(n))",
    "a[i] + a[i + 1] <= 2",
    "max(len(r) for r in e) <= 2",
    "any(x > 1 for x in a)",
    "a[0] + a[1] == n",
    "n < 0",
]
SMALL: dict[str, tuple[str, list[Any]]] = {
    "a": ("list[int]", [list(x) for k in range(4) for x in product(range(3), repeat=k)]),
    "b": ("list[int]", [list(x) for k in range(3) for x in product(range(3), repeat=k)]),
    "n": ("int", [-1, 0, 1, 2, 3]),
    "s": ("str", ["".join(x) for k in range(3) for x in product("aB1 ", repeat=k)]),
    "e": (
        "list[list[int]]",
        [
            [],
            [[0, 1]],
            [[0, 1], [1, 2]],
            [[0, 0]],
            [[0, 1], [1, 0]],
            [[0, 1, 2]],
            [[0]],
        ],
    ),
}


OTHER_ATOMS = [
    "len(s) == n",
    "all(x < n for x in s)",
    "s <= t",
    "t < s",
    "not s & t",
    "len(s | t) <= 2",
    "n in s",
    "min(s) == n",
    "max(s) < n",
    "sum(s) == n",
    "is_unique(s)",
    "len(s) >= 2",
    "all(0 < k <= n for k in d)",
    "all(v == k for k, v in d.items())",
    "d[1] == 2",
    "n in d",
    "all(v > 1 for v in d.values())",
    "set(d) <= s",
    "len(d) == n",
    "isinstance(u, int) or u in ('a', 'b')",
    "isinstance(u, int) or len(u) > 1",
    "isinstance(u, str) or u > n",
    "u == n",
    "u in s",
    "len(u) <= 1",
    "all(isinstance(x, int) or x in 'ab' for x in m)",
    "all(isinstance(x, str) or x in s for x in m)",
    "len(m) == n",
    "m[0] == 1",
    "len(set(m)) == len(m)",
    "u in m",
]
SETS = [[], [0], [2], [0, 1], [1, 2], [0, 1, 2]]
OTHER: dict[str, tuple[str, list[Any]]] = {
    "s": ("set[int]", SETS),
    "t": ("set[int]", SETS),
    "n": ("int", [0, 1, 2, 3]),
    "d": ("dict[int, int]", [{}, {"1": 2}, {"0": 0, "1": 1}, {"2": 3, "1": 2}, {"-1": 5}]),
    "u": ("int | str", [0, 1, 3, "", "a", "b", "ab", "abc"]),
    "m": ("list[int | str]", [[], [1], ["a"], [1, "b"], ["ab", 2], [0, 0], ["", 1]]),
}


def contains(shape: Shape, value: Any) -> bool:
    if shape.type.kind == "union":
        alternatives = [each for each in shape.columns if each.type.fault_of(value) is None]
        return any(contains(each, value) for each in alternatives)
    if isinstance(value, dict):
        key, item = shape.columns
        pairs = ((int(name), each) for name, each in value.items())
        return len(value) in (shape.size or ()) and all(
            contains(key, name) and contains(item, each) for name, each in pairs
        )
    if isinstance(value, int):
        return shape.value is not None and value in shape.value
    if shape.size is None or len(value) not in shape.size:
        return False
    if isinstance(value, str):
        return all(shape.characters is not None and ord(c) in shape.characters for c in value)
    items = shape.columns or [shape.item] * len(value)
    return all(
        item is not None and contains(item, each) for item, each in zip(items, value, strict=True)
    )


@pytest.mark.parametrize(("small", "atoms"), [(SMALL, ATOMS), (OTHER, OTHER_ATOMS)])
@pytest.mark.parametrize(
    ("seed", "rounds"),
    [(1, 40), *(pytest.param(seed, 400, marks=pytest.mark.exhaustive) for seed in range(2, 5))],
)
def test_what_small_arguments_meet_is_in_the_shapes_and_no_clash(
    small: dict[str, tuple[str, list[Any]]], atoms: list[str], seed: int, rounds: int
) -> None:
    dice = random.Random(seed)
    kinds = {name: kind for name, (kind, _) in small.items()}
    for _ in range(rounds):
        checked = validator(kinds, *dice.sample(atoms, dice.randrange(1, 5)))
        named = {name for each in checked.constraints for name in each.names}
        values = [every if name in named else every[:1] for name, (_, every) in small.items()]
        calls = ([dice.choice(each) for each in values] for _ in range(1000))
        valid = list(islice(filter(checked.is_valid, calls), 5))
        texts = [each.text for each in checked.constraints]
        assert not (valid and clash_of(checked)), (texts, valid[0])
        for args in valid:
            for shape, value in zip(shape_of(checked), args, strict=True):
                assert contains(shape, value), (texts, args, shape.path)


@pytest.mark.exhaustive
def test_every_kind_of_character_is_known() -> None:
    methods = [getattr(str, name) for name in sorted(CHECKS)]
    known = {tuple(method(char) for method in methods) for char in KINDS}
    assert {tuple(method(chr(code)) for method in methods) for code in range(0x110000)} == known


def test_bounds() -> None:
    checked = validator(
        {"nums": "list[int]", "k": "int", "s": "str", "x": "float", "pairs": "list[list[int]]"},
        "1 <= len(nums) <= 5",
        "all(-3 < v <= 3 for v in nums)",
        "1 <= k <= len(nums)",
        "k < 100",
        "0.5 <= x < 1.0",
        "sum(nums) <= 8",
        "all(0 <= a < b < len(s) for a, b in pairs)",
        "nums[i] <= nums[i + 1]",
    )
    found = bounds_of(checked)
    assert [(bound.where, bound.side, bound.value) for bound in found] == [
        ("the length of nums", "low", 1),
        ("the length of nums", "high", 5),
        ("each item of nums", "low", -2),
        ("each item of nums", "high", 3),
        ("k", "low", 1),
        ("k", "high", "the length of nums"),
        ("x", "low", 0.5),
        ("the sum of nums", "high", 8),
        ("a for each a, b in pairs", "low", 0),
        ("b for each a, b in pairs", "high", "the length of s - 1"),
    ]
    at = {(bound.where.split(" for ")[0], bound.side): bound for bound in found}
    args: list[Any] = [[-2, 0, 3], 3, "abc", 0.5, [[0, 1], [1, 2]]]
    reached = {key for key, bound in at.items() if bound.reached_by(args)}
    assert reached == {
        ("each item of nums", "low"),
        ("each item of nums", "high"),
        ("k", "high"),
        ("x", "low"),
        ("a", "low"),
        ("b", "high"),
    }
    assert at["the length of nums", "low"].reached_by([[1], 1, "", 0.6, []])
    assert not at["each item of nums", "low"].reached_by(["no list", 1, "", 0.6, []])


def test_bounds_that_no_arguments_can_reach_are_left_out() -> None:
    checked = validator(
        {"n": "int", "m": "int"}, "1 <= n <= 10", "n <= 100", "m <= 9", "m % 2 == 0"
    )
    assert [(bound.where, bound.value) for bound in bounds_of(checked)] == [("n", 1), ("n", 10)]


@pytest.mark.parametrize(
    "text",
    [
        "k * 10**400 <= 1",
        "k <= 10**400",
        "k % 10**300 == 1",
        "k in (" + "1, " * 300 + "2)",
        "k * k <= 10**299",
    ],
)
def test_huge_numbers_do_no_harm(text: str) -> None:
    checked = validator(NUMS, text, "sum(nums) * k <= 10**250", "len(nums) * 10**290 >= sum(nums)")
    assert clash_of(checked) == ()
    assert len(list(shape_of(checked))) == 2
    bounds_of(checked)
