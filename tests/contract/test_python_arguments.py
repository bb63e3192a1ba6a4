"""What a call makes of its arguments, and nodes in every kind of container, in real cells."""

import itertools
from typing import Any

import pytest

from steelyard.errors import TestsError
from steelyard.sandbox import CellPool
from tests.contract.python_judging import judge, says, verdicts

APPENDS = "def f(*xs, **named):\n    for x in (*xs, *named.values()): x.append(2)\n"


@pytest.mark.parametrize(
    ("source", "case", "said"),
    [
        (APPENDS, {"kwargs": {"a": [1]}, "expected_kwargs": {"a": [1, 2]}}, "AC"),
        (
            APPENDS,
            {"kwargs": {"a": [1]}, "expected_kwargs": {"a": [1]}},
            "WA at keyword argument ['a']: expected 1 items, got 2",
        ),
        (APPENDS, {"kwargs": {"a": [1]}}, "AC"),
        (
            APPENDS,
            {
                "args": [[]],
                "kwargs": {"b": [], "a": [1]},
                "expected_args": [[2]],
                "expected_kwargs": {"a": [1, 2], "b": [2]},
            },
            "AC",
        ),
        (
            APPENDS,
            {
                "args": [[]],
                "kwargs": {"b": []},
                "expected_args": [[3]],
                "expected_kwargs": {"b": [2]},
            },
            "WA at argument [0][0]: expected 3, got 2",
        ),
        (
            APPENDS,
            {"args": [[]], "kwargs": {"b": []}, "expected_kwargs": {"b": [3]}},
            "WA at keyword argument ['b'][0]: expected 3, got 2",
        ),
        ("def f(): pass", {"args": [], "expected_kwargs": {}}, "AC"),
        (
            "def f(a): a.append(object())",
            {"kwargs": {"a": []}, "expected_kwargs": {"a": []}},
            "WA returned an object, which is not plain data",
        ),
    ],
    ids=itertools.count(),
)
def test_arguments_by_name_are_compared_as_they_are_after_the_call(
    pool: CellPool, source: str, case: dict[str, Any], said: str
) -> None:
    case = {"expected": None, **case}
    assert says(judge(source, [case], "function:f", pool)) == said
    shared = judge(source, [case, case], "function:f", pool, isolation="per_candidate")
    assert verdicts(shared) == " ".join([said.partition(" ")[0]] * 2)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def f(a): a.append(1)", "x = []\nf(a=x)\nassert x == [1]"),
        ("def f(a, b): b['k'] = a", "x, y = [], {0: 1}\nf(x, b=y)\nassert y == {0: 1, 'k': []}"),
        ("def f(a, b): a.add(b.pop())", "x, y = {1}, {2}\nf(x, b=y)\nassert x == {1, 2} and not y"),
        ("def f(**k): k['a'].extend(b'z')", "x = bytearray(b'y')\nf(a=x)\nassert x == b'yz'"),
        ("def f(a): a = [1]", "x = []\nf(a=x)\nassert x == []"),
    ],
)
def test_assertions_see_what_became_of_arguments_by_name(
    pool: CellPool, source: str, code: str
) -> None:
    assert says(judge(source, [code], "asserts:f", pool)) == "AC"


