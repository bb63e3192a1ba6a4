"""Look at processes from outside: those below another one, and those that go on.

below = descendants(command.pid)
command.send_signal(signal.SIGINT)
...
assert not still_running(below)
"""

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path

_WAIT_S = 45.0


def children(pid: int) -> list[int]:
    """Return the processes that a process is the parent of; none if it has ended."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += map(int, file.read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """Return all processes below a process."""
    return [each for child in children(pid) for each in (child, *descendants(child))]


def is_running(pid: int) -> bool:
    """Return if a process is there and has not ended; one that waits to be reaped has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def still_running(pids: Iterable[int], *, within_s: float = _WAIT_S) -> list[int]:
    """Return which processes have not ended in this time.

    A cell ends once it sees that its owner is gone, and on a busy machine that takes a moment.
    """
    deadline = time.monotonic() + within_s
    while (left := [pid for pid in pids if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left
