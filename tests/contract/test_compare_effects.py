"""What a function does beside its result counts: the data of modules, logs, warnings, files."""

from pathlib import Path

import pytest

from steelyard.comparing import CompareBaseline
from steelyard.comparing._behaving import behaviour_of
from steelyard.schemas import Reason
from tests.contract.compare_projects import (
    BaselineOf,
    baseline_of,
    baselines_in,
    behaviour,
    first_difference,
    make_project,
    version_of,
)

pytestmark = [pytest.mark.xdist_group("compare_effects"), pytest.mark.usefixtures("file_view")]

MODULE = """
import functools
import itertools
import logging
import os
import sys
import tempfile
import warnings
from contextvars import ContextVar

log = logging.getLogger("shop")
SEEN = []
TOTALS = {}
current = ContextVar("current", default=0)
_squares = {}
SQUARE_CACHE = {}
_audit = []
_ids = itertools.count()
NAMES = []


class Registry:
    made = 0


def report():
    return list(_audit)


def listed(n):
    SEEN.append({"n": n})
    return n * n


def counted(n):
    Registry.made += 1
    return n * n


def contextual(n):
    current.set(n)
    return n * n


def logged(n):
    if n > 2:
        log.warning("many: %d", n)
    return n * n


def warned(n):
    if n > 2:
        warnings.warn("many", DeprecationWarning)
    return n * n


def complaining(n):
    print("n is", n, file=sys.stderr)
    return n * n


def written(n):
    with open("trace.txt", "a") as file:
        file.write(f"{n};")
    return n * n


def audited(n):
    _audit.append(n)
    return n * n


def remembered(n):
    if n not in _squares:
        _squares[n] = n * n
    return _squares[n]


def cached(n):
    if n in SQUARE_CACHE:
        return SQUARE_CACHE[n]
    SQUARE_CACHE[n] = n * n
    return SQUARE_CACHE[n]


def named(n):
    NAMES.append(str(object()))
    return n * n


def scratched(n):
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(str(n))
    with open(f"/dev/shm/{os.getpid()}.log", "a") as file:
        file.write(f"{n};")
    return n * n


def plain(n):
    return n * n
"""
NAMES = (
    "listed",
    "counted",
    "contextual",
    "logged",
    "warned",
    "complaining",
    "written",
    "audited",
    "remembered",
    "cached",
    "named",
    "scratched",
    "plain",
)
TESTS = f"""
import pytest
from shop import goods

@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", {NAMES})
def test_square(name, n, tmp_path):
    (tmp_path / "own").touch()
    goods.SQUARE_CACHE.clear()
    assert getattr(goods, name)(n) == n * n
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("effects"), MODULE, TESTS)


@pytest.fixture(scope="module")
def original(root: Path) -> BaselineOf:
    return baselines_in(root)


def reasons_of(baseline: CompareBaseline, candidate: str) -> list[Reason]:
    return behaviour_of(baseline, version_of(baseline, candidate))[1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("listed", "module state shop.goods.SEEN[0]: {'n': 1} != nothing"),
        ("counted", "module state shop.goods.Registry.made: 1 != 0"),
        ("contextual", "module state shop.goods.current: 1 != None"),
        ("logged", "log: WARNING shop: many: 3 != "),
        ("warned", "warnings: DeprecationWarning: many != "),
        ("complaining", "stderr: n is 1 != "),
        ("audited", "module state shop.goods._audit[0]: 1 != nothing"),
    ],
)
def test_a_lost_effect_is_a_difference(original: BaselineOf, name: str, said: str) -> None:
    found = behaviour(original(name), f"def {name}(n):\n    return n * n\n")
    assert found.verdict == "different"
    assert first_difference(found).startswith(said)


def test_a_lost_file_is_a_difference(original: BaselineOf) -> None:
    reasons = reasons_of(original("written"), "def written(n):\n    return n * n\n")
    assert [reason.code for reason in reasons] == ["behaviour-differs"]
    assert "file trace.txt: 1;2;3;4; != not there" in reasons[0].text


def test_a_file_that_is_left_elsewhere_is_a_difference(original: BaselineOf) -> None:
    candidate = """
        def plain(n):
            with open(f"/tmp/{n}", "w") as file:
                file.write(str(n * n))
            return n * n
        """
    reasons = reasons_of(original("plain"), candidate)
    assert [reason.code for reason in reasons] == ["behaviour-differs"]
    assert "file /tmp/1: not there != 1" in reasons[0].text


def test_a_file_that_is_taken_away_again_is_none(original: BaselineOf) -> None:
    candidate = """
        import os
        import tempfile

        def plain(n):
            with tempfile.TemporaryFile() as one, tempfile.NamedTemporaryFile("w+") as two:
                two.write(str(n))
            with tempfile.TemporaryDirectory() as folder:
                open(os.path.join(folder, "x"), "w").close()
            return n * n
        """
    assert reasons_of(original("plain"), candidate) == []


def test_files_whose_names_are_never_the_same_may_be_left(original: BaselineOf) -> None:
    baseline = original("scratched")
    candidate = """
        def scratched(n):
            tempfile.TemporaryFile().close()
            with tempfile.NamedTemporaryFile("w", delete=False) as file:
                print(n, end="", file=file)
            with open(f"/dev/shm/{os.getpid()}.log", "a") as file:
                print(n, end=";", file=file)
            return n ** 2
        """
    assert reasons_of(baseline, candidate) == []
    reasons = reasons_of(baseline, "def scratched(n):\n    return n * n\n")
    assert [reason.code for reason in reasons] == ["behaviour-differs"]
    assert "tmp********" in reasons[0].text


def test_an_effect_that_is_kept_is_none(original: BaselineOf) -> None:
    candidate = "def listed(n):\n    SEEN += [dict(n=n)]\n    return n ** 2\n"
    candidate = candidate.replace("    SEEN", "    global SEEN\n    SEEN", 1)
    assert behaviour(original("listed"), candidate).verdict == "same"


@pytest.mark.parametrize("name", ["remembered", "cached"])
def test_a_memo_that_only_the_function_reads_is_a_warning(original: BaselineOf, name: str) -> None:
    reasons = reasons_of(original(name), f"def {name}(n):\n    return n * n\n")
    assert [(reason.code, reason.rejects) for reason in reasons] == [("private-state", False)]


def test_a_memo_of_the_candidate_alone_is_nothing(original: BaselineOf) -> None:
    candidate = """
        KNOWN = {}

        @functools.cache
        def _square(n):
            return n * n

        def plain(n):
            KNOWN[n] = n
            return _square(n)
        """
    assert reasons_of(original("plain"), candidate) == []


def test_data_that_is_never_the_same_does_not_count(original: BaselineOf) -> None:
    baseline = original("named")
    assert behaviour(baseline, "def named(n):\n    return n * n\n").verdict == "same"
    assert baseline.dropped_tests == {}


def test_a_call_with_classes_of_the_project_is_made_small(tmp_path: Path) -> None:
    module = """
        from dataclasses import dataclass

        @dataclass
        class Line:
            price: int
            name: str

        def total(lines):
            return sum(line.price for line in lines)
        """
    tests = """
        import pytest
        from shop.goods import Line, total

        @pytest.mark.parametrize("count", [3, 9, 20])
        def test_total(count):
            assert total([Line(i, "x" * i) for i in range(count)]) >= 0
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "total")
    replayed = [call.name for call in baseline.calls if call.name.startswith("replay")]
    assert len(replayed) == 3
    found = behaviour(
        baseline, "def total(lines):\n    return sum(x.price for x in lines if x.price != 7)\n"
    )
    shrunk = next(case for case in found.cases if case.input and "::" not in case.name)
    assert shrunk.input.count("Line(") == 1


