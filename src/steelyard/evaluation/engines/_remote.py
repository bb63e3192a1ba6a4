"""One node of a cluster, as the driver sees it: what it was sent, and what it owes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from steelyard.evaluation.engines._node import RESULTS, packed
from steelyard.schemas import EngineJob, EngineNode, EngineResult

CALL_S = 0.5
"""Wall time that one call with many short jobs shall take. A call costs about 2 ms, so that less
than a hundredth of the time goes to calls, and a lost node loses a second of work."""
_MOST_JOBS = 1_000
"""Jobs of one call, which bounds its size."""
_RECENT = 0.3
"""Weight of the latest call in the mean time of a job."""


@dataclass
class Remote:
    """A node that takes work. Types of Ray are `Any`, as Ray may not be installed."""

    node: EngineNode
    actor: Any
    calls: dict[Any, list[EngineJob]] = field(default_factory=dict)
    """The calls under way, by Ray's reference, with their jobs."""
    asked: Any = None
    """The call of `ages_s` that is under way."""
    asked_at: float = field(default_factory=time.monotonic)
    _job_s: float = 0.0

    @property
    def jobs(self) -> list[EngineJob]:
        """The jobs that it owes results for."""
        return [job for jobs in self.calls.values() for job in jobs]

    @property
    def batch(self) -> int:
        """Number of jobs for the next call; 0 if the node has enough to do.

        Jobs that take seconds go alone, so that each result comes at once.
        """
        workers = self.node.workers
        size = int(CALL_S * workers / self._job_s) if self._job_s else 1
        size = min(max(size, 1), _MOST_JOBS)
        room = 2 * max(workers, size) - sum(map(len, self.calls.values()))
        return size if room >= size else 0

    def send(self, run: int, jobs: list[EngineJob], reference: Callable[[str], Any]) -> None:
        """Send jobs with references to their blobs, each of which Ray brings to the node once."""
        digests = sorted({digest for job in jobs for digest in job.blobs})
        found = {digest: ref for digest in digests if (ref := reference(digest)) is not None}
        call = self.actor.run.remote(run, packed(jobs), list(found), *found.values())
        self.calls[call] = jobs

    def receive(self, call: Any, answer: bytes) -> Sequence[EngineResult]:
        """Return the results of a call that has ended."""
        del self.calls[call]
        results = RESULTS.validate_json(answer)
        if results:
            mean = sum(each.seconds for each in results) / len(results)
            had = self._job_s or mean
            self._job_s = max(had + _RECENT * (mean - had), 1e-6)
        return results
