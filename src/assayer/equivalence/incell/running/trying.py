"""Tries calls that nobody has made before: whether they end in time, and how."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
from typing import Any

from assayer.equivalence.incell.oddities import LEAST_LARGE
from assayer.equivalence.incell.parts import Call, places
from assayer.equivalence.incell.running.calling import make_call

__all__ = ["TOO_MUCH", "Trial", "holds_large"]

TOO_MUCH = ("too long", "too large")
"""Outcomes of calls that are none to compare versions on."""
_MOST_ENDLESS = 3
"""After so many calls with large whole numbers that did not end, no others with such are tried."""
_MOST_PLACES = 300
_LEAST_WAIT_S = 1.0
"""A process of its own may take so long to begin on a busy machine."""


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
        if self._ends_elsewhere(data):
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
        if raised is None:
            return None
        trace = raised.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        return f"{type(raised).__name__} in line {trace.tb_lineno if trace else 0}"

    def _ends_elsewhere(self, data: bytes) -> bool:
        """Whether a call ends in time in a process of its own."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                if self.outcome(data) not in TOO_MUCH:
                    os.write(writing, b"+")
            finally:
                os._exit(0)
        os.close(writing)
        try:
            ready, _, _ = select.select([reading], [], [], _LEAST_WAIT_S + self._seconds)
            return bool(ready) and os.read(reading, 1) == b"+"
        finally:
            os.close(reading)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def holds_large(call: Call) -> bool:
    """Whether a whole number is in it to which a function may count, or by which it multiplies."""
    return any(
        isinstance(value, int) and abs(value) >= LEAST_LARGE
        for _, value in places(call, most=_MOST_PLACES)
    )
