"""The engine of many machines: one actor on each node of a Ray cluster.

1. Each node has one actor, which holds a `Node` with its own cells. Only bytes of JSON, blobs and
   plain values cross between the driver and a node.
2. Short jobs are sent many at a time, long ones alone; blobs reach a node once.
3. Ray itself repeats nothing: an actor with restarts lets its calls hang until a node has room for
   it. Jobs of a lost node go back to the backlog, which knows each job's tries
   (docs/decisions/0021).
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from steelyard import __version__
from steelyard.errors import InfrastructureError, IsolationError
from steelyard.evaluation.engines._cluster import connected
from steelyard.evaluation.engines._engine import SURVEY_S, Engine, LostError, Machine
from steelyard.evaluation.engines._jobs import Backlog, Node, requiring
from steelyard.schemas import EngineJob, EngineNode, EngineResult, IsolationLevel
from steelyard.settings import read_settings

_START_S = 120.0
"""Wall time for an actor to start and to make its cells, on a loaded machine."""
_FAILURES = 3
"""Actors of one node that may be lost, although the node is alive, before it takes no work."""
_OTHER_METHODS = 4
_BLOBS_KEPT = 256
"""Blobs of which Ray keeps a copy for later calls; one that is dropped is put again."""
_CALL_S = 0.5
"""Wall time that one call with many short jobs shall take. A call costs about 2 ms, so that less
than a hundredth of the time goes to calls, and a lost node loses a second of work."""
_MOST_JOBS = 1_000
"""Jobs of one call, which bounds its size."""
_RECENT = 0.3
"""Weight of the latest call in the mean time of a job."""
_GONE = "the cluster lost the node"
_RESULTS = TypeAdapter(tuple[EngineResult | None, ...])


class RayNode:
    """A `Node` as a Ray actor, whose methods Ray calls from several threads.

    Args:
        name: The node's name.
        workers: Jobs to run in parallel.
        require: The weakest isolation that its cells may have.
        job_timeout_s: Wall time of one job.
    """

    def __init__(
        self, name: str, workers: int, require: IsolationLevel, job_timeout_s: float
    ) -> None:
        self._arguments = name, workers, require, job_timeout_s

    def describe(self) -> tuple[str, bytes]:
        """Make the cells; return the version of Steelyard, and the `EngineNode` as JSON.

        Raises:
            IsolationError: if the isolation is too weak.
        """
        name, workers, require, job_timeout_s = self._arguments
        settings = requiring(read_settings().sandbox, require)
        self._node = Node(name, workers, settings, job_timeout_s)
        return __version__, self._node.describe().model_dump_json().encode()

    def run(self, run: int, batch: bytes, digests: list[str], *blobs: bytes) -> bytes:
        """Do jobs and return their results.

        Args:
            run: Number of the driver's run, which `end` ends.
            batch: Jobs as a list in JSON.
            digests: The SHA-256 of each blob that they name.
            blobs: These blobs, which Ray keeps on the node for later calls.

        Returns:
            A list of `EngineResult` in JSON; null for a job that `end` ended.
        """
        given = dict(zip(digests, blobs, strict=True))
        jobs = [EngineJob(**fields) for fields in json.loads(batch)]
        begun = [self._node.begin(run, job, given) for job in jobs]
        return _RESULTS.dump_json(tuple(each.result() for each in begun))

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, without results."""
        self._node.end(run)


