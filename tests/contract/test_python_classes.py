"""What `class:NAME.METHOD` promises, in cells as they are: lists and trees of nodes among it."""

import itertools
from typing import Any

import pytest

from steelyard.sandbox import CellPool
from tests.contract.python_judging import judge, says

LIST = "class Solution:\n    def solve(self, head: Optional[ListNode]) -> Optional[ListNode]:\n"
TREE = "class Solution:\n    def solve(self, root: Optional[TreeNode]) -> Optional[TreeNode]:\n"
LISTS = "class Solution:\n    def solve(self, x: List[Optional[ListNode]]) -> List[ListNode]:\n"
OF_LISTS = "class Solution:\n    def solve(self, x: 'list[ListNode]') -> 'ListNode':\n"
NODES = """
class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next, self.mine = val, next, True
"""


class TestClass:
    @pytest.mark.parametrize(
        ("source", "case", "said"),
        [
            (LIST + "        return head.next", {"args": [[1, 2, 3]], "expected": [2, 3]}, "AC"),
            (LIST + "        return head", {"args": [[]], "expected": []}, "AC"),
            (LIST + "        return head", {"kwargs": {"head": [1, 2]}, "expected": [1, 2]}, "AC"),
            (
                LIST + "        head.next = head\n        return head",
                {"args": [[1]], "expected": [1]},
                "RTE raised ValueError: the list of nodes has a cycle",
            ),
            (
                TREE + "        root.left, root.right = root.right, root.left\n        return root",
                {"args": [[1, 2, 3, None, 4]], "expected": [1, 3, 2, None, None, None, 4]},
                "AC",
            ),
            (TREE + "        return root", {"args": [[]], "expected": []}, "AC"),
            (
                TREE + "        return root",
                {"args": [[1, None, 2, 3]], "expected": [1, None, 2, 3]},
                "AC",
            ),
            (
                TREE + "        t = TreeNode(2)\n        return TreeNode(1, t, t)",
                {"args": [[]], "expected": [1, 2, 2]},
                "AC",
            ),
            (
                TREE + "        root.right.left = root\n        return root",
                {"args": [[1, 2, 3]], "expected": 1},
                "RTE raised ValueError: the tree of nodes has a cycle",
            ),
            (
                LISTS + "        return x[::-1]",
                {"args": [[[1, 2], [3]]], "expected": [[3], [1, 2]]},
                "AC",
            ),
            (OF_LISTS + "        return x[1]", {"args": [[[1, 2], [3]]], "expected": [3]}, "AC"),
            (
                "class Solution:\n    def solve(self, x: ListNode): return x.next.val",
                {"args": [[1, 2]], "expected": 2},
                "AC",
            ),
            (
                NODES + LIST + "        assert head.mine\n        return ListNode(5, head)",
                {"args": [[1, 2]], "expected": [5, 1, 2]},
                "AC",
            ),
            (
                "class Solution:\n    solve = lambda _, x: (Counter(x), inf, deque(x)[2], gcd(4))",
                {"args": ["aab"], "expected": ({"a": 2, "b": 1}, float("inf"), "b", 4)},
                "AC",
            ),
            (
                "from __future__ import annotations\n" + LIST + "        return head.next",
                {"args": [[1, 2]], "expected": [2]},
                "AC",
            ),
            (
                "class Answer: pass",
                {"args": [], "expected": 1},
                "RTE the program defines no Solution",
            ),
            (
                "class Solution: pass",
                {"args": [], "expected": 1},
                "RTE the class Solution has no method solve",
            ),
            (
                "class Solution:\n    solve = 5",
                {"args": [], "expected": 1},
                "RTE the class Solution has no method solve",
            ),
            ("def Solution(): pass", {"args": [], "expected": 1}, "RTE Solution is not a class"),
            (
                "class Solution:\n    def __init__(self): raise KeyError('no')\n    solve = 5",
                {"args": [], "expected": 1},
                "RTE KeyError: 'no' while Solution() was made",
            ),
            (
                "class Solution:\n    def solve(self, x): x.sort()",
                {"args": [[2, 1]], "expected": None, "expected_args": [[1, 2]]},
                "AC",
            ),
            (
                "class Solution:\n    solve = staticmethod(max)",
                {"args": [1, 2], "expected": 2},
                "AC",
            ),
        ],
        ids=itertools.count(),
    )
    def test_a_method_and_what_comes_of_it(
        self, pool: CellPool, source: str, case: dict[str, Any], said: str
    ) -> None:
        assert says(judge(source, [case], "class:Solution.solve", pool)) == said

    def test_another_class_and_method(self, pool: CellPool) -> None:
        source = "class A:\n    def b(self): return 1"
        assert judge(source, [{"args": [], "expected": 1}], "class:A.b", pool).success


NODES_IN_PLACE = """
class Solution:
    def drop_second(self, head: ListNode) -> None:
        head.next = head.next.next

    def mirror(self, root: Optional[TreeNode]) -> None:
        if root:
            root.left, root.right = root.right, root.left
            self.mirror(root.left)
            self.mirror(root.right)

    def heads(self, lists: Optional[List[ListNode]]) -> List[int]:
        return [head.val for head in lists]
"""


@pytest.mark.parametrize(
    ("method", "case"),
    [
        ("drop_second", {"args": [[1, 2, 3]], "expected": None, "expected_args": [[1, 3]]}),
        ("mirror", {"args": [[1, 2, 3]], "expected": None, "expected_args": [[1, 3, 2]]}),
        ("heads", {"args": [[[1, 2], [3]]], "expected": [1, 3]}),
    ],
)
def test_nodes_that_are_changed_in_place_come_back_as_lists(
    method: str, case: dict[str, Any], pool: CellPool
) -> None:
    assert judge(NODES_IN_PLACE, [case], f"class:Solution.{method}", pool).success
