"""Ends this process where a test or a call takes too long, even within compiled code."""

from __future__ import annotations

import faulthandler
import os

from steelyard.project_runs.incell.real_clock import now

_SHARE = 0.25


class Watchdog:
    """Watches what begins and ends many times a second.

    Each time that it is armed costs a thread, so that it is armed anew only where a part of the
    time has gone by: what hangs is ended after the time, or up to a quarter later.

    Args:
        seconds: How long each may take.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._armed_at = seconds, float("-inf")
        self._stderr = os.dup(2)  # pytest puts a file of its own in the place of 2

    def begin(self) -> None:
        """Something begins."""
        moment = now()
        if moment - self._armed_at >= _SHARE * self._seconds:
            self._armed_at = moment
            allowed = (1 + _SHARE) * self._seconds
            faulthandler.dump_traceback_later(allowed, exit=True, file=self._stderr)

    def end(self) -> None:
        """Nothing more comes."""
        faulthandler.cancel_dump_traceback_later()
