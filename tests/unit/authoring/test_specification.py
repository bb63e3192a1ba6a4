"""Faults of a specification, its starter code, and the static rules of its solutions."""

from typing import Any

import pytest

from steelyard.authoring.specification import (
    check_specification,
    require_sound,
    starter_code,
    static_faults,
)
from steelyard.errors import SpecificationError
from steelyard.schemas import Specification

TWO_SUM: dict[str, Any] = {
    "title": "Two sum",
    "description": "Return the positions of two numbers that add up to a target.",
    "parameters": [{"name": "nums", "type": "list[int]"}, {"name": "target", "type": "int"}],
    "returns": "list[int]",
    "constraints": [
        "2 <= len(nums) <= 10**4",
        "all(-10**9 <= x <= 10**9 for x in nums)",
        "-10**9 <= target <= 10**9",
    ],
    "examples": [{"args": [[2, 7, 11, 15], 9], "expected": [0, 1]}],
    "starter_code": "class Solution:\n    def solve(self, nums: List[int], target): pass\n",
    "match_mode": "unordered",
}


def spec(**changes: Any) -> Specification:
    return Specification.model_validate({**TWO_SUM, **changes})


def test_a_sound_specification_has_no_faults() -> None:
    assert check_specification(spec()) == ()
    require_sound(spec(constraints=(), examples=(), starter_code=""))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"parameters": [{"name": "nums", "type": "Tree"}, {"name": "target", "type": "int"}]},
            "the parameter nums: 'Tree' is not a type of arguments; write int",
        ),
        ({"returns": "set[int]"}, "returns is set[int]; use a list, or texts as keys"),
        (
            {"parameters": [{"name": "nums", "type": "list[int]"}, {"name": "sum", "type": "int"}]},
            "the parameter 'sum' has the name of a Python word; rename it",
        ),
        (
            {
                "parameters": [
                    {"name": "nums", "type": "list[int]"},
                    {"name": "class", "type": "int"},
                ]
            },
            "the parameter 'class' has the name of a Python word; rename it",
        ),
        (
            {"constraints": ["1 <= n <= 5"]},
            "constraint '1 <= n <= 5' cannot be read: column 6: 'n' is not a parameter; the",
        ),
        (
            {"constraints": ["len(nums) >= 5"]},
            "example 1 breaks the constraint 'len(nums) >= 5'; change one of them",
        ),
        (
            {"constraints": ["len(nums) > 3", "target > 5", "len(nums) < 2"]},
            "no arguments meet these constraints together: 'len(nums) > 3'; 'len(nums) < 2';",
        ),
        (
            {"constraints": ["target > 5 and target < 5"]},
            "no arguments meet the constraint 'target > 5 and target < 5'; relax or remove it",
        ),
        (
            {"examples": [{"args": [[2, "7"], 9], "expected": [0]}]},
            "example 1: nums: [1] is a text, expected int; change the example or the type",
        ),
        (
            {"examples": [{"args": [[2, 7], 9], "expected": "01"}]},
            "example 1: expected: the value is a text, expected list[int]; change",
        ),
        (
            {
                "examples": [{"args": [[2, 7], 9], "expected": [0]}] * 2
                + [{"args": [[2, 7], 9], "expected": [1]}]
            },
            "example 3 repeats arguments with another answer; remove it",
        ),
        (
            {"output_type": "in-place", "returns": "int", "match_mode": "exact", "examples": []},
            "output_type is in-place, so returns must be the type of nums, list[int]; got int",
        ),
        (
            {"returns": "int", "examples": []},
            "match_mode unordered needs a list as answer, and returns is int; use exact",
        ),
        (
            {"starter_code": "class Solution:\n    def solve(self, nums, target) ->"},
            "starter_code is not Python: line 2: ",
        ),
        (
            {"starter_code": "def solve(nums, target): pass"},
            "starter_code has no class Solution; write class Solution with a method solve",
        ),
        (
            {"starter_code": "class Solution:\n    def twoSum(self, nums, target): pass"},
            "the class Solution of starter_code has no method solve; write def solve(self, ...)",
        ),
        (
            {"starter_code": "class Solution:\n    def solve(self, target, nums): pass"},
            "solve in starter_code takes (self, target, nums) and the parameters are (self, nums,",
        ),
        (
            {"starter_code": "class Solution:\n    def solve(self, nums, *target): pass"},
            "solve in starter_code takes (self, nums) and the parameters are (self, nums, target)",
        ),
        (
            {"starter_code": "class Solution:\n    def solve(self, nums: list[str], target): pass"},
            "nums is list[str] in starter_code and list[int] in the parameters; use one type",
        ),
        (
            {"starter_code": "class Solution:\n    def solve(self, nums, target) -> str: pass"},
            "solve returns str in starter_code, and returns is list[int]; use one type",
        ),
        (
            {"starter_code": "import os\nclass Solution:\n  def solve(self, nums, target): pass"},
            "starter_code does not pass the gate: line 1: policy: import of os is not allowed",
        ),
        (
            {
                "starter_code": "class Solution:\n  def solve(self, nums, target):\n"
                "    while 1: pass",
                "static_rules": ["no loop"],
            },
            "starter_code breaks a static rule: line 3: a loop is not allowed by the rule",
        ),
        ({"starter_code": "(" * 5_000}, "starter_code is not Python: line 1: too many nested"),
        ({"starter_code": "x = '\\d'\n" + "-" * 4_000 + "1"}, "starter_code "),
    ],
)
def test_a_fault_is_one_line_that_says_what_to_do(changes: dict[str, Any], fault: str) -> None:
    found = check_specification(spec(**changes))
    assert any(line.startswith(fault) for line in found), found
    assert all("\n" not in line and len(line) < 2_500 for line in found)
    with pytest.raises(SpecificationError, match="the specification has a fault: "):
        require_sound(spec(**changes))


