"""What a reviewer wants to see beside the verdict: coverage, memory, and where time goes."""

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import MEASURING
from steelyard.comparing.incell.told import CallMemory, LineTimes, MeasureCalls, NoLineTimes
from steelyard.comparing.recording._versions import ORIGINAL, Version
from steelyard.schemas import (
    Coverage,
    LineProfile,
    LineTime,
    MemoryUse,
    VersionMemory,
)

_MOST_CALLS = 12
_ALLOWED_S = 120.0


def coverage_of(baseline: CompareBaseline, candidate: Version) -> Coverage | None:
    """Coverage of both versions; None where it is not known."""
    one, two = baseline.covered(ORIGINAL), baseline.covered(candidate)
    if one is None or two is None:
        return None
    return Coverage(threshold=baseline.options.coverage, original=one, candidate=two)


def memory_and_lines_of(
    baseline: CompareBaseline, candidate: Version
) -> tuple[MemoryUse | None, LineProfile | None]:
    """Both over the same calls; None for what could not be measured."""
    calls = [
        call.pickled
        for place, call in enumerate(baseline.calls)
        if place not in baseline.dropped_calls
    ][:_MOST_CALLS]
    memory: list[VersionMemory] = []
    lines: list[tuple[LineTime, ...]] = []
    for version in (ORIGINAL, candidate):
        run = baseline.stand.run(MEASURING, MeasureCalls(calls), version, seconds=_ALLOWED_S)
        used, timed = run.told.last(CallMemory), run.told.last(LineTimes)
        if used is not None:
            memory.append(VersionMemory(peak_bytes=used.peak_bytes, allocated_blocks=used.blocks))
        if timed is not None:
            lines.append(
                tuple(
                    LineTime(line=line, hits=hits, time_ns=time_ns, text=text)
                    for line, hits, time_ns, text in timed.lines
                )
            )
        if version is ORIGINAL and run.told.last(NoLineTimes) is not None:
            baseline.note("the time of each line is unknown: line_profiler cannot be loaded")
    return (
        MemoryUse(original=memory[0], candidate=memory[1]) if len(memory) == 2 else None,
        LineProfile(original=lines[0], candidate=lines[1]) if len(lines) == 2 else None,
    )
