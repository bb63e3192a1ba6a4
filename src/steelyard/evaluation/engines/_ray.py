"""The engine of many machines: one actor on each node of a Ray cluster.

1. Each node has one actor with its own cells. Only bytes of JSON, blobs and plain values cross
   between the driver and a node.
2. Short jobs are sent many at a time, long ones alone; blobs reach a node once.
3. Ray itself repeats nothing: an actor with restarts lets its calls hang until a node has room for
   it. Jobs of a lost node go back to the backlog, which knows each job's tries
   (docs/decisions/0021).
"""

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from steelyard import __version__
from steelyard.errors import InfrastructureError, IsolationError, SteelyardError
from steelyard.evaluation._worker import Worker
from steelyard.evaluation.engines._cluster import connected
from steelyard.evaluation.engines._jobs import ASK_AGAIN_S, LEVELS, Backlog, JobThreads, Results
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import EngineJob, EngineNode, EngineResult, IsolationLevel
from steelyard.settings import read_settings

_START_S = 120.0
"""Wall time for an actor to start and to make its cells, on a loaded machine."""
_ANSWER_S = 60.0
"""Wall time in which a living actor answers a question."""
_SURVEY_S = 2.0
_FAILURES = 3
"""Actors of one node that may be lost, although the node is alive, before it takes no work."""
_OTHER_METHODS = 4
_BLOBS_KEPT = 256
"""Blobs of which Ray keeps a copy for later calls; one that is dropped is put again."""
_GONE = "the cluster lost the node"


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


