"""What a run is asked to do: one line of JSON on standard input, and the blobs that it names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from steelyard.project_runs.incell.channel import cut_blobs

PROJECT = "project"
"""The blob that holds all files of the project, one after the other."""
_READ_BYTES = 1 << 20


class Clocks(NamedTuple):
    """The real clocks, in ns, out of reach of any patch."""

    cpu_ns: Callable[[], int]
    """CPU time of this thread."""
    wall_ns: Callable[[], int]


class Task(NamedTuple):
    """One run's task."""

    said: dict[str, Any]
    blobs: dict[str, bytes]

    @property
    def edits(self) -> dict[str, bytes | None]:
        """New contents of the project's files; None takes one away."""
        gone: dict[str, bytes | None] = dict.fromkeys(self.said["removed"])
        return gone | {
            name.removeprefix("edit:"): blob
            for name, blob in self.blobs.items()
            if name.startswith("edit:")
        }

    @property
    def calls(self) -> list[bytes]:
        """Pickled calls, in order."""
        return [blob for name, blob in self.blobs.items() if name.startswith("call:")]


def run_nothing(_task: Task, _tell: object, _clocks: Clocks) -> int:
    """Does nothing: the process has begun."""
    return 0


def read_task() -> Task:
    """Reads the task, and leaves the program an empty standard input."""
    parts = []
    while part := os.read(0, _READ_BYTES):
        parts.append(part)
    head, _, rest = b"".join(parts).partition(b"\n")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    said = json.loads(head)
    return Task(said, cut_blobs(rest, said["blobs"]))
