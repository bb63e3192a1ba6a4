"""Measure and kill the processes of a run."""

import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from steelyard.sandbox.pycell import _kernel as kernel

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_MAX_DEPTH = 24


class Processes:
    """All processes of the run: those in the cell's process namespace, or below this process."""

    def __init__(self, *, own_pids: bool) -> None:
        self._own_pids = own_pids

    def ids(self) -> list[int]:
        """Return the ids of the processes that exist now."""
        if not self._own_pids:
            return list(_below(os.getpid(), _MAX_DEPTH))
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def cpu_ns(self) -> int:
        """Return the CPU time of the processes that exist now."""
        return sum(map(_cpu_clock_ns, self.ids()))

    def resident_bytes(self) -> int:
        """Return the sum of the resident sets of the processes that exist now."""
        return sum(map(resident_bytes, self.ids()))

    def are_held_up(self) -> bool:
        """Return True if a thread of the run could run, or waits for a disk.

        A process that waits for its child of vfork has its memory in common with it, and is held
        up only if the child is.
        """
        states = {
            pid: {_state(f"/proc/{pid}/task/{task}/stat") for task in _tasks(pid)}
            for pid in self.ids()
        }
        if any(b"R" in each for each in states.values()):
            return True
        memory = {pid: _read(f"/proc/{pid}/statm") for pid in states}
        count = Counter(memory.values())
        return any(b"D" in each and count[memory[pid]] < 2 for pid, each in states.items())

    def kill(self) -> None:
        """Kill every other process in the cell, or all descendants of this one."""
        if self._own_pids:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            # They share this core and do not run meanwhile, so a chain of forks cannot escape.
            for pid in _below(os.getpid(), _MAX_DEPTH):
                kernel.terminate(pid)

    def sweep(self) -> tuple[int, int]:
        """Kill and reap all processes left; return their CPU time (ns) and largest resident set."""
        used_ns = rss_bytes = 0
        with suppress(ChildProcessError):
            while True:
                pid, _, used = os.wait4(-1, os.WNOHANG)
                if pid:
                    used_ns += rusage_cpu_ns(used)
                    rss_bytes = max(rss_bytes, used.ru_maxrss * 1024)
                    continue
                self.kill()
                # Sleeps until the next one has ended, and leaves it for wait4.
                os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        return used_ns, rss_bytes


def rusage_cpu_ns(used: resource.struct_rusage) -> int:
    """Return the user and system time of processes that have been waited for."""
    return int((used.ru_utime + used.ru_stime) * 1e9)


def resident_bytes(pid: int | str) -> int:
    """Return the current resident set of a process."""
    return _proc_number(f"/proc/{pid}/statm") * _PAGE_BYTES


def _cpu_clock_ns(pid: int) -> int:
    """Return the CPU time of a process, and of its children that it waited for."""
    try:
        own_ns = time.clock_gettime_ns((~pid << 3) | 2)  # the kernel's clock of a process
    except OSError:
        return 0
    ticks = _stat(f"/proc/{pid}/stat")[13:15]
    return own_ns + sum(map(int, ticks)) * _TICK_NS


def _tasks(pid: int) -> list[str]:
    with suppress(OSError):
        return os.listdir(f"/proc/{pid}/task")
    return []


def _state(path: str) -> bytes:
    """Return the state of a process or thread; empty if it has ended."""
    return b"".join(_stat(path)[:1])


def _stat(path: str) -> list[bytes]:
    """Return the fields after the name in the file `stat` of a process or thread, from the state.

    The name is the program's own, and may hold a parenthesis.
    """
    return _read(path).rpartition(b")")[2].split()


def _proc_number(path: str) -> int:
    """Return the second number of a process's file in /proc; 0 if the process has ended."""
    return int((_read(path).split() or [b"0", b"0"])[1])


def _read(path: str) -> bytes:
    """Return the start of a file in /proc; empty if its process has ended."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, 512)
    except OSError:
        return b""
    finally:
        os.close(file)


def _below(parent: int, depth: int) -> Iterator[int]:
    """Yield the processes below one, each before those below it."""
    for child in _children(parent):
        yield child
        if depth:
            yield from _below(child, depth - 1)


def _children(parent: int) -> Iterator[int]:
    with suppress(OSError):
        for task in _tasks(parent):
            with suppress(OSError), open(f"/proc/{parent}/task/{task}/children", "rb") as file:
                yield from map(int, file.read().split())
