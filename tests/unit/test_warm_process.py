"""A command that is a fork of the warm process ends with whoever started it."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm_process

STARTS_ONE = """\
import os, signal, sys
from pathlib import Path
from tests.warm_process import start
code = "import signal; print('started', flush=True); signal.pause()"
begun = start([], cwd=Path.cwd(), environment=os.environ, stderr=sys.stderr.buffer, code=code)
begun.stdout.readline()
print(begun.pid, flush=True)
signal.pause()
"""


def test_a_command_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        command = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        assert select.select([command], [], [], 60)[0]
        os.close(command)


@pytest.mark.parametrize(
    ("code", "status"), [("pass", 0), ("import os; os.kill(os.getpid(), 9)", -9)]
)
def test_a_command_has_the_exit_status_of_its_process(
    code: str, status: int, tmp_path: Path
) -> None:
    with (tmp_path / "errors").open("wb") as errors:
        command = warm_process.start(
            [], cwd=tmp_path, environment=os.environ, stderr=errors, code=code
        )
    assert command.wait(60) == command.poll() == status
    assert command.stdout is not None
    assert command.stdout.read() == b""
    command.stdout.close()
