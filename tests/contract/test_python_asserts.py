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
                "try:\n    f()\nexcept KeyError as e:\n    assert type(e).__name__ == 'E'",
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
                "WA assert f() == 1; f returned a generator",
            ),
            (
                "def f(): yield 1",
                "assert list(f()) == [1]",
                "AC",
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
            (
                "class A: pass\nassert f(A) == 1",
                "pass f a type, which is not plain data",
            ),
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
    slow = "import time\ndef f(x):\n    time.sleep(60)\n    return x\n"
    result = steelyard.judge(
        slow,
        ["assert f(1) == 1"],
        entry="asserts",
        pool=pool,
        limits=Limits(cpu_ms=5_000, wall_ms=300),
    )
    assert verdicts(result) == "TLE"


def test_what_a_candidate_gave_is_never_the_fault_of_the_tests(pool: CellPool) -> None:
    deep = "def f(x):\n    for _ in range(195): x = [x]\n    return x\n"
    result = judge(deep, ["assert f(f(f(1))) == 1"], "asserts:f", pool)
    assert verdicts(result) in ("WA", "RTE")


SHELF = """
class Shelf:
    size = 2
    def __init__(self, *items): self.items = list(items)
    def add(self, item): self.items.append(item); return self
    def __len__(self): return len(self.items)
    def __getitem__(self, index): return self.items[index]
    def __str__(self): return f"Shelf of {len(self)}"
def f(): return Shelf(1, 2)
"""
EQUAL = """
class Equal:
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = lambda *_: True
    __ne__ = lambda *_: False
    __hash__ = lambda _: hash(3)
    __sub__ = __rsub__ = __abs__ = __round__ = lambda *_: Equal()
    __float__ = lambda _: 3.0
    __int__ = __index__ = lambda _: 3
    __iter__ = lambda _: iter(())
def f(): return Equal()
"""


class TestHandles:
    """What stays in the candidate's process answers questions, and equals nothing."""

    @pytest.mark.parametrize(
        ("source", "code"),
        [
            ("import re\ndef f(x): return re.match('a+', x)", "assert f('aab').group() == 'aa'"),
            ("import re\ndef f(x): return re.match('a+', x)", "assert f('a') and not f('b')"),
            ("import re\ndef f(x): return re.match('a', x)", "assert f('a').span() == (0, 1)"),
            ("def f(n): yield from range(n)", "assert list(f(3)) == [0, 1, 2] and 1 in f(2)"),
            ("def f(n): yield from range(n)", "g = f(2)\nassert (next(g), next(g)) == (0, 1)"),
            ("def f(n): yield from range(n)", "assert next(f(0), None) is None"),
            ("def f(x): return lambda y: x + y", "assert f(1)(2) == 3"),
            ("def f(x): return map(str, x)", "assert sorted(f([2, 1])) == ['1', '2']"),
            ("def f(): return [(iter([5]), {'a': object}, 7)]", "assert list(f()[0][0]) == [5]"),
            ("def f(): return [(iter([5]), 7)]", "assert f()[0][1] == 7"),
            (
                SHELF,
                "s = Shelf()\ns.add(3).add(4)\nassert (len(s), s[1], s.items) == (2, 4, [3, 4])",
            ),
            (SHELF, "assert str(f()) == 'Shelf of 2' and list(f()) == [1, 2] and Shelf.size == 2"),
            (SHELF, "s = Shelf()\nassert not s\nassert s.add(s)"),
            ("def f(x, k): return isinstance(x, k)", "assert f(1, int) and f(len, object)"),
            ("def sum(a, b): return a + b + 1", "assert sum(1, 2) == 4"),
            (SHELF, "s = Shelf()\ns.add(3)\ns.label = 'x'\nassert s.label == 'x'"),
            (
                "def f(): return bytearray(b'ab'), __import__('array').array('i', [1])",
                "a = f()[1]\na[0] = 7\nassert list(a) == [7]",
            ),
            (
                (
                    "class F:\n    def __enter__(self): return 3\n"
                    "    def __exit__(self, *_): self.x = 1"
                ),
                "f = F()\nwith f as y:\n    assert y == 3\nassert f.x == 1",
            ),
        ],
    )
    def test_they_answer_what_they_are_asked(self, pool: CellPool, source: str, code: str) -> None:
        assert says(judge(source, [code], "asserts", pool)) == "AC"

    def test_leaving_one_hides_no_failed_assertion(self, pool: CellPool) -> None:
        source = (
            "class F:\n    def __enter__(self): return 3\n    def __exit__(self, *_): return True"
        )
        result = judge(source, ["with F() as x:\n    assert x == 4"], "asserts", pool)
        assert verdicts(result) == "WA"

    @pytest.mark.parametrize(
        "code",
        [
            "f() == 3",
            "3 == f()",
            "not f() != 3",
            "[f()] == [3]",
            "(3, f()) == (3, 3)",
            "f() == f()",
            "f() in [3]",
            "3 in f()",
            "f() in {3}",
            "{f(): 1} == {3: 1}",
            "{3: 1}[f()] == 1",
            "f() < 4",
            "f() > 2",
            "4 > f()",
            "abs(f() - 3) < 1e-9",
            "round(f()) == 3",
            "float(f()) == 3.0",
            "int(f()) == 3",
            "[1, 2, 3, 4][f()] == 4",
            "sorted([f(), 3]) == [3, 3]",
            "max(f(), 3) == 3",
            "isinstance(f(), int)",
            "type(f()) is int",
            "f() is 3",
            "sum([f()]) == 3",
            "str(f()) == '3'",
            "list(f()) == [3]",
            "__import__('math').isclose(f(), 3)",
            "set([f()]) == {3}",
            "f().__class__ is int",
            "f().__eq__(3)",
            "f().__array_interface__",
            "__import__('copy').deepcopy(f()) == 3",
        ],
    )
    def test_they_equal_nothing(self, pool: CellPool, code: str) -> None:
        result = judge(EQUAL, [f"assert {code}"], "asserts", pool)
        assert verdicts(result) == "WA"

    def test_a_program_cannot_replace_what_the_assertions_use(self, pool: CellPool) -> None:
        source = "all = abs = len = lambda *_: 0\ndef f(x): return 9"
        assert verdicts(judge(source, ["assert abs(f(1) - 1) < 1"], "asserts", pool)) == "WA"
        assert "replaces abs and len" in says(
            judge(source, ["assert abs(len('a') - 5) < 1"], "asserts", pool)
        )

    @pytest.mark.parametrize("entry", ["asserts", "asserts:f"])
    @pytest.mark.parametrize(
        "source",
        [
            "import math\nmath.isclose = lambda *_: True\n",
            "class math:\n    isclose = lambda *_: True\n",
            "",
        ],
    )
    def test_a_standard_module_is_the_assertions_own(
        self, pool: CellPool, entry: str, source: str
    ) -> None:
        cases = ["assert math.isclose(f(1), 2)", "assert math.isclose(f(1), 1)"]
        assert verdicts(judge(f"{source}def f(x): return x", cases, entry, pool)) == "WA AC"

    def test_a_module_that_lacks_is_named(self, pool: CellPool) -> None:
        with pytest.raises(TestsError, match="they use pandas, which they cannot import"):
            judge("def f(x): return x", ["assert pandas.isna(f(1))"], "asserts", pool)


class TestNamesOfTheProgram:
    """What assertions use and do not define is the program's."""

    @pytest.mark.parametrize(
        ("source", "code"),
        [
            (
                "def f(target, self=1, name=0): return target",
                "assert f(target=3, self=2, name=1) == 3",
            ),
            (
                "class A:\n    def g(this, target, self): return target",
                "assert A().g(target=3, self=2) == 3",
            ),
            (
                "from math import inf\nK = [4, 5]\ndef f(x): return [-inf, K[x]]",
                "assert f(1) == [-inf, K[1]] and 4 in K and len(K) == 2 and [*K] == [4, 5]",
            ),
            ("K = 3\ndef f(x): return x", "from solution import K, f\nassert f(K) == K + 0"),
            ("K = 3\ndef f(): return 3", "import solution\nassert solution.f() == solution.K"),
            ("def f(x): return x", "assert list(map(f, [1, 2])) == [1, 2]"),
            (
                "from collections import Counter\ndef f(x): return x",
                "assert Counter(f('aa')) == Counter('aa')",
            ),
            ("class Counter: n = 5\ndef f(x): return x", "assert Counter().n == f(5)"),
            (
                "class E(Exception): pass\ndef f(): raise E('no')",
                "try: f()\nexcept E as error: assert str(error) == 'no'\nelse: assert 0",
            ),
            (
                "class E(Exception): pass\nclass F(E, KeyError): pass\ndef f(): raise F",
                "try: f()\nexcept E as error: assert isinstance(error, (F, KeyError))",
            ),
            (
                "class N: pass\ndef f(x): return x",
                "n = N()\nassert f(n) is n and f(n) == n != N() and isinstance(f(n), N)",
            ),
            ("class N: pass\ndef f(x): return x", "assert not isinstance(f(3), N)"),
            (
                "import enum\nclass C(enum.Enum):\n    R = 1\ndef f(): return C.R",
                "assert f() == C.R == C['R'] and list(C) == [C.R]",
            ),
        ],
    )
    def test_they_have_its_values(self, pool: CellPool, source: str, code: str) -> None:
        assert says(judge(source, [code], "asserts", pool)) == "AC"

    def test_setup_uses_its_classes(self, pool: CellPool) -> None:
        case = {"setup": "n = N(3)\nn.next = N(4)", "code": "assert f(n) == 7"}
        source = "class N:\n    def __init__(self, x): self.x = x\ndef f(n): return n.x + n.next.x"
        assert says(judge(source, [case], "asserts", pool)) == "AC"

    @pytest.mark.parametrize(
        ("source", "code", "said"),
        [
            ("def f(): return 1", "assert f() == K", "RTE the program defines no K"),
            (
                "def f(): return 1",
                "from solution import K, f\nassert f() == K",
                "RTE the program defines no K",
            ),
            (
                "1 / 0",
                "assert K == f()",
                "RTE ZeroDivisionError: division by zero while the program was loaded",
            ),
            ("def K(): pass\ndef f(): return 1", "assert K + 1 == f()", "WA assert K + 1 == f()"),
            (
                "import types\nK = types.ModuleType('K')\ndef f(): return 1",
                "assert K + 1 == f()",
                "WA assert K + 1 == f()",
            ),
            (
                "from unittest.mock import ANY as K\ndef f(): return 1",
                "assert f() + 1 == K",
                "WA assert f() + 1 == K",
            ),
        ],
    )
    def test_what_it_lacks_is_its_fault(
        self, pool: CellPool, source: str, code: str, said: str
    ) -> None:
        assert says(judge(source, [code], "asserts", pool)).startswith(said)


PRINTING = "def f(*g):\n    print('a')\n    for each in g: each()\n    print('b')"
REDIRECTED = """
import io, contextlib
with contextlib.redirect_stdout(io.StringIO()) as text: f(lambda: print('x'))
assert text.getvalue() == 'a\\nx\\nb\\n'
with contextlib.redirect_stdout(None): f()
"""
PATCHED = """
import io
from unittest.mock import patch
@patch('sys.stdout', new_callable=io.StringIO)
def test_f(text):
    f()
    assert text.getvalue() == 'a\\nb\\n'
"""
CAPTURED = """
def test_f(capsys, tmp_path):
    f()
    assert capsys.readouterr().out == 'a\\nb\\n'
    f(lambda: (tmp_path / 'x').write_text('y'))
    out, err = capsys.readouterr()
    assert (out, err, (tmp_path / 'x').read_text()) == ('a\\nb\\n', '', 'y')
"""


class TestSuites:
    """Tests of unittest and pytest run as they are."""

    @pytest.mark.parametrize("code", [REDIRECTED, PATCHED, CAPTURED])
    def test_they_see_what_the_program_prints(self, pool: CellPool, code: str) -> None:
        assert says(judge(PRINTING, [code], "asserts", pool)) == "AC"

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("def test_a():\n    assert f(3) == 4\nif __name__ == '__main__': test_a()", "WA"),
            ("def test(c):\n    assert c(3) == 3\ntest(f)", "AC"),
            ("def test_x(x): assert f(x) == x\ndef test_b():\n    for n in 1, 2: test_x(n)", "AC"),
            (
                (
                    "import unittest\nclass A(unittest.TestCase):\n"
                    "    def setUp(self): self.x = 3\n"
                    "    def test_b(self): self.assertEqual(f(self.x), 4)"
                ),
                "WA",
            ),
            ("class TestA:\n    def test_b(self): assert f(3) == 4", "WA"),
            (
                (
                    "import pytest\n@pytest.mark.parametrize('a,b', [(1, 1), (2, 3)])\n"
                    "def test_c(a, b): assert f(a) == b"
                ),
                "WA",
            ),
        ],
    )
    def test_each_test_runs(self, pool: CellPool, code: str, said: str) -> None:
        assert verdicts(judge("def f(x): return x", [code], "asserts", pool)) == said

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            ("def test_a(db): f(3)", "test_a needs the fixture db; there are capsys and tmp_path"),
            (
                "from unittest import mock\n@mock.patch('os.listdir')\ndef test_a(_): f(3)",
                "they patch os.listdir, which the program has in its own process",
            ),
        ],
    )
    def test_what_they_cannot_have_is_named(self, pool: CellPool, code: str, said: str) -> None:
        with pytest.raises(TestsError, match=said):
            judge("def f(x): return x", [code], "asserts", pool)


