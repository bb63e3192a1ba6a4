"""What is measured of a suite: nothing that its author claims is believed."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from steelyard.authoring.pytests._evidence import MINIMA, Measuring, issues_of, rank_of
from steelyard.authoring.pytests._module import find_module
from steelyard.authoring.pytests._running import SuiteRunner
from steelyard.authoring.pytests._suite import bounds_in
from steelyard.errors import SubjectError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import SuiteEvidence
from steelyard.strength import mutants_of
from tests.contract.suite_samples import BUG, MODULE, PERFECT, WEAK

FILE = "test_prices.py"


@pytest.fixture(scope="module")
def runner(pool: CellPool, tmp_path_factory: pytest.TempPathFactory) -> SuiteRunner:
    file = tmp_path_factory.mktemp("module") / "prices.py"
    file.write_text(MODULE)
    return SuiteRunner(find_module(file), pool)


CASES_MODULE = """\
from dataclasses import dataclass
from functools import lru_cache

WORDS = {"zero": 0, "one": 1, "seven": 7}


@dataclass
class Point:
    x: int
    y: int = 0


class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        return self._items.pop()


@lru_cache
def number_of(word, default=None):
    return WORDS.get(word, default) if word in WORDS or default else int(word)


def from_roman(text):
    values = {"M": 1000, "C": 100, "X": 10, "I": 1, "V": 5, "L": 50, "D": 500}
    total = 0
    for index, letter in enumerate(text):
        larger = any(values[each] > values[letter] for each in text[index + 1 : index + 2])
        total += -values[letter] if larger else values[letter]
    if total > 4999:
        raise ValueError("too large")
    return total


def size_of(values, extra=()):
    return 40 + len(values) + len(extra)


def evens(values):
    for value in values:
        if value % 2 == 0:
            yield value


def shown(text):
    if text.startswith("#"):
        return "a comment"
    return "some words"
"""


NORMAL = """\
def test_normal_all():
    assert m.number_of("seven") + m.number_of("8") == 15
    assert m.from_roman("MMMMCMLXXXVIII") == 4988
    assert list(m.evens([5, 12])) == [12] and m.size_of("abcd") == 44
    assert m.shown("words") == "some words"
"""
CASES = {
    "edge": {
        "assert m.number_of('zero') == 0": True,
        "assert m.number_of('seven') == 7": False,
        "assert list(m.evens([4, 4, 4])) == [4, 4, 4]": True,
        "assert list(m.evens([5, 9, 12])) == [12]": False,
        "assert m.size_of('') == 40": True,
        "assert m.size_of([7] * 50_000) == 50_040": True,
        "assert m.size_of('\u00e9t\u00e9') == 43": True,
        "assert m.size_of('abc') == 43": False,
        "assert m.size_of([5, None, 6]) == 43": True,
        "assert m.Point(5, -6).y == -6": True,
        "assert m.Point(5, 6).y == 6": False,
        "data = {}; assert m.size_of('abcd') == 44 and data == {}": False,
        "assert m.shown('# words') == 'a comment'": True,
    },
    "boundary": {
        "assert m.from_roman('MMMMCMXCIX') == 4999": True,
        "assert m.from_roman('MMMMCMLXXXVIII') == 4988": False,
        "assert m.size_of([20, 30, 70] * 30) == 130": False,
        "assert m.size_of([20, 30, 70] * 33) == 139": True,
        "assert m.Point(2**31 - 1, 90).y == 90": True,
        "assert m.Point(17, 17).y == 17": True,
        "assert m.Point(17, 30).y == 30": False,
    },
    "exception": {
        "pytest.raises(ValueError, m.from_roman, 'MMMMM')": True,
        "pytest.raises(IndexError, m.Stack().pop)": True,
        "assert m.size_of('abc') == 43; pytest.raises(ValueError, int, 'x')": False,
    },
}
"""What a test does, and True if it counts for the category in its name."""
ROWS = """\
@pytest.mark.parametrize('a, b', [('seven', 7), ('zero', 0), ('zero', 0), ('0', 0)])
def test_edge_rows(a, b):
    assert m.number_of(a) == b
