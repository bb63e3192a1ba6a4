"""The interface of all engines, the way to open one by its name, and the engine of one machine."""

import os
import platform
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from typing import Literal, Protocol, get_args

from steelyard.errors import UsageError
from steelyard.evaluation._worker import Worker
from steelyard.evaluation.engines._jobs import ASK_AGAIN_S, LEVELS, Backlog, JobThreads, Results
from steelyard.evaluation.engines._ray import open_ray
from steelyard.sandbox import CellPool
from steelyard.schemas import EngineJob, EngineNode, EngineResult, IsolationLevel
from steelyard.settings import SandboxSettings, current_settings

EngineName = Literal["local", "ray"]
"""`local`: the cells of this machine. `ray`: the nodes of a Ray cluster."""


class Engine(Protocol):
    """Runs jobs. Threads do not share it, and one run ends before the next begins."""

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """The machines, with the isolation that was found on each, and those that take no work."""

    def run(
        self,
        jobs: Iterable[EngineJob | None],
        blobs: Mapping[str, bytes],
        *,
        stop: Callable[[], bool] | None = None,
        max_cost_usd: float | None = None,
        spent_usd: float = 0.0,
    ) -> Iterator[EngineResult]:
        """Yield the result of each job once, in order of completion.

        Jobs are taken from their iterable shortly before their turn, so that memory is bounded.
        A job that the infrastructure failed is tried again; what a candidate did wrong is a value.
        Closing the iterator ends the jobs that are under way.

        Args:
            jobs: Jobs with different keys. None means that the next job is not ready yet: the
                engine asks again soon, and takes results meanwhile.
            blobs: The blobs that jobs name, by SHA-256.
            stop: Called before jobs are taken; after it returns True, the jobs under way are
                finished and no other job begins.
            max_cost_usd: Hard limit on the cost of models in all jobs, in US dollars. A job begins
                only if its own `max_cost_usd` fits.
            spent_usd: What earlier runs have spent of it.

        Raises:
            BudgetError: if the next job does not fit into `max_cost_usd`; all results of jobs that
                began were given before.
            IsolationError: if the isolation of every machine is too weak.
            InfrastructureError: if no machine is left.
        """


JOB_TIMEOUT_S = 3_600.0
"""A solve run with slow models takes minutes; the programs in it have limits of their own."""


def open_engine(
    name: EngineName = "local",
    *,
    jobs: int | None = None,
    require: IsolationLevel | None = None,
    address: str | None = None,
    job_timeout_s: float = JOB_TIMEOUT_S,
) -> AbstractContextManager[Engine]:
    """Open an engine for a `with` statement.

    Args:
        name: `local` or `ray`.
        jobs: Jobs that each machine runs in parallel; None for one per core.
        require: The weakest isolation that a machine may have; None, or a weaker one than the
            setting `sandbox.require`, is the setting.
        address: For `ray`, `HOST:PORT` of the cluster's head. None is the environment variable
            `RAY_ADDRESS`, or else this machine.
        job_timeout_s: Wall time of one job in seconds. A job that takes longer is tried again.

    Raises:
        UsageError: for an invalid argument, or if Ray is not installed.
        IsolationError: if the isolation of this machine, or of every node, is weaker than required.
        InfrastructureError: if no cluster answers at the address.
    """
    if name not in get_args(EngineName):
        raise UsageError(f"unknown engine {name!r}; use {' or '.join(get_args(EngineName))}")
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be 1 or more, got {jobs}")
    if address is not None and name != "ray":
        raise UsageError("address is for the engine ray; leave it out")
    if not 0 < job_timeout_s <= 86_400:
        raise UsageError(f"job_timeout_s must be above 0 and at most 86,400, got {job_timeout_s}")
    settings = current_settings().sandbox
    level = max(require or "none", settings.require, key=LEVELS.index)
    settings = settings.model_copy(update={"require": level})
    if name == "ray":
        return open_ray(address or os.environ.get("RAY_ADDRESS"), jobs, level, job_timeout_s)
    return closing(LocalEngine(jobs, settings, job_timeout_s))


_AHEAD = 2
"""Jobs for each cell that are taken before their turn, so that no cell waits for the caller."""


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
                        timeout=max(0.0, min(left_s, ASK_AGAIN_S) if backlog.unready else left_s)
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
