"""Measure and kill the processes of a run."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

from steelyard.sandbox.pycell import _kernel as kernel

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_MAX_DEPTH = 24


class Processes:
    """All processes of the run if the cell has its own process ids, else the first one."""

    def __init__(self, *, own_pids: bool) -> None:
        self._own_pids = own_pids

    def ids(self, first: int) -> list[int]:
        """Return the ids of the processes that exist now."""
        if not self._own_pids:
            return [first]
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def cpu_ns(self, first: int) -> int:
        """Return the CPU time of the processes that exist now."""
        return sum(map(_cpu_clock_ns, self.ids(first)))

    def resident_bytes(self, first: int) -> int:
        """Return the sum of the resident sets of the processes that exist now."""
        return sum(map(resident_bytes, self.ids(first)))

    def delayed_ns(self, first: int, run_cpu_ns: int) -> int:
        """Return the longest wait of a process while processes outside the run had its core.

        Args:
            first: The run's first process.
            run_cpu_ns: CPU time of the whole run so far.
        """

        def delayed(pid: int) -> int:
            siblings = max(0, run_cpu_ns - _cpu_clock_ns(pid))
            return max(0, _proc_number(f"/proc/{pid}/schedstat") - siblings)

        return max(map(delayed, self.ids(first)), default=0)

    def kill(self) -> None:
        """Kill every other process in the cell, or all descendants of this one."""
        if self._own_pids:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            _kill_below(os.getpid(), _MAX_DEPTH)


def resident_bytes(pid: int | str) -> int:
    """Return the current resident set of a process."""
    return _proc_number(f"/proc/{pid}/statm") * _PAGE_BYTES


def _cpu_clock_ns(pid: int) -> int:
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)  # the kernel's clock of a process
    except OSError:
        return 0


def _proc_number(path: str) -> int:
    """Return the second number of a process's file in /proc; 0 if the process has ended."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return 0
    try:
        return int(os.read(file, 128).split()[1])
    except (OSError, IndexError):
        return 0
    finally:
        os.close(file)


def _kill_below(parent: int, depth: int) -> None:
    """Kill the children of a process, then their children.

    They share this core and do not run meanwhile, so a chain of forks cannot escape.
    """
    for child in _children(parent):
        kernel.terminate(child)
        if depth:
            _kill_below(child, depth - 1)


def _children(parent: int) -> Iterator[int]:
    with suppress(OSError):
        for task in os.listdir(f"/proc/{parent}/task"):
            with suppress(OSError), open(f"/proc/{parent}/task/{task}/children", "rb") as file:
                yield from map(int, file.read().split())
