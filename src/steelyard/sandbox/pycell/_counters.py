"""Measure what a run uses, by the control group and by sampling its processes."""

import os
import time
from contextlib import suppress

from steelyard.sandbox._wire import SetupFlag
from steelyard.sandbox.pycell._messages import Request
from steelyard.sandbox.pycell._processes import Processes
from steelyard.sandbox.pycell._scratch import free_in_flight

_MIB = 1024 * 1024
# A candidate is a copy of Python until it is executed; the copy's pages are about half of this.
_COPY_BYTES = 2 * _MIB
_SETTLING_TRIES = 2000  # each a few milliseconds: a loaded kernel frees late
_NO_LIMIT = (1 << 63) - 4096


class Group:
    """The control group that the cell and all its processes are in.

    This process is in it too, and works for every run; its own CPU time is subtracted.
    """

    def __init__(self, flags: int, fds: list[int]) -> None:
        self._limit, self._usage, self._stat, self._cpu, self._pids = fds[:5]
        self._peak = fds[5] if len(fds) > 5 else None
        self._cpu_unit_ns = 1 if flags & SetupFlag.CGROUP_V1 else 1000
        self._written: dict[int, int] = {}
        self._memory_base = self._cpu_base = self._early_peak = self._settled = 0

    @property
    def counts_peak(self) -> bool:
        return self._peak is not None

    def _set(self, file: int, value: int) -> None:
        if self._written.get(file) == value:
            return
        self._written[file] = value
        with suppress(OSError):  # a busy group: what was counted decides in the end
            os.pwrite(file, b"%d" % value, 0)

    def settle(self) -> None:
        """Wait until what the last run used is freed.

        Otherwise the next run could free it, and use that much more than is measured.
        """
        if self._settled and _read_number(self._usage) <= self._settled + _MIB:
            return
        held = self._held_bytes()
        for _ in range(_SETTLING_TRIES):
            if not self._settled or held <= self._settled + _MIB:
                break
            free_in_flight()
            held = self._held_bytes()
        self._settled = held

    def _held_bytes(self) -> int:
        """Return the usage without the page cache of files that are on a disk."""
        usage = _read_number(self._usage)
        stat = dict(line.split(b" ", 1) for line in os.pread(self._stat, 4096, 0).splitlines()[:40])
        cache = int(stat.get(b"cache") or stat[b"file"])  # in versions 1 and 2
        return usage - max(0, cache - int(stat[b"shmem"]))

    def begin(self, request: Request) -> None:
        """Set the limits and note the current use, before the fork."""
        head = request.head
        self._memory_base = _read_number(self._usage)
        room = head.memory_bytes + head.slack_bytes + _COPY_BYTES
        self._set(self._limit, (self._memory_base | (_MIB - 1)) + 1 + room)
        self._set(self._pids, head.processes + 2)
        self._reset_peak()
        self._cpu_base = self._others_cpu_ns()

    def executed(self, cpu_before_ns: int) -> None:
        """Subtract what the forked copy of Python used, once the program runs."""
        self._cpu_base += cpu_before_ns
        if self._peak is not None:
            so_far = self._growth(self._peak)
            self._reset_peak()
            self._early_peak = so_far if so_far > _COPY_BYTES else 0

    def _reset_peak(self) -> None:
        if self._peak is not None:
            os.pwrite(self._peak, b"0", 0)

    def _others_cpu_ns(self) -> int:
        own = time.process_time_ns()  # first: it brings the group's counter up to date
        return _read_number(self._cpu) * self._cpu_unit_ns - own

    def cpu_ns(self) -> int:
        """Return the CPU time of the run so far."""
        return max(0, self._others_cpu_ns() - self._cpu_base)

    def peak_bytes(self) -> int:
        """Return the largest growth of memory since the program was executed."""
        assert self._peak is not None
        return max(self._growth(self._peak), self._early_peak)

    def _growth(self, file: int) -> int:
        return max(0, _read_number(file) - self._memory_base)

    def lift_limit(self) -> None:
        """Remove the memory limit, so that cleaning up never reaches it."""
        self._set(self._limit, _NO_LIMIT)


class Sampler:
    """Sample the processes of the run in /proc, for cells without a group's counters."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self.reset()

    def reset(self) -> None:
        """Start a new run."""
        self.cpu_ns = self.resident_bytes = self.peak_bytes = 0

    def look(self) -> None:
        """Take one sample."""
        self.resident_bytes = self._processes.resident_bytes()
        self.peak_bytes = max(self.peak_bytes, self.resident_bytes)
        self.cpu_ns = max(self.cpu_ns, self._processes.cpu_ns())


def _read_number(file: int) -> int:
    words = os.pread(file, 512, 0).split(None, 2)
    number = words[1] if words[:1] == [b"usage_usec"] else words[0]  # cpu.stat of version 2
    return int(number)