"""


def test_a_case_counts_by_what_the_module_does_with_it(pool: CellPool, tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text(CASES_MODULE)
    runner = SuiteRunner(find_module(file), pool)
    bodies = {
        f"test_{category}_{number}": body
        for category, cases in CASES.items()
        for number, body in enumerate(cases)
    }
    tests = [f"def {name}():\n    {body}\n" for name, body in bodies.items()]
    suite = "\n".join(["import pytest", "import cases as m", NORMAL, ROWS, *tests])
    bounds = bounds_in(runner.module.tree)
    found = Measuring(runner, bounds=bounds).measure(suite, "test_cases.py")
    assert found.red == ()
    not_counted = {bodies[each.test] for each in found.uncounted}
    wanted = {body for cases in CASES.values() for body, counts in cases.items() if not counts}
    assert not_counted == wanted
    assert all("function of the module" in each.why for each in found.uncounted)
    # Of the rows three are different, and two of these have an edge value.
    assert found.counts == {"normal": 1, "edge": 8 + 2, "boundary": 4, "exception": 2}


THREADS_MODULE = """\
import queue
import threading
import time

_asked, _done = queue.Queue(), {}


def _work():
    while True:
        number = _asked.get()
        _done[number] = 2 * number
        _asked.task_done()


threading.Thread(target=_work, daemon=True).start()
threading.Thread(target=time.sleep, args=(600,), daemon=False).start()


def double(number):
    _asked.put(number)
    _asked.join()
    return _done[number]
"""
THREADS_SUITE = """\
from served import double


def test_normal_double():
    assert double(3) == 6


def test_edge_zero():
    assert double(0) == 0


def test_normal_wrong():
    assert double(3) == 7
"""


def test_a_module_that_starts_threads_is_imported_anew_for_each_test(
    pool: CellPool, tmp_path: Path
) -> None:
    file = tmp_path / "served.py"
    file.write_text(THREADS_MODULE)
    module = find_module(file)
    mutants = mutants_of(module.source, most=4, pool=pool, imported=True)
    found = Measuring(SuiteRunner(module, pool), mutants).measure(THREADS_SUITE, "test_served.py")
    assert [each.test for each in found.red] == ["test_served.py::test_normal_wrong"]
    assert (found.tests, found.covered, found.cannot_fail) == (2, 1, ())
    assert found.counts == {"normal": 1, "edge": 1, "boundary": 0, "exception": 0}
    assert found.killed > 0


UNTRACED_MODULE = """\
import _thread


def _work(number, answers, done):
    try:
        answers.append(2 * number)
    finally:
        done.release()


def double(number):
    answers, done = [], _thread.allocate_lock()
    done.acquire()
    _thread.start_new_thread(_work, (number, answers, done))
    with done:
        return answers[0]
