"""Tries calls that nobody has made before: whether they end in time, and how."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
from collections.abc import Callable
from typing import Any

from steelyard.comparing.calls.incell.calling import make_call
from steelyard.comparing.calls.incell.oddities import LEAST_LARGE
from steelyard.comparing.calls.incell.parts import Call, places

_TOO_DEEP = "too deep"
"""How deep a call may go is the interpreter's limit and not behaviour: a loop has none."""
TOO_MUCH = ("too long", "too large", _TOO_DEEP)
"""Outcomes of calls that are none to compare versions on."""
_MOST_ENDLESS = 3
"""After so many calls with large whole numbers that did not end, no others with such are tried."""
_MOST_PLACES = 300
_LEAST_WAIT_S = 1.0
"""A process of its own may take so long to begin on a busy machine."""
_LENGTH_BYTES = 8


class _TooLongError(BaseException):
    """A call of the original's takes longer than it may."""


class Trial:
    """One function, tried on calls.

    Args:
        function: The original.
        seconds: How long a call may take.
    """

    def __init__(self, function: Any, seconds: float) -> None:
        self._function, self._seconds = function, seconds
        self._endless = 0
        self._elsewhere = _Elsewhere(self.outcome, seconds)

    def may_be_made(self, call: Call, data: bytes) -> bool:
        """Whether a call can be made in this process, as nothing in it may take for ever.

        No signal ends what counts in C, such as `sum(range(2**53))`; and it may take all memory.

        Args:
            call: The call.
            data: The same, pickled.
        """
        if not holds_large(call):
            return True
        if self._endless >= _MOST_ENDLESS:
            return False
        if self._elsewhere.ends(data):
            return True
        self._endless += 1
        return False

    def outcome(self, data: bytes) -> str | None:
        """How a call ends: None where it returns, else what tells its failure from others."""

        def stop(*_: object) -> None:
            raise _TooLongError

        kept = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            args, kwargs = pickle.loads(data)  # noqa: S301 - made right here
            roots, _ = make_call(self._function, args, kwargs)
        except _TooLongError:
            return "too long"
        except BaseException as error:
            return type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, kept)
        raised = roots.get("raised")
        if isinstance(raised, _TooLongError):
            return "too long"
        if isinstance(raised, MemoryError):
            return "too large"
        if isinstance(raised, RecursionError):
            return _TOO_DEEP
        if raised is None:
            return None
        trace = raised.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        return f"{type(raised).__name__} in line {trace.tb_lineno if trace else 0}"


class _Elsewhere:
    """A process that makes calls, one after the other; another one where a call was too much.

    Args:
        outcome: Makes a call, and says how it ended.
        seconds: How long a call may take.
    """

    def __init__(self, outcome: Callable[[bytes], str | None], seconds: float) -> None:
        self._outcome, self._seconds = outcome, seconds
        self._pid, self._asking, self._answers = 0, -1, -1

    def ends(self, data: bytes) -> bool:
        """Whether a call ends in time there."""
        if not self._pid:
            self._start()
        left = memoryview(len(data).to_bytes(_LENGTH_BYTES, "little") + data)
        with contextlib.suppress(BrokenPipeError):
            while left:
                left = left[os.write(self._asking, left) :]
        ready, _, _ = select.select([self._answers], [], [], _LEAST_WAIT_S + self._seconds)
        if ready and os.read(self._answers, 1):
            return True
        self._end()
        return False

    def _start(self) -> None:
        asked, self._asking = os.pipe()
        self._answers, answering = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.close(self._asking)  # what asks it is gone where nothing more can be read
                self._answer(asked, answering)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(answering)

    def _answer(self, asked: int, answering: int) -> None:
        with open(asked, "rb") as questions:
            while length := questions.read(_LENGTH_BYTES):
                how = self._outcome(questions.read(int.from_bytes(length, "little")))
                if how in TOO_MUCH and how != _TOO_DEEP:
                    return
                os.write(answering, b"+")

    def _end(self) -> None:
        os.close(self._asking)
        os.close(self._answers)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._pid = 0


def holds_large(call: Call) -> bool:
    """Whether a whole number is in it to which a function may count, or by which it multiplies."""
    return any(
        isinstance(value, int) and abs(value) >= LEAST_LARGE
        for _, value in places(call, most=_MOST_PLACES)
    )
