"""What calls of one version take beside time: memory, and where in the function time goes."""

from __future__ import annotations

import gc
import linecache
import pickle
import tracemalloc
import types
from typing import Any

from steelyard.comparing.calls.incell.calling import load_function, make_call
from steelyard.comparing.incell.told import CallMemory, LineTimes, MeasureCalls, NoLineTimes
from steelyard.comparing.recording.incell.watching import plain_of
from steelyard.project_runs.incell.task import Context

_LEAST_NS = 20_000_000
_MOST_REPEATS = 2_000


def run_measuring(asked: MeasureCalls, context: Context) -> int:
    """Tells the memory of the costliest call, and the lines' times over all calls."""
    function = load_function(context.function)
    for data in asked.calls:  # what is done once only is not to be charged to a call
        _call(function, data)
    memory = [_memory_of(function, data) for data in asked.calls]
    if memory:
        peak, blocks = max(memory)
        context.tell(CallMemory(peak, blocks))
    _tell_lines(asked.calls, context, function)
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


def _tell_lines(calls: list[bytes], context: Context, function: Any) -> None:
    try:
        from line_profiler import LineProfiler
    except ImportError:
        context.tell(NoLineTimes())
        return
    plain = plain_of(function)
    if not isinstance(plain, types.FunctionType):
        return
    profiler = LineProfiler()
    profiler.add_function(plain)
    profiler.enable_by_count()
    clock = context.clocks.cpu_ns
    end, repeats = clock() + _LEAST_NS, 0
    while repeats == 0 or (clock() < end and repeats < _MOST_REPEATS):
        for data in calls:
            _call(function, data)
        repeats += 1
    profiler.disable_by_count()
    stats = profiler.get_stats()
    for (file, first, _), lines in stats.timings.items():
        if first == plain.__code__.co_firstlineno:
            context.tell(
                LineTimes(
                    [
                        (
                            line,
                            hits // repeats,
                            round(time * stats.unit * 1e9 / repeats),
                            linecache.getline(file, line).rstrip(),
                        )
                        for line, hits, time in lines
                    ]
                )
            )
