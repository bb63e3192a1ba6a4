"""A whole package is compared without `--tests`: test files are chosen, and a budget holds."""

from pathlib import Path

import pytest

from steelyard.comparing import CompareBaseline, CompareOptions, compare
from steelyard.errors import TestsError
from steelyard.schemas import Event
from tests.contract.compare_projects import baseline_of

pytestmark = [pytest.mark.xdist_group("compare_packages"), pytest.mark.usefixtures("file_view")]

MODULE = """
def total(rows):
    found = 0
    for row in rows:
        found += row
    return found

def report(rows):
    return f"{total(rows)} in all"

FORMATS = {"summary": report}
CURRENCIES = ["EUR"]
"""
MANY = 70


def package(root: Path, *, named: str) -> Path:
    """A package with many test files; one of them reaches the function, the others do not."""
    (root / "shop").mkdir()
    (root / "shop/__init__.py").write_text("")
    (root / "shop/goods.py").write_text(MODULE)
    (root / "tests").mkdir()
    for index in range(MANY):
        (root / f"tests/test_other_{index}.py").write_text("def test_nothing():\n    pass\n")
    text = f"import pytest\nfrom shop import goods\n\n\n{named}"
    (root / "tests/test_reaching.py").write_text(text)
    return root


def files_run(baseline: CompareBaseline) -> set[str]:
    return {name.partition("::")[0] for name in baseline.tests.tests}


@pytest.mark.parametrize(
    "body",
    ["assert goods.total(rows) >= 0", "goods.report(rows)", "goods.FORMATS['summary'](rows)"],
    ids=["names it", "names a caller", "names a key of a table of callers"],
)
def test_only_the_files_that_can_reach_the_function_are_run(tmp_path: Path, body: str) -> None:
    values = "@pytest.mark.parametrize('n', range(8))\ndef test_it(n):\n    rows = list(range(n))\n"
    baseline = baseline_of(package(tmp_path, named=f"{values}    {body}\n"), "total")
    assert files_run(baseline) == {"tests/test_reaching.py"}
    note = (
        f"1 of {MANY + 1} test functions were run, with 8 different inputs; "
        "--all-tests runs the rest"
    )
    assert note in baseline.notes


def test_a_function_that_no_file_names_is_looked_for_in_all(tmp_path: Path) -> None:
    called = "def test_it():\n    getattr(goods, 'to' + 'tal')([1, 2])\n"
    baseline = baseline_of(package(tmp_path, named=called), "total")
    assert baseline.tests.tests["tests/test_reaching.py::test_it"].calls == 1


def test_all_tests_are_run_on_request(tmp_path: Path) -> None:
    root = package(tmp_path, named="def test_it():\n    goods.total([1])\n")
    events: list[Event] = []
    options = {"generate": 0, "on_event": events.append}
    baseline_of(root, "total", **options)
    chosen = [event.message for event in events if event.message]
    total = MANY + 1
    assert chosen == [f"1 of {total} test functions", f"{total} of {total} test functions"]
    events.clear()
    baseline = baseline_of(root, "total", all_tests=True, **options)
    # The others do not call it: the sessions after the first do without them.
    assert files_run(baseline) == {"tests/test_reaching.py"}
    assert not any(event.message for event in events)


def test_what_else_a_candidate_changes_is_tested_too(tmp_path: Path) -> None:
    root = package(tmp_path, named="def test_it():\n    goods.total([1])\n")
    (root / "tests/test_other_1.py").write_text(
        "from shop import goods\n\n\ndef test_it():\n    assert goods.CURRENCIES\n"
    )
    baseline = CompareBaseline("shop.goods:total", root, CompareOptions(generate=0))
    baseline.prepare()
    assert files_run(baseline) == {"tests/test_reaching.py"}
    baseline.prepare(["CURRENCIES"])
    assert "tests/test_other_1.py" in files_run(baseline)


def test_what_a_budget_cuts_short_is_undecided(tmp_path: Path) -> None:
    root = package(
        tmp_path, named="import time\ndef test_it():\n    time.sleep(60)\n    goods.total([1])\n"
    )
    found = compare(
        "def total(rows):\n    return sum(rows)\n",
        function="shop.goods:total",
        root=root,
        budget_s=1,
    )
    assert [(each.code, each.rejects) for each in found.reasons] == [("undecided", True)]
    assert "the budget of 1 s" in found.reasons[0].text


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    root = package(tmp_path, named="import never_installed\ndef test_it():\n    goods.total([1])\n")
    with pytest.raises(TestsError, match="install never_installed for "):
        baseline_of(root, "total", tests="tests/test_reaching.py")


