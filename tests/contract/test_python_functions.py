"""What `function:NAME` promises, in cells as they are."""

import itertools
from typing import Any

import pytest

import steelyard
from steelyard.sandbox import CellPool
from tests.contract.python_judging import PATIENT, judge, says, verdicts


class TestFunction:
    @pytest.mark.parametrize(
        ("source", "case", "said"),
        [
            ("def f(a, b): return a + b", {"args": [1, 2], "expected": 3}, "AC"),
            ("def f(a, b): return a + b", {"args": [1, 2], "expected": 4}, "WA expected 4, got 3"),
            (
                "def f(*a, k=1): return a, k",
                {"args": [1], "kwargs": {"k": 2}, "expected": ((1,), 2)},
                "AC",
            ),
            ("f = lambda **k: k", {"kwargs": {"a b": 1}, "expected": {"a b": 1}}, "AC"),
            ("f = sorted", {"args": [[2, 1]], "expected": [1, 2]}, "AC"),
            (
                "class f:\n    __new__ = lambda _, x: x",
                {"args": [(1, {2})], "expected": (1, {2})},
                "AC",
            ),
            ("def f(x): return x", {"args": [{(1,): b"x"}], "expected": {(1,): b"x"}}, "AC"),
            ("def f(x): return x * 10", {"args": [10**4999], "expected": 10**5000}, "AC"),
            (
                "import sys\nsys.set_int_max_str_digits(0)\ndef f(): return 10**5000",
                {"args": [], "expected": 10**5000},
                "AC",
            ),
            (
                "def f(x): x.append(1)",
                {"args": [[]], "expected": None, "expected_args": [[1]]},
                "AC",
            ),
            (
                "def f(x): x.append(2)",
                {"args": [[]], "expected": None, "expected_args": [[1]]},
                "WA at argument [0][0]: expected 1, got 2",
            ),
            ("def f(x): x.append(2)", {"args": [[]], "expected": None}, "AC"),
            ("def f(): raise KeyError(1)", {"args": [], "expected_exception": "LookupError"}, "AC"),
            (
                "class Mine(ValueError): pass\ndef f(): raise Mine",
                {"args": [], "expected_exception": "Mine"},
                "AC",
            ),
            (
                "def f(): raise KeyError(1)",
                {"args": [], "expected_exception": "ValueError"},
                "RTE raised KeyError: 1",
            ),
            (
                "def f(): return 1",
                {"args": [], "expected_exception": "ValueError"},
                "WA returned 1; expected ValueError to be raised",
            ),
            (
                "def f(): 1 / 0",
                {"args": [], "expected": 1},
                "RTE raised ZeroDivisionError: division by zero",
            ),
            (
                "def f():\n    try: return f()\n    except RecursionError: return 1",
                {"args": [], "expected": 1},
                "AC",
            ),
            ("def f(): exit(0)", {"args": [], "expected": 1}, "RTE raised SystemExit: 0"),
            (
                "import os\ndef f(): os._exit(0)",
                {"args": [], "expected": 1},
                "RTE ended before it returned",
            ),
            ("import os\ndef f(): os._exit(3)", {"args": [], "expected": 1}, "RTE exit status 3"),
            (
                "import os\ndef f(): os.abort()",
                {"args": [], "expected": 1},
                "RTE ended by SIGABRT (signal 6)",
            ),
            (
                "def f(): yield 1",
                {"args": [], "expected": [1]},
                "WA returned a generator, which is not plain data",
            ),
            (
                "def f(): return [{1: object()}]",
                {"args": [], "expected": 1},
                "WA returned an object, which is not plain data",
            ),
            (
                "def f():\n    x = []\n    x.append(x)\n    return x",
                {"args": [], "expected": []},
                "WA returned a value nested deeper than 200 levels",
            ),
            ("def g(): pass", {"args": [], "expected": 1}, "RTE the program defines no f"),
            ("f = 5", {"args": [], "expected": 1}, "RTE f is int, which cannot be called"),
            (
                "def f(): return 1\n1 / 0",
                {"args": [], "expected": 1},
                "RTE ZeroDivisionError: division by zero while the program was loaded",
            ),
            (
                "def f(): return 1\nexit()",
                {"args": [], "expected": 1},
                "RTE SystemExit: None while the program was loaded",
            ),
            ("def f(): return __name__", {"args": [], "expected": "solution"}, "AC"),
            (
                "if __name__ == '__main__': exit()\ndef f(): return 1",
                {"args": [], "expected": 1},
                "AC",
            ),
        ],
        ids=itertools.count(),
    )
    def test_a_call_and_what_comes_of_it(
        self, pool: CellPool, source: str, case: dict[str, Any], said: str
    ) -> None:
        assert says(judge(source, [case], "function:f", pool)) == said

    def test_what_is_printed_does_not_disturb(self, pool: CellPool) -> None:
        source = """
            import os, sys
            print("loaded")
            def f(x):
                print('1 1\\t["ok",5]')
                os.write(1, b'1 1\\t["ok",5]\\n')
                sys.stderr.write("seen")
                return x
            """.replace("\n            ", "\n")
        result = judge(source, [{"args": [1], "expected": 1}], "function:f", pool)
        assert verdicts(result) == "AC"
        assert result.cases[0].stdout == ""
        assert "loaded" in result.cases[0].stderr
        assert "seen" in result.cases[0].stderr

    def test_a_call_reads_no_input(self, pool: CellPool) -> None:
        source = (
            "def f():\n    try:\n        return input()\n    except EOFError:\n        return 1"
        )
        assert says(judge(source, [{"args": [], "expected": 1}], "function:f", pool)) == "AC"

    def test_a_case_has_its_own_time(self, pool: CellPool) -> None:
        source = "def f(x):\n    while x: pass\n    return 0"
        cases = [
            {"args": [0], "expected": 0},
            {"args": [1], "expected": 0, "timeout": 0.3},
            {"args": [0], "expected": 0},
        ]
        result = judge(source, cases, "function:f", pool)
        assert verdicts(result) == "AC TLE AC"
        assert "300 ms of CPU time" in result.cases[1].message

    def test_values_are_compared_as_asked(self, pool: CellPool) -> None:
        source = "def f(x): return x"
        cases = [{"args": [[2.0000001, 1]], "expected": (1, 2)}]
        for options, passes in [
            ({}, False),
            ({"match_mode": "unordered", "sequences_alike": True}, False),
            ({"match_mode": "numeric", "sequences_alike": True}, False),
        ]:
            assert judge(source, cases, "function:f", pool, **options).success == passes
        cases = [{"args": [[2.0000001, 1]], "expected": (2, 1)}]
        assert judge(
            source, cases, "function:f", pool, match_mode="numeric", sequences_alike=True
        ).success
        cases = [{"args": [[2, 1]], "expected": [1, 2]}]
        assert judge(source, cases, "function:f", pool, match_mode="unordered").success

    def test_it_has_leetcode_names_and_nodes(self, pool: CellPool) -> None:
        source = (
            "def f(head: Optional[ListNode], k: 'int' = 1) -> Optional[ListNode]:\n"
            "    values = deque()\n"
            "    while head: values.append(head.val); head = head.next\n"
            "    values.rotate(gcd(k, 6))\n"
            "    return ListNode(values.popleft(), ListNode(sum(values)))\n"
        )
        cases = [{"args": [[1, 2, 3]], "expected": [3, 3]}, {"args": [[4]], "expected": [4, 0]}]
        assert judge(source, cases, "function:f", pool).success
        tree = "def f(root: TreeNode) -> List[int]: return [root.val, root.right.val]"
        cases = [{"args": [[1, None, 2]], "expected": [1, 2]}]
        assert judge(tree, cases, "function:f", pool).success

    @pytest.mark.parametrize("source", ["def g(x, y): return gcd(x, y)", "x = gcd", ""])
    def test_a_name_that_is_given_is_not_the_programs(self, pool: CellPool, source: str) -> None:
        case = {"args": [4, 6], "expected": 2}
        result = judge(source + "\nx = 1", [case], "function:gcd", pool)
        assert not result.success
        own = "from math import gcd as own\ndef gcd(x, y): return own(x, y)"
        assert judge(own, [case], "function:gcd", pool).success
        assert judge("from math import gcd", [case], "function:gcd", pool).success


