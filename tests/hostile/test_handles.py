"""Values that stay in the candidate's process harm nothing when the assertions ask them."""

import pytest

import steelyard
from steelyard import Limits
from steelyard.sandbox import CellPool

IN_PLENTY = Limits(cpu_ms=5_000, wall_ms=30_000)
"""For what no limit on time ends: there is enough of it on any machine."""
TIGHT = Limits(cpu_ms=1_000, wall_ms=2_000)
FORGE = """
import os
DATA = {data!r}
class Value:
    def __getattr__(self, name):
        os.write(3, len(DATA).to_bytes(8, "little") + DATA)
        return 3
def f(): return Value()
"""
FORGED = [
    b'["ok",{"$":"other","v":["os","system"]},[],{"$":"dict","v":[]}]',
    b'["ok",{"$":"other","v":[true,"int"]},[],{"$":"dict","v":[]}]',
    b'["ok",{"$":"other","v":[0,"int"],"x":0},[],{"$":"dict","v":[]}]',
    b'["ok",{"$":"other","v":[1e9,"int"]},[],{"$":"dict","v":[]}]',
    b'["raised",["StopIteration"],""]',
    b'["raised",["KeyboardInterrupt","SystemExit"],""]',
    b'["defined",["assert"]]',
    b"{}",
]


@pytest.fixture(scope="module")
def pool() -> CellPool:
    return CellPool(2)


@pytest.mark.parametrize("data", FORGED)
def test_a_forged_answer_is_no_value(pool: CellPool, data: bytes) -> None:
    result = steelyard.judge(
        FORGE.format(data=data),
        ["assert f().x == 7"],
        entry="asserts:f",
        limits=IN_PLENTY,
        pool=pool,
    )
    assert not result.success
    assert result.cases[0].verdict in ("WA", "RTE")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("__iter__ = lambda s: iter(int, 1)", "list(f()) == [7]"),
        ("__iter__ = lambda s: iter(int, 1)", "7 in f()"),
        ("__len__ = lambda s: 1 << 62", "list(f()) == [7]"),
        ("__len__ = lambda s: -1", "len(f()) == 7"),
        ("__len__ = lambda s: 'x'", "len(f()) == 7"),
        ("__bool__ = lambda s: 7", "bool(f()) == 7"),
        ("__iter__ = lambda s: 7", "list(f()) == [7]"),
        ("__iter__ = lambda s: s\n    __next__ = lambda s: exit()", "list(f()) == [7]"),
        ("__getattr__ = lambda s, n: __import__('os')._exit(0)", "f().x == 7"),
        ("__getattr__ = lambda s, n: __import__('time').sleep(60)", "f().x == 7"),
        ("__call__ = lambda s: s", "f()()()().x == 7"),
        ("__getitem__ = lambda s, i: s", "f()[0][0] == 7"),
        ("__str__ = lambda s: type('T', (str,), {'__eq__': lambda *_: True})()", "str(f()) == '7'"),
        ("__repr__ = lambda s: 7", "repr(f()) == '7', f()"),
        (
            "__getattr__ = lambda s, n: type('I', (int,), {'__eq__': lambda *_: True})()",
            "f().x == 7",
        ),
        ("pass", "all(x == 7 for x in [f()])"),
    ],
)
def test_an_answer_is_never_an_expected_value(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch, body: str, code: str
) -> None:
    monkeypatch.setattr("steelyard.judging._runs._ASSERTS_GRACE_MS", 1_000)
    source = f"class Value:\n    {body}\ndef f(): return Value()\n"
    result = steelyard.judge(source, [f"assert {code}"], entry="asserts:f", limits=TIGHT, pool=pool)
    assert result.cases[0].verdict in ("WA", "RTE", "TLE", "MLE")


def test_the_assertions_stay_out_of_reach(pool: CellPool) -> None:
    """A handle in the assertions' process has nothing of theirs, and runs nothing there."""
    source = (
        "import os\n"
        "class Value:\n"
        "    def __getattr__(self, name): return os.getpid()\n"
        "    def __reduce__(self): return os._exit, (0,)\n"
        "    def secret(self): return 'SECRET' in globals() or os.path.exists('tests.py')\n"
        "def f(): return Value()\n"
    )
    tests = {
        "setup": "import copy, pickle\nSECRET = 1\ndef refused(act):\n"
        "    try: act()\n    except TypeError: return True\n",
        "tests": [
            "assert not f().secret()",
            "assert refused(lambda: pickle.dumps(f()))",
            "assert refused(lambda: copy.copy(f()))",
        ],
    }
    assert steelyard.judge(source, tests, entry="asserts:f", limits=IN_PLENTY, pool=pool).success


LOOK = """
import os
DATA = {data!r}
os.write(3, len(DATA).to_bytes(8, "little") + DATA)
def f(): return 3
"""


@pytest.mark.parametrize(
    "look",
    [
        b'["value"]',
        b'["value",7,7]',
        b"7",
        b'{"$":"tuple","v":[]}',
        b'{"$":"tuple","v":[7,7]}',
        b'{"$":"tuple","v":["exception",7]}',
        b'{"$":"tuple","v":["exception",[7]]}',
        b'{"$":"tuple","v":["exception",["a b","StopIteration","BaseException"]]}',
        b'{"$":"tuple","v":["exception",["K","AssertionError","Exception"]]}',
        b'{"$":"tuple","v":["module",null]}',
        b'{"$":"tuple","v":["class",null]}',
        b'{"$":"tuple","v":["other",null]}',
        b'{"$":"tuple","v":["value",8]}',
        b'{"$":"tuple","v":["value",{"$":"other","v":[-1,null]}]}',
    ],
)
def test_a_forged_name_is_no_fault_of_the_tests(pool: CellPool, look: bytes) -> None:
    data = b'["ok",[' + look + b'],[],{"$":"dict","v":[]}]'
    result = steelyard.judge(
        LOOK.format(data=data), ["assert K == 7"], entry="asserts", limits=IN_PLENTY, pool=pool
    )
    assert result.cases[0].verdict in ("WA", "RTE")


@pytest.mark.parametrize("data", [b'["printed",7]', b'["printed"]', b'["printed","x","y"]'])
def test_a_forged_output_is_no_value(pool: CellPool, data: bytes) -> None:
    code = "import io, sys\nsys.stdout = io.StringIO()\nassert f().x == 7"
    result = steelyard.judge(
        FORGE.format(data=data), [code], entry="asserts:f", limits=IN_PLENTY, pool=pool
    )
    assert result.cases[0].verdict in ("WA", "RTE")


def test_what_nobody_captures_is_not_printed(pool: CellPool) -> None:
    source = (
        "import os\n"
        "def f():\n"
        "    data = b'[\"printed\",\"' + b'x' * 1_000_000 + b'\"]'\n"
        "    for _ in range(40): os.write(3, len(data).to_bytes(8, 'little') + data)\n"
        "    return 7\n"
    )
    limits = IN_PLENTY.replace(output_mib=1)
    assert steelyard.judge(
        source, ["assert f() == 7"], entry="asserts:f", limits=limits, pool=pool
    ).success
