"""`steelyard author strength` as a stranger uses it."""

import json
from pathlib import Path

from tests.e2e.conftest import Run

SOLUTION = "class Solution:\n    def solve(self, a, b):\n        return a + b\n"


def write(folder: Path, wrong: str) -> None:
    (folder / "tests.jsonl").write_text(
        '{"args": [2, 2], "expected": 4}\n{"args": [0, 7], "expected": 7, "category": "edge"}\n'
    )
    (folder / "solution.py").write_text(SOLUTION)
    (folder / "wrong").mkdir()
    (folder / "wrong" / "times.py").write_text(SOLUTION.replace("a + b", "a * b"))
    (folder / "wrong" / "other.py").write_text(SOLUTION.replace("a + b", wrong))


CALL = (
    "author",
    "strength",
    "tests.jsonl",
    "--solution",
    "solution.py",
    "--wrong",
    "wrong",
    "--mutants",
    "6",
)


def test_a_strong_suite_passes(steelyard: Run, tmp_path: Path) -> None:
    write(tmp_path, "a - b")
    done = steelyard(*CALL)
    assert done.returncode == 0, done.stderr
    assert "wrong programs killed" in done.stdout
    assert "2 of 2" in done.stdout
    assert "no weakness found" in done.stdout


def test_a_wrong_program_that_survives_is_named(steelyard: Run, tmp_path: Path) -> None:
    write(tmp_path, "a + b if a < 9 else 0")
    done = steelyard(*CALL, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["wrong"] == {"count": 1, "of": 2}
    assert [each["name"] for each in report["survivors"] if each["kind"] == "wrong"] == ["other.py"]
    assert report["passed"] is False


def test_a_red_baseline_is_one_line(steelyard: Run, tmp_path: Path) -> None:
    write(tmp_path, "a")
    (tmp_path / "solution.py").write_text(SOLUTION.replace("a + b", "a"))
    done = steelyard(*CALL)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert 'the solution fails case "1"' in done.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    done = steelyard(*CALL, "--slow", empty)
    assert done.returncode == 2
    assert "holds no programs" in done.stderr