def test_a_call_may_recurse_as_deep_as_its_stack_allows(pool: CellPool) -> None:
    function = "def f(n): return n and 1 + f(n - 1)\n"
    method = "class Solution:\n    def f(self, n): return n and 1 + self.f(n - 1)\n"
    case = {"args": [50_000], "expected": 50_000}
    for isolation in ("per_case", "per_candidate"):
        assert judge(function, [case], "function:f", pool, isolation=isolation).success
    assert judge(method, [case], "class:Solution.f", pool).success
    assert judge(function, ["assert f(50_000) == 50_000"], "asserts:f", pool).success
    small = PATIENT.replace(stack_mib=16)  # 8,192 levels
    for levels, passes in ((6_000, True), (50_000, False)):
        case = {"args": [levels], "expected": levels}
        result = steelyard.judge(function, [case], entry="function:f", limits=small, pool=pool)
        assert result.success == passes
    assert says(result).startswith("RTE raised RecursionError")
    own = f"import sys\nsys.setrecursionlimit(100)\n{function}"
    assert says(judge(own, [case], "function:f", pool)).startswith("RTE raised RecursionError")


def test_a_script_has_pythons_own_limit_of_recursion(pool: CellPool) -> None:
    script = "import sys\nprint(sys.getrecursionlimit())"
    for seed in (0, None):  # forked, and in an interpreter of its own
        case = {"input": "", "expected": "1000"}
        assert judge(script, [case], "stdio", pool, language="python", seed=seed).success


def test_a_program_that_closes_the_channel_of_its_results_reads_as_its_own_fault(
    pool: CellPool,
) -> None:
    source = "import os\nos.closerange(3, 64)\ndef f(): return 1"
    (case,) = judge(source, [{"args": [], "expected": 1}], "function:f", pool).cases

    assert case.verdict.value == "RTE"
    assert "the program closed the channel of its results" in case.stderr
    assert "set up" not in case.stderr
