"""What goes to a file or another program has its lines as long as they are, whatever COLUMNS is."""

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.e2e.test_solve_command import PROBLEM, SCRIPT

LONG = "x" * 90
GENERATOR = "def generate(n, seed):\n    return f'{n}\\n'\n"
CALLS = {
    "judge": ("judge", "square.cpp", "--tests", "tests.jsonl"),
    "profile": (
        "profile",
        "square.cpp",
        "--generator",
        f"{LONG}.py",
        "--max-n",
        "40",
        "--budget",
        "1",
    ),
    "compare": (
        "compare",
        "new.py",
        "--root",
        "project",
        "--function",
        f"{LONG}:f",
        "--generate",
        "0",
    ),
    "solve": (
        "solve",
        "problem.json",
        "--models",
        "scripted:replies.json",
        "--generator",
        f"{LONG}.py",
        "--budget",
        "1",
    ),
    "show": ("show", f"double-{LONG}"),
}
MOST_CHARS = 600
"""No line of these reports has as many, unless it is filled with blanks."""


@pytest.fixture
def files(square: Path, tmp_path: Path) -> None:
    case = {"name": LONG, "input": "2", "expected": "4"}
    (tmp_path / "tests.jsonl").write_text(json.dumps(case))
    (tmp_path / f"{LONG}.py").write_text(GENERATOR)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / f"{LONG}.py").write_text("def f(a):\n    return a\n")
    test = f"from {LONG} import f\n\ndef test_f():\n    assert f(1) > 0\n"
    (tmp_path / "project" / "test_f.py").write_text(test)
    (tmp_path / "new.py").write_text("def f(a):\n    return a + 1\n")
    (tmp_path / "problem.json").write_text(json.dumps(PROBLEM | {"task_id": f"double-{LONG}"}))
    (tmp_path / "replies.json").write_text(json.dumps(SCRIPT))


@pytest.mark.usefixtures("file_view", "files")
def test_no_line_wraps_and_none_is_filled_with_blanks(steelyard: Run) -> None:
    for command, call in CALLS.items():
        done = steelyard("-v", *call, COLUMNS="40")
        lines = done.stdout.splitlines()
        assert any(LONG in line for line in lines), done.stdout + done.stderr
        assert max(map(len, lines)) < MOST_CHARS, command
        if command in ("judge", "profile", "compare"):
            (isolation,) = (line for line in lines if line.startswith("isolation"))
            assert isolation.endswith(")"), command