def test_context_managers_are_entered_and_left(tmp_path: Path) -> None:
    module = """
        import contextlib

        @contextlib.contextmanager
        def scope(n, log):
            log.append("in")
            try:
                yield sum(range(n))
            except ValueError:
                log.append("mended")
            finally:
                log.append("out")

        @contextlib.asynccontextmanager
        async def later(n):
            yield sum(range(n))
        """
    tests = """
        import asyncio
        import pytest
        from shop.goods import later, scope

        @pytest.mark.parametrize("n", range(7))
        def test_scope(n):
            with scope(n, []) as total:
                assert total == n * (n - 1) // 2
                if n == 5:
                    raise ValueError

        @pytest.mark.parametrize("n", range(7))
        def test_later(n):
            async def use():
                async with later(n) as total:
                    return total
            assert asyncio.run(use()) == n * (n - 1) // 2
        """
    root = make_project(tmp_path, module, tests)
    baseline = baseline_of(root, "scope", generate=0)
    honest = """
        @contextlib.contextmanager
        def scope(n, log):
            log.append("in")
            try:
                yield n * (n - 1) // 2
            except ValueError:
                log.append("mended")
            finally:
                log.append("out")
        """
    found = behaviour(baseline, honest)
    assert found.verdict == "same"
    assert found.count("not-comparable") == 0
    careless = honest.replace("""        log.append("mended")""", "        pass")
    assert first_difference(behaviour(baseline, careless)).startswith("arguments.log")
    later = "@contextlib.asynccontextmanager\nasync def later(n):\n    yield n * (n - {}) // 2\n"
    other = baseline_of(root, "later", generate=0)
    assert behaviour(other, later.format(1)).verdict == "same"
    assert first_difference(behaviour(other, later.format(2))).startswith("items[0]")