"""


def test_a_mutant_in_a_thread_that_is_not_traced_is_run(pool: CellPool, tmp_path: Path) -> None:
    file = tmp_path / "served.py"
    file.write_text(UNTRACED_MODULE)
    module = find_module(file)
    mutants = [each for each in mutants_of(module.source, pool=pool) if each.line == 6]
    suite = "from served import double\n\n\ndef test_normal():\n    assert double(3) == 6\n"
    found = Measuring(SuiteRunner(module, pool), mutants).measure(suite, "test_served.py")
    assert (found.red, found.survivors) == ((), ())
    assert found.killed == len(mutants) > 2


def evidence(
    runner: SuiteRunner, code: str, *, mutants: int = 0, bug: str | None = None
) -> SuiteEvidence:
    changes = mutants_of(MODULE, most=mutants, pool=runner.pool) if mutants else ()
    bounds = bounds_in(runner.module.tree)
    return Measuring(runner, changes, bug=bug, bounds=bounds, test_s=1).measure(code, FILE)


@pytest.fixture(scope="module")
def perfect(runner: SuiteRunner) -> SuiteEvidence:
    return evidence(runner, PERFECT, mutants=4, bug=BUG)


@pytest.fixture(scope="module")
def weak(runner: SuiteRunner) -> SuiteEvidence:
    return evidence(runner, WEAK, mutants=6, bug=BUG)


@pytest.mark.exhaustive
def test_a_complete_suite_is_perfect(perfect: SuiteEvidence) -> None:
    assert perfect.unmet == ()
    assert issues_of(perfect) == ()
    assert all(perfect.counts[each] >= least for each, least in MINIMA.items())
    assert perfect.covered == 1
    assert perfect.mutants == 4
    assert perfect.killed >= 0.85 * perfect.mutants
    assert perfect.bug_found_by == (f"{FILE}::test_boundary_percent[100-0]",)


def test_a_weak_suite_is_not_though_all_of_it_passes(weak: SuiteEvidence) -> None:
    assert weak.red == ()
    assert weak.tests == 3
    assert set(weak.unmet) >= {"can-fail", "minima", "mutation", "bug"}
    assert weak.cannot_fail == (f"{FILE}::test_normal_returns",)
    text = "\n".join(issues_of(weak))
    assert "test_normal_returns" in text
    assert "accepts any error" in text
    assert "5 normal tests are needed and 1 count" in text
    assert "@@" in text  # the change that no test notices
    assert "known bug" in text


def test_the_better_suite_ranks_higher(perfect: SuiteEvidence, weak: SuiteEvidence) -> None:
    broken = SuiteEvidence(fault="it has no tests", unmet=("loads",))
    assert rank_of(perfect) > rank_of(weak) > rank_of(broken)


HOSTILE = """\
import os
import shutil
import unittest

import pytest

import prices

SEEN = []


def test_normal_right():
    assert prices.discount(200, 10) == 180


def test_normal_wrong():
    assert prices.discount(200, 10) == 181


def test_normal_exits():
    os._exit(0)


def test_normal_loops():
    while True:
        pass


def test_normal_prints():
    print("x" * 10_000_000)
    assert prices.discount(200, 10) == 180


def test_normal_deletes():
    shutil.rmtree(os.getcwd(), ignore_errors=True)
    assert prices.discount(200, 10) == 180


def test_normal_first():
    SEEN.append(1)
    assert prices.discount(200, 10) == 180 and len(SEEN) == 1


def test_normal_second():
    SEEN.append(1)
    assert prices.discount(200, 10) == 180 and len(SEEN) == 1


def test_normal_skips():
    pytest.skip("later")


class TestParts(unittest.TestCase):
    def test_normal_parts(self):
        for percent in (10, 11, 10):
            with self.subTest(percent=percent):
                self.assertEqual(prices.discount(200, percent), 180)


def test_normal_swallows():
    try:
        assert prices.discount(200, 10) == 0
    except AssertionError:
        pass


def test_normal_mocks(monkeypatch):
    monkeypatch.setattr(prices, "discount", lambda price, percent: 180)
    assert prices.discount(200, 10) == 180
"""

PATCHING = """\
from _pytest.reports import TestReport

import prices


def test_normal_right():
    assert prices.discount(200, 10) == 180


def test_normal_passes_whatever_happens():
    TestReport.failed = property(lambda self: False)
    TestReport.passed = property(lambda self: True)
    assert prices.discount(200, 10) == 7
