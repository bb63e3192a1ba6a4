"""How runs are told to people."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from steelyard.reports import Block, plain, terminal_lines
from steelyard.schemas import CodeMessage, ProblemInput, ProfileReport, RunResult, Spending
from steelyard.solving import RunHead, SolveOptions, SolveStory, Turn, story_view, view

OPTIONS = SolveOptions(planner="scripted:x", coder="scripted:x", analyst="scripted:x")
TEST = {"input": "1\n", "output": "1\n"}
HEAD = RunHead(
    task_id="a",
    problem=ProblemInput.model_validate({"task_id": "a", "prompt": "p", "unit_tests": [TEST]}),
    options=OPTIONS,
    flags="-O2",
)
DRAWS = """
import sys
from pathlib import Path
from steelyard.reports import print_blocks
from steelyard.solving import SolveStory, Turn, story_view
from tests.unit.profiling.sample_reports import pairs_py, sort_cpp
from tests.unit.solving.test_solve_views import HEAD
for report in (sort_cpp(), pairs_py()):
    print_blocks(story_view(SolveStory(HEAD, turns=(Turn(0, profile=report),))))
print("scipy" in sys.modules)
"""


def shown(blocks: Iterable[Block]) -> str:
    return "\n".join(plain(line) for line in terminal_lines(blocks))


def result(count: int) -> RunResult:
    return RunResult(
        task_id="a",
        status="failed",
        stop="budget",
        reason="r",
        tests_passed=0,
        tests=count,
        iterations=count,
        programs=count,
        spending=Spending(calls=count, cost_usd=0.0),
    )


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, ["no program  0 turns", "0 replies,"]),
        (1, ["1 program  1 turn", "0 of 1 test\n", "1 reply,"]),
        (2, ["2 programs  2 turns", "0 of 2 tests\n", "2 replies,"]),
    ],
)
def test_one_is_one_and_none_is_none(count: int, said: list[str]) -> None:
    text = shown(view(result(count)))
    assert [each for each in said if each not in text] == [], text


def test_what_was_not_measured_is_said_with_its_reason() -> None:
    report = ProfileReport(task_id="a", iteration=0, notes=("the generator raises",))
    code = CodeMessage(task_id="a", code_cpp="int main() {}")
    text = shown(story_view(SolveStory(HEAD, turns=(Turn(0, code=code, profile=report),))))
    assert "profile  not measured: the generator raises" in text
    assert "unsure" not in text
    assert "; 1 test;" in text
    assert "1 line, iter_0" in text


def test_a_stored_curve_is_drawn_without_scipy() -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", DRAWS],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "O(n" in done.stdout
    assert done.stdout.splitlines()[-1] == "False"
