"""Ctrl-C at any instant: status 130, one line, no traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.evaluation_tasks import task, write_lines
from tests.processes import children, still_running

DRIVER = Path(__file__).parent / "interrupted_command.py"
INSTANTS = ((0.001,), (0.2,), (0.5,), (0.7,), (0.9,), (0.8, 0.801))
ONE_LINE = (130, "steelyard: interrupted\n")


def interrupted(*args: str | Path, instants: str, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, DRIVER, instants, *args],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", ["--version", "judge"])
def test_an_interrupt_at_any_instant_is_one_line(
    command: str, square: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    args: tuple[str | Path, ...] = (command,)
    if command == "judge":
        args = (command, square.with_suffix(".py"), "--tests", tmp_path / "tests", "--jobs", "1")
    status, counted = interrupted(*args, instants="count", environment=environment)
    assert status == 0
    total = int(counted.splitlines()[-1])
    for shares in INSTANTS:
        instants = ",".join(str(int(share * total)) for share in shares)
        found = interrupted(*args, instants=instants, environment=environment)
        assert found == ONE_LINE, (shares, total)


@pytest.mark.parametrize("signals", [1, 2])
def test_a_terminal_interrupts_the_cells_too(
    signals: int, tmp_path: Path, environment: dict[str, str]
) -> None:
    source = tmp_path / "sleeper.py"
    source.write_text("import time; time.sleep(900)")
    tests = tmp_path / "tests.jsonl"
    tests.write_text('{"input": "", "expected": "x"}\n' * 4)
    command = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "steelyard",
            "judge",
            source,
            "--tests",
            tests,
            "--time-limit",
            "900000",
            "--jobs",
            "2",
        ],
        env={**os.environ, **environment},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while len(children(command.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    cells = children(command.pid)
    assert cells
    for _ in range(signals):
        os.killpg(command.pid, signal.SIGINT)
    try:
        out, said = command.communicate(timeout=300)
    finally:
        command.kill()
    assert (command.returncode, said, out) == (*ONE_LINE, "")
    assert not still_running(cells)


def test_an_interrupted_evaluation_names_how_to_resume(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    benchmark = write_lines(tmp_path / "tasks.jsonl", [task("double", time_limit_ms=600_000)])
    rows = [{"task_id": "double", "solution": "while True: pass"}]
    samples = write_lines(tmp_path / "samples.jsonl", rows)
    words = ["evaluate", benchmark, "--samples", samples, "--out", tmp_path / "out"]
    command = subprocess.Popen(
        [sys.executable, "-m", "steelyard", *words],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    )
    while command.poll() is None and not (tmp_path / "out" / "run.json").exists():
        time.sleep(0.05)
    command.send_signal(signal.SIGINT)
    said = command.communicate(timeout=300)[1]
    lines = "nothing is lost: the same command resumes\nsteelyard: interrupted\n"
    assert (command.returncode, said) == (130, lines)


LOST = """
import os, signal, time
from steelyard.cli import _signals

_signals._CLOSING_S = 1
_signals.handle_signals()
with _signals.closing_in_order():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(900)
    except BaseException:
        time.sleep(900)
"""


def test_an_interrupt_that_is_lost_ends_the_command_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == ONE_LINE
