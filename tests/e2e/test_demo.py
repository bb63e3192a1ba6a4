"""`steelyard demo`: no verdict of an example is a race, and a mismatch says what explains it."""

import re
import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_short_demo_shows_each_kind_in_few_words(steelyard: Run) -> None:
    done = steelyard("demo")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 34  # `make demo` prints four more, and at most two notes
    assert all(len(line) <= 80 for line in lines)
    for kind, outcome in {
        "right": "reward 1.00",
        "wrong": "wrong answer",
        "slow": "time limit",
        "hungry": "memory limit",
        "cheating": "0 of 8 tests",
    }.items():
        assert any(kind in line and outcome in line for line in lines), kind
    assert "bubble_sort.cpp   O(n^2)" in done.stdout
    assert re.search(r"accepted +one_pass.py", done.stdout)
    assert re.search(r"rejected +sorted_first.py.*\n +input .*\n +original .*\n", done.stdout)
    assert "judge square.py --tests tests.jsonl" in done.stdout


@pytest.mark.parametrize(
    "factor",
    [pytest.param(0.2, id="fast", marks=pytest.mark.exhaustive), pytest.param(5, id="slow")],
)
def test_examples_end_as_they_must_on_another_machine(
    steelyard: Run, tmp_path: Path, factor: float
) -> None:
    """A machine five times as fast sees five times the limits; a slow one, a fifth of them."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    table = (folder / "examples.toml").read_text().partition("[profiled]")[0]
    scaled = re.sub(
        r"(time_limit_ms = )(\d+)",
        lambda found: f"{found[1]}{round(int(found[2]) / factor)}",
        table,
    )
    (folder / "examples.toml").write_text(scaled)
    done = steelyard("demo", "--all", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every program ended as it must" in done.stdout, done.stdout
    for verdict in ("AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE"):
        assert verdict in done.stdout


@pytest.mark.exhaustive
def test_the_long_tour_solves_and_authors(steelyard: Run) -> None:
    done = steelyard("demo", "--all")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every program ended as it must" in done.stdout


def an_example(folder: Path, program: str, verdict: str, limit_ms: int) -> Path:
    (folder / "p" / "tests").mkdir(parents=True)
    (folder / "p" / "tests" / "1.in").write_text("1\n")
    (folder / "p" / "tests" / "1.ans").write_text("2\n")
    (folder / "p" / "program.py").write_text(program)
    (folder / "examples.toml").write_text(
        f'[[problem]]\nfolder = "p"\ntests = "tests"\ntime_limit_ms = {limit_ms}\n'
        "memory_limit_mib = 64\n"
        f'programs = [{{ file = "program.py", language = "python", verdicts = ["{verdict}"], '
        'first = "x" }]\n'
    )
    return folder


@pytest.mark.parametrize("tour", [(), ("--all",)], ids=["short", "all"])
def test_a_surprise_that_nothing_explains_is_status_1(
    steelyard: Run, tmp_path: Path, tour: tuple[str, ...]
) -> None:
    folder = an_example(tmp_path / "mine", "print(3)\n", "AC", 5_000)
    done = steelyard("demo", *tour, folder)
    assert done.returncode == 1
    assert "must be AC" in done.stdout
    assert "steelyard doctor" in done.stdout
    (folder / "p" / "program.py").unlink()
    done = steelyard("demo", *tour, folder)
    assert done.returncode == 2
    assert f"{folder}/p/program.py cannot be read: No such file or directory" in done.stderr


SPENDS_300_MS = """\
import time
while time.process_time() < 0.3:
    pass
print(2)
"""


@pytest.mark.parametrize(
    ("verdict", "limit_ms", "fact"), [("AC", 100, "slow or busy"), ("TLE", 1_000, "fast machine")]
)
def test_a_machine_that_is_slow_or_fast_is_no_fault(
    steelyard: Run, tmp_path: Path, verdict: str, limit_ms: int, fact: str
) -> None:
    folder = an_example(tmp_path / "mine", SPENDS_300_MS, verdict, limit_ms)
    done = steelyard("demo", folder)
    assert done.returncode == 0
    assert f"must be {verdict}" in done.stdout
    assert fact in done.stdout


def test_demo_without_examples_is_a_wrong_call(steelyard: Run, tmp_path: Path) -> None:
    done = steelyard("demo", tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    (tmp_path / "examples.toml").write_text("[[problem]]\nfolder = 1\n")
    done = steelyard("demo", tmp_path)
    assert done.returncode == 2
    assert "problem.0.folder" in done.stderr
