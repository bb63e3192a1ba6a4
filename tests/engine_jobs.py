"""Jobs for the tests of engines: programs of all verdicts against one small task."""

import hashlib
from collections.abc import Mapping
from typing import Any

from steelyard.schemas import EngineJob, EngineResult, Task

TIMES = {"cpu_ms", "wall_ms", "memory_mib", "seconds", "cached", "isolation"}
"""What may differ between two runs of one job."""

TASK = Task(
    id="double",
    prompt="Double a number.",
    entry="function:double",
    tests=tuple({"args": [n], "expected": 2 * n, "name": f"case {n}"} for n in range(6)),
    time_limit_ms=10_000,
)
BLOB = TASK.model_dump_json().encode()
DIGEST = hashlib.sha256(BLOB).hexdigest()
BLOBS = {DIGEST: BLOB}

PROGRAMS = {
    "right": "def double(n):\n    return 2 * n\n",
    "wrong": "def double(n):\n    return n * n\n",
    "raises": "def double(n):\n    raise RuntimeError(n)\n",
    "broken": "def double(n) return\n",
    "bytes": "def double(n):\n    return 2 * n  # \udcff\n",
    "exits": "import os\ndef double(n):\n    os._exit(3)\n",
}


def job(key: str, program: str, **more: Any) -> EngineJob:
    """Return a job that judges a program; `more` are fields of the job."""
    data = {"task": DIGEST, "program": program, "fail_fast": False}
    return EngineJob(**{"key": key, "kind": "judge", "data": data, "blobs": (DIGEST,), **more})


def jobs(count: int) -> list[EngineJob]:
    """Return jobs with different programs, of each verdict by turns."""
    texts = list(PROGRAMS.items())
    made = []
    for number in range(count):
        name, text = texts[number % len(texts)]
        made.append(job(f"{number}:{name}", f"{text}# sample {number}\n"))
    return made


def timeless(value: Any) -> Any:
    """Return a result's value without its times."""
    if isinstance(value, Mapping):
        return {name: timeless(each) for name, each in value.items() if name not in TIMES}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def by_key(results: list[EngineResult]) -> dict[str, Any]:
    """Return the values by key, without times.

    Raises:
        AssertionError: A key came twice, or a job failed.
    """
    keys = [each.key for each in results]
    assert len(set(keys)) == len(keys)
    assert [each.error for each in results if each.error] == []
    return {each.key: timeless(each.value) for each in results}
