"""The progress of an evaluation: rate, failures, cost, and time left."""

import time

from steelyard.rendering import milliseconds
from steelyard.schemas import Event, OnEvent

__all__ = ["Progress"]


class Progress:
    """Counts samples.

    Args:
        emit: Receives an event for each finished sample.
    """

    def __init__(self, emit: OnEvent) -> None:
        self._emit = emit
        self._done = self._earlier = self._failed = 0
        self._begun = time.monotonic()
        self.total = 0
        self.cost_usd = 0.0

    def skip(self) -> None:
        """Count a sample that has a verdict from an earlier run."""
        self._done += 1
        self._earlier += 1

    def finish(self, *, failed: bool) -> None:
        """Count a sample whose line is on the disk."""
        self._done += 1
        self._failed += failed
        done, new = self._done, self._done - self._earlier
        seconds = time.monotonic() - self._begun
        parts = [f"{done:,} of {self.total:,} samples", f"{self._failed:,} failed"]
        if new and seconds > 0:
            parts.append(f"{new / seconds:.3g}/s")
        if self.cost_usd:
            parts.append(f"${self.cost_usd:.2f}")
        if new:
            left = seconds * max(0, self.total - done) / new
            parts.append(f"{milliseconds(1_000 * max(1, round(left)))} left")
        share = min(1.0, done / self.total) if self.total else None
        self._emit(Event(job="evaluate", stage=", ".join(parts), share=share))