BY_ANNOTATION = """
from typing import Dict, Tuple, NamedTuple
class Solution:
    def values(self, d: dict[str, ListNode]) -> int:
        return sum(head.val for head in d.values())
    def strings(self, d: 'Dict[str, "Optional[TreeNode]"]') -> int:
        return sum(root.left.val for root in d.values() if root)
    def pair(self, p: tuple[TreeNode, int]) -> Tuple[int, Optional[TreeNode]]:
        return p[1], p[0].left
    def optional(self, p: Optional[Tuple[ListNode, int]]) -> tuple[ListNode, int] | None:
        return p and (p[0].next, p[1])
    def many(self, p: tuple[ListNode, ...]) -> dict[int, ListNode]:
        return {head.val: head for head in p}
    def deep(self, d: dict[str, list[tuple[int, Optional[ListNode]]]]) -> dict:
        return {key: [head and head.val for _, head in pairs] for key, pairs in d.items()}
    def parts(self, head: Optional[ListNode]) -> List[Optional[ListNode]]:
        return [head, None]
    def unsaid(self, head: ListNode):
        return {"head": head}
    def unsaid_pair(self, head: ListNode):
        return head.next, 5
    def drop(self, d: dict[str, ListNode], p: tuple[ListNode, int], x: list[ListNode]) -> None:
        d["a"].next = None
        d["b"] = ListNode(7)
        p[0].val = 9
        x.pop()
    def by_name(self, *, d: dict[str, ListNode], n: int) -> int:
        d["a"].val = n
        return n
    def other(self, d: dict[str, int], head: ListNode) -> int:
        return d["a"] + head.val
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
@pytest.mark.parametrize(
    ("method", "case"),
    [
        ("values", {"args": [{"a": [1, 2], "b": [3]}], "expected": 4}),
        ("strings", {"args": [{"a": [1, 2], "b": []}], "expected": 2}),
        ("pair", {"args": [([1, 2, 3], 4)], "expected": (4, [2])}),
        ("pair", {"args": [([1], 4)], "expected": (4, [])}),
        ("optional", {"args": [([1, 2], 3)], "expected": ([2], 3)}),
        ("optional", {"args": [None], "expected": None}),
        ("many", {"args": [([1], [2, 3])], "expected": {1: [1], 2: [2, 3]}}),
        ("deep", {"args": [{"a": [(0, [5]), (1, [])]}], "expected": {"a": [5, None]}}),
        ("parts", {"args": [[1]], "expected": [[1], []]}),
        ("unsaid", {"args": [[1]], "expected": {"head": [1]}}),
        ("unsaid_pair", {"args": [[1, 2]], "expected": ([2], 5)}),
        (
            "drop",
            {
                "args": [{"a": [1, 2], "b": []}, ([3, 4], 5), [[6], [8]]],
                "expected": None,
                "expected_args": [{"a": [1], "b": [7]}, ([9, 4], 5), [[6]]],
            },
        ),
        (
            "by_name",
            {
                "kwargs": {"d": {"a": [1, 2]}, "n": 3},
                "expected": 3,
                "expected_kwargs": {"d": {"a": [3, 2]}, "n": 3},
            },
        ),
        ("other", {"args": [{"a": 1}, [2]], "expected": 3}),
    ],
    ids=itertools.count(),
)
def test_nodes_are_found_where_annotations_put_them(
    pool: CellPool, future: str, method: str, case: dict[str, Any]
) -> None:
    source = future + BY_ANNOTATION
    assert says(judge(source, [case], f"class:Solution.{method}", pool)) == "AC"


@pytest.mark.parametrize(
    "annotation", ["ListNode | list[", "'not Python: ListNode'", "5", "[ListNode]", "'é' * 3"]
)
def test_an_annotation_that_says_nothing_changes_nothing(pool: CellPool, annotation: str) -> None:
    quoted = annotation if not annotation.endswith("[") else repr(annotation)
    source = f"class Solution:\n    def solve(self, x: {quoted}): return x"
    assert says(judge(source, [{"args": [[1]], "expected": [1]}], "class:Solution", pool)) == "AC"


CHECK = "def check(candidate):\n    assert candidate(2) == 4\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (CHECK + "check(f)", "AC"),
        (CHECK + "assert f(1) == 1", "AC"),
        (CHECK + "assert f(1) == 2", "WA assert f(1) == 2; f returned 1"),
        (CHECK + "check(lambda x: f(x) + 1)", "WA assert candidate(2) == 4; f returned 4"),
        ("LIMIT = 4\ndef check(candidate):\n    assert candidate(2) == f(2) == LIMIT", "AC"),
        ("def check(c, n):\n    assert c(n) == n * n\ncheck(f, 3)", "AC"),
        ("def check(c):\n    assert c(f(2)) == 15", "WA assert c(f(2)) == 15; f returned 16"),
    ],
)
def test_whom_check_tests_is_told_by_what_the_assertions_call(
    pool: CellPool, code: str, said: str
) -> None:
    assert says(judge("def f(x): return x * x", [code], "asserts", pool)) == said


@pytest.mark.parametrize(
    "code", [CHECK, CHECK + "assert f(1) == g(1)", CHECK + "def later(): return LIMIT"]
)
def test_check_needs_a_name_where_it_could_mean_several_or_none(pool: CellPool, code: str) -> None:
    source = "def f(x): return x * x\ndef g(x): return x"
    with pytest.raises(TestsError) as raised:
        judge(source, [code], "asserts", pool)
    assert str(raised.value) == (
        'case "1": check(candidate) needs the name of the function: give it as asserts:NAME, '
        'or as "entry" of the case; fix the assertions'
    )


def test_a_case_names_whom_check_tests(pool: CellPool) -> None:
    case = {"code": CHECK, "setup": "def f(x): ...", "entry": "f"}
    assert says(judge("def f(x): return x * x", [case], "asserts", pool)) == "AC"
