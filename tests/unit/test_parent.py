"""A server of the tests ends when the process that started it is killed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from tests.parent import ending_with_this_process

STARTS_ONE = f"""\
import signal, subprocess, sys
from tests.parent import ending_with_this_process
argv = [sys.executable, "-c", "print('started', flush=True); import signal; signal.pause()"]
argv = ending_with_this_process(argv, {int(signal.SIGQUIT)})
child = subprocess.Popen(argv, stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
print(child.pid, flush=True)
signal.pause()
"""


def test_a_process_ends_with_a_parent_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        child = os.pidfd_open(int(parent.stdout.readline()))
        try:
            parent.kill()
            assert select.select([child], [], [], 60)[0]
        finally:
            _kill(child)


def test_a_process_is_not_started_after_its_parent_ended() -> None:
    argv = ending_with_this_process(["/bin/echo", "started"], signal.SIGTERM)
    code = f"import subprocess; subprocess.run({argv!r})"  # in another parent than the one named
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b""


def _kill(child: int) -> None:
    try:
        signal.pidfd_send_signal(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    finally:
        os.close(child)