APPLY = """
import functools
from concurrent.futures import ThreadPoolExecutor
class Refused(Exception): pass
def apply(g, *xs): return [g(x) for x in xs]
def same(g): return g
def keyed(xs, g): return sorted(xs, key=g)
def kept(g, x):
    try: return g(x)
    except ValueError as error: return str(error)
def wrapped(g): return functools.wraps(g)(lambda x: g(g(x)))
def back(g, n): return n if n == 0 else g(n - 1) + 1
def threads(g, n):
    with ThreadPoolExecutor(4) as pool: return list(pool.map(g, range(n)))
class Box: pass
def box(g):
    made = Box(); made.x = 5
    return g(made)
"""


OWN_EXCEPTION = """
class Own(Exception): pass
def no(x): raise Own(x)
try: apply(no, 7)
except Own as error: assert error.args == (7,)
else: assert False
"""
ASKING = """
import os
def f(g):
    data = b'["ask",%d,[],{"$":"dict","v":[]}]'
    os.write(3, len(data).to_bytes(8, "little") + data)
    return 3
"""


class TestFunctionsOfTheAssertions:
    """A program can call them; they run beside the assertions."""

    @pytest.mark.parametrize(
        "code",
        [
            "assert apply(lambda x: x + 1, 1, 2) == [2, 3]",
            "assert apply(str.upper, 'a') == ['A'] and apply(abs, -1) == [1]",
            "import math\nassert apply(math.sqrt, 4) == [2]",
            "import operator as o\nassert keyed([(1, 2), (2, 1)], o.itemgetter(1))[0] == (2, 1)",
            "def twice(x): return 2 * x\nassert same(twice) is twice and [twice] == [same(twice)]",
            "seen = []\napply(seen.append, 1, 2)\nassert seen == [1, 2]",
            "def no(x): raise ValueError('no')\nassert kept(no, 1) == 'no'",
            OWN_EXCEPTION,
            "assert wrapped(lambda x: x + 1)(1) == 3",
            "def g(n): return back(g, n)\nassert back(g, 20) == 20",
            "assert threads(lambda x: x * x, 9) == [x * x for x in range(9)]",
            "assert box(lambda b: b.x + 1) == 6",
            "assert apply(same, 4) == [4]",
            "f = apply(lambda x: lambda y: x + y, 1)[0]\nassert f(2) == 3",
        ],
    )
    def test_they_are_called(self, pool: CellPool, code: str) -> None:
        assert says(judge(APPLY, [code], "asserts", pool)) == "AC"

    def test_what_they_return_must_be_plain(self, pool: CellPool) -> None:
        said = "no of the assertions returns an object, which is not plain data"
        with pytest.raises(TestsError, match=said):
            judge(APPLY, ["def no(x): return object()\nassert apply(no, 1)"], "asserts", pool)

    @pytest.mark.parametrize(
        ("source", "code", "verdict"),
        [
            (
                "def f(g): return g.__globals__.get('secret')",
                "secret = 3\nassert f(lambda: secret) == 3",
                "WA",
            ),
            ("import os\ndef f(g):\n    g()\n    os._exit(0)", "assert f(lambda: 3)", "RTE"),
            (
                "def f(g):\n    try: g()\n    except BaseException: return 3",
                "def no(): assert False\nassert f(no) == 4",
                "WA",
            ),
            (ASKING % 7, "assert f(lambda: 3) == 3", "RTE"),
            (ASKING % -1, "assert f(lambda: 3) == 3", "RTE"),
        ],
    )
    def test_they_give_nothing_else_away(
        self, pool: CellPool, source: str, code: str, verdict: str
    ) -> None:
        result = judge(source, [code], "asserts", pool)
        assert verdicts(result) == verdict

    def test_calling_them_forever_ends_at_the_limit(self, pool: CellPool) -> None:
        result = steelyard.judge(
            "def f(g):\n    while True: g()",
            ["assert f(lambda: 3)"],
            entry="asserts",
            pool=pool,
            limits=Limits(cpu_ms=300),
        )
        assert verdicts(result) == "TLE"


