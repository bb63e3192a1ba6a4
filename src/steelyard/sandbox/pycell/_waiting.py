"""Find how long a run waited because others had its core or the disk."""

import time

from steelyard.sandbox.pycell._processes import Processes

_LOOKS = 64
_APART_NS = 8_000_000
_MAX_GRACE = 9  # times the wall limit


class Waiting:
    """The time in which a run did not run although one of its threads could have.

    It is found by looking at the states of all threads now and then, so that it does not matter
    which thread waits or how long the thread lives. A look counts for the time since the one
    before. Looks come at irregular times: a program cannot be ready just for them.

    Args:
        processes: The processes of the cell.
        begun_ns: The monotonic time at which its program started.
        wall_ns: Its wall limit.
    """

    def __init__(self, processes: Processes, begun_ns: int, wall_ns: int) -> None:
        self._processes = processes
        self._begun_ns, self._wall_ns = begun_ns, wall_ns
        self._cpu_ns = self._lost_ns = 0
        self._plan(begun_ns)

    @property
    def lost_ms(self) -> int:
        """The whole milliseconds that it waited."""
        return self._lost_ns // 1_000_000

    @property
    def deadline_ns(self) -> int:
        """The monotonic time at which the run must have ended."""
        return self._begun_ns + self._wall_ns + min(self._lost_ns, _MAX_GRACE * self._wall_ns)

    @property
    def wakes_ns(self) -> int:
        """The monotonic time of the next look."""
        return min(self._next_ns, self.deadline_ns)

    def _plan(self, now_ns: int) -> None:
        apart_ns = max(_APART_NS, self._wall_ns // _LOOKS)
        self._looked_ns = now_ns
        self._next_ns = now_ns + apart_ns // 2 + now_ns % apart_ns

    def look(self, cpu_ns: int) -> None:
        """Look at the run, which has used this CPU time in all."""
        now_ns = time.monotonic_ns()
        passed_ns = now_ns - self._looked_ns
        lost_ns = max(0, passed_ns - max(0, cpu_ns - self._cpu_ns))
        busy = lost_ns <= passed_ns // 16  # spares most runs the look itself
        if busy or self._processes.are_held_up():
            self._lost_ns += lost_ns
        self._cpu_ns = max(self._cpu_ns, cpu_ns)
        self._plan(now_ns)
