"""Find the size at which a program breaks: a crash, or a limit that its curve does not explain."""

import math

from steelyard.profiling import grows_faster
from steelyard.rendering import count
from steelyard.schemas import (
    Band,
    ComplexityEstimate,
    Constraints,
    Measurement,
    ProfileReport,
    StopReason,
)

_CRASHED = (StopReason.SIGNALED, StopReason.EXITED, StopReason.OUTPUT_LIMIT)
_OUT_OF_TIME = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)
_LIMITED = (*_OUT_OF_TIME, StopReason.MEMORY_LIMIT)
_STEEPEST = 3
"""Steepest power of n by which a curve may lead from the last finished size to the next."""
_FEWEST_COUNTS = 3
"""Fewer counted sizes do not show how the work grows."""


def crash_in(report: ProfileReport) -> str | None:
    """Return how the program crashes at a size that it should finish; None if it does not."""
    hit = _first_stopped(report, _CRASHED)
    return None if hit is None else f"at n = {count(hit.n)} it {fault_at(report, hit)}"


def break_in(report: ProfileReport, limits: Constraints) -> Measurement | None:
    """Return the size that met a limit though the smaller sizes do not predict it."""
    hit, prediction = _first_stopped(report, _LIMITED), report.prediction
    if hit is None or prediction.measured:
        return None
    done = done_before(report, hit)
    predicted: Band | None
    if hit.stop is StopReason.MEMORY_LIMIT:
        took = [(size.n, size.memory_mib or 0.0) for size in done]
        growth, predicted, limit = report.space, prediction.memory_mib, limits.memory_limit
        power = float(_STEEPEST)
    else:
        took = [(size.n, size.cpu_ms or 0.0) for size in done]
        growth, predicted, limit = report.time, prediction.cpu_ms, limits.runtime_limit
        power = _power_of_work(report)
    is_largest = hit.n == prediction.n
    if is_largest and predicted is None:
        waited = hit.stop is StopReason.WALL_LIMIT  # its CPU time stayed below the limit
        led = not waited and _may_lead_to(hit.n, took, power, limit)
    else:
        reached = None if predicted is None else predicted.high if is_largest else predicted.mid
        led = _leads_to(hit.n, took, growth, reached, limit)
    return None if led else hit


def _leads_to(
    n: int,
    done: list[tuple[int, float]],
    growth: ComplexityEstimate,
    reached: float | None,
    limit: float,
) -> bool:
    """Return whether a curve through the finished sizes reaches the limit by this n.

    Args:
        n: The size that met the limit.
        done: The finished sizes, each with its time or memory.
        growth: The class of the curve.
        reached: The prediction for the largest size; None if there is none.
        limit: The limit.
    """
    if reached is None or reached <= limit or not done:
        return False
    if grows_faster(growth.complexity, f"O(n^{_STEEPEST})") is True:
        return True
    last, figure = max(done)
    return figure * (n / last) ** _STEEPEST >= limit


def _may_lead_to(n: int, done: list[tuple[int, float]], power: float, limit: float) -> bool:
    """Return whether the largest size may need so much though no finished size shows a growth.

    The finished sizes differ by chance then, and their own need is at most that difference.
    """
    if not done:
        return True
    figures = [figure for _, figure in done]
    difference = max(figures) - min(figures)
    return difference > 0 and power * math.log(n / max(done)[0]) >= math.log(limit / difference)


def _power_of_work(report: ProfileReport) -> float:
    """Return the power of n by which the counted work grows at last; the steepest if unknown."""
    counts = [(size.n, size.work) for size in report.measurements if size.work and size.m is None]
    if len(counts) < _FEWEST_COUNTS:
        return _STEEPEST
    (n, work), (last_n, last_work) = counts[-2:]
    return math.log(last_work / work) / math.log(last_n / n)


def _first_stopped(report: ProfileReport, stops: tuple[StopReason, ...]) -> Measurement | None:
    """Return the smallest size whose timed run ended in one of these ways."""
    hits = (
        size
        for size in report.measurements
        if size.cpu_ms is None and size.repetitions and size.stop in stops
    )
    return min(hits, key=lambda size: size.n, default=None)


def done_before(report: ProfileReport, hit: Measurement) -> list[Measurement]:
    """Return the smaller sizes that were timed to their end."""
    return [size for size in report.measurements if size.cpu_ms is not None and size.n < hit.n]


def fault_at(report: ProfileReport, hit: Measurement) -> str:
    """Return what the profile notes of this size, as the end of the sentence `it ...`."""
    begins = f"at n = {count(hit.n)} the program "
    faults = (
        note.removeprefix(begins)
        for note in report.notes
        if note.startswith(begins) and not note.startswith(f"{begins}with counters ")
    )
    other = "failed"
    if hit.stop in _OUT_OF_TIME:
        other = "did not finish in time"
    if hit.stop is StopReason.MEMORY_LIMIT:
        other = "ran out of memory"
    return next(faults, other)
