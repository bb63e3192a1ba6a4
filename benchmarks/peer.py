"""Run a peer's command, then end every process that it leaves behind.

    python benchmarks/peer.py SECONDS COMMAND ...

Its exit status is the command's, or 124 if the command did not end in time.
"""

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_SET_CHILD_SUBREAPER = 36  # include/uapi/linux/prctl.h
_TIMED_OUT = 124


def main() -> int:
    # Processes that lose their parent become children of this one, in whichever session they are.
    if ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")
    try:
        return subprocess.call(sys.argv[2:], timeout=float(sys.argv[1]))
    except subprocess.TimeoutExpired:
        return _TIMED_OUT
    finally:
        _end_children()


def _end_children() -> None:
    """Kill and reap until there is no child; the children of those killed come here next."""
    while True:
        for child in _children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(folder.name))
    return found


if __name__ == "__main__":
    sys.exit(main())