def test_the_projects_own_plugin_is_loaded(tmp_path: Path) -> None:
    tests = "def test_it(row):\n    assert goods.total([row]) == 3\n"
    root = package(tmp_path, named=tests)
    (root / "shop/plugin.py").write_text(
        "import pytest\n\n\n@pytest.fixture\ndef row():\n    return 3\n"
    )
    (root / "pyproject.toml").write_text(
        '[project]\nname = "shop"\nversion = "1"\n'
        '[project.entry-points.pytest11]\nshop = "shop.plugin"\n'
    )
    baseline = baseline_of(root, "total")
    assert baseline.tests.tests["tests/test_reaching.py::test_it"].passed


def test_an_option_of_a_blocked_plugin_is_not_an_error(tmp_path: Path) -> None:
    root = package(tmp_path, named="def test_it():\n    goods.total([1])\n")
    (root / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\njunit_family = xunit2\n")
    baseline = baseline_of(root, "total")
    assert baseline.tests.tests["tests/test_reaching.py::test_it"].passed


def test_of_a_large_file_only_the_tests_that_can_reach_the_function_are_run(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        named="CASES = [goods.total]\n\n\n"
        "@pytest.mark.parametrize('n', range(8))\n"
        "def test_by_a_list_of_cases(n):\n    CASES[0](range(n))\n\n\n"
        "class TestGoods:\n    def test_it(self):\n        assert goods.total([1]) == 1\n\n\n"
        "def test_that_hangs():\n    while True:\n        pass\n",
    )
    baseline = baseline_of(root, "total")
    names = {name.rpartition("::")[2].partition("[")[0] for name in baseline.tests.tests}
    assert names == {"test_by_a_list_of_cases", "test_it"}


def test_of_a_function_that_each_test_calls_a_sample_of_the_files_is_run(tmp_path: Path) -> None:
    root = package(tmp_path, named="")
    for file in root.glob("tests/test_other_*.py"):
        file.write_text("".join(f"def test_{n}():\n    pass\n" for n in range(3)))
    (root / "tests/conftest.py").write_text(
        "import pytest\nfrom shop import goods\n\n\n"
        "@pytest.fixture(autouse=True)\ndef around(request):\n"
        "    getattr(goods, 'to' + 'tal')(map(ord, request.node.nodeid))\n"
    )
    baseline = baseline_of(root, "total")
    note = "54 of 210 test functions were run, with 54 different inputs; --all-tests runs the rest"
    assert baseline.notes == [note]


def test_what_fails_before_it_calls_the_function_is_not_run_again(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        named="@pytest.mark.parametrize('n', range(30))\ndef test_it(n):\n"
        "    assert n < 8\n    goods.total(range(n))\n",
    )
    baseline = baseline_of(root, "total")
    assert (len(baseline.tests.tests), len(baseline.dropped_tests)) == (8, 22)


def test_a_project_has_the_metadata_of_an_installed_one(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        named="from importlib.metadata import version\n\n\n"
        "def test_it():\n    goods.total([1])\n    assert version('the-shop') == '1.2'\n",
    )
    (root / "pyproject.toml").write_text('[project]\nname = "The.Shop"\nversion = "1.2"\n')
    assert baseline_of(root, "total").tests.tests["tests/test_reaching.py::test_it"].passed


def test_all_runs_but_the_first_find_the_projects_modules_compiled(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        named="import os\n\n\ndef test_it():\n"
        "    goods.total([1])\n    assert os.path.exists(goods.__cached__) is False\n",
    )
    baseline = baseline_of(root, "total")
    assert "test_it" in "".join(baseline.dropped_tests)


def test_seconds_that_a_tests_own_session_prints_are_no_flake(tmp_path: Path) -> None:
    inner = "import time\n\n\ndef test_it():\n    time.sleep(abs(hash('shop')) % 97 / 300)\n"
    root = package(
        tmp_path,
        named="def test_it(pytester):\n    goods.total([1])\n"
        f"    pytester.makepyfile({inner!r})\n    pytester.runpytest()\n",
    )
    (root / "conftest.py").write_text("pytest_plugins = ['pytester']\n")
    assert baseline_of(root, "total").dropped_tests == {}
