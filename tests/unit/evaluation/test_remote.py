"""A node of a cluster gets references to blobs, and many short jobs with one call."""

import json
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

from steelyard.evaluation.engines._ray import RayEngine, RayMachine
from steelyard.schemas import EngineJob, EngineNode, EngineResult

BLOBS = {"1" * 64: b"first", "2" * 64: b"second"}


class Ray:
    """Stands for Ray, its engine and an actor: it notes what is sent to the node."""

    lost = ()

    def __init__(self) -> None:
        self.sent: list[list[str]] = []
        self.given: list[tuple[list[str], tuple[object, ...]]] = []
        self.run, self.describe = Method(self._run), Method(lambda: None)

    def put(self, blob: bytes) -> str:
        return blob.decode()

    def _run(self, _run: int, batch: bytes, digests: list[str], *blobs: object) -> None:
        self.sent.append([job["key"] for job in json.loads(batch)])
        self.given.append((digests, blobs))


class Method:
    def __init__(self, method: Callable[..., None]) -> None:
        self._method = method

    def remote(self, *arguments: Any) -> "Method":
        self._method(*arguments)
        return self

    def future(self) -> Future[Any]:
        return Future()


def machine() -> tuple[RayMachine, Ray]:
    ray = Ray()
    made = RayMachine(cast("RayEngine", ray), ray)
    made.described = EngineNode(name="n", workers=2)
    return made, ray


def job(key: str, *digests: str) -> EngineJob:
    return EngineJob(key=key, kind="judge", blobs=digests)


def answer(jobs: list[str], seconds: float) -> Future[Any]:
    results = [EngineResult(key=key, value={}, node="n", seconds=seconds) for key in jobs]
    call: Future[Any] = Future()
    call.set_result(json.dumps([each.model_dump(mode="json") for each in results]))
    return call


def test_a_call_has_a_reference_to_each_blob_of_its_jobs() -> None:
    node, ray = machine()
    one, two = BLOBS
    node.begin(1, [job("a", one), job("b", one)], BLOBS)
    node.begin(1, [job("c", one, two), job("d", "3" * 64)], BLOBS)
    assert ray.sent == [["a", "b"], ["c", "d"]]
    assert ray.given == [([one], ("first",)), ([one, two], ("first", "second"))]


def test_short_jobs_go_together_and_long_ones_alone() -> None:
    node, _ = machine()
    assert node.batch == 1  # nothing is known yet
    node.results_of(answer(["first"], 0.002))
    assert node.batch == 500
    node.calls[Future()] = [job(str(number)) for number in range(501)]
    assert node.batch == 0
    node.calls.clear()
    node.results_of(answer([f"k{n}" for n in range(500)], 4.0))
    assert node.batch == 1
