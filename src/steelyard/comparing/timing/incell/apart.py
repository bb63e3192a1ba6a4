"""Times both versions in processes of their own, by a clock that neither can reach.

The parent of both reads their CPU clocks from outside, before and after each batch. That is less
exact than pairs in one process (the two do not share what disturbs them), and nothing that a
candidate does in its own process can touch it: it confirms what the pairs say.

A candidate that takes its own process over may answer what it likes. So each process gets a case's
calls only when it is to make them, answers with digests of all that its calls gave, and has all of
its CPU time counted: what is not timed, too.
"""

from __future__ import annotations

import base64
import functools
import gc
import json
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from time import clock_gettime_ns
from typing import Any, cast

from steelyard.comparing.incell.told import ApartTimes, Lost, TimeCalls
from steelyard.comparing.recording.incell.sides import Side, both
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.trial import Manner, Trial
from steelyard.project_runs.incell.task import Context

_MANNER = Manner(batch_ns=400_000, keeps=True, one_in=1)
_GIVES: dict[str, type] = {"run_prepared": int, "look": list, "show": bytes}
"""Anything else that a version's process answers counts as nothing."""
_BYTES = "bytes"
"""The name of bytes in a line."""
_CLOCK_OF_PROCESS = 2
"""clock_getcpuclockid(3): the process's clock with all its threads."""


class Others:
    """The processes that are neither a version's nor their parent: somebody's helpers.

    Args:
        counts: Whether the time of other processes in the cell can be counted; else it is 0.
    """

    def __init__(self, *, counts: bool) -> None:
        self.known = {os.getpid()}
        self._counts = counts

    def cpu_ns(self) -> int:
        """CPU time that they have used so far."""
        total = 0
        for name in os.listdir("/proc") if self._counts else ():
            if name.isdigit() and int(name) not in self.known:
                with suppress(OSError):  # one that has just ended
                    total += _cpu_ns_of(int(name))
        return total


def _cpu_ns_of(pid: int) -> int:
    return clock_gettime_ns((~pid << 3) | _CLOCK_OF_PROCESS)


class Remote:
    """A version in a child of this process: what a `Side` can do, it is asked for over a socket.

    Args:
        files: The files in which the version differs.
        asked: What is timed; the child forgets the calls.
        context: The run's.
        descent: Forks it.
        others: Whose time counts, too.
    """

    def __init__(
        self,
        files: dict[str, bytes | None],
        asked: TimeCalls,
        context: Context,
        descent: Descent,
        others: Others,
    ) -> None:
        ours, theirs = socket.socketpair()
        self._pid = descent.fork(theirs.fileno())
        if self._pid == 0:
            with suppress(BaseException):
                for calls in (asked.cases, asked.made_up):  # no version is to find them early
                    calls.clear()
                _serve(Side(context.function, files, context.clocks.cpu_ns), theirs)
            os._exit(1)
        theirs.close()
        others.known.add(self._pid)
        self._others, self._socket, self._lines = others, ours, ours.makefile("rb")
        self.count_anew()
        self._ask("enter")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return functools.partial(self._ask, name)

    def cpu_ns(self) -> int:
        """CPU time that it has used so far."""
        return _cpu_ns_of(self._pid)

    def count_anew(self) -> None:
        """Begin to count from here."""
        self._begun_ns, self._timed_ns, self._thread_ns, self._helped_ns = self.cpu_ns(), 0, 0, 0

    def counted(self, own_ns: int) -> tuple[float, int, int]:
        """Return the CPU time since: elsewhere as a share of the calls' own, timed, and not timed.

        Args:
            own_ns: What of the time was the harness's.
        """
        timed = max(0, self._timed_ns - own_ns)
        elsewhere = (timed + self._helped_ns) / max(self._thread_ns, 1) - 1
        return elsewhere, timed, self.cpu_ns() - self._begun_ns - timed

    def run(self, case: int, times: int, *, keeps: bool = False, anew: bool = False) -> int:
        """As `Side.run`, by the clock of all of its process."""
        self._ask("prepare", case, times, keeps=keeps, anew=anew)
        helping, start = self._others.cpu_ns(), self.cpu_ns()
        self._thread_ns += self._ask("run_prepared")
        taken = max(1, self.cpu_ns() - start)
        self._helped_ns += max(0, self._others.cpu_ns() - helping)
        self._timed_ns += taken
        return taken

    def end(self) -> None:
        """End the process."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._lines.close()
        self._socket.close()

    def _ask(self, name: str, *args: Any, **more: Any) -> Any:
        self._socket.sendall(_line_of([name, args, more]))
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the version's process has ended")
        try:
            answer = _held_by(line)
        except (ValueError, RecursionError):
            answer = None
        gives = _GIVES.get(name, object)
        return answer if isinstance(answer, gives) else gives()


def _serve(side: Side, asker: socket.socket) -> None:
    """In the child: answer each line of JSON with one, until nobody asks any more."""
    gc.set_threshold(0)
    for line in asker.makefile("rb"):
        name, args, more = _held_by(line)
        asker.sendall(_line_of(getattr(side, name)(*args, **more)))


def _line_of(what: Any) -> bytes:
    def text_of(data: bytes) -> dict[str, str]:
        return {_BYTES: base64.b64encode(data).decode()}

    return json.dumps(what, default=text_of).encode() + b"\n"


def _held_by(line: bytes) -> Any:
    def bytes_of(held: dict[str, Any]) -> Any:
        return base64.b64decode(str(held[_BYTES])) if _BYTES in held else held

    return json.loads(line, object_hook=bytes_of)


def run_apart(asked: TimeCalls, context: Context) -> int:
    """So many pairs of processes; each pair is one estimate."""
    descent = Descent()
    for index in range(asked.first, asked.first + asked.processes):
        others, sides = Others(counts=asked.counts_others), list[Remote]()
        try:
            sides.extend(  # one by one: each is ended
                Remote(files, asked, context, descent, others) for files in both(asked.versions)
            )
            _measure(sides, asked, context, index)
        except ConnectionError:  # one of the two has ended
            context.tell(Lost(""))
            return 1
        finally:
            for side in sides:
                side.end()
        descent.begin_anew()
    return 0


def _measure(sides: list[Remote], asked: TimeCalls, context: Context, index: int) -> None:
    swapped = not index & 1  # the pair's places in the machine change
    asking = cast("list[Side]", sides)  # each takes a side's place
    trial = Trial(asking, asked, context.clocks, context.tell, _MANNER, swapped=swapped)
    for side in sides:
        side.count_anew()
    rounds = trial.rounds_of(range(len(asked.cases)), asked.seconds)
    counted = [side.counted(own) for side, own in zip(sides, rounds.own_ns, strict=True)]
    context.tell(ApartTimes(rounds.overall, *zip(*counted, strict=True)))
