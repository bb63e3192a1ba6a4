"""What a run is asked to do, and what each run tells: records of all rooms."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.records import Count, unpacked

_READ_BYTES = 1 << 20


class Clocks(NamedTuple):
    """The real clocks, in ns, out of reach of any patch."""

    cpu_ns: Callable[[], int]
    """CPU time of this thread."""
    wall_ns: Callable[[], int]


@dataclass(frozen=True)
class Function:
    """The function, or the whole module, that a run is about."""

    module: str
    path: str
    """The module's file, relative to the project."""
    qualname: str
    """The function's; empty for a whole module."""


@dataclass(frozen=True)
class Layout:
    """All files of the project."""

    files: list[tuple[str, Count, bool]]
    """Path, size in bytes, and whether it can be executed."""
    folders: list[str]
    links: dict[str, str]
    """Targets by path."""
    content: bytes
    """What the files hold, one after the other."""


@dataclass(frozen=True)
class Task:
    """One run's task."""

    key: bytes
    """Seals what the run tells."""
    address_bytes: Count
    """The most that the process may map at once."""
    layout: Layout
    edits: dict[str, bytes | None]
    """New contents of the project's files; None takes one away."""
    import_roots: list[str]
    sys_path: list[str]
    first: list[str]
    """Functions of the plan that are called before the run."""
    function: Function
    asked: bytes
    """The record that the kind of run takes."""


class Context(NamedTuple):
    """What every run has."""

    function: Function
    tell: Tell
    clocks: Clocks


@dataclass(frozen=True)
class Nothing:
    """Nothing is asked."""


@dataclass(frozen=True)
class NotSetUp:
    """The run could not begin: nothing of the project was imported yet."""

    what: str


@dataclass(frozen=True)
class Failed:
    """The run could not be carried out."""

    what: str
    trace: str


@dataclass(frozen=True)
class Ended:
    """The run came to its end, with pytest's exit status if pytest ran."""

    status: int


def read_task() -> Task:
    """Reads the task, and leaves the program an empty standard input."""
    parts = []
    while part := os.read(0, _READ_BYTES):
        parts.append(part)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return unpacked(Task, b"".join(parts))
