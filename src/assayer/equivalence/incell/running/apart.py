"""Times both versions in processes of their own, by a clock that neither can reach.

The parent of both reads their CPU clocks from outside, before and after each batch. That is less
exact than pairs in one process (the two do not share what disturbs them), and nothing that a
candidate does in its own process can touch it: it confirms what the pairs say.
"""

from __future__ import annotations

import json
import math
import os
import signal
import statistics
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from assayer.equivalence.incell.running.records import Tell
from assayer.equivalence.incell.running.sides import Side
from assayer.equivalence.incell.running.task import Clocks, Task
from assayer.equivalence.incell.running.versions import cases_of, texts_of

_BATCH_NS = 400_000
_EMPTY_BATCHES = 15
_LEAST_ROUNDS = 3
_CLOCK_OF_PROCESS = 2  # clock_getcpuclockid(3): the process's clock with all its threads
_READ_BYTES = 1 << 16
_IDLE_S, _IDLE_CPU_NS = 0.02, 4_000_000


def run_apart(task: Task, tell: Tell, clocks: Clocks) -> int:
    """So many pairs of processes; each pair is one estimate."""
    first, count = task.said["first"], task.said["processes"]
    cases = cases_of(task)
    for index in range(first, first + count):
        sides: list[_Apart] = []
        try:
            for text in texts_of(task):
                sides.append(_Apart(task, text, cases, clocks))  # noqa: PERF401 - each is ended
            if task.said["counts_others"]:
                for side in sides:
                    side.others = _Others({os.getpid(), *(each.pid for each in sides)})
            if index & 1:  # the pair's places in the machine change too
                sides[0].ask("agree", sides[1].traits)
                sides[1].ask("agree", sides[0].traits)
            else:
                sides[1].ask("agree", sides[0].traits)
                sides[0].ask("agree", sides[1].traits)
            _tell_pair(tell, index, sides, len(cases), task.said["seconds"], clocks)
        except _GoneError as error:
            tell("lost", index=index, status=error.status, signal="")
            return 1
        finally:
            for side in sides:
                side.end()
    return 0


def _tell_pair(
    tell: Tell, index: int, sides: list[_Apart], cases: int, seconds: float, clocks: Clocks
) -> None:
    times = []
    for side in sides:
        side.learn_own_time()
    for case in range(cases):
        count = 1
        while (taken := min(side.run(case, count) for side in sides)) < _BATCH_NS / 4:
            count *= 2 if taken > _BATCH_NS / 20 else 8
        times.append(max(1, round(count * _BATCH_NS / taken)))
    rounds: list[float] = []
    end = clocks.wall_ns() + int(seconds * 1e9)
    while clocks.wall_ns() < end or len(rounds) < _LEAST_ROUNDS:
        sums = [0.0, 0.0]
        for case, count in enumerate(times):
            for place in (0, 1) if (len(rounds) + case) & 1 else (1, 0):
                sums[place] += sides[place].run(case, count) / count
        rounds.append(math.log(max(sums[0], 1) / max(sums[1], 1)))
    before = [side.cpu_ns() for side in sides]
    time.sleep(_IDLE_S)
    works_on = [
        side.cpu_ns() - start > _IDLE_CPU_NS for side, start in zip(sides, before, strict=True)
    ]
    elsewhere = [side.all_ns / max(side.thread_ns, 1) - 1 for side in sides]
    tell(
        "apart", index=index, overall=statistics.median(rounds), rounds=len(rounds),
        works_on=works_on, elsewhere=elsewhere,
    )  # fmt: skip


class _GoneError(Exception):
    """A version's process has ended."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Others:
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


class _Apart:
    """One version in a child of this process."""

    def __init__(
        self, task: Task, text: dict[str, bytes | None], cases: list[list[bytes]], clocks: Clocks
    ) -> None:
        self._cpu_ns: Callable[[int], int] = time.clock_gettime_ns
        ours, theirs = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(ours[0])
                os.close(theirs[1])
                _serve(Side(task.said, text, cases, clocks.cpu_ns), len(cases), theirs[0], ours[1])
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(ours[1])
        os.close(theirs[0])
        self._reading, self._writing = ours[0], theirs[1]
        self._clock = _clock_of(self.pid)
        self.others: _Others | None = None
        self._own_ns = 0
        self.thread_ns, self.all_ns = 0, 0
        self.traits = self._answer()

    def cpu_ns(self) -> int:
        """CPU time that it has used so far."""
        return self._cpu_ns(self._clock)

    def run(self, case: int, times: int) -> int:
        """CPU time of a case's calls, so many times over, in ns."""
        self.ask("prepare", case, times)
        helping = self.others.cpu_ns() if self.others else 0
        start = self.cpu_ns()
        thread_ns = self.ask("run")
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
            os.write(self._writing, json.dumps(what).encode() + b"\n")
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
        return json.loads(b"".join(parts))

    def _gone(self) -> _GoneError:
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return _GoneError(status)


def _serve(side: Side, cases: int, reading: int, writing: int) -> None:
    """Does what it is asked, until nobody asks any more."""
    for case in range(cases):
        side.load_calls(case)
        side.choose(case)

    def say(what: Any) -> None:
        os.write(writing, json.dumps(what).encode() + b"\n")

    say(side.traits())
    with os.fdopen(reading, "rb") as lines:
        for line in lines:
            what, *rest = json.loads(line)
            if what == "prepare":
                side.prepare(*rest)
            elif what == "agree":
                side.take_traits(rest[0])
            say(side.run_prepared() if what == "run" else None)
