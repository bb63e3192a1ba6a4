"""Suites that do what suites should not, and candidates that cannot be put in place."""

MODULE = '''
def total(values):
    """The sum of the values."""
    result = 0
    for value in values:
        result = result + value
    return result
'''

CANDIDATE = "def total(values):\n    return sum(values)\n"

TESTS = """
import pytest
from shop.goods import total


@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_total(n):
    assert total(list(range(n))) == n * (n - 1) // 2
"""

FAULTY_CANDIDATES = {
    "does not parse": ("def total(values:\n", "does-not-parse", "line 1"),
    "a NUL byte": ("def total(values):\n    return '\0'\n", "does-not-parse", "NUL"),
    "nothing": ("", "function-missing", "'total'"),
    "another function": ("def other(values):\n    return 1\n", "function-missing", "'total'"),
    "one parameter more": (
        "def total(values, more):\n    return 1\n",
        "signature-changed",
        "'more'",
    ),
    "an import that is missing": (f"import numpyy\n{CANDIDATE}", "does-not-import", "numpyy"),
    "an error at import": (
        f"{CANDIDATE}raise RuntimeError('no\\nnot so')\n",
        "does-not-import",
        "RuntimeError",
    ),
    "an exit at import": (f"import sys\n{CANDIDATE}sys.exit(3)\n", "crashed", "SystemExit"),
}
"""Name: its text, the code of the first reason, and what its sentence must name."""

UNUSABLE_SUITES: dict[str, tuple[dict[str, str | None], str]] = {
    "no tests": ({"tests/test_goods.py": None, "tests/readme.txt": ""}, "no tests were found"),
    "all skipped": (
        {"tests/test_goods.py": "import pytest\npytest.skip('', allow_module_level=True)"},
        "no tests were found",
    ),
    "a dependency that is missing": (
        {"shop/goods.py": f"import missing_one\n{MODULE}"},
        r"tests/test_goods.py cannot be collected: .*'missing_one'; install missing_one for",
    ),
    "a conftest that fails": ({"conftest.py": "import missing_one"}, "'missing_one'"),
    "a conftest that exits": ({"conftest.py": "import sys; sys.exit(0)"}, "SystemExit: 0"),
    "a conftest that ends the process": (
        {"conftest.py": "import os; os._exit(0)"},
        "end too early: its process exited with status 0, at the start",
    ),
    "a test file that exits": (
        {"tests/test_goods.py": "import sys; sys.exit(3)"},
        "SystemExit: 3, at tests/test_goods.py",
    ),
    "a plug-in by name that is not there": (
        {"pytest.ini": "[pytest]\naddopts = -p missing_one"},
        "No module named 'missing_one'",
    ),
    "a hook that fails": (
        {"conftest.py": "def pytest_collection(session):\n    raise KeyError('hooked')"},
        "pytest crashed: KeyError: 'hooked'",
    ),
    "an option that is not there": (
        {"pytest.ini": "[pytest]\naddopts = --no-such-option"},
        "unrecognized arguments: --no-such-option",
    ),
    "a pytest that is not there": (
        {"pytest.ini": "[pytest]\nminversion = 99"},
        "requires pytest-99",
    ),
    "a plug-in that is not there": (
        {"pytest.ini": "[pytest]\nrequired_plugins = pytest-none"},
        "Missing required plugins",
    ),
    "no configuration": ({"pyproject.toml": "[tool.pytest\n"}, "pyproject.toml: Expected ']'"),
    "a marker that is not there": (
        {
            "pytest.ini": "[pytest]\naddopts = --strict-markers",
            "tests/test_goods.py": f"{TESTS}\n@pytest.mark.none\ndef test_more(): pass",
        },
        "'none' not found in `markers`",
    ),
}
"""Name: files, and what the one line must say."""

DISTURBING = """
import collections
import multiprocessing
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

import pytest
from shop.goods import total
from shop.other import through

HERE = pathlib.Path(__file__)


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __radd__(self, other):
        return Money(getattr(other, "cents", other) + self.cents)


def test_fails():
    assert total([1]) == 2


def test_fails_before_it_calls():
    assert socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert total([1]) == 1


def test_exits():
    assert total([1]) == 1
    sys.exit(0)


def test_flaky_by_address():
    assert total([id(object())])


def test_flaky_by_hash_seed():
    assert total([hash("word")])


def test_flaky_by_process():
    assert total([os.getpid()])


@pytest.mark.xfail(strict=True)
def test_passes_against_its_mark():
    assert total([1]) == 1


def test_kills_its_parent():
    assert total([1]) == 1
    os.kill(os.getppid(), signal.SIGKILL)


@pytest.mark.skip
def test_skipped():
    assert total([1]) == 2


@pytest.mark.xfail
def test_fails_as_marked():
    assert total([1]) == 2


def test_counts_in_a_file():
    path = pathlib.Path("count")
    seen = int(path.read_text()) if path.exists() else 0
    path.write_text(str(seen + 1))
    assert total([seen]) == 0


def test_writes_files(tmp_path):
    for path in (tmp_path / "a", pathlib.Path("/tmp/a"), HERE.with_name("a"), pathlib.Path("a")):
        path.write_text("a")
    pathlib.Path("shop/goods.py").write_text("nothing(")
    assert total([1]) == 1


def test_calls_through_another_module():
    assert through([1, 2]) == 3


def test_opens_sockets():
    one, two = socket.socketpair()
    one.sendall(b"a")
    assert total(two.recv(1)) == 97


def test_starts_a_program():
    told = subprocess.run([sys.executable, "-c", "print(3)"], capture_output=True, check=True)
    assert total([int(told.stdout)]) == 3


def test_starts_processes():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(total, [[1], [2, 3]]) == [1, 5]
    assert total([1]) == 1


def test_leaves_a_thread():
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    assert total([1]) == 1


def test_takes_all_memory():
    with pytest.raises(MemoryError):
        bytearray(1 << 50)
    assert total([1]) == 1


def test_prints():
    for _ in range(50):
        print("x" * (1 << 20))
    assert total([1]) == 1


def test_sets_the_clock(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 5.0)
    assert total([time.time()]) == 5.0


def test_of_its_own_class():
    class Local(Money):
        pass

    assert total([Money(1), Local(2)]).cents == 3


def test_takes_what_cannot_be_kept():
    assert total(value for value in range(4)) == 6
    assert total(collections.deque([1])) == 1


def test_deep():
    def down(n):
        return down(n - 1) if n else total([1])

    nested = []
    for _ in range(100_000):
        nested = [nested]
    assert down(500) == 1
    with pytest.raises(TypeError):
        total([nested])


def test_calls_often():
    for number in range(20_000):
        total([number])


def test_large():
    assert total(list(range(300_000))) == 44_999_850_000


class TestParts(unittest.TestCase):
    def test_fails_in_one_part(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertEqual(total([number]), 1)
"""

