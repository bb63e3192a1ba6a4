"""A version's process as its parent sees it: asked over pipes, its CPU clock read from outside."""

from __future__ import annotations

import json
import os
import signal
import statistics
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from steelyard.comparing.recording.incell.sides import Side
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.serving import Served
from steelyard.project_runs.incell.task import Clocks, Function

_EMPTY_BATCHES = 15
_CLOCK_OF_PROCESS = 2  # clock_getcpuclockid(3): the process's clock with all its threads
_READ_BYTES = 1 << 16


class GoneError(Exception):
    """A version's process has ended."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Others:
    """The processes that are neither of the two nor their parent: somebody's helpers."""

    def __init__(self, known: set[int]) -> None:
        self._known = known
        self._cpu_ns: Callable[[int], int] = time.clock_gettime_ns

    def cpu_ns(self) -> int:
        """CPU time that they have used so far."""
        total = 0
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in self._known:
                with suppress(OSError):  # one that has just ended
                    total += self._cpu_ns(_clock_of(int(name)))
        return total


def _clock_of(pid: int) -> int:
    return (~pid << 3) | _CLOCK_OF_PROCESS


class Version:
    """One version in a child of this process.

    Args:
        task: The run's.
        text: The files in which the version differs.
        calls: Lists of pickled calls, which the child forgets.
        clocks: The real ones.
        descent: Forks it.
    """

    def __init__(
        self,
        function: Function,
        text: dict[str, bytes | None],
        calls: list[list[list[bytes]]],
        clocks: Clocks,
        descent: Descent,
    ) -> None:
        self._cpu_ns: Callable[[int], int] = time.clock_gettime_ns
        ours, theirs = os.pipe(), os.pipe()
        self.pid = descent.fork(theirs[0], ours[1])
        if self.pid == 0:
            try:
                known = sum(map(len, calls))
                for each in calls:  # its own copy of the lists
                    each.clear()
                cases: list[list[bytes]] = [[] for _ in range(known)]
                side = Side(function, text, cases, clocks.cpu_ns)
                Served(side, cases).serve(theirs[0], ours[1])
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(ours[1])
        os.close(theirs[0])
        self._reading, self._writing = ours[0], theirs[1]
        self._clock = _clock_of(self.pid)
        self.others: Others | None = None
        self._own_ns = 0
        self.thread_ns, self.all_ns = 0, 0
        self._answer()

    def cpu_ns(self) -> int:
        """CPU time that it has used so far."""
        return self._cpu_ns(self._clock)

    def run(self, case: int, times: int) -> int:
        """CPU time of a case's calls, so many times over, in ns."""
        self.ask("prepare", case, times)
        helping = self.others.cpu_ns() if self.others else 0
        start = self.cpu_ns()
        thread_ns = self.ask("run")
        thread_ns = thread_ns if isinstance(thread_ns, int) else 0
        taken = max(1, self.cpu_ns() - start - self._own_ns)
        helped = self.others.cpu_ns() - helping if self.others else 0
        self.thread_ns += thread_ns
        self.all_ns += taken + max(0, helped)
        return taken

    def learn_own_time(self) -> None:
        """Takes the time of being asked for nothing, which no batch is charged with."""
        self._own_ns = 0
        self._own_ns = round(statistics.median(self.run(0, 0) for _ in range(_EMPTY_BATCHES)))
        self.thread_ns, self.all_ns = 0, 0

    def ask(self, *what: Any) -> Any:
        """Has it do something, and waits."""
        try:
            data = memoryview(json.dumps(what).encode() + b"\n")
            while data:
                data = data[os.write(self._writing, data) :]
        except BrokenPipeError:
            raise self._gone() from None
        return self._answer()

    def end(self) -> None:
        """Ends it."""
        os.close(self._reading)
        os.close(self._writing)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def _answer(self) -> Any:
        parts: list[bytes] = []
        while not parts or not parts[-1].endswith(b"\n"):
            part = os.read(self._reading, _READ_BYTES)
            if not part:
                raise self._gone()
            parts.append(part)
        try:
            return json.loads(b"".join(parts))
        except (ValueError, RecursionError):
            return None

    def _gone(self) -> GoneError:
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return GoneError(status)
