"""Read what language models cost in runs, as the runs end."""

import threading
import time
from collections.abc import Callable

from steelyard.schemas import Spending
from steelyard.service._job import JobKind, Run
from steelyard.service.jobs._rows import JobRows, Position

_KINDS: tuple[JobKind, ...] = ("author", "solve")
_SETTLED_MS = 2_000
"""A run's end is stored a little after its time, so younger ends are read next time."""
_MOST = 200


class NewSpendings:
    """The costs of the runs that are done since this was made. Threads may share it.

    Args:
        rows: The jobs.
        get: Returns a job with its result.
    """

    def __init__(self, rows: JobRows, get: Callable[[str], Run | None]) -> None:
        self._rows, self._get = rows, get
        self._after = Position(_now_ms(), "")
        self._lock = threading.Lock()

    def read(self) -> list[tuple[JobKind, Spending]]:
        """Return the costs of runs that no call has returned yet, with their kinds."""
        with self._lock:
            ended = self._rows.done_after(self._after, _now_ms() - _SETTLED_MS, _KINDS, _MOST)
            found: list[tuple[JobKind, Spending]] = []
            for position, kind in ended:
                run = self._get(position.id)
                if run is not None and run.result is not None:
                    found.append((kind, Spending.model_validate(run.result["spending"])))
            if ended:
                self._after = ended[-1][0]
            return found


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
