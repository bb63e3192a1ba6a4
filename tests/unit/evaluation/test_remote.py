"""A node of a cluster gets references to blobs, and many short jobs with one call."""

import json
from dataclasses import dataclass, field
from typing import Any

from steelyard.evaluation.engines._ray import RESULTS, Remote
from steelyard.schemas import EngineJob, EngineNode, EngineResult


@dataclass
class Recorder:
    """Stands for an actor: it notes what is sent to the node."""

    sent: list[list[str]] = field(default_factory=list)
    given: list[tuple[list[str], tuple[object, ...]]] = field(default_factory=list)

    @property
    def run(self) -> "Method":
        return Method(self._run)

    def _run(self, _run: int, batch: bytes, digests: list[str], *blobs: object) -> str:
        self.sent.append([job["key"] for job in json.loads(batch)])
        self.given.append((digests, blobs))
        return f"call {len(self.sent)}"


@dataclass
class Method:
    remote: Any


def job(key: str, *digests: str) -> EngineJob:
    return EngineJob(key=key, kind="judge", blobs=digests)


def remote(workers: int = 2) -> tuple[Remote, Recorder]:
    actor = Recorder()
    return Remote(EngineNode(name="n", workers=workers), actor), actor


def answer(jobs: list[str], seconds: float) -> bytes:
    results = (EngineResult(key=key, value={}, node="n", seconds=seconds) for key in jobs)
    return RESULTS.dump_json(tuple(results))


def test_a_call_has_a_reference_to_each_blob_of_its_jobs() -> None:
    node, actor = remote()
    one, two, missing = ("1" * 64, "2" * 64, "3" * 64)
    references = {one: "first", two: "second"}
    node.send(1, [job("a", one), job("b", one)], references.get)
    node.send(1, [job("c", one, two), job("d", missing)], references.get)
    assert actor.sent == [["a", "b"], ["c", "d"]]
    assert actor.given == [([one], ("first",)), ([one, two], ("first", "second"))]


def test_short_jobs_go_together_and_long_ones_alone() -> None:
    node, actor = remote()
    assert node.batch == 1  # nothing is known yet
    node.send(1, [job("first")], {}.get)
    node.receive("call 1", answer(["first"], 0.002))
    assert node.batch == 500
    keys = [f"k{n}" for n in range(500)]
    node.send(1, [job(key) for key in keys], {}.get)
    node.receive("call 2", answer(keys, 4.0))
    assert node.batch == 1
    assert list(map(len, actor.sent)) == [1, 500]
