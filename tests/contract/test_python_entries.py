"""What each way into a Python program promises, in cells as they are."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

import assayer
from assayer import ExecutionVerifier, VerifyResult
from assayer.errors import LanguageError, TestsError, UsageError
from assayer.sandbox import CellPool
from assayer.schemas import Limits

PATIENT = Limits(cpu_ms=5_000, wall_ms=60_000)
"""A loaded machine fails no program that is right."""


def judge(
    source: str, cases: list[Any] | dict[str, Any], entry: str, pool: CellPool, **options: Any
) -> VerifyResult:
    result = assayer.judge(source, cases, entry=entry, limits=PATIENT, pool=pool, **options)
    assert result.compile.ok
    return result


def verdicts(result: VerifyResult) -> str:
    return " ".join(case.verdict for case in result.cases)


def says(result: VerifyResult) -> str:
    (case,) = result.cases
    return f"{case.verdict} {case.message}".strip()


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
                "WA returned a generator, which is no plain data",
            ),
            (
                "def f(): return [{1: object()}]",
                {"args": [], "expected": 1},
                "WA returned an object, which is no plain data",
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
            ({"match": "unordered", "sequences_alike": True}, False),
            ({"match": "numeric", "sequences_alike": True}, False),
        ]:
            assert judge(source, cases, "function:f", pool, **options).success == passes
        cases = [{"args": [[2.0000001, 1]], "expected": (2, 1)}]
        assert judge(
            source, cases, "function:f", pool, match="numeric", sequences_alike=True
        ).success
        cases = [{"args": [[2, 1]], "expected": [1, 2]}]
        assert judge(source, cases, "function:f", pool, match="unordered").success


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
                "RTE raised ValueError: the list of nodes runs in a circle",
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
                "RTE raised ValueError: the tree of nodes runs in a circle",
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
            ("def Solution(): pass", {"args": [], "expected": 1}, "RTE Solution is no class"),
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


class TestAsserts:
    @pytest.mark.parametrize(
        ("source", "code", "said"),
        [
            ("def f(x): return x + 1", "assert f(1) == 2", "AC"),
            ("def f(x): return x", "assert f(1) == 2", "WA assert f(1) == 2; f returned 1"),
            (
                "def f(x): return x",
                "assert f(1) == 2, 'no good'",
                "WA assert f(1) == 2, 'no good'; AssertionError: no good; f returned 1",
            ),
            ("def f(x): x.append(1)", "x = []\nf(x)\nassert x == [1]", "AC"),
            ("def f(x): x['a'] = 1; x.pop('b')", "x = {'b': 2}\nf(x)\nassert x == {'a': 1}", "AC"),
            ("def f(x): x.add(1)", "x = set()\nf(x)\nassert x == {1}", "AC"),
            ("def f(x): x = [1]", "x = []\nf(x)\nassert x == []", "AC"),
            (
                "def f(x): return x[0]",
                "try:\n    f([])\nexcept IndexError:\n    pass\nelse:\n    assert False",
                "AC",
            ),
            (
                "class E(KeyError): pass\ndef f(): raise E(1)",
                "try:\n    f()\nexcept Exception as e:\n    assert type(e) is KeyError",
                "AC",
            ),
            (
                "def f(): raise ValueError('no')",
                "assert f() == 1",
                "WA assert f() == 1; ValueError: no; f raised ValueError: no",
            ),
            ("def f(): return float('nan')", "x = f()\nassert x != x", "AC"),
            (
                "def f(*a, **k): return a, k",
                "assert f(1, b=(2, {3})) == ((1,), {'b': (2, {3})})",
                "AC",
            ),
            ("def f(x): return x", "assert all(f(n) == n for n in range(50))", "AC"),
            ("def f(): return g()\ndef g(): return 2", "assert f() == g() == 2", "AC"),
            (
                "def f(): yield 1",
                "assert f() == 1",
                "RTE f returned a generator, which is no plain data",
            ),
            (
                "def f(): yield 1",
                "try:\n    f()\nexcept BaseException:\n    pass",
                "RTE f returned a generator, which is no plain data",
            ),
            ("def g(): pass", "assert f() == 1", "RTE the program defines no f"),
            ("import os\ndef f(): os._exit(0)", "assert f() == 1", "RTE ended before it returned"),
            (
                "import os\ndef f(): os._exit(0)",
                "try:\n    f()\nexcept BaseException:\n    pass",
                "RTE ended before it returned",
            ),
            ("import os\ndef f(): os._exit(3)", "assert f() == 1", "RTE exit status 3"),
            ("def f(): exit()", "assert f() == 1", None),
            (
                "1 / 0",
                "assert f() == 1",
                "RTE ZeroDivisionError: division by zero while the program was loaded",
            ),
            (
                "import builtins\nbuiltins.sorted = lambda x: 5\ndef f(): return [2, 1]",
                "assert sorted(f()) == [1, 2]",
                "AC",
            ),
            (
                "class L(list):\n    __eq__ = lambda *_: True\ndef f(): return L()",
                "assert f() == [1]",
                "WA assert f() == [1]; f returned []",
            ),
        ],
        ids=itertools.count(),
    )
    def test_assertions_and_what_comes_of_them(
        self, pool: CellPool, source: str, code: str, said: str | None
    ) -> None:
        result = judge(source, [code], "asserts", pool)
        if said is None:
            assert not result.success
        else:
            assert says(result) == said

    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ("assert True", "no assertion calls anything that they do not define"),
            ("def g(): return f(1)", "no assertion calls anything that they do not define"),
            ("assert f(1", "they do not compile: SyntaxError: "),
            ({"setup": "x = (", "code": "assert f(1)"}, "they do not compile: SyntaxError: "),
            (
                {"setup": "import nothing_there", "code": "assert f(1)"},
                "No module named 'nothing_th",
            ),
            ("assert f(lambda: 1) == 1", "they hand f a function, which is no plain data"),
            (
                "try:\n    f(object())\nexcept Exception:\n    pass",
                "they hand f an object, which is",
            ),
            ("assert 1 / 0 == f(1)", "ZeroDivisionError: division by zero"),
            ("def check(candidate): assert candidate(1) == 1", "check(candidate) needs the name"),
            ("import os\nos._exit(0)\nassert f(1)", "the assertions ended by themselves (exited, "),
        ],
    )
    def test_assertions_that_prove_nothing_are_no_verdict(
        self, pool: CellPool, case: Any, said: str
    ) -> None:
        with pytest.raises(TestsError) as raised:
            judge("def f(x): return x", [case], "asserts", pool)
        assert str(raised.value).startswith('case "1": ')
        assert said in str(raised.value)
        assert str(raised.value).endswith("; mend the assertions") or "mend them" in str(
            raised.value
        )

    def test_a_check_function_is_given_the_candidate(self, pool: CellPool) -> None:
        code = "def check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 2"
        source = "def f(x): return min(x, 1)"
        assert "candidate(2) == 2; f returned 1" in says(judge(source, [code], "asserts:f", pool))
        assert judge("def f(x): return x", [code], "asserts:f", pool).success

    def test_the_setup_is_the_assertions_own(self, pool: CellPool) -> None:
        tests = {
            "setup": "SECRET = 7\ndef twice(x): return 2 * x",
            "tests": ["assert f(twice(2)) == 4"],
        }
        source = "def f(x):\n    assert 'SECRET' not in globals()\n    return x"
        assert judge(source, tests, "asserts", pool).success

    def test_what_is_printed_goes_where_it_can_be_read(self, pool: CellPool) -> None:
        source = "import sys\ndef f():\n    print('out')\n    sys.stderr.write('err')\n    return 1"
        (case,) = judge(source, ["assert f() == 1"], "asserts", pool).cases
        assert "out" in case.stderr
        assert "err" in case.stderr

    @pytest.mark.parametrize("stream", ["None", "5", "open('/dev/null', 'w')"])
    def test_a_stream_that_was_replaced_spoils_nothing(self, pool: CellPool, stream: str) -> None:
        source = f"import sys\nsys.stdout = sys.stderr = {stream}\ndef f(): return 1"
        assert judge(source, ["assert f() == 1"], "asserts", pool).success
        assert judge(source, [{"args": [], "expected": 1}], "function:f", pool).success

    def test_the_candidate_has_its_own_time(self, pool: CellPool) -> None:
        source = "def f(x):\n    while x: pass\n    return 0"
        cases = [{"code": "assert f(1) == 0", "timeout": 0.3}, "assert f(0) == 0"]
        assert verdicts(judge(source, cases, "asserts", pool)) == "TLE AC"

    def test_a_python_file_of_them(self, pool: CellPool, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_text(
            "import functools\n@functools.cache\ndef three(): return 3\n"
            "assert f(three()) == 3\nassert f(1) == 2\n"
        )
        result = assayer.judge(
            "def f(x): return x", path, entry="asserts:f", limits=PATIENT, pool=pool
        )
        assert verdicts(result) == "AC WA"


def test_every_backend_gives_the_same_verdicts(cells: CellPool) -> None:
    calls = [{"args": [number], "expected": number + 1} for number in range(4)]
    for body, verdict in [
        ("return x + 1", "AC AC AC AC"),
        ("return x + (x < 2)", "AC AC WA WA"),
        ("return x + 1 if x else exit()", "RTE AC AC AC"),
    ]:
        source = f"def f(x): {body}"
        for isolation in ("per_case", "per_candidate"):
            result = judge(source, calls, "function:f", cells, isolation=isolation)
            assert verdicts(result) == verdict
        method = f"class A:\n    def f(self, x): {body}"
        assert verdicts(judge(method, calls, "class:A.f", cells)) == verdict
    source = "def f(x):\n    x.append(2)\n    return x[0] / 2"
    codes = ["x = [1]\nassert f(x) == 0.5 and x == [1, 2]", "assert f([1]) == 1", "assert f([])"]
    assert verdicts(judge(source, codes, "asserts", cells)) == "AC WA AC"
    failing = "assert f(['a']) == 1"
    assert "TypeError" in says(judge(source, [failing], "asserts", cells))


CASES = [{"args": [number], "expected": number} for number in range(6)]
LOOPS = [{**case, "timeout": 0.3} if case["args"] == [2] else case for case in CASES]


class TestSharedProcess:
    @pytest.mark.parametrize(
        ("source", "cases"),
        [
            ("def f(x): return x", CASES),
            ("def f(x): return x if x != 3 else 0", CASES),
            ("def f(x): return -1", CASES),
            ("def f(x): return x if x % 2 else None", CASES),
            ("def f(x):\n    print('noise', flush=True)\n    return x", CASES),
            ("def f(x):\n    if x in (0, 4): raise ValueError(x)\n    return x", CASES),
            ("def f(x):\n    if x == 2: exit()\n    return x", CASES),
            ("import os\ndef f(x):\n    if x == 5: os._exit(0)\n    return x", CASES),
            ("import os\ndef f(x):\n    if x == 1: os.kill(os.getpid(), 9)\n    return x", CASES),
            ("def f(x):\n    while x == 2: pass\n    return x", LOOPS),
            ("def f(x): return (lambda: x) if x == 1 else x", CASES),
            ("def f(x):\n    import sys\n    if x == 1: sys.stdout = None\n    return x", CASES),
            (
                "def f(x):\n    if x == 1: __builtins__.len = None\n    return len([x]) * x",
                CASES,
            ),
            (
                "seen = []\ndef f(x):\n    seen.append(x)\n    return x if seen == [x] else -1",
                CASES,
            ),
            ("def g(x): return x", CASES),
            ("raise KeyError", CASES),
            ("class f:\n    def __new__(cls, x): return x", CASES),
        ],
    )
    def test_it_gives_the_same_verdicts(
        self, pool: CellPool, source: str, cases: list[dict[str, Any]]
    ) -> None:
        alone = judge(source, cases, "function:f", pool)
        shared = judge(source, cases, "function:f", pool, isolation="per_candidate")
        assert verdicts(shared) == verdicts(alone)
        assert [case.message for case in shared.cases] == [case.message for case in alone.cases]
        assert shared.reward == alone.reward

    def test_state_that_one_call_leaves_for_the_next_can_pass_a_case(self, pool: CellPool) -> None:
        source = "n = -1\ndef f(x):\n    global n\n    n += 1\n    return n"
        assert verdicts(judge(source, CASES, "function:f", pool)) == "AC WA WA WA WA WA"
        assert judge(source, CASES, "function:f", pool, isolation="per_candidate").success

    @pytest.mark.parametrize("isolation", ["per_case", "per_candidate"])
    def test_fail_fast_skips_what_comes_after(self, pool: CellPool, isolation: str) -> None:
        source = "def f(x): return x if x != 2 else 0"
        options = {"isolation": isolation, "fail_fast": True}
        result = judge(source, CASES, "function:f", pool, **options)
        assert verdicts(result) == "AC AC WA SK SK SK"

    def test_it_is_for_calls_alone(self, pool: CellPool) -> None:
        for entry, case in (("asserts", "assert f()"), ("stdio", {"input": "", "expected": ""})):
            with pytest.raises(UsageError, match="per_candidate"):
                judge("", [case], entry, pool, isolation="per_candidate")


@pytest.fixture
def verifier(pool: CellPool) -> ExecutionVerifier:
    return ExecutionVerifier(
        CASES[:2], language="python", entry="function:f", limits=PATIENT, pool=pool, max_workers=2
    )


def numbered() -> Iterator[str]:
    """Programs without end; every third one is right."""
    for number in itertools.count():
        yield f"def f(x): return x + {number % 3}"


async def first(results: AsyncIterator[tuple[int, VerifyResult]], count: int) -> list[int]:
    indices = []
    async for index, result in results:
        assert result.success == (index % 3 == 0)
        indices.append(index)
        if len(indices) == count:
            break
    return indices


class TestBatch:
    def test_results_come_in_the_order_of_the_programs(self, verifier: ExecutionVerifier) -> None:
        seen: dict[int, VerifyResult] = {}
        codes = list(itertools.islice(numbered(), 8))
        results = verifier.verify_batch(codes, on_result=seen.__setitem__)
        assert [result.success for result in results] == [n % 3 == 0 for n in range(8)]
        assert [seen[index] for index in range(8)] == results

    def test_programs_are_taken_shortly_before_their_turn(
        self, verifier: ExecutionVerifier
    ) -> None:
        taken = 0

        def codes() -> Iterator[str]:
            nonlocal taken
            for code in numbered():
                taken += 1
                yield code

        results = verifier.iter_batch(codes())
        assert taken == 0
        for given in range(1, 7):
            assert next(results).success == (given % 3 == 1)
            assert taken <= given + 2 * 16
        results.close()  # type: ignore[attr-defined]
        assert taken < 40

    def test_one_goes_on_from_where_one_left(self, verifier: ExecutionVerifier) -> None:
        codes = list(itertools.islice(numbered(), 7))
        whole = [result.success for result in verifier.iter_batch(codes)]
        begun = [result.success for result in itertools.islice(verifier.iter_batch(codes), 3)]
        rest = [result.success for result in verifier.iter_batch(codes[len(begun) :])]
        assert begun + rest == whole

    async def test_they_come_without_blocking_the_loop(self, verifier: ExecutionVerifier) -> None:
        codes = list(itertools.islice(numbered(), 8))
        async with aclosing(verifier.averify_batch(codes)) as results:  # type: ignore[type-var]
            assert sorted(await first(results, 8)) == list(range(8))
        async with aclosing(verifier.averify_batch(numbered())) as results:  # type: ignore[type-var]
            assert len(await first(results, 3)) == 3

    def test_each_program_may_have_tests_of_its_own(self, verifier: ExecutionVerifier) -> None:
        codes = ["def f(x): return x", "def f(x): return -x"]
        suites = [[{"args": [1], "expected": 1}], [{"args": [1], "expected": 1}]]
        assert [r.success for r in verifier.verify_batch(codes, suites=suites)] == [True, False]
        with pytest.raises(UsageError, match="2 programs but 1 sets of tests; give one each"):
            verifier.verify_batch(codes, suites=suites[:1])
        with pytest.raises(UsageError, match="one of test_cases, suites and prompts"):
            verifier.verify_batch(codes, suites=suites, test_cases=CASES)

    def test_the_tests_are_read_before_anything_runs(self, verifier: ExecutionVerifier) -> None:
        ran: list[int] = []
        with pytest.raises(TestsError):
            verifier.verify_batch(
                ["def f(x): return x"] * 2,
                suites=[CASES, [{"args": 1, "expected": 1}]],
                on_result=lambda index, _: ran.append(index),
            )
        assert ran == []


class TestInOneCall:
    async def test_without_blocking_the_loop(self, pool: CellPool) -> None:
        sources = ["def f(x): return x", "def f(x): return 0"]
        results = await asyncio.gather(
            *(
                assayer.ajudge(source, CASES, entry="function:f", limits=PATIENT, pool=pool)
                for source in sources
            )
        )
        assert [result.success for result in results] == [True, False]

    def test_a_file_tells_its_language(self, pool: CellPool, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_text("def f(x): return x")
        assert assayer.judge(path, CASES, entry="function:f", limits=PATIENT, pool=pool).success
        with pytest.raises(UsageError, match="cannot be read"):
            assayer.judge(tmp_path / "none.py", CASES, entry="function:f", pool=pool)

    @pytest.mark.parametrize(
        ("options", "error", "said"),
        [
            (
                {"entry": "method:f"},
                UsageError,
                "unknown entry 'method:f'; use stdio, function:NAME",
            ),
            ({"entry": 5}, UsageError, "unknown entry 5"),
            ({"entry": "function:f", "match": "tokens"}, UsageError, "compares no values"),
            ({"entry": "function:f", "isolation": "none"}, UsageError, "use per_case or per_cand"),
            (
                {"entry": "asserts", "match": "numeric"},
                UsageError,
                "assertions compare by themselves",
            ),
            (
                {"entry": "stdio", "sequences_alike": True},
                UsageError,
                "sequences_alike is for calls",
            ),
            ({"entry": "function:f", "language": "cpp"}, UsageError, "is for Python; "),
            ({"entry": "function:f", "language": "klingon"}, LanguageError, "klingon"),
            ({"entry": "asserts"}, TestsError, 'unknown key "args"'),
        ],
    )
    def test_what_does_not_fit_together_is_refused(
        self, pool: CellPool, options: dict[str, Any], error: type[Exception], said: str
    ) -> None:
        with pytest.raises(error) as raised:
            assayer.judge("def f(x): return x", CASES, pool=pool, **options)
        assert said in str(raised.value)


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


def test_assertions_wait_no_longer_than_the_clock_allows(pool: CellPool) -> None:
    slow = "import time\ndef f(x):\n    time.sleep(2)\n    return x\n"
    result = assayer.judge(
        slow, ["assert f(1) == 1"], entry="asserts", pool=pool,
        limits=Limits(cpu_ms=5_000, wall_ms=300),
    )  # fmt: skip
    assert verdicts(result) == "TLE"


def test_what_a_candidate_gave_is_never_the_fault_of_the_tests(pool: CellPool) -> None:
    deep = "def f(x):\n    for _ in range(195): x = [x]\n    return x\n"
    result = judge(deep, ["assert f(f(f(1))) == 1"], "asserts:f", pool)
    assert verdicts(result) in ("WA", "RTE")


def test_a_flood_of_outcomes_is_no_answer(pool: CellPool) -> None:
    flood = (
        "import os\ndef f(x):\n    os.write(3, b'1 1\\t[\"ok\",1]\\n' * 500_000)\n    return 1\n"
    )
    cases = [{"args": [number], "expected": 1} for number in range(3)]
    assert verdicts(judge(flood, cases, "function:f", pool)) == "RTE RTE RTE"
    shared = judge(flood, cases, "function:f", pool, isolation="per_candidate")
    assert verdicts(shared) == "RTE RTE RTE"