class TestCheckWithinTheRun:
    """The only case of a program checks it too; the outcome is that of a check alone."""

    def test_a_program_that_does_not_compile_fails_by_that(self, pool: CellPool) -> None:
        result = steelyard.judge("def f(:", ["assert f() == 1"], entry="asserts", pool=pool)
        assert (verdicts(result), result.reward) == ("CE", 0.0)
        assert result.compile.errors[0].message == "SyntaxError: invalid syntax"
        assert result.compile.errors[0].line == 1

    def test_wrong_assertions_are_not_noticed_by_it(self, pool: CellPool) -> None:
        result = steelyard.judge("def f(:", ["assert g("], entry="asserts:f", pool=pool)
        assert verdicts(result) == "CE"

    def test_warnings_are_reported(self, pool: CellPool) -> None:
        alone = judge("def f(): return 1 is 1", ["assert f()"] * 2, "asserts", pool)
        within = judge("def f(): return 1 is 1", ["assert f()"], "asserts", pool)
        assert [each.message for each in within.compile.warnings] == [
            '"is" with a literal. Did you mean "=="?'
        ]
        assert within.compile.warnings == alone.compile.warnings

    def test_a_policy_is_checked(self, pool: CellPool) -> None:
        result = steelyard.judge(
            "import os\ndef f(): return 1",
            ["assert f()"],
            entry="asserts:f",
            pool=pool,
            policy="no-imports",
        )
        assert verdicts(result) == "CE"
        assert "policy" in result.compile.errors[0].message

    def test_a_program_that_takes_long_to_compile_is_checked_alone(self, pool: CellPool) -> None:
        lines = "".join(f"    x = {number} + {number}\n" for number in range(30_000))
        result = steelyard.judge(
            f"def f():\n{lines}    return x",
            ["assert f() == 59_998"],
            entry="asserts",
            pool=pool,
            limits=Limits(cpu_ms=1_000, wall_ms=60_000),
        )
        assert verdicts(result) == "AC"
        assert result.cases[0].cpu_ms < result.compile.wall_ms

    @pytest.mark.parametrize("fd", [1, 2])
    def test_a_program_cannot_write_its_own_report(self, pool: CellPool, fd: int) -> None:
        source = (
            "import os\n"
            f'os.write({fd}, b\'1 1 1 [{{"severity":"error"}}]\')\n'
            "for name in os.listdir('/proc/self/fd'):\n"
            "    try: os.ftruncate(int(name), 0)\n"
            "    except OSError: pass\n"
            "def f(): return 1 is 1\n"
        )
        result = judge(source, ["assert f()"], "asserts", pool)
        assert (verdicts(result), len(result.compile.warnings)) == ("AC", 1)
        assert result.cases[0].stdout == ""
