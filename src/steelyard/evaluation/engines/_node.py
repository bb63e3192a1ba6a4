"""The part of the Ray engine that runs on each node: one actor with its own cells.

Only bytes of JSON, blobs and plain values cross between the driver and a node.
"""

import json
from collections.abc import Sequence

from pydantic import TypeAdapter

from steelyard import __version__
from steelyard.errors import SteelyardError
from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._threads import JobThreads, Results
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import EngineJob, EngineNode, EngineResult
from steelyard.settings import read_settings

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
