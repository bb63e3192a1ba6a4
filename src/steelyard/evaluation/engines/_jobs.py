"""The jobs of one run: which begin next, and the threads that do them on one machine.

1. Retries go first. A job begins if its cost fits into the limit, with those under way.
2. Each thread does one job at a time. An error is data, and does not disturb other jobs.
3. A job that the infrastructure failed is tried again, up to three times; each has one result.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import get_args

from steelyard.errors import BudgetError, InfrastructureError, SteelyardError
from steelyard.evaluation._worker import Worker
from steelyard.sandbox import StoppedError
from steelyard.schemas import EngineJob, EngineResult, ErrorResult, IsolationLevel

ASK_AGAIN_S = 0.02
"""Wall time after which a job that was not ready is asked for again."""
LEVELS = get_args(IsolationLevel)  # from weak to strong
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
        self._tries: dict[str, int] = {}
        self._lost_usd: dict[str, float] = {}
        self._max_cost_usd = max_cost_usd
        self._spent_usd = spent_usd
        self._reserved_usd = 0.0
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
            self._reserved_usd += job.max_cost_usd
            self.under_way[job.key] = job
            self._tries[job.key] = self._tries.get(job.key, 0) + 1
            taken.append(job)
        return taken

    def settle(self, result: EngineResult) -> EngineResult | None:
        """Return the result to yield; None if the job is tried again, or had a result before."""
        job = self.under_way.pop(result.key, None)
        if job is None:
            return None
        self._reserved_usd -= job.max_cost_usd
        self._spent_usd += result.cost_usd
        tries = self._tries[job.key]
        if self._is_retried(result, tries):
            self._lost_usd[job.key] = self._lost_usd.get(job.key, 0.0) + result.cost_usd
            self._again.append(job)
            return None
        del self._tries[job.key]
        cost_usd = result.cost_usd + self._lost_usd.pop(job.key, 0.0)
        return result.model_copy(update={"tries": tries, "cost_usd": cost_usd})

    def replace(
        self, jobs: Collection[EngineJob], late: set[str], node: str, job_timeout_s: float
    ) -> list[EngineResult]:
        """Settle the jobs of threads that were replaced as some took too long.

        It is a try only for the late ones.

        Returns:
            The results of jobs that are not tried again.
        """
        for key in {job.key for job in jobs} & self._tries.keys() - late:
            self._tries[key] -= 1
        return self.lose(jobs, node, f"a job ran longer than {job_timeout_s:g} s")

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
        cost_usd = self._spent_usd + self._reserved_usd + job.max_cost_usd
        return cost_usd <= self._max_cost_usd + 1e-9  # sums of floats

    def _is_retried(self, result: EngineResult, tries: int) -> bool:
        error = result.error
        if self._ended or error is None or tries >= _TRIES:
            return False
        return (
            error.exit_status == InfrastructureError.exit_status and error.type not in _NOT_RETRIED
        )


def failed(job: EngineJob, error: Exception, *, node: str, seconds: float = 0.0) -> EngineResult:
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
        seconds=seconds,
        cost_usd=job.max_cost_usd,
    )


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
