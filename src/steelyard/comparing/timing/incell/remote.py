"""A version in a process of its own: asked over pipes, its CPU clock read from outside."""

from __future__ import annotations

import base64
import gc
import json
import os
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from steelyard.comparing.incell.told import TimeCalls
from steelyard.comparing.recording.incell.sides import Clock, Side
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.project_runs.incell.task import Context

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


class Remote:
    """A version in a child of this process, its CPU clock read from outside.

    Args:
        files: The files in which the version differs.
        asked: What is timed; the child forgets the calls.
        context: The run's.
        descent: Forks it.
    """

    def __init__(
        self, files: dict[str, bytes | None], asked: TimeCalls, context: Context, descent: Descent
    ) -> None:
        self._cpu_ns: Callable[[int], int] = time.clock_gettime_ns
        ours, theirs = os.pipe(), os.pipe()
        self.pid = descent.fork(theirs[0], ours[1])
        if self.pid == 0:
            try:
                for calls in (asked.cases, asked.made_up):  # no version is to find them early
                    calls.clear()
                side = Side(context.function, files, context.clocks.cpu_ns)
                _serve(side, context.clocks.cpu_ns, theirs[0], ours[1])
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(ours[1])
        os.close(theirs[0])
        self._reading, self._writing = ours[0], theirs[1]
        self._clock = _clock_of(self.pid)
        self.others: Others | None = None
        self.begun_ns = self.timed_ns = self.thread_ns = self.helped_ns = 0
        self._answer()

    def cpu_ns(self) -> int:
        """CPU time that it has used so far."""
        return self._cpu_ns(self._clock)

    def count_anew(self) -> None:
        """Begin to count from here: what is timed, by which clock, and what is not."""
        self.begun_ns = self.cpu_ns()
        self.timed_ns = self.thread_ns = self.helped_ns = 0

    def load(self, case: int, calls: Sequence[bytes]) -> None:
        """As `Side.load`."""
        self._ask("load", case, [base64.b64encode(call).decode() for call in calls])

    def learn(self, case: int) -> None:
        """As `Side.learn`."""
        self._ask("learn", case)

    def traits(self) -> Any:
        """As `Side.traits`."""
        return self._ask("traits")

    def agree(self, traits: Any) -> None:
        """As `Side.agree`."""
        self._ask("agree", traits)

    def run(self, case: int, times: int, *, keeps: bool = False, anew: bool = False) -> int:
        """As `Side.run`, by the clock of all of its process."""
        self._ask("prepare", case, times, keeps, anew)
        helping = self.others.cpu_ns() if self.others else 0
        start = self.cpu_ns()
        thread_ns = self._ask("run")
        taken = max(1, self.cpu_ns() - start)
        self.helped_ns += max(0, self.others.cpu_ns() - helping) if self.others else 0
        self.thread_ns += thread_ns if isinstance(thread_ns, int) else 0
        self.timed_ns += taken
        return taken

    def look(self, seed: int) -> list[str]:
        """As `Side.look`; nothing if the answer is not a list."""
        answer = self._ask("look", seed)
        return answer if isinstance(answer, list) else []

    def show(self, index: int) -> bytes:
        """As `Side.show`."""
        try:
            return base64.b64decode(str(self._ask("show", index)).encode())
        except ValueError:
            return b""

    def end(self) -> None:
        """End the process."""
        os.close(self._reading)
        os.close(self._writing)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def _ask(self, *what: Any) -> Any:
        try:
            data = memoryview(json.dumps(what).encode() + b"\n")
            while data:
                data = data[os.write(self._writing, data) :]
        except BrokenPipeError:
            raise self._gone() from None
        return self._answer()

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


def _serve(side: Side, clock: Clock, reading: int, writing: int) -> None:
    """In the child: answer each line of JSON with one, until nobody asks any more."""
    gc.set_threshold(0)

    def run() -> int:
        start = clock()  # all that this thread does for it, an event loop's work too
        side.run_prepared()
        return clock() - start

    answers: dict[str, Callable[..., Any]] = {
        "load": lambda case, texts: side.load(case, [base64.b64decode(text) for text in texts]),
        "learn": side.learn,
        "traits": side.traits,
        "agree": side.agree,
        "prepare": lambda case, times, keeps, anew: side.prepare(
            case, times, keeps=keeps, anew=anew
        ),
        "run": run,
        "look": side.look,
        "show": lambda index: base64.b64encode(side.show(index)).decode(),
    }

    def answer(what: Any) -> None:
        data = memoryview(json.dumps(what).encode() + b"\n")
        while data:
            data = data[os.write(writing, data) :]

    answer(None)
    with os.fdopen(reading, "rb") as lines:
        for line in lines:
            what, *rest = json.loads(line)
            answer(answers[what](*rest))
