"""Watch the heap of a counted run, and record the run, in any language.

A preloaded library (heap.c) measures the exact peak of live heap memory.
"""

import dataclasses
import os
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from steelyard.profiling._records import CountedRun, Input
from steelyard.sandbox import CellPool, Command, Mount
from steelyard.schemas import Execution

_MEBI_BYTES = 1 << 20


@dataclass(frozen=True)
class HeapUse:
    """The figures of the library for one run."""

    peak_bytes: int
    """Peak of live heap memory, rounded up by the allocator, without the memory that an
    interpreter holds before the program begins."""
    threads: int
    """Number of threads started in addition to the main one."""
    forks: int


def outcome_of(
    given: Input,
    execution: Execution,
    work: Mapping[str, int] | None,
    heap: HeapUse | None,
    note: str,
) -> CountedRun:
    """Return the record of a run.

    Args:
        given: The run's input.
        execution: The run itself.
        work: Its counts; None if there are none.
        heap: The figures of its heap; None if there are none.
        note: Why there are no counts; empty if there are.
    """
    if heap is None and not note:
        note = "its peak heap memory is unknown"
    return CountedRun(
        point=given.point,
        input_bytes=given.content.size,
        work=work,
        heap_bytes=heap.peak_bytes if heap else None,
        rss_bytes=round(execution.max_rss_mib * _MEBI_BYTES),
        execution=execution,
        threads=heap is not None and heap.threads > 0,
        note=note,
    )


HEAP_FILE = ".steelyard-heap"
"""File in the work folder that the library writes its figures to."""
_SHOWN_AT = "/steelyard-heap.so"
_PAGE = struct.Struct("=QqqQQq")  # as `struct page` in heap.c
_MAGIC = 0x3170616568797361
_MOST_BYTES = 1 << 47  # of an address space


def heap_library() -> Path | None:
    """Return the library; None if there was no compiler to build it."""
    package = sys.modules[__package__]
    candidates = (Path(folder, "_heap.so") for folder in package.__path__)
    return next((path for path in candidates if os.access(path, os.R_OK)), None)


def with_heap_watched(command: Command, pool: CellPool) -> Command:
    """Return the command with the library preloaded, for a program that the dynamic loader starts.

    If the library was not built, or the pool's cells cannot see it, return the command unchanged:
    then `read_heap` finds nothing.
    """
    library = heap_library()
    if library is None or pool.isolation.filesystem == "container":
        return command
    in_view = pool.isolation.filesystem == "view"
    shown_at = _SHOWN_AT if in_view else str(library)
    mount = Mount(str(library), shown_at)
    return dataclasses.replace(
        command,
        env={**command.env, "LD_PRELOAD": shown_at, "STEELYARD_HEAP_FILE": HEAP_FILE},
        view=dataclasses.replace(command.view, mounts=(*command.view.mounts, mount)),
        collect=(*command.collect, HEAP_FILE),
    )


def read_heap(page: bytes | None) -> HeapUse | None:
    """Return the library's figures; None if it wrote none, or the program corrupted them.

    Args:
        page: The collected `HEAP_FILE`. The program could write to it: hostile.
    """
    if page is None or len(page) < _PAGE.size:
        return None
    magic, _, peak, threads, forks, base = _PAGE.unpack_from(page)
    if magic != _MAGIC or not 0 <= base <= peak < _MOST_BYTES:
        return None
    return HeapUse(peak - base, threads, forks)
