"""The engine of one machine: its cells, one thread for each."""

import platform
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._attempt import attempt
from steelyard.evaluation.engines._backlog import Backlog
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import EngineJob, EngineNode, EngineResult
from steelyard.settings import SandboxSettings

__all__ = ["LocalEngine", "open_local"]

_AHEAD = 2
"""Jobs for each cell that are taken before their turn, so that no cell waits for the caller."""
_ASK_AGAIN_S = 0.02
"""Wall time after which a job that was not ready is asked for again."""


class LocalEngine:
    """Runs jobs in the cells of this machine; see `Engine`.

    Args:
        jobs: Number of cells; None for one per core.
        settings: How they isolate.
        job_timeout_s: Wall time of one job, after which all cells and threads are replaced.

    Raises:
        IsolationError: if the isolation is weaker than required.
    """

    def __init__(self, jobs: int | None, settings: SandboxSettings, job_timeout_s: float) -> None:
        self._jobs, self._settings, self._job_timeout_s = jobs, settings, job_timeout_s
        self._worker = Worker(CellPool(jobs, settings=settings))
        pool = self._worker.pool
        self._node = EngineNode(
            name=platform.node() or "local", workers=pool.size, isolation=pool.isolation
        )

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """This machine."""
        return (self._node,)

    def run(
        self,
        jobs: Iterable[EngineJob | None],
        blobs: Mapping[str, bytes],
        *,
        stop: Callable[[], bool] | None = None,
        max_cost_usd: float | None = None,
        spent_usd: float = 0.0,
    ) -> Iterator[EngineResult]:
        """Yield the result of each job once; see `Engine.run`."""
        backlog = Backlog(jobs, max_cost_usd, spent_usd)
        threads = _Threads(self._worker, blobs, self._node.name)
        try:
            while True:
                if stop is not None and stop():
                    backlog.close()
                for job in backlog.take(_AHEAD * self._node.workers - backlog.under_way):
                    threads.begin(job)
                if not backlog.under_way and not backlog.unready:
                    return
                left_s = self._job_timeout_s - threads.oldest_s
                result = threads.take(min(left_s, _ASK_AGAIN_S) if backlog.unready else left_s)
                settled = None if result is None else backlog.settle(result)
                if settled is not None:
                    yield settled
                if result is None and threads.oldest_s >= self._job_timeout_s:
                    late = threads.older_than(self._job_timeout_s)
                    reason = f"the job ran longer than {self._job_timeout_s:g} s"
                    yield from backlog.lose(late, self._node.name, reason)
                    backlog.give_back(job for job in threads.jobs if job not in late)
                    threads.end(wait=False)
                    self._worker.pool.abort()
                    self._worker = Worker(CellPool(self._jobs, settings=self._settings))
                    threads = _Threads(self._worker, blobs, self._node.name)
        finally:
            threads.end(wait=not backlog.under_way)

    def close(self) -> None:
        """End all cells."""
        self._worker.pool.abort()


class _Threads:
    """One thread for each cell of a worker.

    Args:
        worker: Does the jobs.
        blobs: What jobs name.
        node: This machine's name.
    """

    def __init__(self, worker: Worker, blobs: Mapping[str, bytes], node: str) -> None:
        self._worker, self._blobs, self._node = worker, blobs, node
        self._waiting: queue.SimpleQueue[EngineJob | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[EngineResult | BaseException] = queue.SimpleQueue()
        self._began: dict[str, float] = {}
        """By key of a job: the time at which it began."""
        self._closed = False
        self._owed: dict[str, EngineJob] = {}
        self._threads: list[threading.Thread] = []

    @property
    def jobs(self) -> list[EngineJob]:
        """The jobs whose results were not taken."""
        return list(self._owed.values())

    @property
    def oldest_s(self) -> float:
        """Seconds since the oldest job under way began; 0 if none is under way."""
        now = time.monotonic()
        return now - min(tuple(self._began.values()), default=now)

    def older_than(self, seconds: float) -> list[EngineJob]:
        """Return the jobs that have been under way for so long."""
        now = time.monotonic()
        late = {key for key, began in tuple(self._began.items()) if now - began >= seconds}
        return [job for job in self.jobs if job.key in late]

    def begin(self, job: EngineJob) -> None:
        """Do a job as soon as a thread is free."""
        self._owed[job.key] = job
        self._waiting.put(job)
        if len(self._threads) < self._worker.pool.size:
            # A thread whose job never ends must not keep the process from ending.
            thread = threading.Thread(target=self._work, name="steelyard-engine", daemon=True)
            self._threads.append(thread)
            thread.start()

    def take(self, timeout_s: float) -> EngineResult | None:
        """Return the next result; None if there is none within `timeout_s` seconds."""
        try:
            result = self._done.get(timeout=max(0.0, timeout_s))
        except queue.Empty:
            return None
        if isinstance(result, BaseException):
            raise result
        del self._owed[result.key]
        return result

    def end(self, *, wait: bool) -> None:
        """Begin no further job, and end those under way at their next event."""
        self._closed = True
        for _ in self._threads:
            self._waiting.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None and not self._closed:
            self._began[job.key] = time.monotonic()
            try:
                needed = {each: self._blobs[each] for each in job.blobs if each in self._blobs}
                self._done.put(
                    attempt(
                        self._worker, job, needed, node=self._node, stopped=lambda: self._closed
                    )
                )
            except StoppedError:
                return
            except BaseException as error:  # noqa: BLE001  (raised again by whoever waits)
                self._done.put(error)
            finally:
                del self._began[job.key]


@contextmanager
def open_local(
    jobs: int | None, settings: SandboxSettings, job_timeout_s: float
) -> Iterator[LocalEngine]:
    """Open the engine of this machine, and end all its cells at the end.

    Raises:
        IsolationError: if the isolation is weaker than required.
    """
    engine = LocalEngine(jobs, settings, job_timeout_s)
    try:
        yield engine
    finally:
        engine.close()
