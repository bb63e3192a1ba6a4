"""The engine of one machine: its cells, one thread for each."""

import platform
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from steelyard.evaluation._work import StoppedError, Worker
from steelyard.evaluation.engines._attempt import attempt
from steelyard.evaluation.engines._backlog import Backlog
from steelyard.sandbox import CellPool
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
        pool: Where programs run.
    """

    def __init__(self, pool: CellPool) -> None:
        self._worker = Worker(pool)
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
    ) -> Iterator[EngineResult]:
        """Yield the result of each job once; see `Engine.run`."""
        backlog = Backlog(jobs, max_cost_usd)
        done: queue.SimpleQueue[EngineResult | BaseException] = queue.SimpleQueue()
        closed = threading.Event()

        def work(job: EngineJob) -> None:
            try:
                needed = {digest: blobs[digest] for digest in job.blobs if digest in blobs}
                done.put(
                    attempt(self._worker, job, needed, node=self._node.name, stopped=closed.is_set)
                )
            except StoppedError:
                pass
            except BaseException as error:  # noqa: BLE001  (raised again by whoever waits)
                done.put(error)

        most = _AHEAD * self._node.workers
        executor = ThreadPoolExecutor(self._node.workers, "steelyard-engine")
        try:
            while True:
                if stop is not None and stop():
                    backlog.close()
                for job in backlog.take(most - backlog.under_way):
                    executor.submit(work, job)
                if not backlog.under_way and not backlog.unready:
                    return
                try:
                    result = done.get(timeout=_ASK_AGAIN_S if backlog.unready else None)
                except queue.Empty:
                    continue
                if isinstance(result, BaseException):
                    raise result
                settled = backlog.settle(result)
                if settled is not None:
                    yield settled
        finally:
            closed.set()
            executor.shutdown(wait=not backlog.under_way, cancel_futures=True)


@contextmanager
def open_local(jobs: int | None, settings: SandboxSettings) -> Iterator[LocalEngine]:
    """Open the engine of this machine, and end all its cells at the end.

    Raises:
        IsolationError: if the isolation is weaker than required.
    """
    pool = CellPool(jobs, settings=settings)
    try:
        yield LocalEngine(pool)
    finally:
        pool.abort()