"""


def names(tests: Iterable[object]) -> set[str]:
    return {str(each).partition("::test_normal_")[2].partition(":")[0] for each in tests}


def test_hostile_tests_are_named(runner: SuiteRunner) -> None:
    found = evidence(runner, HOSTILE)

    assert names(found.red) == {"wrong", "exits", "loops", "skips", "deletes", "parts"}
    assert names(found.dependent) & {"first", "second"}
    assert names(found.cannot_fail) >= {"swallows", "mocks"}
    good = {"right", "prints"}
    assert not good & (names(found.red) | names(found.dependent) | names(found.cannot_fail))
    assert {"green", "independent", "can-fail"} <= set(found.unmet)


def test_a_test_that_patches_pytest_cannot_fail(runner: SuiteRunner) -> None:
    found = evidence(runner, PATCHING)
    assert names(found.cannot_fail) == {"passes_whatever_happens"}


ENDLESS = "while True: pass\ndef test_a(): assert x"


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import os\nos._exit(0)\ndef test_a(): assert x", "exited with status 0"),
        ("import nowhere\ndef test_a(): assert x", "No module named 'nowhere'"),
        (ENDLESS, "did not finish in time"),
        ("def test_(:", "not valid Python"),
        ("class TestA:\n    def __init__(self): pass\n    def test_a(self): assert 1", "no tests"),
        (
            "import pytest\n@pytest.mark.parametrize('n', range(600))\ndef test_a(n): assert n",
            "more than 500 tests",
        ),
    ],
)
def test_a_suite_that_does_not_run_has_a_fault(
    runner: SuiteRunner, code: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if code == ENDLESS:
        monkeypatch.setattr("steelyard.authoring.pytests._evidence._SESSION_S", 1.0)
    found = evidence(runner, code)
    assert fault in found.fault
    assert found.unmet == ("loads",)
    assert fault in issues_of(found)[0]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("broken.py", "import nowhere", "No module named 'nowhere'"),
        ("json.py", "", "json is also the name of another module"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(
    pool: CellPool, tmp_path: Path, name: str, text: str, why: str
) -> None:
    file = tmp_path / name
    file.write_text(f"{text}\n\ndef f():\n    return 1\n")
    with pytest.raises(SubjectError, match=rf"{name} cannot be imported: .*{why}.*--root"):
        SuiteRunner(find_module(file), pool).require_import()


@pytest.mark.exhaustive
def test_a_module_in_another_encoding_is_mutated_and_altered(
    pool: CellPool, tmp_path: Path
) -> None:
    file = tmp_path / "names.py"
    file.write_bytes("# coding: latin-1\ndef f(x):\n    return x + 'é'\n".encode("latin-1"))
    module = find_module(file)
    runner = SuiteRunner(module, pool)
    mutants = mutants_of(module.source.encode(module.encoding), pool=pool)
    code = "from names import f\n\ndef test_normal_f():\n    assert f('caf') == 'caf\u00e9'\n"
    found = Measuring(runner, mutants).measure(code, "test_names.py")
    assert (found.tests, found.cannot_fail, found.covered) == (1, (), 1)
    assert found.killed == found.mutants > 0


def test_a_module_of_a_project_is_imported_with_its_neighbours(
    pool: CellPool, tmp_path: Path
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_functions = check_*\n")
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.setuptools.packages.find]\nwhere = ['src']\n")
    (package / "__init__.py").write_text("")
    (package / "rates.py").write_text("RATE = 3\n")
    (package / "prices.py").write_text(
        "from .rates import RATE\n\ndef f(x):\n    return RATE * x\n"
    )
    module = find_module(package / "prices.py", tmp_path)
    assert (module.module, module.import_root) == ("shop.prices", "src")
    SuiteRunner(module, pool).require_import()


def test_the_same_program_is_no_known_bug(tmp_path: Path) -> None:
    from steelyard.authoring.pytests._module import read_bug

    file, bug = tmp_path / "prices.py", tmp_path / "bug.py"
    file.write_text(MODULE)
    bug.write_text(f"# the same\n{MODULE}")
    with pytest.raises(UsageError, match="the same program"):
        read_bug(bug, find_module(file))
