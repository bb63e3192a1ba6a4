"""Specifications of many kinds, from which tests derive inputs."""

from typing import Any

from steelyard.inputs import inputs_of
from steelyard.inputs._meter import MOST_WORK
from steelyard.schemas import AuthoredCase, Specification

Spec = tuple[str, list[str], list[list[Any]]]


def specification(
    parameters: str, constraints: list[str], examples: list[list[Any]], title: str = "t"
) -> Specification:
    """A specification from short texts: `nums: list[int], k: int`."""
    pairs = [each.split(":") for each in parameters.split(";")]
    return Specification(
        title=title,
        description="A problem.",
        parameters=tuple({"name": n.strip(), "type": t.strip()} for n, t in pairs),
        returns="int",
        constraints=tuple(constraints),
        examples=tuple({"args": tuple(args), "expected": 0} for args in examples),
    )


TUNED: dict[str, Spec] = {
    "two sum": (
        "nums: list[int]; target: int",
        [
            "2 <= len(nums) <= 10**4",
            "all(-10**9 <= x <= 10**9 for x in nums)",
            "-10**9 <= target <= 10**9",
        ],
        [[[2, 7, 11, 15], 9], [[3, 2, 4], 6], [[3, 3], 6]],
    ),
    "window": (
        "nums: list[int]; k: int",
        [
            "1 <= len(nums) <= 1000",
            "all(-10**4 <= x <= 10**4 for x in nums)",
            "1 <= k <= len(nums)",
        ],
        [[[1, 3, -1, -3, 5, 3, 6, 7], 3], [[1], 1]],
    ),
    "sorted search": (
        "nums: list[int]; target: int",
        [
            "0 <= len(nums) <= 1000",
            "all(-10**9 <= x <= 10**9 for x in nums)",
            "sorted(nums) == nums",
            "len(set(nums)) == len(nums)",
            "-10**9 <= target <= 10**9",
        ],
        [[[1, 3, 5, 6], 5], [[1, 3, 5, 6], 2]],
    ),
    "brackets": (
        "s: str",
        ["1 <= len(s) <= 800", "set(s) <= set('()[]{}')"],
        [["()"], ["()[]{}"], ["(]"]],
    ),
    "edit distance": (
        "a: str; b: str",
        [
            "0 <= len(a) <= 500",
            "0 <= len(b) <= 500",
            "a.islower() or a == ''",
            "all('a' <= c <= 'z' for c in b)",
        ],
        [["horse", "ros"], ["intention", "execution"]],
    ),
    "intervals": (
        "intervals: list[list[int]]",
        [
            "1 <= len(intervals) <= 800",
            "all(len(x) == 2 for x in intervals)",
            "all(0 <= x[0] <= x[1] <= 10**4 for x in intervals)",
        ],
        [[[[1, 3], [2, 6], [8, 10], [15, 18]]], [[[1, 4], [4, 5]]]],
    ),
    "tree edges": (
        "n: int; edges: list[list[int]]",
        ["1 <= n <= 500", "len(edges) == n - 1", "is_tree(n, edges)"],
        [[4, [[1, 0], [1, 2], [1, 3]]], [6, [[3, 0], [3, 1], [3, 2], [3, 4], [5, 4]]]],
    ),
    "matrix": (
        "grid: list[list[str]]",
        [
            "1 <= len(grid) <= 60",
            "1 <= len(grid[0]) <= 60",
            "all(len(row) == len(grid[0]) for row in grid)",
            "all(c in ('0', '1') for row in grid for c in row)",
        ],
        [[[["1", "1", "0"], ["0", "1", "0"]]]],
    ),
    "coins": (
        "coins: list[int]; amount: int",
        [
            "1 <= len(coins) <= 12",
            "all(1 <= c <= 2**31 - 1 for c in coins)",
            "len(set(coins)) == len(coins)",
            "0 <= amount <= 10**4",
        ],
        [[[1, 2, 5], 11], [[2], 3]],
    ),
    "words": (
        "s: str; words: list[str]",
        [
            "1 <= len(s) <= 300",
            "1 <= len(words) <= 1000",
            "all(1 <= len(w) <= 20 for w in words)",
            "all('a' <= c <= 'z' for c in s)",
            "all('a' <= c <= 'z' for w in words for c in w)",
            "len(set(words)) == len(words)",
        ],
        [["leetcode", ["leet", "code"]], ["applepenapple", ["apple", "pen"]]],
    ),
    "floats": (
        "points: list[float]; width: float",
        [
            "1 <= len(points) <= 1000",
            "all(-1e6 <= p <= 1e6 for p in points)",
            "0 < width <= 1e3",
        ],
        [[[0.5, 1.5, 2.0], 1.0]],
    ),
    "number": ("n: int", ["0 <= n <= 10**18"], [[10], [0]]),
}
"""Seen while the maker of inputs was tuned."""

