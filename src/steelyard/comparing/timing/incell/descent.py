"""Run in a cell: processes that time, forked one after the other, find nothing of each other's.

What would carry from one to the next: files, processes left running, descriptors that all inherit,
and their parent's memory. System V's and POSIX's objects no process of a cell can make.
"""

from __future__ import annotations

import ctypes
import os
import signal
from contextlib import suppress

from steelyard.project_runs.incell.project import PLACE
from steelyard.project_runs.incell.scratch import Scratch

_SET_DUMPABLE, _SET_CHILD_SUBREAPER = 4, 36  # prctl(2)
_MOST_TRIES = 200


class Descent:
    """The parent of processes that time. Is made before the first of them."""

    def __init__(self) -> None:
        _prctl(_SET_CHILD_SUBREAPER, 1)  # what they leave running becomes a child of this process
        _prctl(_SET_DUMPABLE, 0)  # its memory and descriptors are not for its children to open
        self._scratch = Scratch()

    def fork(self, *kept: int) -> int:
        """As `os.fork`.

        Args:
            kept: Descriptors that the child keeps; through others it could leave something.
        """
        pid = os.fork()
        if pid == 0:
            _prctl(_SET_DUMPABLE, 1)
            null = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(null, stream)
            for name in os.listdir("/proc/self/fd"):
                if (fd := int(name)) > 2 and fd not in kept:
                    with suppress(OSError):  # the one that the listing itself opened
                        os.close(fd)
        return pid

    def begin_anew(self) -> None:
        """After the last one has ended and before the next: all is as it was before the first.

        Raises:
            OSError: where that cannot be done.
            ChildProcessError: where a process cannot be ended.
        """
        end_children()
        self._scratch.restore()
        os.chdir(PLACE)  # it may be another folder of that name


def end_children() -> None:
    """Ends all children, and what they leave running, which only then becomes a child.

    Raises:
        ChildProcessError: where they do not end.
    """
    for _ in range(_MOST_TRIES):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    raise ChildProcessError("processes that a version left running do not end")


def _children() -> list[int]:
    found: list[int] = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            found += map(int, file.read().split())
    return found


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl {option}")
