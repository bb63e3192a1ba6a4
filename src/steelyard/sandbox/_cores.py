"""Choose the core of each cell, and notice when a cell waits for its core."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from steelyard.schemas import Execution

_STAT = Path("/proc/stat")
_IDLE_COLUMNS = (4, 5)  # idle, and waiting for a disk
_WINDOW_MS = 200.0  # the kernel counts in ticks of 10 ms
_USED_SHARE = 0.7  # of its wall time, by a run that does not wait
_LESS_BUSY = 0.3  # share of the time, for a core that is worth a move


def busy_ticks(stat: Path = _STAT) -> dict[int, tuple[int, int]]:
    """Return each core's busy ticks and all its ticks since the start; empty if unknown."""
    found = {}
    with suppress(OSError, ValueError, IndexError):
        for line in stat.read_text().splitlines():
            name, *fields = line.split()
            if name[:3] == "cpu" and name != "cpu":
                ticks = [int(field) for field in fields[:8]]
                idle = sum(ticks[column - 1] for column in _IDLE_COLUMNS)
                found[int(name[3:])] = (sum(ticks) - idle, sum(ticks))
    return found


def least_used(cores: list[int], taken: Mapping[int, int]) -> int:
    """Return the core that the fewest cells of this process use.

    Of equal ones it depends on the process, so that processes that each make a small pool do not
    all use the first core.

    Args:
        cores: The cores that this process may use.
        taken: The number of cells by core.
    """
    start = os.getpid() % len(cores)
    return min(cores[start:] + cores[:start], key=lambda core: taken.get(core, 0))


class CoreWatch:
    """Finds a better core for runs that wait for theirs.

    Args:
        stat: The kernel's figures about cores.
    """

    def __init__(self, stat: Path = _STAT) -> None:
        self._stat = stat
        self._wall_ms = self._cpu_ms = 0.0
        self._before: dict[int, tuple[int, int]] = {}

    def add(self, executions: Sequence[Execution], *, at_once: int = 1) -> bool:
        """Add runs; return True if the latest runs together waited for a large part.

        Args:
            executions: What they did.
            at_once: Number of them that ran at the same time.
        """
        for execution in executions:
            self._wall_ms += execution.wall_ms / at_once
            self._cpu_ms += execution.cpu_ms
        if self._wall_ms < _WINDOW_MS:
            return False
        waited = self._cpu_ms < _USED_SHARE * self._wall_ms
        self._wall_ms = self._cpu_ms = 0.0
        if not waited:
            self._before = {}
        return waited

    def better(self, core: int, cores: list[int], taken: Mapping[int, int]) -> int | None:
        """Return a core that others use much less than `core`; None if there is none.

        A program that sleeps waits on any core: its own is idle then, and no other is better.

        Args:
            core: The core in use.
            cores: The cores that this process may use.
            taken: The number of cells of this process by core.
        """
        before, now = self._before, busy_ticks(self._stat)
        self._before = now
        share = {
            each: (now[each][0] - before[each][0]) / (now[each][1] - before[each][1])
            for each in cores
            if each in before and each in now and now[each][1] > before[each][1]
        }
        others = [each for each in share if taken.get(each, 0) < taken.get(core, 0)]
        if core not in share or not others:
            return None
        best = min(others, key=share.__getitem__)
        return best if share[best] + _LESS_BUSY < share[core] else None
