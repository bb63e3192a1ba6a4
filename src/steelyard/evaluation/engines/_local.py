"""The engine of one machine: its cells, one thread for each."""

import platform
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping

from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._backlog import Backlog
from steelyard.evaluation.engines._threads import JobThreads, Results
from steelyard.sandbox import CellPool
from steelyard.schemas import EngineJob, EngineNode, EngineResult
from steelyard.settings import SandboxSettings

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
        self._name = platform.node() or "local"
        self._begin()

    def _begin(self) -> None:
        self._pool = CellPool(self._jobs, settings=self._settings)
        self._threads = JobThreads(Worker(self._pool), self._name)

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """This machine."""
        pool = self._pool
        return (EngineNode(name=self._name, workers=pool.size, isolation=pool.isolation),)

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
        backlog, ended = Backlog(jobs, max_cost_usd, spent_usd), False
        results: Results = queue.SimpleQueue()
        try:
            while True:
                if stop is not None and stop():
                    backlog.close()
                for job in backlog.take(_AHEAD * self._pool.size - len(backlog.under_way)):
                    self._threads.begin(job, blobs, results, lambda: ended)
                if not backlog.under_way and not backlog.unready:
                    return
                left_s = self._job_timeout_s - max(self._threads.ages_s().values(), default=0.0)
                try:
                    result = results.get(
                        timeout=max(0.0, min(left_s, _ASK_AGAIN_S) if backlog.unready else left_s)
                    )
                except queue.Empty:
                    ages_s = self._threads.ages_s().items()
                    late = {key for key, age_s in ages_s if age_s >= self._job_timeout_s}
                    if late:
                        results = queue.SimpleQueue()  # what the old threads still do is not read
                        self.close()
                        self._begin()
                        under_way = tuple(backlog.under_way.values())
                        yield from backlog.replace(under_way, late, self._name, self._job_timeout_s)
                    continue
                if isinstance(result, BaseException):
                    raise result
                settled = backlog.settle(result)
                if settled is not None:
                    yield settled
        finally:
            ended = True

    def close(self) -> None:
        """End all cells and threads."""
        self._threads.close()
        self._pool.abort()
