"""Compare the growth of two programs over the same inputs, and find where they cross."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from steelyard.options import in_thread
from steelyard.profiling._profile import BUDGET_S, ProfileOptions, prepare
from steelyard.profiling._records import AnyInputs, Point
from steelyard.profiling.fitting import Curve, fit_curve
from steelyard.profiling.inputs import Parameter
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Band,
    Entry,
    Event,
    GrowthComparison,
    Limits,
    Measurement,
    OnEvent,
    ProfileReport,
)
from steelyard.toolchains import language_of

_ALIKE = 0.05
"""Growth ratios this near to 1 are alike."""
_LEAST_MS = 1.0
"""Time above the start's cost; shorter times do not show growth."""
_TAIL = 5
_STEPS = 400


def compare_growth(
    program: str | bytes | Path,
    versus: str | bytes | Path,
    *,
    inputs: AnyInputs,
    versus_language: str | None = None,
    max_n: int | None = None,
    min_n: int | None = None,
    parameter: Parameter | str | None = None,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    preload: Sequence[str] = (),
    run_limit_ms: float | None = None,
    budget_s: float = BUDGET_S,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> GrowthComparison:
    """Profile two programs over the same inputs, and compare their times.

    Args:
        program: A `Path` is a file; `str` and `bytes` are the program's text.
        versus: Another program that reads the same inputs.
        inputs: As for `profile`, as are all arguments below; they hold for both programs.
        versus_language: The other program's language; None is its file's ending, else `language`.
        max_n: Largest n.
        min_n: Smallest n.
        parameter: A second size.
        language: A name from the language table.
        compiler: One of the language's compilers.
        flags: Flags for the compiler.
        entry: How Python programs are entered.
        preload: For Python, modules to load beforehand.
        run_limit_ms: CPU and wall time at which one measured run is ended.
        budget_s: Rough bound on the time of each program's timed runs, in seconds.
        pool: Where programs run; None is the pool that the process shares.
        limits: What the largest input may take.
        seed: Seed for the inputs; None draws one.
        on_event: Called with each step of progress.

    Raises:
        UsageError: if the call is wrong.
        InfrastructureError: if the machine failed.
    """
    options = ProfileOptions.among(locals())
    options = options.model_copy(update={"seed": options.fixed_seed()})
    own = language_of(versus) if isinstance(versus, Path) else None
    other = options.model_copy(
        update={
            "language": versus_language or own or language,
            "on_event": _half(options, 0.5),
        }
    )
    options = options.model_copy(update={"on_event": _half(options, 0.0)})
    # Find faults of the second program before the first one is measured.
    both = (prepare(program, inputs, options), prepare(versus, inputs, other))
    return compared(*(each.report() for each in both))


def _half(options: ProfileOptions, begun: float) -> OnEvent:
    """Return a callback for one of the two programs, each of which is half of the job."""

    def receive(event: Event) -> None:
        share = None if event.share is None else begun + event.share / 2
        options.emit(event.model_copy(update={"share": share}))

    return receive


acompare_growth = in_thread(compare_growth, "acompare_growth")


def compared(first: ProfileReport, second: ProfileReport) -> GrowthComparison:
    """Return the comparison of two profiles over the same inputs."""
    pairs = _pairs(first, second)
    notes: list[str] = []
    ratio, at_n = None, None
    if pairs:
        one, other = pairs[-1]
        ratio, at_n = _ratio(one, other), one.n
    else:
        notes.append("no size was timed for both programs")
    growth_ratio = _growth_ratio(pairs, first.base_cpu_ms, second.base_cpu_ms)
    if growth_ratio is None:
        notes.append("too few sizes took long enough to compare the growth")
    return GrowthComparison(
        first=first,
        second=second,
        ratio=ratio,
        ratio_at_n=at_n,
        growth=_in_words(first, second, growth_ratio),
        growth_ratio=growth_ratio,
        crossover_n=_crossover(first, second),
        notes=tuple(notes),
        seconds=first.seconds + second.seconds,
        isolation=first.isolation,
    )


def _pairs(first: ProfileReport, second: ProfileReport) -> list[tuple[Measurement, Measurement]]:
    """Return sizes at which both were timed, ascending; on a grid, those with the default m."""
    others = {(size.n, size.m): size for size in second.measurements if size.cpu_ms is not None}
    known = [size for size in first.measurements if size.cpu_ms is not None]
    both = [(size, others[size.n, size.m]) for size in known if (size.n, size.m) in others]
    return sorted(both, key=lambda pair: pair[0].n * (pair[0].m or 1))


def _ratio(one: Measurement, other: Measurement) -> Band:
    assert one.cpu_ms is not None  # as only such pairs are made
    assert other.cpu_ms is not None
    low = one.cpu_ms / max(other.cpu_ms_max or other.cpu_ms, 1e-6)
    high = (one.cpu_ms_max or one.cpu_ms) / max(other.cpu_ms, 1e-6)
    return Band(low=low, mid=one.cpu_ms / max(other.cpu_ms, 1e-6), high=high)


def _growth_ratio(
    pairs: list[tuple[Measurement, Measurement]], base: float, other_base: float
) -> float | None:
    """Return the factor on the ratio of times when n doubles, over the last sizes."""
    usable = [
        (one.n, (one.cpu_ms - base) / (other.cpu_ms - other_base))
        for one, other in pairs
        if one.cpu_ms is not None
        and other.cpu_ms is not None
        and one.cpu_ms - base > _LEAST_MS
        and other.cpu_ms - other_base > _LEAST_MS
    ][-_TAIL:]
    if len(usable) < 3 or usable[0][0] == usable[-1][0]:
        return None
    ns, ratios = np.log2(usable).T
    return float(2 ** np.polyfit(ns, ratios, 1)[0])


def _in_words(first: ProfileReport, second: ProfileReport, growth_ratio: float | None) -> str:
    classes = f"{first.time.complexity} and {second.time.complexity}"
    if growth_ratio is None:
        return classes
    if abs(growth_ratio - 1) <= _ALIKE:
        return f"{classes}: similar growth"
    if growth_ratio > 1:
        return f"{classes}: the first falls behind by {growth_ratio:.2f}x when n doubles"
    return f"{classes}: the second falls behind by {1 / growth_ratio:.2f}x when n doubles"


def _crossover(first: ProfileReport, second: ProfileReport) -> int | None:
    """Return the size within the bounds at which the fitted curves cross."""
    one, other = _curve(first), _curve(second)
    if one is None or other is None:
        return None
    sizes = [size.n for size in (*first.measurements, *second.measurements)]
    low, high = max(min(sizes), 1), max(first.prediction.n, second.prediction.n)
    if high <= low:
        return None
    ns = [round(low * (high / low) ** (step / _STEPS)) for step in range(_STEPS + 1)]
    wins = [one.at(Point(n)) < other.at(Point(n)) for n in ns]
    crossed = [n for n, (before, now) in zip(ns[1:], pairwise(wins), strict=True) if before != now]
    return crossed[-1] if crossed else None


def _curve(report: ProfileReport) -> Curve | None:
    if report.time.unsure or len(report.parameters) > 1:
        return None
    known = [size for size in report.measurements if size.cpu_ms is not None]
    return fit_curve(
        [Point(size.n) for size in known],
        [size.cpu_ms or 0.0 for size in known],
        report.time.complexity,
    )
