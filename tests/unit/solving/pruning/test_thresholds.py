"""Each rule holds from its figure on, and not below it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_CUBE = """
for i in 1..n:
    for j in 1..n:
        for k in 1..n:
            s += 1
"""
_SORTED_EACH_TIME = """
list = []
for i in 1..n:
    list.append(x[i])
    sort(list)
"""
_ENDLESS = """
down(n):
    down(n - 1)
"""
Broken = Callable[..., set[str]]


@pytest.mark.parametrize(
    ("pseudocode", "rule", "n"),
    [
        (_CUBE, "loop-depth", 100_000),
        (_SORTED_EACH_TIME, "sort-in-loop", 1_000),
        (_ENDLESS, "unbounded-recursion", 10_000),
    ],
)
def test_a_rule_holds_from_its_figure_on(
    rules_broken: Broken, pseudocode: str, rule: str, n: int
) -> None:
    assert rule in rules_broken(pseudocode, n=n)
    assert rule not in rules_broken(pseudocode, n=n - 1)


@pytest.mark.parametrize(
    ("words", "rule", "n"),
    [
        ("Floyd-Warshall on all vertices.", "all-pairs-paths", 2_000),
        ("Run a BFS from every vertex.", "search-from-each-node", 100_000),
        ("Keep the graph in an adjacency matrix.", "dense-matrix", 20_000),
        ("Enumerate all subsets of the items.", "enumeration", 28),
        ("Try all permutations of the items.", "enumeration", 13),
        ("Plain recursion over the items.", "unbounded-recursion", 10_000),
    ],
)
def test_words_hold_from_their_figure_on(
    rules_broken: Broken, words: str, rule: str, n: int
) -> None:
    assert rule in rules_broken(algorithm=words, n=n)
    assert rule not in rules_broken(algorithm=words, n=n - 1)


@pytest.mark.parametrize(
    "words",
    [
        "Avoids the O(n^2) scan over all pairs.",
        "Instead of comparing all pairs, sort once and compare neighbours.",
        "Instead of sorting inside the loop, keep a heap.",
        "A BFS from every vertex would be too slow, so reroot the tree.",
        "Enumerating all subsets is infeasible; use dynamic programming.",
        "An adjacency list rather than an adjacency matrix.",
        "Sum the contribution of each element to all subarrays.",
    ],
)
def test_what_a_plan_turns_down_is_not_held_against_it(rules_broken: Broken, words: str) -> None:
    assert rules_broken(algorithm=words, n=1_000_000) == set()


@pytest.mark.parametrize(
    ("stated", "refused"),
    [
        ("O(n log n)", False),
        ("O((n + q) \u03b1(n))", False),
        ("O(n²)", True),
        ("O(n*q)", True),
        ("O(n) per query", True),
        ("O(log n) per query", False),
        ("O(n log n) time, O(n^2) space", False),
        ("O(2^n)", True),
        ("O(2^k * n)", False),
        ("O(n sqrt(n))", False),
        ("O(1) instead of O(n^2)", False),
        ("linear", False),
        ("exponential", True),
        ("O(", False),
        ("O(n^n^n^n^n)", True),
    ],
)
def test_a_stated_complexity_is_taken_at_its_bounds(
    rules_broken: Broken, stated: str, refused: bool
) -> None:
    found = rules_broken(stated=stated, n=200_000, q=200_000, k=10)
    assert found == ({"stated-complexity"} if refused else set())


def test_tests_that_share_their_size_are_not_multiplied(rules_broken: Broken) -> None:
    code = "for each test case:\n    for i in 1..n:\n        for j in 1..i:\n            s += 1"
    assert rules_broken(code, n=5_000, t=1_000) == set()
    assert rules_broken(code, n=500_000, t=1_000) == {"nested-loops"}
