"""Signals that end the command: SIGINT, SIGTERM and SIGHUP.

While a command runs, the first signal raises an exception, so that cells and files are closed.
At any other time, and for the second signal, the process ends at once: there is nothing to close,
and cells end with the process that made them. So it does if closing takes too long: code that
catches everything may have lost the exception.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 128 + signal.SIGINT  # as shells have it
_CLOSING_S = 30
"""Longest time from the first signal to the end of the process."""
_SHOW_CURSOR = b"\r\x1b[K\x1b[?25h"  # after a progress bar


class _State:
    status: int | None = None
    """Exit status for the first signal that came."""
    in_command = False
    said = False


def handle_signals() -> None:
    """Take over the signals that the parent process does not ignore, as `nohup` does SIGHUP."""
    _State.status, _State.in_command, _State.said = None, False, False
    sys.unraisablehook = _on_unraisable
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _on_signal)


def ending_status() -> int | None:
    """Return the exit status for the signal that came; None if none did."""
    return _State.status


def say_interrupted() -> None:
    """Write the one line about an interrupt to standard error."""
    if not _State.said:
        _State.said = True
        with suppress(OSError):
            os.write(2, b"steelyard: interrupted\n")


@contextmanager
def closing_in_order() -> Iterator[None]:
    """Let the first signal raise an exception meanwhile."""
    _State.in_command = True
    try:
        yield
    finally:
        _State.in_command = False


def _on_signal(number: int, _frame: FrameType | None) -> None:
    if _State.status is not None or not _State.in_command:
        _end_at_once(128 + number)
    _State.status = 128 + number
    signal.signal(signal.SIGALRM, _on_alarm)
    signal.alarm(_CLOSING_S)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(_State.status)


def _on_alarm(_number: int, _frame: FrameType | None) -> None:
    _end_at_once(_State.status or INTERRUPTED)


def _on_unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """End the process if Python has dropped the exception, as it does in a finalizer."""
    if _State.status is not None and issubclass(lost.exc_type, KeyboardInterrupt | SystemExit):
        _end_at_once(_State.status)
    sys.__unraisablehook__(lost)


def _end_at_once(status: int) -> None:
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
    if status == INTERRUPTED:
        say_interrupted()
    os._exit(status)
