"""Build the report's measurements: counts and times by size."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._timing import TimedSize
from steelyard.schemas import Measurement, StopReason, Term

_LINES_SHOWN = 5


class Telemetry(TypedDict):
    """The report's plain lists, for simple consumers."""

    input_sizes: tuple[int, ...]
    runtime_ms: tuple[float, ...]
    peak_memory_mb: tuple[float, ...]
    hotspots: tuple[str, ...]


def telemetry(measured: Sequence[Measurement], terms: Sequence[Term]) -> Telemetry:
    """Return what was timed, by size, and which lines do the work."""
    timed = [size for size in measured if size.cpu_ms is not None]
    return {
        "input_sizes": tuple(size.n for size in timed),
        "runtime_ms": tuple(size.cpu_ms or 0.0 for size in timed),
        "peak_memory_mb": tuple(size.memory_mib or 0.0 for size in timed),
        "hotspots": tuple(_hotspot(term) for term in terms if term.lines),
    }


def _hotspot(term: Term) -> str:
    lines = ", ".join(str(line) for line in term.lines[:_LINES_SHOWN])
    several = "s" if len(term.lines) > 1 else ""
    return f"line{several} {lines}: {term.share:.0%} of the work, {term.complexity}"


def measurements(
    counted: Sequence[CountedRun],
    timed: Sequence[TimedSize],
    instructions: Mapping[Point, int],
) -> tuple[Measurement, ...]:
    """Return one record for each size that was counted or timed, ascending."""
    counts = {run.point: run for run in counted}
    times = {size.point: size for size in timed}
    return tuple(
        _measurement(point, counts.get(point), times.get(point), instructions.get(point))
        for point in sorted({*counts, *times})
    )


def _measurement(
    point: Point, run: CountedRun | None, size: TimedSize | None, executed: int | None
) -> Measurement:
    given = run or size
    assert given is not None
    ok = size is not None and size.ok
    return Measurement(
        n=point.n,
        m=point.m or None,
        input_bytes=given.input_bytes,
        work=sum(run.work.values()) if run and run.work is not None else None,
        cpu_ms=size.cpu_ms if size and ok else None,
        cpu_ms_max=size.cpu_ms_max if size and ok else None,
        wall_ms=size.wall_ms if size and ok else None,
        memory_mib=size.charged_mib if size and ok else None,
        heap_bytes=run.heap_bytes if run else None,
        resident_bytes=run.rss_bytes if run else None,
        instructions=executed,
        repetitions=size.repetitions if size else 0,
        stop=size.stop if size else StopReason.EXITED,
    )
