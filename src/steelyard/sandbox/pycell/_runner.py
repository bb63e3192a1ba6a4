"""Run one program: start it, watch it, end every process it leaves, and report its usage."""

import errno
import os
import select
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from steelyard.sandbox._wire import Namespace, SetupFlag, Stop
from steelyard.sandbox.pycell import _kernel as kernel
from steelyard.sandbox.pycell._candidate import ReportPage, Start
from steelyard.sandbox.pycell._counters import Group, Sampler
from steelyard.sandbox.pycell._messages import Request, Setup
from steelyard.sandbox.pycell._privilege import Landlock
from steelyard.sandbox.pycell._processes import Processes, rusage_cpu_ns
from steelyard.sandbox.pycell._waiting import Waiting

_FIRST_LOOK_NS, _LOOKS_APART_NS = 200_000, 8_000_000  # dense at first, then 1 % of a core
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_CPU_MARGIN_NS = 100_000
_FLOOR_MARGIN_BYTES = 1536 * 1024  # what the copy touches last, and the kernel's batches


class Outcome(NamedTuple):
    """The result of a run, in the protocol's terms."""

    stop: Stop
    wait_status: int = 0
    error: int = 0
    wall_ns: int = 0
    waited_ms: int = 0
    cpu_ns: int = 0
    memory_bytes: int = 0
    max_rss_bytes: int = 0


class Runner:
    """Run programs one after another.

    Args:
        setup: How the cell was made.
        uid: The candidate's user id; None if it runs under the cell's.
        landlock: The candidate's rules; None if it does not see the host's files.
        group: The control group that counts; None without one.
        lifelines: Descriptors that are readable during a run only if the pool or the outer
            process has ended.
    """

    def __init__(
        self,
        setup: Setup,
        uid: int | None,
        landlock: Landlock | None,
        group: Group | None,
        lifelines: Sequence[int],
    ) -> None:
        own_pids = bool(setup.head.namespaces & Namespace.PID)
        self._processes = Processes(own_pids=own_pids)
        self._cores = 1 if setup.head.flags & SetupFlag.PINNED else os.cpu_count() or 1
        self._uid = uid
        self._landlock = landlock
        self._group = group
        self._sampler = None if group and group.counts_peak else Sampler(self._processes)
        self._lifelines = lifelines
        self._report = ReportPage()

    def start(
        self,
        request: Request,
        streams: tuple[int, ...],
        executable: int | None,
        began: Callable[[], None],
    ) -> int:
        """Start a program; return its process id for `finish`.

        Args:
            request: The command.
            streams: Its descriptors 0, 1 and 2, then its channel.
            executable: An ELF image to run instead of the file that argv[0] names.
            began: Called just before the program starts.

        Raises:
            OSError: if its process cannot be made.
        """
        start = Start(request, streams, executable)
        if self._group:
            self._group.begin(request)
        if self._sampler:
            self._sampler.reset()
        executed, gate = os.pipe()
        try:
            began()
            pid = os.fork()
            if pid == 0:
                self._become(start)
            os.close(gate)
            gate = -1
            os.read(executed, 1)  # the copy's end closes when the program replaces the copy
        finally:
            os.close(executed)
            if gate >= 0:
                os.close(gate)
        return pid

    def finish(self, request: Request, pid: int, output: int) -> Outcome:
        """Wait for a program to end, and end every process that it leaves.

        Args:
            request: The command.
            pid: The process that was started.
            output: Its standard output.

        Raises:
            OSError: if that fails; the cell cannot be used again.
        """
        report = self._report.read()
        if self._group:
            self._group.executed(report.cpu_ns)
        pidfd = os.pidfd_open(pid)
        waiting = Waiting(self._processes, report.clock_ns, request.head.wall_ns)
        stop = self._watch(request, pid, pidfd, waiting)
        os.close(pidfd)
        if stop is not Stop.ENDED:
            kernel.terminate(pid)
        _, status, used = os.wait4(pid, 0)
        wall_ns = max(0, time.monotonic_ns() - report.clock_ns)
        left_cpu_ns, left_rss_bytes = self._processes.sweep()
        cpu_ns = max(0, rusage_cpu_ns(used) - report.cpu_ns) + left_cpu_ns
        rss_bytes = max(used.ru_maxrss * 1024, left_rss_bytes)
        floor_bytes = rss_bytes if report.error else report.resident_bytes
        usage = self._usage(cpu_ns, rss_bytes, floor_bytes, output)
        return Outcome(
            Stop.NOT_STARTED if report.error else stop,
            status,
            report.error,
            wall_ns,
            waiting.lost_ms,
            *usage,
        )

    def _become(self, start: Start) -> None:
        """Turn the forked copy into the program; never return."""
        error = errno.EIO
        try:
            start.become(self._uid, self._landlock, self._report)
        except OSError as failure:
            error = failure.errno or errno.EIO
        finally:
            self._report.write(error, 0)
            os._exit(127)

    def _watch(self, request: Request, pid: int, pidfd: int, waiting: Waiting) -> Stop:
        """Sleep until the first process has ended or a limit is met."""
        head, group, sampler = request.head, self._group, self._sampler
        apart, cpu = _FIRST_LOOK_NS, 0
        while True:
            if sampler:
                sampler.look()
                if sampler.resident_bytes > head.memory_bytes:
                    return Stop.MEMORY_LIMIT
                cpu = sampler.cpu_ns
            if group:
                cpu = group.cpu_ns()
            if cpu >= head.cpu_ns:
                return Stop.CPU_LIMIT
            if time.monotonic_ns() >= waiting.wakes_ns:
                if select.select([pidfd], [], [], 0)[0]:
                    return Stop.ENDED
                waiting.look(cpu)
            now = time.monotonic_ns()
            if now >= waiting.deadline_ns:
                return Stop.WALL_LIMIT
            to_cpu_limit = (head.cpu_ns - cpu) // self._cores + _CPU_MARGIN_NS
            pause = min(waiting.wakes_ns - now, to_cpu_limit)
            if sampler:
                pause = min(pause, apart)
                apart = min(apart + apart // 4, _LOOKS_APART_NS)
            pause = max(pause, 0)
            ready, _, _ = select.select([pidfd, *self._lifelines], [], [], pause / 1e9)
            if any(end in ready for end in self._lifelines):
                kernel.terminate(pid)
                self._processes.sweep()
                os._exit(0)
            if ready:
                return Stop.ENDED

    def _usage(
        self, cpu_ns: int, rss_bytes: int, floor_bytes: int, output: int
    ) -> tuple[int, int, int]:
        """Return CPU time, peak memory and the largest resident set, by the best counters."""
        rss_is_own = rss_bytes > floor_bytes + _FLOOR_MARGIN_BYTES
        known_rss = rss_bytes if rss_is_own else 0
        if self._sampler:
            cpu_ns = max(cpu_ns, self._sampler.cpu_ns)
            memory = max(known_rss, self._sampler.peak_bytes)
        if self._group:
            cpu_ns = max(cpu_ns, self._group.cpu_ns())  # with children that nobody waited for
        if self._group and self._group.counts_peak:
            # Standard output's pages are charged to the cell. They are not memory of the
            # candidate if they are visible and it cannot read them. When the peak occurred is
            # unknown, so the largest process is the lower bound of the rest.
            written = os.fstat(output)
            visible = min(written.st_blocks * 512, written.st_size + _PAGE_BYTES - 1)
            if self._uid is None:
                visible = 0
            memory = max(self._group.peak_bytes() - visible, known_rss)
        return cpu_ns, memory, known_rss or min(rss_bytes, memory)
