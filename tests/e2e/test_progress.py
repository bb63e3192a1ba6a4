"""Progress on standard error: for a terminal, once a second has passed."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path


def test_progress_shows_on_a_terminal_beside_json(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    source = tmp_path / "slow.py"
    source.write_text("import time; time.sleep(0.6)\n")
    tests = tmp_path / "tests.jsonl"
    tests.write_text('{"input": "", "expected": ""}\n' * 3)
    call = [sys.executable, "-m", "steelyard", "judge", source, "--tests", tests, "--json"]
    call += ["--jobs", "1"]
    leading, terminal = pty.openpty()
    done = subprocess.run(
        call,
        env={**os.environ, **environment, "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=terminal,
        check=False,
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            shown += os.read(leading, 1 << 16)
        except OSError:  # all was read, and nobody has it open for writing
            break
    os.close(leading)
    assert done.returncode == 0, shown
    assert json.loads(done.stdout)["passed"] is True
    assert b"of 3 cases" in shown

    quiet = subprocess.run(
        call, env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert (quiet.returncode, quiet.stderr) == (0, b"")