UNSEEN: dict[str, Spec] = {
    "weighted graph": (
        "n: int; edges: list[tuple[int, int, int]]; source: int",
        [
            "1 <= n <= 900",
            "0 <= len(edges) <= 900",
            "all(1 <= u <= n and 1 <= v <= n and 0 <= w <= 10**6 for u, v, w in edges)",
            "1 <= source <= n",
        ],
        [[3, [[1, 2, 5], [2, 3, 1]], 1]],
    ),
    "simple graph": (
        "n: int; edges: list[list[int]]",
        [
            "2 <= n <= 500",
            "n - 1 <= len(edges) <= 900",
            "is_simple(n, edges)",
            "is_connected(n, edges)",
        ],
        [[3, [[0, 1], [1, 2]]]],
    ),
    "rotated": (
        "nums: list[int]; pivot: int",
        [
            "1 <= len(nums) <= 5000",
            "all(-10**4 <= x <= 10**4 for x in nums)",
            "is_increasing(nums)",
            "0 <= pivot < len(nums)",
        ],
        [[[1, 2, 3], 1]],
    ),
    "permutation": (
        "p: list[int]",
        ["1 <= len(p) <= 1000", "is_permutation(p)"],
        [[[2, 1, 3]]],
    ),
    "knapsack": (
        "weights: list[int]; values: list[int]; capacity: int",
        [
            "1 <= len(weights) <= 100",
            "len(values) == len(weights)",
            "all(1 <= w <= 10**3 for w in weights)",
            "all(0 <= v <= 10**6 for v in values)",
            "0 <= capacity <= 10**4",
        ],
        [[[1, 2], [10, 20], 2]],
    ),
    "level order": (
        "root: list[int | None]",
        [
            "0 <= len(root) <= 500",
            "is_level_order(root)",
            "all(v is None or -100 <= v <= 100 for v in root)",
        ],
        [[[3, 9, 20, None, None, 15, 7]]],
    ),
    "points": (
        "points: list[tuple[int, int]]; k: int",
        [
            "1 <= k <= len(points) <= 800",
            "all(-10**4 <= x <= 10**4 and -10**4 <= y <= 10**4 for x, y in points)",
            "len(set(points)) == len(points)",
        ],
        [[[[1, 3], [-2, 2]], 1]],
    ),
    "sentence": (
        "text: str; width: int",
        [
            "0 <= len(text) <= 800",
            "set(text) <= set('abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ')",
            "1 <= width <= 100",
        ],
        [["the quick brown fox", 10]],
    ),
    "scores": (
        "scores: dict[str, int]; bonus: int | None",
        [
            "0 <= len(scores) <= 50",
            "all(0 <= v <= 100 for v in scores.values())",
            "all(1 <= len(k) <= 8 and k.isalpha() and k.isascii() for k in scores)",
            "bonus is None or 1 <= bonus <= 10",
        ],
        [[{"ann": 3, "bob": 90}, None], [{}, 4]],
    ),
    "subset": (
        "nums1: list[int]; nums2: list[int]",
        [
            "1 <= len(nums1) <= len(nums2) <= 1000",
            "all(0 <= x <= 10**4 for x in nums1)",
            "all(0 <= x <= 10**4 for x in nums2)",
            "len(set(nums1)) == len(nums1)",
            "len(set(nums2)) == len(nums2)",
            "set(nums1) <= set(nums2)",
        ],
        [[[4, 1, 2], [1, 3, 4, 2]]],
    ),
    "square matrix": (
        "matrix: list[list[int]]",
        [
            "1 <= len(matrix) <= 100",
            "all(len(row) == len(matrix) for row in matrix)",
            "all(-1000 <= x <= 1000 for row in matrix for x in row)",
        ],
        [[[[1, 2], [3, 4]]]],
    ),
    "queries": (
        "nums: list[int]; queries: list[list[int]]",
        [
            "1 <= len(nums) <= 1000",
            "all(0 <= x <= 10**9 for x in nums)",
            "1 <= len(queries) <= 800",
            "all(len(q) == 2 for q in queries)",
            "all(0 <= q[0] <= q[1] < len(nums) for q in queries)",
        ],
        [[[1, 2, 3, 4], [[0, 1], [1, 3]]]],
    ),
    "flags": (
        "flags: list[bool]; names: list[str]",
        [
            "1 <= len(flags) <= 200",
            "len(names) == len(flags)",
            "all(0 <= len(s) <= 10 for s in names)",
        ],
        [[[True, False], ["a", "b"]]],
    ),
    "majority": (
        "nums: list[int]",
        ["1 <= len(nums) <= 1000", "any(nums.count(x) * 2 > len(nums) for x in nums[:1])"],
        [[[3, 2, 3]]],
    ),
}
"""Written with the others, and first used when the maker of inputs was finished."""

