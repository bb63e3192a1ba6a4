"""`steelyard profile`: which calls it refuses, with which status and which one line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steelyard.toolchains import CompileCache
from tests.e2e.conftest import Run
from tests.processes import children, still_running

_GENERATOR = "def generate(n, seed):\n    return f'{n}\\n'\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "one of --generator FILE, --inputs FOLDER and --spec FILE"),
        (("--generator", "gen.py", "--spec", "gen.py"), "one of --generator FILE, --inputs"),
        (("--spec", "gen.py"), "cannot be read: it is not JSON"),
        (("--generator", "absent.py"), "is not a file"),
        (("--inputs", "gen.py"), "is not a folder"),
        (
            ("--generator", "gen.py", "--max-n", "0"),
            "or equal to 1, got 0",
        ),
        (
            ("--generator", "gen.py", "--max-n", "8", "--min-n", "9"),
            "got 9 to 8",
        ),
        (("--generator", "gen.py", "--parameter", "m"), "m=MIN:MAX:DEFAULT"),
        (
            ("--generator", "gen.py", "--time-limit", "-5"),
            "or equal to 1, got -5",
        ),
        (
            ("--generator", "gen.py", "--budget", "0"),
            "--budget: input should be",
        ),
        (
            ("--generator", "gen.py", "--max-n", "1" + 30 * "0"),
            "is above 10^18",
        ),
        (("--generator", "gen.py", "--html", "tests"), "tests cannot be written"),
        (("--generator", "steers.py", "--max-n", "40"), "raises ValueError: \\x1b[2J"),
        (("--generator", "gen.py", "--plot", "plot.gif"), "must end in .png or .svg"),
        (("--generator", "gen.py", "--html", "absent/page.html"), "is not a folder"),
        (("--generator", "gen.py", "--flags", '"-O2'), "close the quote"),
        (("--generator", "gen.py", "--versus", "absent.cpp"), "cannot be read"),
    ],
)
def test_a_wrong_call_ends_with_two_and_one_line(
    steelyard: Run, square: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "gen.py").write_text(_GENERATOR)
    (tmp_path / "steers.py").write_text("def generate(n, seed): raise ValueError('\x1b[2J')\n")
    done = steelyard("profile", square, *options)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.fixture
def small(square: Path, tmp_path: Path) -> tuple[str | Path, ...]:
    """A call whose measuring takes about a second."""
    (tmp_path / "gen.py").write_text(_GENERATOR)
    return ("profile", square, "--generator", "gen.py", "--max-n", "40", "--budget", "2")


@pytest.mark.parametrize(
    ("limit", "status", "meets"),
    [(("--time-limit", "60000"), 0, True), (("--memory-limit", "1"), 1, False)],
)
def test_the_status_says_whether_the_limits_are_met(
    steelyard: Run, small: tuple[str | Path, ...], limit: tuple[str, str], status: int, meets: bool
) -> None:
    done = steelyard(*small, *limit, "--json")
    assert done.returncode == status, done.stderr
    told = json.loads(done.stdout)
    assert told["meets_limits"] is meets
    assert told["time"]["class"] == "O(1)"
    assert done.stderr == ""


def test_what_was_measured_is_kept_where_a_file_cannot_be_written(
    steelyard: Run, small: tuple[str | Path, ...], tmp_path: Path
) -> None:
    done = steelyard(*small, "--html", "/dev/full", "--plot", tmp_path / "growth.svg", "--json")
    assert done.returncode == 2
    assert done.stderr.startswith("steelyard: /dev/full cannot be written: ")
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["measurements"]
    assert (tmp_path / "growth.svg").stat().st_size > 0


def test_a_plot_without_matplotlib_is_refused_before_the_measuring(
    cold_steelyard: Run, small: tuple[str | Path, ...], tmp_path: Path
) -> None:
    absent = tmp_path / "absent"
    absent.mkdir()
    (absent / "sitecustomize.py").write_text(
        "import importlib.machinery as machinery, sys\n"
        "class Without(machinery.PathFinder):\n    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        return None if name == 'matplotlib' else super().find_spec(name, path, target)\n"
        "sys.meta_path[sys.meta_path.index(machinery.PathFinder)] = Without\n"
    )
    done = cold_steelyard(*small, "--plot", "growth.svg", PYTHONPATH=str(absent))
    assert done.returncode == 2
    assert done.stderr.startswith("steelyard: plots need matplotlib; ")
    assert "[plots]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_program_and_its_rival_that_fails_are_both_told(
    steelyard: Run, small: tuple[str | Path, ...], tmp_path: Path
) -> None:
    (tmp_path / "other.py").write_text("raise ValueError('\x1b[2J')\n")
    done = steelyard(*small, "--versus", "other.py")
    assert done.returncode == 0, done.stderr
    assert "unsure" in done.stdout
    assert "ValueError: \\x1b[2J" in done.stdout
    assert "no size was timed for both programs" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_profile_that_is_interrupted_ends_its_cells_and_says_one_line(
    square: Path, tmp_path: Path, compile_cache: CompileCache
) -> None:
    (tmp_path / "gen.py").write_text(_GENERATOR)
    square.write_text("int main() { for (;;) {} }")
    command = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "steelyard",
            "profile",
            square,
            "--generator",
            "gen.py",
            "--max-n",
            "40",
            "--budget",
            "60",
        ],
        cwd=tmp_path,
        env={**os.environ, "STEELYARD_CACHE__DIR": str(compile_cache.folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not (cells := children(command.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert cells
    command.send_signal(signal.SIGINT)
    shown, said = command.communicate(timeout=45)
    assert command.returncode == 130
    assert (shown, said) == ("", "steelyard: interrupted\n")
    assert not still_running(cells)
