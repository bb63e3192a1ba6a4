"""The part of the Ray engine that runs on each node: one actor with its own cells.

Only bytes of JSON, blobs and plain values cross between the driver and a node.
"""

import hashlib
import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from pydantic import TypeAdapter

from steelyard import __version__
from steelyard.errors import SteelyardError
from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._attempt import attempt
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import EngineJob, EngineNode, EngineResult
from steelyard.settings import read_settings

__all__ = ["RESULTS", "Node", "packed"]

RESULTS = TypeAdapter(tuple[EngineResult, ...])


def packed(jobs: Sequence[EngineJob]) -> bytes:
    """Return jobs as JSON in ASCII: programs may hold bytes that are not UTF-8, as surrogates."""
    return json.dumps([job.model_dump() for job in jobs]).encode("ascii")


def _unpacked(batch: bytes) -> list[EngineJob]:
    return [EngineJob(**fields) for fields in json.loads(batch)]


class Node:
    """Does the jobs of one node. Ray calls its methods from several threads.

    Args:
        name: The node's name.
        workers: Jobs to run in parallel.
    """

    def __init__(self, name: str, workers: int) -> None:
        self._blobs: dict[str, bytes] = {}
        self._began: dict[int, tuple[str, float]] = {}
        self._ended_run = 0
        self._worker: Worker | None = None
        try:
            self._worker = Worker(CellPool(workers, settings=read_settings().sandbox))
        except SteelyardError as error:
            self._node = EngineNode(name=name, workers=0, refused=str(error))
        else:
            isolation = self._worker.pool.isolation
            self._node = EngineNode(name=name, workers=workers, isolation=isolation)
            self._threads = ThreadPoolExecutor(workers, "steelyard-engine")

    def describe(self) -> tuple[str, bytes]:
        """Return the version of Steelyard, and the `EngineNode` as JSON."""
        return __version__, self._node.model_dump_json().encode()

    def give(self, blobs: dict[str, bytes], drop: Sequence[str]) -> None:
        """Keep blobs for later jobs, and drop others.

        Raises:
            ValueError: if a blob has another SHA-256 than its name.
        """
        for digest, blob in blobs.items():
            if hashlib.sha256(blob).hexdigest() != digest:
                raise ValueError(f"blob {digest} has another SHA-256; its sender mixed it up")
        for digest in drop:
            self._blobs.pop(digest, None)
        self._blobs.update(blobs)

    def ages_s(self) -> dict[str, float]:
        """Return for how many seconds each job has run that runs now, by key."""
        now = time.monotonic()
        return {key: now - began for key, began in tuple(self._began.values())}

    def run(self, run: int, batch: bytes, *_given: None) -> bytes:
        """Do jobs and return their results.

        Args:
            run: Number of the driver's run, which `end` ends.
            batch: Jobs, as `packed` returns them.
            _given: The values of earlier calls of `give`, which Ray awaits before this call.

        Returns:
            `EngineResult` records as JSON, in the order of the jobs. Jobs that `end` ended have
            none.
        """
        futures = [self._threads.submit(self._attempt, run, job) for job in _unpacked(batch)]
        return RESULTS.dump_json(tuple(_results(futures)))

    def end(self, run: int) -> None:
        """End the jobs of a run, and of all earlier ones, without results."""
        self._ended_run = max(self._ended_run, run)

    def _attempt(self, run: int, job: EngineJob) -> EngineResult:
        if run <= self._ended_run:
            raise StoppedError
        assert self._worker is not None
        thread = threading.get_ident()
        self._began[thread] = job.key, time.monotonic()
        try:
            return attempt(
                self._worker,
                job,
                {digest: self._blobs[digest] for digest in job.blobs if digest in self._blobs},
                node=self._node.name,
                stopped=lambda: run <= self._ended_run,
            )
        finally:
            del self._began[thread]


def _results(futures: Sequence["Future[EngineResult]"]) -> list[EngineResult]:
    results = []
    for future in futures:
        try:
            results.append(future.result())
        except StoppedError:
            continue
    return results
