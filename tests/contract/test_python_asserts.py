"""What `asserts` and `asserts:NAME` promise, in cells as they are."""

import itertools
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.errors import TestsError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from tests.contract.python_judging import PATIENT, judge, says, verdicts


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
                "RTE f returned a generator, which is not plain data",
            ),
            (
                "def f(): yield 1",
                "try:\n    f()\nexcept BaseException:\n    pass",
                "RTE f returned a generator, which is not plain data",
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
            ("assert True", "no assertion calls a function of the candidate"),
            ("def g(): return f(1)", "no assertion calls a function of the candidate"),
            ("assert f(1", "do not compile: SyntaxError: "),
            ({"setup": "x = (", "code": "assert f(1)"}, "do not compile: SyntaxError: "),
            (
                {"setup": "import nothing_there", "code": "assert f(1)"},
                "No module named 'nothing_th",
            ),
            ("assert f(lambda: 1) == 1", "pass f a function, which is not plain data"),
            (
                "try:\n    f(object())\nexcept Exception:\n    pass",
                "the assertions pass f an object, which is",
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
        assert str(raised.value).endswith("; fix the assertions") or "fix them" in str(raised.value)

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
        result = steelyard.judge(
            "def f(x): return x", path, entry="asserts:f", limits=PATIENT, pool=pool
        )
        assert verdicts(result) == "AC WA"


def test_assertions_wait_no_longer_than_the_clock_allows(pool: CellPool) -> None:
    slow = "import time\ndef f(x):\n    time.sleep(2)\n    return x\n"
    result = steelyard.judge(
        slow, ["assert f(1) == 1"], entry="asserts", pool=pool,
        limits=Limits(cpu_ms=5_000, wall_ms=300),
    )  # fmt: skip
    assert verdicts(result) == "TLE"


def test_what_a_candidate_gave_is_never_the_fault_of_the_tests(pool: CellPool) -> None:
    deep = "def f(x):\n    for _ in range(195): x = [x]\n    return x\n"
    result = judge(deep, ["assert f(f(f(1))) == 1"], "asserts:f", pool)
    assert verdicts(result) in ("WA", "RTE")
