"""The jobs of one run, and the node of one machine that does them.

1. `Backlog` decides which jobs begin next. Retries go first, and a job begins if its cost fits into
   the limit, with those under way. A job that the infrastructure failed is tried again, up to three
   times; each has one result.
2. `Node` does jobs in the cells of its machine, one in each thread. An error is data, and does not
   disturb other jobs.
3. If a job takes too long, the node gives it up with its cells, and does its neighbours again in
   new cells.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import get_args

from steelyard.errors import BudgetError, InfrastructureError, SteelyardError
from steelyard.evaluation._worker import JudgingWorker
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import EngineJob, EngineNode, EngineResult, ErrorResult, IsolationLevel
from steelyard.settings import SandboxSettings

_TRIES = 3
# A model's failure was retried where the request was made; a whole new run would be paid again.
_NOT_RETRIED = {
    "ModelError",
    "ModelTransportError",
    "ModelRefusedError",
    "IsolationError",
    "BudgetError",
}


class Backlog:
    """The jobs of one run: those to do, and those under way.

    Args:
        jobs: Taken one by one; None is a job that is not ready yet.
        max_cost_usd: Hard limit on the cost of all jobs; None for no limit.
        spent_usd: What is spent of it already.
    """

    def __init__(
        self,
        jobs: Iterable[EngineJob | None],
        max_cost_usd: float | None = None,
        spent_usd: float = 0.0,
    ) -> None:
        self._jobs: Iterator[EngineJob | None] = iter(jobs)
        self._again: deque[EngineJob] = deque()
        self.under_way: dict[str, EngineJob] = {}
        """By key: the jobs that were taken and have no result."""
        self._failed: dict[str, list[EngineResult]] = {}
        """By key: the earlier tries of a job."""
        self._max_cost_usd = max_cost_usd
        self._spent_usd = spent_usd
        self._ended = False
        self.unready = False
        """True if the next job was asked for, and is not ready yet."""

    @property
    def waits(self) -> bool:
        """True if jobs are known that wait for a machine, or for room within the limit."""
        if not self._again:
            job = self._next()
            if job is not None:
                self._again.append(job)
        return bool(self._again) or self.unready

    def close(self) -> None:
        """Take no further job; those under way are not tried again."""
        self._ended = True
        self.unready = False
        self._jobs = iter(())
        self._again.clear()

    def take(self, most: int) -> list[EngineJob]:
        """Return the next jobs, which count as under way from now on.

        Returns:
            None to `most` jobs. Fewer if no more are there or ready, or if the limit on costs
            leaves no room before a job under way has ended.

        Raises:
            BudgetError: if no job is under way and the next one does not fit.
        """
        taken: list[EngineJob] = []
        while len(taken) < most:
            job = self._again.popleft() if self._again else self._next()
            if job is None:
                break
            if not self._fits(job):
                self._again.appendleft(job)
                if not taken and not self.under_way:
                    raise BudgetError(
                        f"models have cost ${self._spent_usd:.4f} of ${self._max_cost_usd:.2f}, "
                        f"and the next job may cost ${job.max_cost_usd:.4f}; raise the limit, and "
                        "run again to resume"
                    )
                break
            self.under_way[job.key] = job
            taken.append(job)
        return taken

    def settle(self, result: EngineResult) -> EngineResult | None:
        """Return the result to yield; None if the job is tried again, or had a result before."""
        job = self.under_way.pop(result.key, None)
        if job is None:
            return None
        self._spent_usd += result.cost_usd
        tries = [*self._failed.pop(job.key, ()), result]
        if self._is_retried(result, len(tries)):
            self._failed[job.key] = tries
            self._again.append(job)
            return None
        cost_usd = sum(each.cost_usd for each in tries)
        return result.model_copy(update={"tries": len(tries), "cost_usd": cost_usd})

    def lose(self, jobs: Iterable[EngineJob], node: str, reason: str) -> list[EngineResult]:
        """Settle jobs whose node was lost; return the results of those not tried again."""
        error = InfrastructureError(f"{reason}; run again to try it once more")
        settled = (self.settle(failed(job, error, node=node)) for job in jobs)
        return [result for result in settled if result is not None]

    def _next(self) -> EngineJob | None:
        """Return the next job; None if there is none, or if it is not ready yet."""
        for job in self._jobs:
            self.unready = job is None
            return job
        self.unready = False
        return None

    def _fits(self, job: EngineJob) -> bool:
        if self._max_cost_usd is None or job.max_cost_usd == 0:
            return True
        usd = sum(each.max_cost_usd for each in (*self.under_way.values(), job))
        return self._spent_usd + usd <= self._max_cost_usd + 1e-9  # sums of floats

    def _is_retried(self, result: EngineResult, tries: int) -> bool:
        error = result.error
        if self._ended or error is None or tries >= _TRIES:
            return False
        return (
            error.exit_status == InfrastructureError.exit_status and error.type not in _NOT_RETRIED
        )


def failed(job: EngineJob, error: Exception, *, node: str) -> EngineResult:
    """Return the result of a job that raised; its cost is the worst, as nobody reported one."""
    return EngineResult(
        key=job.key,
        error=ErrorResult(
            index=0,
            type=type(error).__name__,
            message=" ".join(str(error).split()) or "no message",
            exit_status=getattr(error, "exit_status", InfrastructureError.exit_status),
        ),
        node=node,
        cost_usd=job.max_cost_usd,
    )


@dataclass(slots=True, eq=False)
class _Task:
    """One try of a job in a node, for one run of the engine."""

    run: int
    job: EngineJob
    blobs: Mapping[str, bytes]
    result: "Future[EngineResult | None]" = field(default_factory=Future)
    """None if the run has ended."""


_LEVELS = get_args(IsolationLevel)  # from weak to strong


def requiring(settings: SandboxSettings, level: IsolationLevel) -> SandboxSettings:
    """Return settings that require at least this level."""
    strongest = max(level, settings.require, key=_LEVELS.index)
    return settings.model_copy(update={"require": strongest})


class Node:
    """The cells of one machine, with a thread for each; threads may share it.

    Args:
        name: The machine's name.
        workers: Number of cells; None for one per core.
        settings: How they isolate.
        job_timeout_s: Wall time of one job.

    Raises:
        IsolationError: if the isolation is weaker than the settings require.
    """

    def __init__(
        self, name: str, workers: int | None, settings: SandboxSettings, job_timeout_s: float
    ) -> None:
        self._name, self._settings, self._job_timeout_s = name, settings, job_timeout_s
        self._worker = JudgingWorker(CellPool(workers, settings=settings))
        self._waiting = queue.SimpleQueue[_Task | None]()
        self._began: dict[_Task, float] = {}
        self._ended_run = 0
        self._closed = threading.Event()
        for _ in range(self._worker.pool.size):
            self._start(self._work)
        self._start(self._watch)

    def describe(self) -> EngineNode:
        """Return the machine's name, workers and isolation."""
        pool = self._worker.pool
        return EngineNode(name=self._name, workers=pool.size, isolation=pool.isolation)

    def begin(
        self, run: int, job: EngineJob, blobs: Mapping[str, bytes]
    ) -> "Future[EngineResult | None]":
        """Do a job as soon as a thread is free.

        Args:
            run: Number of the engine's run, which `end` ends.
            job: The job.
            blobs: The blobs that it names, by SHA-256; others are ignored.

        Returns:
            The result; None if the run ends before it.
        """
        needed = {digest: blobs[digest] for digest in job.blobs if digest in blobs}
        task = _Task(run, job, needed)
        self._waiting.put(task)
        return task.result

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, at their next event."""
        self._ended_run = max(self._ended_run, run)

    def close(self) -> None:
        """End all jobs, cells and threads."""
        self._closed.set()
        for _ in range(self._worker.pool.size):
            self._waiting.put(None)
        self._worker.pool.abort()

    def _start(self, work: Callable[[], None]) -> None:
        # A thread whose job never ends must not keep the process from ending.
        threading.Thread(target=work, name="steelyard-engine", daemon=True).start()

    def _work(self) -> None:
        while (task := self._waiting.get()) is not None:
            self._began[task] = time.monotonic()
            done = self._attempt(task)
            if self._began.pop(task, None) is None:
                return  # it took too long, and another thread has taken over
            if isinstance(done, BaseException):
                task.result.set_exception(done)
            else:
                task.result.set_result(done)

    def _attempt(self, task: _Task) -> EngineResult | BaseException | None:
        """Do a job once; an error is data, so that the jobs around it are not disturbed."""
        job, worker, started = task.job, self._worker, time.monotonic()

        def is_stopped() -> bool:
            return self._closed.is_set() or task.run <= self._ended_run

        if is_stopped():
            return None
        try:
            value, usd = worker.do(job, task.blobs, is_stopped)
            result = EngineResult(key=job.key, value=value, node=self._name, cost_usd=usd)
        except StoppedError:
            return None
        except SteelyardError as error:
            result = failed(job, error, node=self._name)
        except BaseException as error:  # noqa: BLE001  (raised again by whoever waits)
            return error
        seconds = time.monotonic() - started
        return result.model_copy(update={"seconds": seconds, "isolation": worker.pool.isolation})

    def _watch(self) -> None:
        """Give up jobs that take too long, and do their neighbours again."""
        while not self._closed.wait(min(1.0, self._job_timeout_s / 4)):
            oldest = time.monotonic() - self._job_timeout_s
            if all(began > oldest for began in tuple(self._began.values())):
                continue
            given_up = [(task, self._began.pop(task, None)) for task in tuple(self._began)]
            self._worker.pool.abort()
            self._worker = JudgingWorker(CellPool(self._worker.pool.size, settings=self._settings))
            for task, began in given_up:
                if began is None:
                    continue  # it has ended meanwhile
                self._start(self._work)
                if began > oldest:
                    self._waiting.put(replace(task))
                else:
                    why = f"the job ran longer than {self._job_timeout_s:g} s; run again to retry"
                    error = InfrastructureError(why)
                    task.result.set_result(failed(task.job, error, node=self._name))
