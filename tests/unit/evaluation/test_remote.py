"""A node of a cluster gets each blob once, and many short jobs with one call."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from steelyard.evaluation.engines import _remote
from steelyard.evaluation.engines._node import RESULTS
from steelyard.evaluation.engines._remote import Remote
from steelyard.schemas import EngineJob, EngineNode, EngineResult


@dataclass
class Recorder:
    """Stands for an actor: it notes what is sent to the node."""

    given: list[tuple[dict[str, bytes], list[str]]] = field(default_factory=list)
    sent: list[list[str]] = field(default_factory=list)

    @property
    def give(self) -> "Method":
        return Method(self._give)

    @property
    def run(self) -> "Method":
        return Method(self._run)

    def _give(self, fresh: dict[str, bytes], dropped: list[str]) -> str:
        self.given.append((fresh, dropped))
        return f"given {len(self.given)}"

    def _run(self, _run: int, batch: bytes, *_waits: object) -> str:
        self.sent.append([job["key"] for job in json.loads(batch)])
        return f"call {len(self.sent)}"


@dataclass
class Method:
    remote: Any


def blob(content: bytes) -> tuple[str, bytes]:
    return hashlib.sha256(content).hexdigest(), content


def job(key: str, *digests: str) -> EngineJob:
    return EngineJob(key=key, kind="judge", blobs=digests)


def remote(workers: int = 2) -> tuple[Remote, Recorder]:
    actor = Recorder()
    return Remote(EngineNode(name="n", workers=workers), actor), actor


def answer(jobs: list[str], seconds: float) -> bytes:
    results = (EngineResult(key=key, value={}, node="n", seconds=seconds) for key in jobs)
    return RESULTS.dump_json(tuple(results))


def test_a_blob_is_sent_once() -> None:
    node, actor = remote()
    blobs = dict([blob(b"task one"), blob(b"task two")])
    one, two = blobs
    node.send(1, [job("a", one), job("b", one)], blobs)
    node.send(1, [job("c", one)], blobs)
    node.send(1, [job("d", one, two)], blobs)
    assert [set(fresh) for fresh, _ in actor.given] == [{one}, {two}]
    assert actor.sent == [["a", "b"], ["c"], ["d"]]


def test_a_blob_that_had_no_room_is_sent_again(monkeypatch: Any) -> None:
    monkeypatch.setattr(_remote, "_BLOBS_BYTES", 10)
    node, actor = remote()
    blobs = dict([blob(b"12345678"), blob(b"abcdefgh")])
    one, two = blobs
    for key, digest in (("a", one), ("b", two), ("c", one)):
        node.send(1, [job(key, digest)], blobs)
        node.receive(f"call {len(actor.sent)}", answer([key], 1.0))
    assert actor.given == [
        ({one: blobs[one]}, []),
        ({two: blobs[two]}, [one]),
        ({one: blobs[one]}, [two]),
    ]


def test_short_jobs_go_together_and_long_ones_alone() -> None:
    node, actor = remote()
    assert node.batch == 1  # nothing is known yet
    node.send(1, [job("first")], {})
    node.receive("call 1", answer(["first"], 0.002))
    assert node.batch == 500
    keys = [f"k{n}" for n in range(500)]
    node.send(1, [job(key) for key in keys], {})
    node.receive("call 2", answer(keys, 4.0))
    assert node.batch == 1
    assert list(map(len, actor.sent)) == [1, 500]
