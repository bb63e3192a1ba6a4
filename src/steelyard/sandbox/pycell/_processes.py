"""The processes of a run: what they say of themselves, and their end."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

from steelyard.sandbox.pycell import _kernel as kernel

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_MAX_DEPTH = 24


class Processes:
    """All processes of the run, where the cell has process ids of its own; else the first one."""

    def __init__(self, *, own_pids: bool) -> None:
        self._own_pids = own_pids

    def ids(self, first: int) -> list[int]:
        """Those that exist now."""
        if not self._own_pids:
            return [first]
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def cpu_ns(self, first: int) -> int:
        """The CPU time of those that exist now."""
        return sum(map(_cpu_clock_ns, self.ids(first)))

    def resident_bytes(self, first: int) -> int:
        """The resident sets of those that exist now."""
        return sum(map(resident_bytes, self.ids(first)))

    def delayed_ns(self, first: int, run_cpu_ns: int) -> int:
        """How long one could have run and did not, because others than the run's ran on its core.

        Args:
            first: The process that the run began with.
            run_cpu_ns: CPU time of the whole run so far.
        """

        def delayed(pid: int) -> int:
            siblings = max(0, run_cpu_ns - _cpu_clock_ns(pid))
            return max(0, _proc_number(f"/proc/{pid}/schedstat") - siblings)

        return max(map(delayed, self.ids(first)), default=0)

    def kill(self) -> None:
        """Ends every process but this one, or all that came of it."""
        if self._own_pids:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            _kill_below(os.getpid(), _MAX_DEPTH)


def resident_bytes(pid: int | str) -> int:
    """The resident set of a process now."""
    return _proc_number(f"/proc/{pid}/statm") * _PAGE_BYTES


def _cpu_clock_ns(pid: int) -> int:
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)  # the kernel's clock of a process
    except OSError:
        return 0


def _proc_number(path: str) -> int:
    """The second number of a file that /proc has about a process; 0 where it is gone."""
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
    """Kills the children of a process, then theirs.

    They share this core and so do not run meanwhile: a chain of forks cannot outrun it.
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