class RayEngine:
    """Runs jobs on the nodes of a cluster; see `Engine`.

    Args:
        ray: The connected module.
        jobs: Jobs that each node runs in parallel; None for one per CPU that Ray counts there.
        require: The weakest isolation that a node may have.
        job_timeout_s: Wall time of one job, after which its node's actor is replaced.
    """

    def __init__(
        self, ray: Any, jobs: int | None, require: IsolationLevel, job_timeout_s: float
    ) -> None:
        self._ray, self._jobs, self._require = ray, jobs, require
        self._job_timeout_s = job_timeout_s
        self._runs = itertools.count(1)
        self._starting: dict[str, tuple[Any, Any, float]] = {}
        """By node id: the actor, its call of `describe`, and the deadline."""
        self._remotes: dict[str, Remote] = {}
        self._idle: dict[str, EngineNode] = {}
        """By node id: those that take no work, or do so no longer."""
        self._weak: set[str] = set()
        self._failures: dict[str, int] = {}
        self._surveyed_at = 0.0
        self._await_start()

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """The nodes that take work, and those that do not, with the reason."""
        return (*(each.node for each in self._remotes.values()), *self._idle.values())

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
        backlog, run = Backlog(jobs, max_cost_usd, spent_usd), next(self._runs)

        @lru_cache(_BLOBS_KEPT)
        def reference(digest: str) -> Any:
            return self._ray.put(blobs[digest]) if digest in blobs else None

        try:
            while True:
                if stop is not None and stop():
                    backlog.close()
                yield from self._survey(backlog)
                self._send(run, backlog, reference)
                if not backlog.under_way and not backlog.waits:
                    return
                yield from self._receive(backlog, ASK_AGAIN_S if backlog.unready else _SURVEY_S)
        finally:
            for remote in self._remotes.values():
                if remote.calls:
                    remote.actor.end.remote(run)
                    remote.calls.clear()

    def close(self) -> None:
        """End all actors, and with them their cells."""
        actors = [each.actor for each in self._remotes.values()]
        for actor in (*actors, *(actor for actor, _, _ in self._starting.values())):
            self._ray.kill(actor)

    def _await_start(self) -> None:
        """Wait until each node takes work or has a reason not to.

        Raises:
            IsolationError: if the isolation of every node is too weak.
            InfrastructureError: if no node takes work for another reason.
        """
        self._start_actors()
        while self._starting:
            calls = [call for _, call, _ in self._starting.values()]
            self._meet(self._wait(calls, _SURVEY_S))
        self._check_nodes()

    def _check_nodes(self) -> None:
        if self._remotes or self._starting:
            return
        reasons = "; ".join(f"{each.name}: {each.refused}" for each in self._idle.values())
        weak = self._idle.keys() <= self._weak and bool(self._weak)
        raise (IsolationError if weak else InfrastructureError)(
            f"no node of the cluster takes work: {reasons or 'none has CPUs'}; add nodes"
        )

    def _survey(self, backlog: Backlog) -> Iterator[EngineResult]:
        """Meet new nodes, give up on those that are lost, and ask the others if they live."""
        now = time.monotonic()
        if now - self._surveyed_at < _SURVEY_S:
            return
        alive = self._start_actors()
        for node_id, remote in tuple(self._remotes.items()):
            if node_id not in alive:
                yield from self._lose(node_id, backlog, _GONE)
            elif remote.asked is None:
                remote.asked, remote.asked_at = remote.actor.ages_s.remote(), now
            elif now - remote.asked_at > _ANSWER_S:
                yield from self._lose(node_id, backlog, f"it did not answer for {_ANSWER_S:.0f} s")
        for node_id in self._starting.keys() - alive:
            del self._starting[node_id]
            known = self._idle[node_id]
            self._idle[node_id] = known.model_copy(update={"refused": _GONE})
        if backlog.under_way or backlog.waits:
            self._check_nodes()

    def _start_actors(self) -> set[str]:
        """Start an actor on each new node; return the ids of all nodes that are alive."""
        self._surveyed_at = time.monotonic()
        alive: set[str] = set()
        affinity = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        for node in self._ray.nodes():
            cpus, node_id = int(node["Resources"].get("CPU", 0)), node["NodeID"]
            if not node["Alive"] or cpus < 1:
                continue
            alive.add(node_id)
            known = node_id in self._remotes or node_id in self._starting
            lost = self._failures.get(node_id, _FAILURES)
            if known or (node_id in self._idle and lost >= _FAILURES):
                continue
            workers = self._jobs or cpus
            name = f"{node['NodeManagerHostname']} ({node_id[:8]})"
            options = {
                "num_cpus": cpus,  # nothing else runs there, which would disturb its times
                "max_concurrency": 2 * workers + _OTHER_METHODS,
                "max_restarts": 0,
                "max_task_retries": 0,
                "scheduling_strategy": affinity(node_id, soft=False),
            }
            actor = self._ray.remote(Node).options(**options).remote(name, workers)
            deadline = time.monotonic() + _START_S
            self._starting[node_id] = actor, actor.describe.remote(), deadline
            self._idle[node_id] = EngineNode(name=name, workers=0, refused="it is starting")
        return alive

    def _meet(self, ready: list[Any]) -> None:
        """Take in the nodes whose actors have started, and refuse those that are too late."""
        for node_id, (actor, call, deadline) in tuple(self._starting.items()):
            name = self._idle[node_id].name
            if call in ready:
                node = self._described(call, name)
            elif time.monotonic() > deadline:
                reason = f"its actor did not start within {_START_S:.0f} s"
                node = EngineNode(name=name, workers=0, refused=reason)
            else:
                continue
            del self._starting[node_id]
            level = node.isolation and node.isolation.level
            if level and LEVELS.index(level) < LEVELS.index(self._require):
                self._weak.add(node_id)
                reason = f"its isolation is {level}, and {self._require} is required"
                node = node.model_copy(update={"workers": 0, "refused": reason})
            if node.refused:
                self._idle[node_id] = node
                self._ray.kill(actor)
            else:
                del self._idle[node_id]
                self._remotes[node_id] = Remote(node, actor)

    def _described(self, call: Any, name: str) -> EngineNode:
        try:
            version, text = self._ray.get(call, timeout=_ANSWER_S)
        except self._ray.exceptions.RayError as error:
            return EngineNode(name=name, workers=0, refused=_line(error))
        if version != __version__:
            reason = f"it has Steelyard {version}, and the driver {__version__}"
            return EngineNode(name=name, workers=0, refused=reason)
        return EngineNode.model_validate_json(text)

    def _send(self, run: int, backlog: Backlog, reference: Callable[[str], Any]) -> None:
        """Give each node as many jobs as it has room for, in turns."""
        busy = True
        while busy:
            busy = False
            for remote in self._remotes.values():
                batch = remote.batch and backlog.take(remote.batch)
                if batch:
                    remote.send(run, batch, reference)
                    busy = True

    def _receive(self, backlog: Backlog, timeout_s: float) -> Iterator[EngineResult]:
        """Wait for the next answers of nodes, and yield the results in them."""
        calls = {call: each for each in self._remotes.values() for call in each.calls}
        asked = [each.asked for each in self._remotes.values() if each.asked is not None]
        starting = [call for _, call, _ in self._starting.values()]
        ready = self._wait([*calls, *asked, *starting], timeout_s)
        self._meet(ready)
        for node_id, remote in tuple(self._remotes.items()):
            try:
                if remote.asked in ready:
                    ages_s = self._ray.get(remote.asked, timeout=_ANSWER_S)
                    remote.asked = None
                    late = {key for key, age_s in ages_s.items() if age_s > self._job_timeout_s}
                    if late:
                        yield from self._replace(node_id, backlog, late)
                        continue
                for call in [each for each in remote.calls if each in ready]:
                    answer = self._ray.get(call, timeout=_ANSWER_S)
                    for result in remote.receive(call, answer):
                        settled = backlog.settle(result)
                        if settled is not None:
                            yield settled
            except (
                self._ray.exceptions.RayActorError,
                self._ray.exceptions.GetTimeoutError,
                self._ray.exceptions.ObjectLostError,
            ) as error:
                yield from self._lose(node_id, backlog, _line(error))

    def _wait(self, calls: list[Any], timeout_s: float) -> list[Any]:
        if not calls:
            time.sleep(min(timeout_s, _SURVEY_S / 10))
            return []
        self._ray.wait(calls, num_returns=1, timeout=timeout_s)
        ready, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
        return list(ready)

    def _lose(self, node_id: str, backlog: Backlog, reason: str) -> list[EngineResult]:
        """Give up on a node's actor; its jobs are done by others, or by its next actor."""
        self._failures[node_id] = self._failures.get(node_id, 0) + 1
        remote = self._end(node_id, reason)
        name = remote.node.name
        return backlog.lose(remote.jobs, name, f"node {name} was lost: {reason}")

    def _replace(self, node_id: str, backlog: Backlog, late: set[str]) -> list[EngineResult]:
        """Replace an actor whose jobs take too long: a try only for these, and none for others."""
        self._failures.setdefault(node_id, 0)
        reason = f"the job ran longer than {self._job_timeout_s:g} s"
        remote = self._end(node_id, reason)
        return backlog.replace(remote.jobs, late, remote.node.name, self._job_timeout_s)

    def _end(self, node_id: str, reason: str) -> Remote:
        remote = self._remotes.pop(node_id)
        self._ray.kill(remote.actor)
        self._idle[node_id] = remote.node.model_copy(update={"workers": 0, "refused": reason})
        return remote


