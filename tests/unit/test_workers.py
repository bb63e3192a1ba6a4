"""Workers run each test once and lose no report; a failed test has a second try, alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm_process import RUN_FOLDER

ROOT = Path(__file__).parents[2]
TESTS = """
import os, pathlib, time, pytest

def note(text):
    with pathlib.Path(__file__).with_name("order").open("a") as file:
        file.write(f"{text}:{os.getpid()}\\n")

@pytest.fixture(scope="session")
def shared():
    yield 7
    note("end")

@pytest.mark.xdist_group("own")
@pytest.mark.parametrize("each", range(4))
def test_group(each, shared):
    note("group")

def test_once():
    note("once")
    before = pathlib.Path(__file__).with_name("before")
    first = not before.exists()
    before.touch()
    assert not first, "late"

def test_never(shared):
    note("never")
    assert False, "broken"

def test_skipped():
    pytest.skip("no need")

def test_table(subtests):
    for each in (1, 2):
        with subtests.test(each=each):
            print("its output")
            assert each == 1, "the second row"
"""


def run(folder: Path, *options: str) -> tuple[str, list[str], int]:
    """Run the tests in the folder; return the output, what they noted, and the processes."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.workers", "-c", os.devnull,
         "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", folder, *options, folder],
        env={**os.environ, "PYTHONPATH": str(ROOT), RUN_FOLDER: str(folder),
             "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    order = folder / "order"
    notes = [each.split(":") for each in order.read_text().split()] if order.exists() else []
    return done.stdout, [name for name, _ in notes], len({process for _, process in notes})


def test_the_second_try_comes_after_all_others(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    hostile = tmp_path / "hostile" / "test_attack.py"  # a hostile test has one try
    hostile.parent.mkdir()
    hostile.write_text("def test_attack(): assert False")
    report = tmp_path / "report.xml"
    output, order, processes = run(tmp_path, "--second-try", "-n2", f"--junit-xml={report}")
    tries = [each for each in order if each != "end"]
    assert sorted(tries[:6]) == ["group"] * 4 + ["never", "once"]
    assert sorted(tries[6:]) == ["never", "once"]
    assert order[-1] == "end"
    assert processes == 3  # two workers, and one for the second tries
    assert "= 3 failed, 6 passed, 1 skipped, 3 rerun in" in output
    assert "test_it.py::test_once: AssertionError: late" in output
    assert "its output" in output
    assert 'skipped="1"' in report.read_text()


@pytest.mark.parametrize("options", [(), ("-n2",)], ids=["alone", "two-workers"])
def test_without_the_option_a_failure_is_final(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    output, order, _ = run(tmp_path, *options)
    assert len([each for each in order if each != "end"]) == 6
    assert "rerun" not in output


def test_many_failures_are_not_tried_again_without_end(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('each', range(40))\n"
        "def test_broken(each):\n"
        "    assert False\n"
    )
    output, _, _ = run(tmp_path, "--second-try", "-n2")
    assert "= 40 failed, 10 rerun in" in output


def test_a_worker_that_dies_and_a_late_fixture_fail_what_is_theirs(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import os, pytest\n"
        "pytestmark = pytest.mark.xdist_group('all')\n"
        "@pytest.mark.parametrize('each', range(5))\n"
        "def test_it(each):\n"
        "    each == 2 and os._exit(3)\n"
    )
    (tmp_path / "test_late.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def broken():\n"
        "    yield\n"
        "    assert False, 'too late'\n"
        "def test_it(broken): pass\n"
    )
    output, _, _ = run(tmp_path, "-n2")
    assert "= 1 failed, 5 passed, 1 error in" in output
    assert "too late" in output
    assert "the worker ended with status 3" in output
    assert "test_it.py::test_it[2]\n" in output


def test_a_run_stops_at_the_first_failure_if_asked(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('each', range(40))\n"
        "def test_broken(each):\n"
        "    assert False\n"
    )
    output, _, _ = run(tmp_path, "-n2", "-x")
    assert "= 1 failed in" in output