class RayMachine(Machine):
    """A node of a cluster. Types of Ray are `Any`, as Ray may not be installed.

    Args:
        engine: The engine that it belongs to.
        actor: Its actor.
    """

    def __init__(self, engine: "RayEngine", actor: Any) -> None:
        self._engine, self._actor = engine, actor
        self.calls = {}
        self.starting: Future[tuple[str, bytes]] = actor.describe.remote().future()
        self._deadline = time.monotonic() + _START_S
        self._job_s = 0.0

    def is_ready(self) -> bool:
        """Return True once the machine is `described`.

        Raises:
            LostError: if it takes no work.
        """
        if not self.starting.done():
            if time.monotonic() > self._deadline:
                raise LostError(f"its actor did not start within {_START_S:.0f} s")
            return False
        error = self.starting.exception()
        if error is not None:
            cause = getattr(error, "cause", None) or error  # what the actor raised
            raise LostError(_line(cause)) from cause
        version, text = self.starting.result()
        if version != __version__:
            raise LostError(f"it has Steelyard {version}, and the driver {__version__}")
        self.described = EngineNode.model_validate_json(text)
        return True

    def begin(self, run: int, jobs: list[EngineJob], blobs: Mapping[str, bytes]) -> Future[Any]:
        """Begin jobs with references to their blobs, each of which Ray brings to the node once."""
        digests = sorted({name for job in jobs for name in job.blobs if name in blobs})
        references = map(self._engine.put, map(blobs.__getitem__, digests))
        # In ASCII: programs may hold bytes that are not UTF-8, as surrogates.
        batch = json.dumps([job.model_dump() for job in jobs]).encode("ascii")
        call = self._actor.run.remote(run, batch, digests, *references)
        future: Future[Any] = call.future()
        return future

    def results_of(self, call: Future[Any]) -> Iterable[EngineResult]:
        """Return the results of a call that has ended.

        Jobs that take seconds go alone from then on, so that each result comes at once.
        """
        error = call.exception()
        if isinstance(error, self._engine.lost):
            raise LostError(_line(error)) from error
        results = [each for each in _RESULTS.validate_json(call.result()) if each is not None]
        if results:
            mean = sum(each.seconds for each in results) / len(results)
            had = self._job_s or mean
            self._job_s = max(had + _RECENT * (mean - had), 1e-6)
            size = int(_CALL_S * self.described.workers / self._job_s)
            self.size = min(max(size, 1), _MOST_JOBS)
        return results

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, without results."""
        self._actor.end.remote(run)

    def close(self) -> None:
        """End the actor, and with it its cells."""
        self._engine.kill(self._actor)


class RayEngine(Engine):
    """Runs jobs on the nodes of a cluster; nodes that join are taken in.

    Args:
        ray: The connected module.
        jobs: Jobs that each node runs in parallel; None for one per CPU that Ray counts there.
        require: The weakest isolation that a node may have.
        job_timeout_s: Wall time of one job.

    Raises:
        IsolationError: if the isolation of every node is too weak.
        InfrastructureError: if no node takes work for another reason.
    """

    def __init__(
        self, ray: Any, jobs: int | None, require: IsolationLevel, job_timeout_s: float
    ) -> None:
        super().__init__({})
        self._ray, self._jobs = ray, jobs
        self._require, self._job_timeout_s = require, job_timeout_s
        known = ray.exceptions
        self.lost = known.RayActorError, known.NodeDiedError, known.ObjectLostError
        """What Ray raises for an actor that is lost."""
        self.kill, self.put = ray.kill, lru_cache(_BLOBS_KEPT)(ray.put)
        self._starting: dict[str, RayMachine] = {}
        self._losses = Counter[str]()
        self._weak: set[str] = set()
        self._start_actors()
        while self._starting:
            wait([each.starting for each in self._starting.values()], SURVEY_S, FIRST_COMPLETED)
            self._meet()
        self._check_nodes()

    def close(self) -> None:
        """End all actors, and with them their cells."""
        super().close()
        for machine in self._starting.values():
            machine.close()

    def _survey(self, backlog: Backlog) -> Iterator[EngineResult]:
        """Meet new nodes, and give up on those that are lost."""
        if time.monotonic() - self._surveyed_at < SURVEY_S:
            return
        alive = self._start_actors()
        self._meet()
        for key in self._machines.keys() - alive:
            yield from self._lose(key, backlog, _GONE)
        for key in self._starting.keys() - alive:
            self._refuse(key, self._starting.pop(key), _GONE)
        if backlog.under_way or backlog.waits:
            self._check_nodes()

    def _start_actors(self) -> set[str]:
        """Start an actor on each new node; return the ids of all nodes that are alive."""
        self._surveyed_at = time.monotonic()
        alive: set[str] = set()
        affinity = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        for node in self._ray.nodes():
            cpus, key = int(node["Resources"].get("CPU", 0)), node["NodeID"]
            if not node["Alive"] or cpus < 1:
                continue
            alive.add(key)
            if key in self._machines or key in self._starting or self._losses[key] >= _FAILURES:
                continue
            workers = self._jobs or cpus
            name = f"{node['NodeManagerHostname']} ({key[:8]})"
            options = {
                "num_cpus": cpus,  # nothing else runs there, which would disturb its times
                "max_concurrency": 2 * workers + _OTHER_METHODS,
                "max_restarts": 0,
                "max_task_retries": 0,
                "scheduling_strategy": affinity(key, soft=False),
            }
            kind = self._ray.remote(RayNode).options(**options)
            actor = kind.remote(name, workers, self._require, self._job_timeout_s)
            self._starting[key] = RayMachine(self, actor)
            self._idle[key] = EngineNode(name=name, workers=0, refused="it is starting")
        return alive

    def _meet(self) -> None:
        """Take in the nodes whose actors have started, and refuse others."""
        for key, machine in tuple(self._starting.items()):
            try:
                if not machine.is_ready():
                    continue
            except LostError as error:
                self._losses[key] = _FAILURES
                if isinstance(error.__cause__, IsolationError):
                    self._weak.add(key)
                self._refuse(key, machine, str(error))
            else:
                del self._idle[key]
                self._machines[key] = machine
            del self._starting[key]

    def _refuse(self, key: str, machine: RayMachine, reason: str) -> None:
        self._idle[key] = self._idle[key].model_copy(update={"refused": reason})
        machine.close()

    def _lose(self, key: str, backlog: Backlog, reason: str) -> list[EngineResult]:
        """Give up on a node's actor; its jobs are done by others, or by its next actor."""
        self._losses[key] += 1
        return super()._lose(key, backlog, reason)

    def _check_nodes(self) -> None:
        if self._machines or self._starting:
            return
        reasons = "; ".join(f"{each.name}: {each.refused}" for each in self._idle.values())
        weak = self._idle.keys() <= self._weak and bool(self._weak)
        raise (IsolationError if weak else InfrastructureError)(
            f"no node of the cluster takes work: {reasons or 'none has CPUs'}; add nodes"
        )


@contextmanager
def open_ray(
    address: str | None, jobs: int | None, require: IsolationLevel, job_timeout_s: float
) -> Iterator[Engine]:
    """Open the engine of a cluster, and end its actors at the end.

    Raises:
        UsageError: if Ray is not installed, or the token of the cluster is missing.
        InfrastructureError: if no cluster answers, or no node takes work.
    """
    with connected(address) as ray, closing(RayEngine(ray, jobs, require, job_timeout_s)) as engine:
        yield engine


def _line(error: BaseException) -> str:
    return " ".join(str(error).split("\n")[0].split()) or type(error).__name__