@contextmanager
def open_ray(
    address: str | None, jobs: int | None, require: IsolationLevel, job_timeout_s: float
) -> Iterator[RayEngine]:
    """Open the engine of a cluster, and end its actors at the end.

    Raises:
        UsageError: if Ray is not installed, or the token of the cluster is missing.
        InfrastructureError: if no cluster answers, or no node takes work.
    """
    with connected(address) as ray, closing(RayEngine(ray, jobs, require, job_timeout_s)) as engine:
        yield engine


def _line(error: Exception) -> str:
    return " ".join(str(error).split("\n")[0].split()) or type(error).__name__


CALL_S = 0.5
"""Wall time that one call with many short jobs shall take. A call costs about 2 ms, so that less
than a hundredth of the time goes to calls, and a lost node loses a second of work."""
_MOST_JOBS = 1_000
"""Jobs of one call, which bounds its size."""
_RECENT = 0.3
"""Weight of the latest call in the mean time of a job."""
RESULTS = TypeAdapter(tuple[EngineResult, ...])


def packed(jobs: Sequence[EngineJob]) -> bytes:
    """Return jobs as JSON in ASCII: programs may hold bytes that are not UTF-8, as surrogates."""
    return json.dumps([job.model_dump() for job in jobs]).encode("ascii")


class Node:
    """Does the jobs of one node. Ray calls its methods from several threads.

    Args:
        name: The node's name.
        workers: Jobs to run in parallel.
    """

    def __init__(self, name: str, workers: int) -> None:
        self._ended_run = 0
        try:
            pool = CellPool(workers, settings=read_settings().sandbox)
        except SteelyardError as error:
            self._node = EngineNode(name=name, workers=0, refused=str(error))
        else:
            self._node = EngineNode(name=name, workers=workers, isolation=pool.isolation)
            self._threads = JobThreads(Worker(pool), name)

    def describe(self) -> tuple[str, bytes]:
        """Return the version of Steelyard, and the `EngineNode` as JSON."""
        return __version__, self._node.model_dump_json().encode()

    def ages_s(self) -> dict[str, float]:
        """Return for how many seconds each job has run that runs now, by key."""
        return self._threads.ages_s()

    def run(self, run: int, batch: bytes, digests: Sequence[str], *blobs: bytes) -> bytes:
        """Do jobs and return their results.

        Args:
            run: Number of the driver's run, which `end` ends.
            batch: Jobs, as `packed` returns them.
            digests: The SHA-256 of each blob that they name.
            blobs: These blobs, which Ray keeps on the node for later calls.

        Returns:
            `EngineResult` records as JSON, in order of completion. Jobs that `end` ended have none.
        """
        jobs = [EngineJob(**fields) for fields in json.loads(batch)]
        given, done = dict(zip(digests, blobs, strict=True)), Results()
        for job in jobs:
            self._threads.begin(job, given, done, lambda: run <= self._ended_run)
        results = []
        for _ in jobs:
            result = done.get()
            if isinstance(result, EngineResult):
                results.append(result)
            elif not isinstance(result, StoppedError):
                raise result
        return RESULTS.dump_json(tuple(results))

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, without results."""
        self._ended_run = max(self._ended_run, run)