def test_memory_out_of_all_bounds_is_refused_at_once(original: BaselineOf) -> None:
    baseline = original("plain")
    candidate = "def plain(n):\n    spare = bytearray(1 << 40)\n    return n * n\n"
    reasons = reasons_of(baseline, candidate)
    assert reasons[0].code == "memory-limit"
    assert "MemoryError" in reasons[0].text


def test_arguments_that_no_pickle_can_hold_are_told(tmp_path: Path) -> None:
    module = """
        import threading

        class Meter:
            def __init__(self):
                self.lock = threading.Lock()

            def double(self, n):
                return n + n
        """
    tests = """
        import pytest
        from shop.goods import Meter

        @pytest.mark.parametrize("n", range(7))
        def test_double(n):
            assert Meter().double(n) == 2 * n
        """
    root = make_project(tmp_path, module, tests, tests__test_bad="def f(:\n")
    (root / "tests/test_bad.py").write_text("x = 1\ndef f(:\n    pass\n", encoding="utf-8")
    from steelyard.comparing._reasons import of_calls

    found = {reason.code: reason for reason in of_calls(baseline_of(root, "Meter.double"))}
    assert set(found) == {"tests-only", "tests-dropped"}
    assert not any(reason.rejects for reason in found.values())
    text = found["tests-dropped"].text
    assert text.startswith("1 test file cannot be loaded: tests/test_bad.py: ")
    assert 'File "tests/test_bad.py", line 2' in text
    assert "???" not in text


def test_inspired_tests_are_told_apart(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "test_more_squares.py"
    outside.write_text(
        "from shop.goods import plain\n\ndef test_large():\n    assert plain(1000) == 10 ** 6\n",
        encoding="utf-8",
    )
    baseline = baseline_of(root, "plain", inspired=(str(outside),))
    kinds = {
        case.name: int(case.test_type)
        for case in behaviour(baseline, "def plain(n):\n    return n ** 2\n").cases
        if "::" in case.name
    }
    assert kinds.pop("inspired_tests/test_more_squares.py::test_large") == 2
    assert len(kinds) == 4
    assert set(kinds.values()) == {1}


def test_what_frameworks_hold_is_compared(tmp_path: Path) -> None:
    """Classes that name each other, a table that holds the function, data that unfolds endlessly.

    And what Hypothesis keeps above the project and in a temporary folder.
    """
    module = """
        class Page:
            limit = 3

        class Book:
            limit = 4

        Page.book_class, Book.page_class = Book, Page
        TREE = [1]
        for _ in range(60):
            TREE = [TREE, TREE]

        class Shop:
            def __init__(self):
                self.handlers = {"square": square}
                self.tree, self.made = TREE, 0

        def square(shop, n):
            shop.made += 1
            return n * n
        """
    tests = """
        import tempfile
        import pytest
        from hypothesis import given, settings, strategies
        from hypothesis.configuration import set_hypothesis_home_dir
        from shop import goods

        @pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7])
        def test_square(n):
            shop = goods.Shop()
            assert shop.handlers["square"](shop, n) == n * n

        @pytest.mark.parametrize("folder", [None, "temporary"])
        def test_drawn(folder):
            set_hypothesis_home_dir(folder and tempfile.mkdtemp() + "/.hypothesis")

            @given(strategies.integers(), strategies.text())
            def check(n, text):
                goods.square(goods.Shop(), n)
                assert n < 1000

            with pytest.raises(AssertionError):
                check()
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "square")
    assert all("drawn" in name for name in baseline.dropped_tests), baseline.dropped_tests
    candidate = "def square(shop, n):\n    shop.made += 1\n    return n ** 2\n"
    found, reasons = behaviour_of(baseline, version_of(baseline, candidate))
    assert (found.verdict, found.side_effects) == ("same", ())
    assert not [reason for reason in reasons if reason.rejects]
    lazy = behaviour(baseline, "def square(shop, n):\n    return n ** 2\n")
    assert first_difference(lazy).startswith("arguments.shop.made: 1 != 0")
