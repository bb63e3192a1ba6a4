"""The threads that do jobs on one machine, or on one node of a cluster."""

import queue
import threading
import time
from collections.abc import Callable, Mapping

from steelyard.errors import SteelyardError
from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._backlog import failed
from steelyard.sandbox import StoppedError
from steelyard.schemas import EngineJob, EngineResult

Results = queue.SimpleQueue[EngineResult | BaseException]


class JobThreads:
    """One thread for each cell of a worker.

    Args:
        worker: Does the jobs.
        node: The machine's name.
    """

    def __init__(self, worker: Worker, node: str) -> None:
        self._worker, self._node = worker, node
        self._closed = False
        self._waiting = queue.SimpleQueue[
            tuple[EngineJob, Mapping[str, bytes], Results, Callable[[], bool]] | None
        ]()
        self._began: dict[int, tuple[str, float]] = {}
        for _ in range(worker.pool.size):
            # A thread whose job never ends must not keep the process from ending.
            threading.Thread(target=self._work, name="steelyard-engine", daemon=True).start()

    def ages_s(self) -> dict[str, float]:
        """Return for how many seconds each job has run that runs now, by key."""
        now = time.monotonic()
        return {key: now - began for key, began in tuple(self._began.values())}

    def begin(
        self,
        job: EngineJob,
        blobs: Mapping[str, bytes],
        results: Results,
        stopped: Callable[[], bool],
    ) -> None:
        """Do a job as soon as a thread is free.

        Args:
            job: The job.
            blobs: The blobs that it names, by SHA-256; others are ignored.
            results: Receives the result, or what was raised: `StoppedError` if the job was stopped.
            stopped: True ends the job at its next event, or does not begin it.
        """
        needed = {digest: blobs[digest] for digest in job.blobs if digest in blobs}
        self._waiting.put((job, needed, results, stopped))

    def close(self) -> None:
        """Begin no further job, and end those under way at their next event."""
        self._closed = True
        for _ in range(self._worker.pool.size):
            self._waiting.put(None)

    def _work(self) -> None:
        thread = threading.get_ident()
        while (waiting := self._waiting.get()) is not None:
            job, blobs, results, stopped = waiting
            self._began[thread] = job.key, time.monotonic()
            try:
                results.put(self._attempt(job, blobs, stopped))
            except BaseException as error:  # noqa: BLE001  (raised again by whoever waits)
                results.put(error)
            finally:
                del self._began[thread]

    def _attempt(
        self, job: EngineJob, blobs: Mapping[str, bytes], stopped: Callable[[], bool]
    ) -> EngineResult:
        """Do a job once; an error is data, so that the jobs around it are not disturbed."""
        if self._closed or stopped():
            raise StoppedError
        started = time.monotonic()
        try:
            value, usd = self._worker.do(job, blobs, lambda: self._closed or stopped())
            result = EngineResult(key=job.key, value=value, node=self._node, cost_usd=usd)
        except SteelyardError as error:
            result = failed(job, error, node=self._node)
        seconds = time.monotonic() - started
        isolation = self._worker.pool.isolation
        return result.model_copy(update={"seconds": seconds, "isolation": isolation})
