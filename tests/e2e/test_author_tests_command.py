"""`steelyard author tests` and `author stats` as a stranger uses them."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.suite_samples import CALLED_PERFECT, written
from tests.e2e.conftest import Run

MODULE = "def add(one, other):\n    return one + other\n"
WEAK = """\
from sums import add


def test_normal_sum():
    assert add(5, 0) == 5


def test_normal_runs():
    add(3, 4)
"""
CALL = ("author", "tests", "sums.py", "--models", "scripted:replies.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sums.py").write_text(MODULE)
    replies = {"tester": [written(WEAK)], "reviewer": [CALLED_PERFECT]}
    (tmp_path / "replies.json").write_text(json.dumps(replies))
    return tmp_path


def test_a_suite_that_falls_short_is_shown_with_the_reasons(steelyard: Run, folder: Path) -> None:
    data = {"XDG_DATA_HOME": str(folder / "data")}
    done = steelyard(*CALL, "--max-rounds", "1", "--out", "test_sums.py", **data)
    assert done.returncode == 1, done.stderr
    assert (folder / "test_sums.py").read_text().strip() == WEAK.strip()
    for text in (
        "1 normal, 0 edge, 0 boundary, 0 exception",
        "called it perfect",
        "not perfect",
        "cannot fail: test_prices.py::test_normal_runs",
        "mutant survives: line",
    ):
        assert text in done.stdout
    assert "no model is asked" in done.stderr
    again = steelyard("author", "tests", "--resume", "logs/tests-sums", "--json", **data)
    report = json.loads(again.stdout)
    assert (again.returncode, report["stop"], report["passed"]) == (1, "rounds", False)
    stats = steelyard("author", "stats", **data)
    assert stats.returncode == 0
    assert "1 of 1 runs" in stats.stdout
    assert "75 to 85 %" in stats.stdout


def test_a_wrong_call_is_one_line(steelyard: Run, folder: Path) -> None:
    (folder / "empty.py").write_text("x = 1\n")
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "needs.py").write_text("import nowhere\n\ndef f():\n    return 1\n")
    for args, error in (
        ((), "give one module: MODULE.py, or --resume DIR"),
        (("nowhere.py",), "no file 'nowhere.py'"),
        (("empty.py",), "defines no function or class to test"),
        (("broken.py",), "broken.py:1: "),
        (("needs.py", "--json", "--models", "scripted:replies.json"), "cannot be imported"),
        (("sums.py", "--bug", "sums.py"), "the same program"),
        (("sums.py", "--spec", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("sums.py", "--root", "nowhere"), "nowhere is not a folder"),
        (("sums.py", "--max-rounds", "0"), "--max-rounds"),
        (("--resume", "."), "run.json cannot be read"),
        (("--resume", ".", "--bug", "sums.py"), "--bug is for a run that begins"),
    ):
        done = steelyard("author", "tests", *args)
        assert done.returncode == 2, (args, done.stderr)
        assert error in done.stderr
        assert "--json" in args or done.stdout == ""
        assert done.stderr.count("\n") == 1


def test_a_process_that_cannot_be_set_up_is_no_fault_of_the_module(folder: Path) -> None:
    (folder / "test_sums.py").write_text(WEAK)
    for call in (CALL, ("compare", "sums.py", "--function", "sums:add")):
        words = shlex.join([sys.executable, "-m", "steelyard", *call])
        limited = ["bash", "-c", f"ulimit -v 3000000; exec {words}"]  # less than a run asks for
        done = subprocess.run(limited, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        assert "could not be set up" in done.stderr.splitlines()[-1]
