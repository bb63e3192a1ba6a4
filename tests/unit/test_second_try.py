"""A test that failed beside others is tried again when they are done, and never more than that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm_process import RUN_FOLDER

ROOT = Path(__file__).parents[2]
TESTS = """
import pathlib, time, pytest

def note(text):
    with pathlib.Path(__file__).with_name("order").open("a") as file:
        file.write(text + "\\n")

@pytest.fixture(scope="module")
def number():
    return 7

def test_once(number):
    note("once")
    before = pathlib.Path(__file__).with_name("before")
    first = not before.exists()
    before.touch()
    assert not first, "late"

def test_never():
    note("never")
    assert False, "broken"

@pytest.mark.parametrize("each", range(4))
def test_slow(each, number):
    time.sleep(0.2)
    note("slow")

def test_skipped():
    pytest.skip("no need")
"""


def run(folder: Path, *options: str) -> tuple[str, list[str]]:
    """Run the tests in the folder; return the output, and which of them ran, in order."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.second_try",
            "-p",
            "xdist",
            "-c",
            os.devnull,
            "-p",
            "no:cacheprovider",
            "--rootdir",
            folder,
            *options,
            folder,
        ],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            RUN_FOLDER: str(folder),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout, (folder / "order").read_text().split()


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "two-workers"])
def test_the_second_try_comes_after_all_others(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    output, order = run(tmp_path, "--second-try", *workers)
    assert sorted(order[:6]) == ["never", "once", *["slow"] * 4]
    assert sorted(order[6:]) == ["never", "once"]
    assert "= 1 failed, 5 passed, 1 skipped, 2 rerun in" in output
    assert "test_it.py::test_once: AssertionError: late" in output


def test_without_the_option_a_failure_is_final(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    output, order = run(tmp_path)
    assert len(order) == 6
    assert "= 2 failed, 4 passed, 1 skipped in" in output


def test_a_hostile_test_has_one_try(tmp_path: Path) -> None:
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / "test_it.py").write_text(TESTS)
    output, order = run(hostile, "--second-try")
    assert len(order) == 6
    assert "= 2 failed, 4 passed, 1 skipped in" in output


def test_many_failures_are_not_tried_again_without_end(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pathlib, pytest\n"
        "@pytest.mark.parametrize('each', range(40))\n"
        "def test_broken(each):\n"
        "    with pathlib.Path(__file__).with_name('order').open('a') as file:\n"
        "        file.write('x ')\n"
        "    assert False\n"
    )
    output, order = run(tmp_path, "--second-try")
    assert len(order) == 50
    assert "= 40 failed, 10 rerun in" in output
