"""What calls of one version take beside time: memory, and where in the function time goes."""

from __future__ import annotations

import gc
import linecache
import pickle
import tracemalloc
import types
from typing import Any

from steelyard.comparing.calls.incell.calling import load_function, make_call
from steelyard.comparing.recording.incell.naming import plain_of
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.task import Clocks, Task

_LEAST_NS = 20_000_000
_MOST_REPEATS = 2_000


def run_measuring(task: Task, tell: Tell, clocks: Clocks) -> int:
    """Tells the memory of the costliest call, and the lines' times over all calls."""
    function = load_function(task.said)
    for data in task.calls:  # what is done once only is not to be charged to a call
        _call(function, data)
    memory = [_memory_of(function, data) for data in task.calls]
    if memory:
        peak, blocks = max(memory)
        tell("memory", peak_bytes=peak, blocks=blocks)
    _tell_lines(task, tell, function, clocks)
    return 0


def _call(function: Any, data: bytes) -> None:
    args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell, read in one
    make_call(function, args, kwargs)


def _memory_of(function: Any, data: bytes) -> tuple[int, int]:
    """Peak of one call beyond what was there before, and blocks that are there after it."""
    args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell, read in one
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        roots, _ = make_call(function, args, kwargs)
        after, peak = tracemalloc.get_traced_memory()
        kept = len(tracemalloc.take_snapshot().traces) if after > before else 0
        del roots
    finally:
        tracemalloc.stop()
        gc.enable()
    return max(0, peak - before), kept


def _tell_lines(task: Task, tell: Tell, function: Any, clocks: Clocks) -> None:
    try:
        from line_profiler import LineProfiler
    except ImportError:
        tell("unusable", what="line_profiler")
        return
    plain = plain_of(function)
    if not isinstance(plain, types.FunctionType):
        return
    profiler = LineProfiler()
    profiler.add_function(plain)
    profiler.enable_by_count()
    end, repeats = clocks.cpu_ns() + _LEAST_NS, 0
    while repeats == 0 or (clocks.cpu_ns() < end and repeats < _MOST_REPEATS):
        for data in task.calls:
            _call(function, data)
        repeats += 1
    profiler.disable_by_count()
    stats = profiler.get_stats()
    for (file, first, _), lines in stats.timings.items():
        if first == plain.__code__.co_firstlineno:
            tell(
                "lines",
                lines=[
                    [
                        line,
                        hits // repeats,
                        round(time * stats.unit * 1e9 / repeats),
                        linecache.getline(file, line).rstrip(),
                    ]
                    for line, hits, time in lines
                ],
            )
