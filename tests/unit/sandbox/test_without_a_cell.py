"""Without the native cell nothing runs: one error says how to get it, and the rest works."""

import subprocess
import sys
from pathlib import Path

import pytest

from steelyard._installation import rebuild_command

WITHOUT = """
import sys
from steelyard.sandbox import _plans
_plans.native_cell = lambda: None
from steelyard.cli import main
sys.argv = ["steelyard", *{arguments!r}]
sys.exit(main())
"""


def steelyard(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = WITHOUT.format(arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("backend", ["auto", "cell", "docker"])
def test_a_run_is_one_error_that_says_how_to_get_the_cell(tmp_path: Path, backend: str) -> None:
    (tmp_path / "one.py").write_text("print(1)")
    (tmp_path / "tests.jsonl").write_text('{"input": "", "expected": "1"}')
    arguments = ("judge", str(tmp_path / "one.py"), "--tests", str(tmp_path / "tests.jsonl"))
    done = steelyard(*arguments, STEELYARD_SANDBOX__BACKEND=backend, HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("steelyard: this installation has no native cell, ")
    assert "install a wheel for Linux" in done.stderr
    assert done.stderr.endswith(f"run: {rebuild_command()}\n")
    assert done.stderr.count("\n") == 1


def test_doctor_shows_it_and_what_to_do(tmp_path: Path) -> None:
    done = steelyard("doctor", HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (3, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "cell missing" in lines
    at = next(at for at, line in enumerate(lines) if line.startswith("to do native cell: "))
    assert lines[at + 1 :][0].startswith(rebuild_command().split(" && ")[0])
    assert not [line for line in lines if line.startswith("to do namespaces")]
