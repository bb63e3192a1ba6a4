"""Predict time and memory of the largest input and compare them with the limits."""

import math
from collections.abc import Sequence

from steelyard.errors import GeneratorError
from steelyard.profiling._plan import Plan, Wanted
from steelyard.profiling._records import Point
from steelyard.profiling._subject import Subject
from steelyard.profiling._timing import TimedSize, Timing, time_once
from steelyard.profiling.fitting import WorkClass, predict_memory, predict_time
from steelyard.schemas import Band, Limits, Prediction, StopReason

_TRIES = 3
"""Runs of the largest input before it counts as too slow, if the first run is near the limit."""
_NEAR = 2.0
"""A run is near the limit if the prediction's middle is below this multiple of it."""
_LEAST_SPREAD = 0.05
"""Least relative half-width of a measured figure's interval."""
_DEFAULT_MEMORY_MIB = 4_096
_LEAST_PATIENCE_MS = 1_000.0


def predict(
    subject: Subject,
    plan: Plan,
    wanted: Wanted,
    timing: Timing,
    on_grid: Sequence[TimedSize],
    work: WorkClass,
    space: WorkClass,
    *,
    budget_ms: float,
) -> tuple[Prediction, TimedSize | None]:
    """Return time and memory at the largest size, measured there or predicted from smaller ones.

    A limit is missed if the whole interval lies above it, or if a run of the largest input
    exceeded it. The largest input is run if a limit was given and the prediction does not
    decide, for no longer than the limit.

    Args:
        subject: The program.
        plan: Gives the largest size and its input.
        wanted: Limits of the largest input.
        timing: Over the ladder of sizes.
        on_grid: Timed sizes that vary n and m apart; empty for one parameter.
        work: The class of time.
        space: The class of memory.
        budget_ms: CPU time for a run of the largest input if no time limit was given.

    Returns:
        The prediction, and the run of the largest input if one was made here and decides; a run
        that exceeds a resource without a given limit decides nothing.

    Raises:
        InfrastructureError: if the machine failed.
    """
    done = next((size for size in timing.usable if size.point == plan.largest), None)
    if done is not None:
        return _measured(done, wanted), None
    predicted = _extrapolated(plan.largest, timing, on_grid, work, space)
    misses = (
        _above(predicted.cpu_ms, wanted.time_ms),
        _above(predicted.memory_mib, wanted.memory_mib),
    )
    if any(misses) or (wanted.time_ms is None and wanted.memory_mib is None):
        update = {
            "meets_time_limit": False if misses[0] else None,
            "meets_memory_limit": False if misses[1] else None,
        }
        return predicted.model_copy(update=update), None
    return _run_there(subject, plan, wanted, predicted, timing, budget_ms)


def _extrapolated(
    largest: Point,
    timing: Timing,
    on_grid: Sequence[TimedSize],
    work: WorkClass,
    space: WorkClass,
) -> Prediction:
    sizes = (*timing.usable, *on_grid)
    if not sizes:
        return Prediction(n=largest.n, m=largest.m or None)
    points = [size.point for size in sizes]
    memory = predict_memory(points, [size.charged_mib for size in sizes], space.complexity, largest)
    base_mib = min(size.charged_mib for size in sizes)
    growth = max(0.0, memory.mid - base_mib) if memory else None
    cpu_ms = predict_time(
        points,
        [size.cpu_ms for size in sizes],
        work.complexity,
        largest,
        curve=work.curve,
        base_ms=timing.base_cpu_ms,
        memory_growth_mib=growth,
    )
    last = max(sizes, key=lambda size: size.cpu_ms)
    waits = max(1.0, last.wall_ms / max(last.cpu_ms, 1e-3))
    return Prediction(
        n=largest.n,
        m=largest.m or None,
        cpu_ms=cpu_ms,
        wall_ms=cpu_ms and Band(low=cpu_ms.low, mid=cpu_ms.mid * waits, high=cpu_ms.high * waits),
        memory_mib=memory,
    )


def _measured(done: TimedSize, wanted: Wanted) -> Prediction:
    return Prediction(
        n=done.point.n,
        m=done.point.m or None,
        cpu_ms=_around(done.cpu_ms, done.cpu_ms_max),
        wall_ms=_around(done.wall_ms, done.wall_ms * done.cpu_ms_max / max(done.cpu_ms, 1e-3)),
        memory_mib=_around(done.charged_mib, done.charged_mib),
        measured=True,
        meets_time_limit=None if wanted.time_ms is None else done.cpu_ms <= wanted.time_ms,
        meets_memory_limit=None
        if wanted.memory_mib is None
        else done.charged_mib <= wanted.memory_mib,
    )


def _run_there(
    subject: Subject,
    plan: Plan,
    wanted: Wanted,
    predicted: Prediction,
    timing: Timing,
    budget_ms: float,
) -> tuple[Prediction, TimedSize | None]:
    """Run the largest input itself; the run is killed at the limits."""
    cpu_ms = math.ceil(wanted.time_ms or _patience_ms(predicted, budget_ms))
    memory_mib = math.ceil(wanted.memory_mib or _DEFAULT_MEMORY_MIB)
    limits = Limits(cpu_ms=cpu_ms, wall_ms=3 * cpu_ms + 1_000, memory_mib=memory_mib)
    try:
        given = plan.source.get(plan.largest, plan.seed)
    except GeneratorError:
        return predicted, None  # the timing notes why there is no such input
    far = any(size.stop.out_of_time for size in timing.sizes)  # of the wider limits there
    near = not far and (predicted.cpu_ms is None or predicted.cpu_ms.mid < _NEAR * cpu_ms)
    for _ in range(_TRIES if near and wanted.time_ms is not None else 1):
        done = time_once(given, subject.command, subject.pool, limits, fault_of=subject.fault)
        if not done.stop.out_of_time:
            break
    if done.stop.out_of_time:
        return _missed(predicted, done, "meets_time_limit", wanted.time_ms)
    if done.stop is StopReason.MEMORY_LIMIT:
        return _missed(predicted, done, "meets_memory_limit", wanted.memory_mib)
    if not done.ok:
        return predicted, done
    return _measured(done, wanted), done


def _missed(
    predicted: Prediction, done: TimedSize, name: str, limit: float | None
) -> tuple[Prediction, TimedSize | None]:
    """Return the outcome of a run that exceeded a resource, which counts if it has a limit."""
    if limit is None:
        return predicted, None
    return predicted.model_copy(update={name: False}), done


def _patience_ms(predicted: Prediction, budget_ms: float) -> float:
    """Return how long the largest input may run if no time limit was given."""
    expected = predicted.cpu_ms.high if predicted.cpu_ms else 0.0
    return max(min(expected, budget_ms), _LEAST_PATIENCE_MS)


def _above(band: Band | None, limit: float | None) -> bool:
    return band is not None and limit is not None and band.low > limit


def _around(least: float, most: float) -> Band:
    return Band(
        low=least * (1 - _LEAST_SPREAD), mid=least, high=max(most, least * (1 + _LEAST_SPREAD))
    )
