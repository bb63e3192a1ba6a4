"""The closed language: what it reads, what it refuses, and what it says about arguments."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steelyard.constraints import (
    FUNCTION_NAMES,
    Validator,
    parse_constraint,
    prose_of,
)
from steelyard.constraints._operations import METHODS
from steelyard.errors import SpecificationError
from steelyard.values import parse_type

LINES = [
    json.loads(line)
    for name in ("seen", "unseen")
    if (path := Path(__file__).parents[2] / f"corpus/constraints/{name}.jsonl").exists()
    for line in path.read_text().splitlines()
]


def validator(parameters: dict[str, str], *texts: str) -> Validator:
    types = {name: parse_type(kind) for name, kind in parameters.items()}
    return Validator(types, tuple(parse_constraint(text, types) for text in texts))


def holds(text: str, **args: Any) -> bool:
    kinds = {int: "int", str: "str", float: "float", bool: "bool", type(None): "int | None"}

    def kind(value: Any) -> str:
        if isinstance(value, list):
            return f"list[{kind(value[0]) if value else 'int'}]"
        return kinds[type(value)]

    checked = validator({name: kind(value) for name, value in args.items()}, text)
    answer = checked.is_valid(list(args.values()))
    assert (checked.distance(list(args.values())) == 0) is answer
    assert (checked.broken(list(args.values())) == ()) is answer
    return answer


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["text"][:50])
def test_lines_as_in_statements_are_read_and_checked(line: dict[str, Any]) -> None:
    checked = validator(line["parameters"], line["text"])
    for args in line["good"]:
        assert checked.broken(args) == ()
        assert checked.distance(args) == 0
    for args in line["bad"]:
        assert checked.broken(args) == (line["text"],)
        assert checked.distance(args) > 0
    assert prose_of(checked.constraints[0])


TYPES = {
    "nums": "list[int]",
    "k": "int",
    "s": "str",
    "grid": "list[list[int]]",
    "x": "float",
    "words": "list[str]",
    "pairs": "list[tuple[int, str]]",
    "table": "dict[str, int]",
}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("k <= m", "column 6: 'm' is not a parameter; the parameters are grid, k,"),
        ("1 < 2", "it names no parameter"),
        ("k", None),
        ("nums <= 10**5", "column 1: list[int] cannot be compared with int by <="),
        ("s == 3", "str cannot be compared with int by =="),
        ("k in s", "in a text needs a text, got int"),
        ("k[0] > 1", "an index needs a list or text, got int"),
        ("nums['a'] > 1", "an index needs an int, got str"),
        ("len(k) > 1", "column 1: len needs a list or text, got int"),
        ("sum(words) > 1", "sum needs a list of numbers, got list[str]"),
        ("len(nums, k) > 1", "len takes 1 to 1 arguments, got 2"),
        ("all(0 <= v for k, v in nums)", "int cannot be unpacked into 2 names"),
        ("(v > 0 for v in nums)", "a loop alone is not a condition; write all(... for ...)"),
        ("0 <= k <= 9, len(nums)", "a comma is not a condition; write and between conditions"),
        ("k < 3, len(nums) < 3", "a comma is not a condition; write and between conditions"),
        ("0 <= k, x >= 3", "a comma is not a condition"),
        ("0 <= k, x <= 9, len(nums) <= 5", "a comma is not a condition"),
        ("k <= x, len(nums) <= 9", "a comma is not a condition"),
        ("0 <= k, k < x < 9, x <= 5", "a comma is not a condition"),
        ("s in string.printable", "the attribute printable is not in the language"),
        ("k ^ 2 <= 9", "column 1: ^ is a power or the exclusive or; write ** for a power"),
        ("2^k <= x", "column 1: ^ is a power or the exclusive or; write ** for a power"),
        ("k ≤ nums.width", "column 6 of 'k <= nums.width': the attribute width is not in the"),
        ("nums.__class__ == k", "the attribute __class__ is not in the language"),
        ("(lambda: k)() > 1", "only functions and methods of the language can be called"),
        ("all(map(lambda v: v > 0, nums))", "only functions and methods"),
        ("open('x') == k", "'open' is not a function of the language"),
        ("__import__('os') == k", "'__import__' is not a function of the language"),
        ("eval('k') == 1", "'eval' is not a function"),
        ("nums.sort() == k", "list[int] has no method sort in the language"),
        ("s.format(k) == s", "str has no method format"),
        ("f'{k}' == s", "an f-string is not in the language"),
        ("(m := k) > 1", "an assignment is not in the language"),
        ("{k: 1} == {}", "a dict is not in the language"),
        ("b'x' == s", "use numbers, texts, True, False and None"),
        ("k == 1j", "use numbers, texts, True, False and None"),
        ("k == 1e999", "use numbers, texts"),
        ("k is 3", "is compares identities"),
        ("len > k", "len is a function; call it"),
        ("nums @ nums == 1", "the operator @ is not in the language"),
        ("[*nums] == nums", "a starred item is not in the language"),
        ("pairs[0][2] > 1", "tuple[int, str] has no item 2"),
        ("1 <= k <= ", "write one Python expression"),
        ("k > 1 or x > 1; k < 3", "write one Python expression"),
        ("import os", "write one Python expression"),
        ("max(nums, key=len) > 1", "the keyword key is not in the language"),
        ("isinstance(k, object)", "isinstance takes int, float"),
        ("nums[i] <= nums[j][i]", "an index needs a list or text, got int"),
        ("\uff4b > 1", "a name has letters other than a to z"),
        ("все > 1", "a name has letters other than a to z"),
        ("k > 1\0", None),
        ("", "write one Python expression"),
    ],
)
def test_what_cannot_be_read_is_one_line_with_the_reason(text: str, reason: str | None) -> None:
    types = {name: parse_type(kind) for name, kind in TYPES.items()}
    if text == "k":  # a number is true unless it is 0
        assert prose_of(parse_constraint(text, types)) == "k is not 0"
        return
    with pytest.raises(SpecificationError) as error:
        parse_constraint(text, types)
    assert str(error.value).startswith("constraint ")
    assert "\n" not in str(error.value)
    assert (reason or "cannot be read") in str(error.value)


SOME = {"nums", "k", "s", "grid"}
HOSTILE = [
    "(" * 10_000 + "k" + ")" * 10_000,
    "(" * 150 + "k" + ")" * 150 + " > 1",
    "-" * 900 + "k > 1",
    "not " * 200 + "k > 1",
    "k > " + "9" * 10_000_000,
    "k" + " + k" * 240 + " > 1",
    "[" * 90 + "k" + "]" * 90 + " == nums",
    "k" + "[0]" * 300 + " > 1",
    "k > 0x" + "f" * 900,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
def test_hostile_texts_end_at_once(text: str) -> None:
    types = {"k": parse_type("int"), "nums": parse_type("list[int]")}
    try:
        checked = Validator(types, (parse_constraint(text, types),))
    except SpecificationError as error:
        message = str(error)
    else:
        message = checked.constraints[0].text
        assert checked.is_valid([1, []]) == (checked.distance([1, []]) == 0)
    assert len(message) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "10**10**10 > k",
        "k**k**k**k > 0",
        "len('a' * 10**9) > k",
        "len([k] * 10**9) > k",
        "1 << 10**9 > k",
        "all(a + b + c + d for a in nums for b in nums for c in nums for d in nums)",
        "sum(1 for a in nums for b in nums for c in nums) >= 0",
        "len(list(range(10**12))) > k",
        "sum(range(10**12)) > k",
        "all(v in list(range(10**7)) for v in nums)",
        "len((('x' * 10**6).join([s] * 10**6))) > 0",
        "all(nums[:i] == nums[:i] for i in range(10**7))",
        "k // 0 == 1",
        "nums[10**9] == 1",
        "int(s) > 0",
        "is_connected(10**18, grid)",
    ],
)
def test_work_is_bounded_and_no_value_means_broken(text: str) -> None:
    types = {name: parse_type(kind) for name, kind in TYPES.items() if name in SOME}
    checked = Validator(types, (parse_constraint(text, types),), budget=200_000)
    args = [list(range(3000)), 9**99, "x", [[0, 1]]]
    assert checked.broken(args) == (text,)
    assert checked.distance(args) > 0


def test_powers_that_are_small_enough_have_a_value() -> None:
    assert holds("2**k == 1024", k=10)
    assert holds("k ** -1 == 0.5", k=2)
    assert holds("(-1)**k == 1 and 0**k == 0 and 1**k == 1", k=10**30)
    assert holds("10**18 <= k", k=10**18)


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("nums[i] >= 0", [0, 1], [1, -1]),
        ("nums[i] <= nums[i + 1]", [1, 1, 2], [2, 1]),
        ("nums[i - 1] < nums[i]", [1, 2], [1, 1]),
        ("nums[i] != nums[j]", [3, 1, 2], [3, 1, 3]),
        ("abs(nums[i] - nums[i + 2]) <= 1", [5, 9, 6], [5, 9, 7]),
        ("nums[i] == i", [0, 1, 2], [1]),
        ("nums", [1], []),
        ("not nums or nums[0] == 1", [], [2]),
        ("max(nums) == nums[-1]", [1, 5], [5, 1]),
        ("nums[::-1] == nums", [1, 2, 1], [1, 2]),
        ("sorted(nums, reverse=True) == nums", [3, 1], [1, 3]),
        ("all(map(bool, nums))", [1], [1, 0]),
        ("len({v % 3 for v in nums}) == 1", [1, 4], [1, 2]),
        ("is_unique([set(nums[:i]) for i in range(1, 3)])", [1, 2], [1, 1]),
        ("sum([v for v in nums if v > 0]) == 3", [-1, 3], [2]),
        ("all(isinstance(v, int) for v in nums) and len(nums) in range(1, 3)", [1], [1, 2, 3]),
        ("(nums[0] > 5) == (nums[1] > 5)", [6, 7], [6, 5]),
        ("0 <= nums[0], nums[1] <= 9", [0, 9], [10, 0]),
        ("0 <= nums[i], nums[0] <= 9", [0, 9], [0, 10]),
        ("1 <= len(nums) <= 2, 0 <= nums[0] <= 1", [1], [2]),
        ("all(v for v in nums)", [1], [1, 0]),
        ("max(v * v for v in nums) <= 9", [-3], [4]),
        ("max(nums, default=0) <= 4", [], [5]),
        ("all(a < b for a, b in pairwise(nums))", [1, 2], [2, 2]),
        ("all(a < b for a, b in zip(nums[:-1], nums[1:]))", [1, 2], [2, 2]),
        ("nums[0].bit_length() == 3 and math.ceil(nums[0] / 2) == 2", [4], [6]),
        ("(len(nums) if nums[0] else 1) == 1", [0, 0], [1, 1]),
        ("all(v in set(range(3)) for v in nums)", [2], [3]),
        ("{1, 2} <= set(nums)", [2, 1, 3], [1]),
        ("set(nums).issubset([1, 2])", [1], [3]),
        ("nums.count(7) == 1 and nums.index(7) == 0", [7, 1], [1, 7]),
        ("math.gcd(nums[0], nums[1]) == 1", [3, 4], [4, 6]),
        ("all(p <= i for i, p in enumerate(nums, 1))", [1, 2], [2]),
        ("list(reversed(nums)) == nums", [1, 1], [1, 2]),
        ("bin(nums[0]).count('1') == 2", [3], [7]),
        ("(nums[0] << 1) + (nums[0] >> 1) + (nums[0] & 1) + (nums[0] | 1) == 15", [4], [5]),
    ],
)
def test_forms_mean_what_python_means(text: str, good: list[int], bad: list[int]) -> None:
    types = {"nums": parse_type("list[int]")}
    checked = Validator(types, (parse_constraint(text, types),))
    assert checked.broken([good]) == ()
    assert checked.distance([good]) == 0
    assert checked.broken([bad]) == (text,)
    assert checked.distance([bad]) > 0


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("s.isdigit() and int(s) <= 99", "07", "100"),
        ("s.replace(' ', '').isalpha() and s.rstrip() == s", "a b", "a "),
        ("s[0] != ' ' and s == s.strip() and '  ' not in s", "a b", "a  b"),
        ("len(s.split(' ')) == 2", "a b", "a"),
        ("all(len(w) <= 2 for w in s.split())", "aa b", "aaa"),
        ("s.count('a') >= 1 and s.startswith('a')", "ab", "ba"),
        ("''.join(sorted(s)) == s and s.lower() == s", "abc", "ba"),
        ("ord(s[0]) - ord('a') < 26 and chr(97) in s", "za", "{a"),
        ("all(s[i] != s[i + 1] for i in range(len(s) - 1))", "aba", "aa"),
        ("is_balanced(s)", "([]{})<>", "(]"),
        ("is_palindrome(s)", "abba", "ab"),
        ("s.isascii() and s.isprintable()", "a~", "é"),
        ("all(c in string.ascii_lowercase + ' ' for c in s)", "a b", "a1"),
        ("all(map(str.isupper, s)) and str.isalpha(s)", "AB", "A1"),
        ("'a' <= s[i] <= 'z' or s[i] in '+-'", "a+b", "A"),
    ],
)
def test_texts(text: str, good: str, bad: str) -> None:
    assert holds(text, s=good)
    assert not holds(text, s=bad)


def test_free_names_run_over_nested_lists() -> None:
    assert holds("0 <= grid[i][j] <= 9", grid=[[1, 2], [3]])
    assert not holds("0 <= grid[i][j] <= 9", grid=[[1, 2], [3, 10]])
    assert holds("grid[i][j] == grid[j][i]", grid=[[1, 2], [2, 3]])
    assert not holds("grid[i][j] == grid[j][i]", grid=[[1, 2], [4, 3]])
    assert holds("len(grid[i]) == len(grid)", grid=[[1]])


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("is_tree(n, edges)", (3, [[0, 1], [2, 1]]), (4, [[0, 1], [1, 2], [2, 0]])),
        ("is_tree(n, edges, 1)", (2, [[1, 2]]), (2, [[0, 1]])),
        ("is_forest(n, edges)", (4, [[0, 1]]), (2, [[0, 1], [1, 0]])),
        ("is_connected(n, edges)", (2, [[0, 1], [0, 1], [1, 1]]), (3, [[0, 1]])),
        ("is_simple(n, edges)", (3, [[0, 1], [1, 2]]), (3, [[0, 1], [1, 0]])),
        ("is_simple(n, edges)", (9, [[5, 7]]), (3, [[1, 1]])),
        ("is_dag(n, edges)", (3, [[0, 1], [0, 2], [1, 2]]), (3, [[0, 1], [1, 2], [2, 0]])),
        ("is_bipartite(n, edges)", (2, [[0, 1], [1, 0]]), (3, [[0, 1], [1, 2], [2, 0]])),
        ("is_tree(n, edges)", (2, [[0, 1, 9]]), (2, [[0]])),
        ("is_tree(n, edges)", (1, [[0]][:0] or [[0, 0]][:0]), (0, [[0, 1]])),
    ],
)
def test_graphs(text: str, good: tuple[int, Any], bad: tuple[int, Any]) -> None:
    checked = validator({"n": "int", "edges": "list[list[int]]"}, text)
    assert checked.broken(good) == ()
    assert checked.distance(good) == 0
    assert checked.broken(bad) == (text,)
    assert checked.distance(bad) > 0


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("is_permutation(nums)", [2, 1], [0, 1]),
        ("is_permutation(nums, 0)", [1, 0], [1, 2]),
        ("is_permutation(nums, [5, 6, 6])", [6, 5, 6], [5, 5, 6]),
        ("is_subsequence(nums, range(10))", [1, 5], [5, 1]),
        ("is_sorted(nums)", [1, 1], [2, 1]),
        ("is_increasing(nums)", [1, 2], [1, 1]),
        ("is_descending(nums)", [2, 2], [1, 2]),
        ("is_decreasing(nums)", [2, 1], [2, 2]),
        ("is_unique(nums)", [2, 1], [2, 2]),
        ("is_prime(nums[0])", [2**61 - 1], [2**61 - 3]),
        ("not is_prime(nums[0])", [1], [2]),
        ("is_parents(nums)", [-1, 0, 0, 2], [-1, 2, 1]),
    ],
)
def test_predicates_of_lists(text: str, good: list[int], bad: list[int]) -> None:
    assert holds(text, nums=good)
    assert not holds(text, nums=bad)


def test_a_binary_tree_is_listed_level_by_level() -> None:
    checked = validator({"root": "list[int | None]"}, "is_level_order(root)")
    assert checked.is_valid([[1, None, 2, 3]])
    assert checked.is_valid([[]])
    assert not checked.is_valid([[1, None, None, 4]])
    assert not checked.is_valid([[None]])
    assert not checked.is_valid([[1, None]])


def test_a_wrong_type_is_broken_and_hides_what_depends_on_it() -> None:
    checked = validator({"nums": "list[int]", "k": "int"}, "len(nums) >= 1", "1 <= k <= 5")
    assert checked.broken([["a"], 9]) == ("nums: list[int]", "1 <= k <= 5")
    assert checked.broken([[1]]) == checked.broken([[1], 2, 3]) == ("solve(nums, k)",)
    assert checked.distance([["a"], 9]) >= 1e9
    assert not checked.is_valid([[1], True])


def test_the_distance_falls_on_the_way_to_a_valid_input() -> None:
    checked = validator({"nums": "list[int]", "k": "int"}, "sum(nums) == k", "is_sorted(nums)")
    ways = [[5, 1, 9], 3], [[1, 5, 9], 3], [[1, 5, 9], 10], [[1, 5, 9], 14], [[1, 5, 9], 15]
    steps = [checked.distance(args) for args in ways]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] == 0 < steps[-2]
    large = validator({"k": "int"}, "k == 10**9")
    assert large.distance([1]) > large.distance([2]) > large.distance([10**9 - 1]) > 0


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ("is_unique(nums)", True),
        ("sorted(nums) == sorted(others)", True),
        ("is_unique(pairs)", True),
        ("all(x in nums for x in others)", True),
        ("is_simple(2**80, pairs)", True),
        ("is_dag(2**80, pairs)", True),
        ("is_forest(2**80, pairs)", True),
        ("set(nums) <= set(others)", False),  # it would take minutes
    ],
)
def test_items_that_share_one_hash_cost_little(text: str, is_valid: bool) -> None:
    same = [i * (2**61 - 1) for i in range(30_000)]
    kinds = {"nums": "list[int]", "others": "list[int]", "pairs": "list[list[int]]"}
    pairs = [list(pair) for pair in pairwise(same)]
    assert validator(kinds, text).is_valid([same, same[::-1], pairs]) is is_valid


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ("all(x in nums for x in nums)", True),
        ("any(nums.count(x) > len(nums) // 2 for x in nums)", False),
        ("all(x <= max(nums) and x >= sorted(nums)[0] for x in nums)", True),
        ("all(x in set(nums) for x in nums)", True),
        ("all(s.count(c) >= 1 for c in s)", True),
        ("all(x not in [v for v in nums if v < 0] for x in nums)", True),
        ("all(len(set(nums)) > x - x for x in nums)", True),
    ],
)
def test_what_no_round_changes_is_computed_once(text: str, is_valid: bool) -> None:
    checked = validator({"nums": "list[int]", "s": "str"}, text)
    args = [list(range(50_000)), "abc" * 20_000]
    assert checked.is_valid(args) is is_valid
    assert (checked.distance(args) == 0) is is_valid


def test_the_reference_names_every_function_and_method() -> None:
    page = Path(__file__).parents[3].joinpath("docs/reference/constraints.md").read_text()
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", page.split("## Types")[1]))))
    methods = {name for kind in METHODS.values() for name in kind}
    assert (FUNCTION_NAMES | methods) - named == set()


def test_prose() -> None:
    types = {name: parse_type(kind) for name, kind in TYPES.items()}

    def say(text: str) -> str:
        return prose_of(parse_constraint(text, types))

    assert say("1 <= len(nums) <= 10**5") == "the length of nums is from 1 to 10^5"
    assert say("-2**31 <= nums[i] <= 2**31 - 1") == "each item of nums is from -2^31 to 2^31 - 1"
    assert say("all(c in 'ab' for c in s)") == "each character of s is in the characters 'ab'"
    assert say("not s or s[0] != '0'") == "if s is not empty, then the first item of s is not '0'"
    assert say("not is_prime(k)") == "k is not a prime"
    assert say("k > 2 * 10**5") == "k is greater than 2 * 10^5"
    assert say("is_tree(k, grid)") == "grid are the edges of a tree with nodes 0 to k - 1"
    assert say("is_dag(k, grid, 1)").endswith("with nodes 1 to k")
    assert say("k % 4 != 0") == "k is not divisible by 4"
    assert say("set(s) <= set('ab')") == "s has only items of the characters 'ab'"
    assert say("not s.startswith('a')") == "s does not start with 'a'"
    assert say("0 <= k < len(s)") == "k is at least 0 and less than the length of s"
    assert say("all(nums[i] != i for i in range(1, len(nums) - 1))") == (
        "for each i from 1 to the length of nums - 2, nums[i] is not i"
    )
    assert say("any(v == k for v in nums)") == "for some v in nums, v is k"
    assert say("sum(1 for v in nums if v > k) == 1") == (
        "the number of v in nums with v is greater than k is 1"
    )


@pytest.mark.parametrize(
    "text",
    [
        "all(nums in [nums, nums] for x in range(10**6))",
        "all((nums, x) not in {(nums, 1), nums} for x in range(5, 10**6))",
        "len({(nums, x) for x in range(10**6)}) > 0",
    ],
)
def test_lists_that_are_hashed_or_looked_up_are_charged_for_their_items(text: str) -> None:
    nums = list(range(10_000))
    types = {"nums": parse_type("list[int]")}
    checked = Validator(types, (parse_constraint(text, types),))
    assert checked.broken([nums]) == (text,)
    assert checked.work.steps > checked.budget - 50_000