def test_constraints_that_no_search_meets_are_named() -> None:
    unmet = spec(
        parameters=[{"name": "x", "type": "bool"}],
        constraints=["x or True", "x == (not x)"],
        examples=(),
        starter_code="",
        returns="list[bool]",
    )
    (fault,) = check_specification(unmet)
    assert fault.startswith(
        "no arguments were found that meet these constraints together: 'x == (not x)'; change one"
    )


def test_all_faults_are_found_at_once() -> None:
    found = check_specification(
        spec(constraints=["1 <= n", "len(target) > 1", "len(nums) > 9"], returns="?")
    )
    assert [line.split(" ")[0] for line in found] == [
        "returns:",
        "constraint",
        "constraint",
        "example",
    ]


def test_a_hostile_specification_costs_little_and_is_refused() -> None:
    bomb = "len('a' * 10**9) > 1" + " and 10**10**10 > target" * 30
    found = check_specification(spec(constraints=[bomb[:980]] * 60))
    assert any("cannot be read" in line or "breaks the constraint" in line for line in found)
    huge = {"args": [[10**4000] * 50, 10**4000], "expected": [1]}
    found = check_specification(spec(examples=[huge]))
    assert any("breaks the constraint" in line for line in found)


def test_starter_code_is_derived_from_the_parameters() -> None:
    derived = starter_code(spec(starter_code=" "))
    assert derived == (
        "class Solution:\n    def solve(self, nums: list[int], target: int) -> list[int]:\n"
        "        pass\n"
    )
    assert check_specification(spec(starter_code=derived)) == ()
    in_place = spec(starter_code="", output_type="in-place", match_mode="exact")
    assert "-> None:" in starter_code(in_place)
    assert starter_code(spec()) == TWO_SUM["starter_code"]


PROGRAM = """
import heapq
from collections import deque as d
class Solution:
    def solve(self, nums):
        for n in nums:
            self.help(n)
        f = sorted
        nums.sort(key=lambda x: [y for y in x])
        return f(nums), heapq.merge(nums)
    def help(self, n):
        return self.again(n - 1) if n else 0
    def again(self, n):
        return self.help(n)
"""


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("no import", [2, 3]),
        ("no module heapq", [2]),
        ("no module collections", [3]),
        ("no module collections.deque", [3]),
        ("no module math", []),
        ("no loop", [6]),
        ("no comprehension", [9]),
        ("no recursion", [11, 13]),
        ("no call sorted", [8]),
        ("no call heapq.merge", [10]),
        ("no call collections.deque", [3]),
        ("no call max", []),
        ("no method sort", [9]),
        ("no method pop", []),
    ],
)
def test_static_rules(rule: str, lines: list[int]) -> None:
    found = static_faults(PROGRAM, [rule])
    assert [int(line.split(":")[0].removeprefix("line ")) for line in found] == lines
    assert all(line.endswith(f"is not allowed by the rule {rule!r}") for line in found)


@pytest.mark.parametrize(
    ("source", "rule", "is_broken"),
    [
        ("f = lambda n: n and f(n - 1)", "no recursion", True),
        ("def f(n):\n    def g(m):\n        return m\n    return g(n)", "no recursion", False),
        ("class A:\n    def append(self, x):\n        self.items.append(x)", "no recursion", False),
        ("class A:\n    def f(self):\n        return A().f()", "no recursion", True),
        ("class A:\n    def f(self):\n        return A.f(self)", "no recursion", True),
        ("def sorted(x):\n    return x\nsorted([1])", "no call sorted", False),
        ("getattr([], 'sort')()", "no method sort", True),
        ("map(list.sort, [[1]])", "no method sort", True),
        ("x = {n for n in 'ab'}", "no loop", False),
        ("while 0: pass", "no loop", True),
        ("from math import *", "no call math.gcd", True),
    ],
)
def test_rules_see_through_other_names(source: str, rule: str, is_broken: bool) -> None:
    assert bool(static_faults(source, [rule])) is is_broken


@pytest.mark.parametrize("source", ["(" * 100_000, "x" * 300_000, "\0", "-" * 100_000 + "1", "def"])
def test_a_program_that_cannot_be_read_is_one_fault(source: str) -> None:
    found = static_faults(source, ["no loop"])
    assert len(found) == 1
    assert found[0].startswith("the program ")