RESIDUAL: dict[str, Spec] = {
    "square with a diagonal": (
        "table: list[str]",
        [
            "2 <= len(table) <= 6",
            "all(len(row) == len(table) for row in table)",
            "all(all(c in '-WLD' for c in row) for row in table)",
            "all((c == '-') == (i == j) for i, row in enumerate(table) for j, c in enumerate(row))",
        ],
        [],
    ),
    "sum": (
        "nums: list[int]; target: int",
        ["1 <= len(nums) <= 20", "all(0 <= x <= 100 for x in nums)", "sum(nums) == target"],
        [],
    ),
    "even sum": (
        "nums: list[int]",
        ["1 <= len(nums) <= 20", "all(1 <= x <= 100 for x in nums)", "sum(nums) % 2 == 0"],
        [],
    ),
    "anagram": (
        "s: str; t: str",
        ["1 <= len(s) <= 12", "all('a' <= c <= 'e' for c in s)", "sorted(s) == sorted(t)"],
        [],
    ),
    "k-sorted": (
        "nums: list[int]; k: int",
        [
            "2 <= len(nums) <= 15",
            "0 <= k <= 4",
            "all(0 <= x <= 50 for x in nums)",
            "all(abs(i - sorted(nums).index(nums[i])) <= k for i in range(len(nums)))",
        ],
        [],
    ),
    "majority": (
        "nums: list[int]",
        [
            "1 <= len(nums) <= 15",
            "all(0 <= x <= 9 for x in nums)",
            "any(nums.count(x) * 2 > len(nums) for x in nums)",
        ],
        [],
    ),
    "balanced": ("s: str", ["2 <= len(s) <= 20", "set(s) <= set('()[]')", "is_balanced(s)"], []),
    "connected simple": (
        "n: int; edges: list[list[int]]",
        [
            "2 <= n <= 8",
            "len(edges) <= 12",
            "all(len(e) == 2 for e in edges)",
            "all(0 <= e[0] < n and 0 <= e[1] < n for e in edges)",
            "is_simple(n, edges)",
            "is_connected(n, edges)",
        ],
        [],
    ),
    "subset": (
        "a: list[int]; b: list[int]",
        [
            "1 <= len(b) <= 10",
            "1 <= len(a) <= 10",
            "all(0 <= x <= 30 for x in b)",
            "set(a) <= set(b)",
        ],
        [],
    ),
    "palindrome": (
        "s: str",
        ["1 <= len(s) <= 15", "all('a' <= c <= 'c' for c in s)", "s == s[::-1]"],
        [],
    ),
    "last digit": (
        "n: int; m: int",
        ["10 <= n <= 10**6", "10 <= m <= 10**6", "n % 10 == m % 10"],
        [],
    ),
    "divides": ("a: int; b: int", ["1 <= a <= 1000", "1 <= b <= 10**6", "b % a == 0"], []),
    "zero sum": (
        "nums: list[int]",
        ["2 <= len(nums) <= 12", "all(-20 <= x <= 20 for x in nums)", "sum(nums) == 0"],
        [],
    ),
    "present": (
        "nums: list[int]; target: int",
        ["1 <= len(nums) <= 20", "all(-1000 <= x <= 1000 for x in nums)", "target in nums"],
        [],
    ),
    "subsequence": (
        "a: str; b: str",
        [
            "1 <= len(a) <= 6",
            "1 <= len(b) <= 14",
            "all('a' <= c <= 'd' for c in b)",
            "is_subsequence(a, b)",
        ],
        [],
    ),
    "column order": (
        "rows: list[list[int]]",
        [
            "1 <= len(rows) <= 10",
            "all(len(r) == 2 for r in rows)",
            "all(0 <= r[0] < r[1] <= 50 for r in rows)",
            "all(rows[i][0] <= rows[i + 1][0] for i in range(len(rows) - 1))",
        ],
        [],
    ),
    "gap": (
        "nums: list[int]",
        [
            "2 <= len(nums) <= 10",
            "all(0 <= x <= 100 for x in nums)",
            "all(abs(nums[i] - nums[i + 1]) >= 3 for i in range(len(nums) - 1))",
        ],
        [],
    ),
    "triangle": (
        "a: int; b: int; c: int",
        [
            "1 <= a <= 1000",
            "1 <= b <= 1000",
            "1 <= c <= 1000",
            "a + b > c",
            "a + c > b",
            "b + c > a",
        ],
        [],
    ),
    "two residues": ("n: int", ["1 <= n <= 10**9", "n % 1009 == 17", "n % 997 == 23"], []),
    "disjoint intervals": (
        "rows: list[list[int]]",
        [
            "3 <= len(rows) <= 5",
            "all(len(r) == 2 for r in rows)",
            "all(0 <= r[0] < r[1] <= 10**6 for r in rows)",
            "all(rows[i][1] < rows[i + 1][0] for i in range(len(rows) - 1))",
        ],
        [],
    ),
}
"""What no family builds: branch distance leads to them."""


def make_inputs(
    spec: Specification, *, seed: int, count: int, work: int = MOST_WORK
) -> tuple[AuthoredCase, ...]:
    """The cases of a suite's inputs."""
    return inputs_of(spec, seed=seed).small(count, work=work).cases