DROPPED = {
    "test_fails": "it fails with the original: assert total([1]) == 2: AssertionError",
    "TestParts::test_fails_in_one_part": "it fails with the original: self.assertEqual(",
    "test_fails_before_it_calls": "it fails with the original",
    "test_exits": "it fails with the original: sys.exit(0): SystemExit: 0",
    "test_flaky_by_address": "it is flaky: arguments.values[0] before",
    "test_flaky_by_hash_seed": "it is flaky: arguments.values[0] before",
    "test_flaky_by_process": "it is flaky: arguments.values[0] before",
    "test_passes_against_its_mark": "it fails with the original: [XPASS(strict)]",
    "test_kills_its_parent": "it fails with the original",
}
"""Tests of `DISTURBING` that say nothing, with how the line begins that tells why."""

UNKNOWN = {"test_takes_what_cannot_be_kept"}
"""Tests of `DISTURBING` with an argument that cannot be compared."""

LOST = {
    "ends itself": ("os._exit(0)", "its process exited with status 0"),
    "kills its group": ("os.killpg(0, signal.SIGKILL)", "it was ended by signal 9"),
    "hangs": ("time.sleep(1000)", "it did not finish in time"),
}
"""Name: what a test does that ends the session of all, and how that is told."""

LAYOUTS: dict[str, tuple[dict[str, str | None], str]] = {
    "src": (
        {
            "shop/__init__.py": None,
            "shop/goods.py": None,
            "src/shop/__init__.py": "",
            "src/shop/goods.py": MODULE,
            "pyproject.toml": "[project]\nname = 'shop'",
        },
        "shop.goods:total",
    ),
    "flat": (
        {
            "shop/__init__.py": None,
            "shop/goods.py": None,
            "goods.py": MODULE,
            "tests/test_goods.py": None,
            "test_goods.py": TESTS.replace("shop.goods", "goods"),
        },
        "goods:total",
    ),
    "a namespace": ({"shop/__init__.py": None}, "shop.goods:total"),
    "tests in a package": (
        {
            "tests/__init__.py": "",
            "tests/beside.py": "ONE = 1",
            "tests/test_goods.py": f"from .beside import ONE\n{TESTS}",
        },
        "shop.goods:total",
    ),
    "unittest": (
        {
            "tests/test_goods.py": "import unittest\nfrom shop.goods import total\n"
            "class TestTotal(unittest.TestCase):\n"
            "    def setUp(self):\n        self.values = [1, 2]\n"
            "    def test_one(self):\n        self.assertEqual(total(self.values), 3)\n"
            "    def test_each(self):\n        for n in range(3):\n"
            "            with self.subTest(n=n):\n                self.assertEqual(total([n]), n)\n"
        },
        "shop.goods:total",
    ),
    "many options": (
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n"
            'addopts = "-n auto --cov=shop --cov-report=term -x --strict-markers -v --tb=long'
            ' -p beside_pytest"\n'
            'markers = ["slow: takes long"]\nfilterwarnings = ["error"]\nxfail_strict = true\n'
            'asyncio_default_fixture_loop_scope = "function"\n',
            "beside_pytest.py": "",
            "conftest.py": "import pathlib, sys\nsys.path.insert(0, pathlib.Path('/nowhere'))\n"
            "def pytest_addoption(parser):\n    parser.addoption('--mine', default=3)\n"
            "def pytest_collection_modifyitems(items):\n    items.reverse()\n",
            "tests/conftest.py": "import pytest\n@pytest.fixture\ndef five():\n    return [5]\n",
            "tests/test_goods.py": f"{TESTS}\n@pytest.mark.slow\ndef test_five(five):\n"
            "    assert total(five) == 5\n",
        },
        "shop.goods:total",
    ),
    "one file that cannot be collected": (
        {"tests/test_more.py": "import nothing"},
        "shop.goods:total",
    ),
}
"""Name: files, and the function."""
