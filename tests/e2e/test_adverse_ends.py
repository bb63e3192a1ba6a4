"""What becomes of a command whose output, terminal or patience fails."""

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
from tests.warm_command import WarmCommand


def test_output_that_cannot_be_written_is_no_verdict(
    steelyard: Run, square: Path, tmp_path: Path, compile_cache: CompileCache
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "steelyard", "judge", square, "--tests", tmp_path / "tests"],
            env={**os.environ, "STEELYARD_CACHE__DIR": str(compile_cache.folder)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith("steelyard: the output cannot be written")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_failure(square: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "languages"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_plain_terminal_shows_what_it_can(
    cold_steelyard: Run, square: Path, tmp_path: Path
) -> None:
    call = ("judge", square, "--tests", tmp_path / "tests")
    done = cold_steelyard(*call, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "3 of 3" in done.stdout


def test_a_candidate_cannot_steer_the_terminal(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    square.write_text(
        '#include <cstdio>\nint main() { fputs("\\x1b[2Jpassed\\x1b]0;x\\x07", stderr); }'
    )
    done = steelyard("judge", square, "--tests", tmp_path / "tests")
    assert done.returncode == 1
    assert "\\x1b[2Jpassed" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


@pytest.mark.parametrize("command", ["--version", "--help", "judge"])
def test_no_reader_of_any_output_sees_a_traceback(
    command: str, square: Path, tmp_path: Path, compile_cache: CompileCache
) -> None:
    call = [sys.executable, "-m", "steelyard", command]
    if command == "judge":
        call += [str(square), "--tests", str(tmp_path / "tests"), "--json"]
    shell = " ".join(call)
    environment = {**os.environ, "STEELYARD_CACHE__DIR": str(compile_cache.folder)}
    for redirect, status in ((">&-", 0), (">&- 2>&-", 0), ("<&- >/dev/null", 0), (">/dev/full", 3)):
        done = subprocess.run(
            ["sh", "-c", f"{shell} {redirect}"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, redirect
        assert done.stdout == ""
        assert done.stderr.count("\n") == (status == 3), done.stderr
    done = subprocess.run(
        ["sh", "-c", f"({shell}; echo $? >&2) | head -c 0"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr in ("141\n", "0\n")  # 0: it had written all before the reader was gone


def test_standard_error_that_cannot_be_written_changes_no_status() -> None:
    for redirect in ("2>&-", "2>/dev/full"):
        call = f"{sys.executable} -m steelyard judge {redirect}"
        assert subprocess.run(["sh", "-c", call], check=False).returncode == 2


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_ended_command_ends_its_cells_at_once(
    warm: WarmCommand, environment: dict[str, str], tmp_path: Path, ending: signal.Signals
) -> None:
    source = tmp_path / "sleeper.py"
    source.write_text("import time; time.sleep(900)")
    tests = tmp_path / "tests.jsonl"
    tests.write_text('{"input": "", "expected": "x"}\n' * 4)
    command = warm.start(
        "judge",
        source,
        "--tests",
        tests,
        "--time-limit",
        "900000",
        "--jobs",
        "2",
        cwd=tmp_path,
        **environment,
    )
    deadline = time.monotonic() + 120
    while len(children(command.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    cells = children(command.pid)
    assert cells
    os.kill(command.pid, ending)
    done = command.wait()  # for less time than the candidates alone would take
    assert done.status == 128 + ending
    assert "Traceback" not in done.stderr
    assert not still_running(cells)
