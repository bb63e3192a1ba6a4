"""An engine: it sends jobs to machines, and gives each job's result once."""

import itertools
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

from steelyard.evaluation.engines._jobs import Backlog, Node
from steelyard.schemas import EngineJob, EngineNode, EngineResult

SURVEY_S = 2.0
"""Wall time after which an engine looks at its machines again."""
_ASK_AGAIN_S = 0.02
"""Wall time after which a job that was not ready is asked for again."""


class LostError(Exception):
    """A machine does not answer, for this reason."""


class Machine:
    """The cells of this process as a machine of an engine; other machines derive from it.

    Args:
        node: What does the jobs.
    """

    size = 1
    """Jobs of one call."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.described = node.describe()
        self.calls: dict[Future[Any], list[EngineJob]] = {}
        """The calls under way, with their jobs."""

    @property
    def batch(self) -> int:
        """Number of jobs for the next call; 0 if the machine has enough to do.

        Two jobs for each cell are taken before their turn, so that no cell waits for the caller.
        """
        room = 2 * max(self.described.workers, self.size) - sum(map(len, self.calls.values()))
        return self.size if room >= self.size else 0

    def begin(self, run: int, jobs: list[EngineJob], blobs: Mapping[str, bytes]) -> Future[Any]:
        """Begin `batch` jobs of a run."""
        return self._node.begin(run, jobs[0], blobs)

    def results_of(self, call: Future[Any]) -> Iterable[EngineResult]:
        """Return the results of a call that has ended.

        Raises:
            LostError: if the machine was lost.
        """
        result = call.result()
        return () if result is None else (result,)

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, without results."""
        self._node.end(run)

    def close(self) -> None:
        """End all jobs and cells."""
        self._node.close()


class Engine:
    """Runs jobs on machines. Threads do not share it, and one run ends before the next begins.

    Args:
        machines: The machines, by id.
    """

    def __init__(self, machines: Mapping[str, Machine]) -> None:
        self._machines = dict(machines)
        self._idle: dict[str, EngineNode] = {}
        """By id: the machines that take no work, or do so no longer."""
        self._runs = itertools.count(1)
        self._ended: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """The machines, with the isolation that was found on each, and those that take no work."""
        return (*(each.described for each in self._machines.values()), *self._idle.values())

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
        backlog, run = Backlog(jobs, max_cost_usd, spent_usd), next(self._runs)
        try:
            while True:
                if stop is not None and stop():
                    backlog.close()
                yield from self._survey(backlog)
                self._send(run, backlog, blobs)
                if not backlog.under_way and not backlog.waits:
                    return
                yield from self._receive(backlog, _ASK_AGAIN_S if backlog.unready else SURVEY_S)
        finally:
            for machine in self._machines.values():
                if machine.calls:
                    machine.end(run)
                    machine.calls.clear()

    def close(self) -> None:
        """End all machines' work."""
        for machine in self._machines.values():
            machine.close()

    def _survey(self, _backlog: Backlog) -> Iterator[EngineResult]:
        """Look for new machines and lost ones; this process always has its own."""
        return iter(())

    def _send(self, run: int, backlog: Backlog, blobs: Mapping[str, bytes]) -> None:
        """Give each machine as many jobs as it has room for, in turns."""
        busy = True
        while busy:
            busy = False
            for machine in self._machines.values():
                jobs = machine.batch and backlog.take(machine.batch)
                if jobs:
                    call = machine.begin(run, jobs, blobs)
                    machine.calls[call] = jobs
                    call.add_done_callback(self._ended.put)
                    busy = True

    def _receive(self, backlog: Backlog, timeout_s: float) -> Iterator[EngineResult]:
        """Wait for the next call that ends, and yield its results."""
        try:
            call = self._ended.get(timeout=timeout_s)
        except queue.Empty:
            return
        for key, machine in tuple(self._machines.items()):
            if call not in machine.calls:  # of an earlier run, or of a machine that was lost
                continue
            try:
                results = machine.results_of(call)
            except LostError as error:
                yield from self._lose(key, backlog, str(error))
                return
            del machine.calls[call]
            for result in results:
                settled = backlog.settle(result)
                if settled is not None:
                    yield settled

    def _lose(self, key: str, backlog: Backlog, reason: str) -> list[EngineResult]:
        """Give up on a machine; its jobs are done by others."""
        machine = self._machines.pop(key)
        machine.close()
        node = machine.described.model_copy(update={"workers": 0, "refused": reason})
        self._idle[key] = node
        jobs = [job for owed in machine.calls.values() for job in owed]
        return backlog.lose(jobs, node.name, f"node {node.name} was lost: {reason}")
