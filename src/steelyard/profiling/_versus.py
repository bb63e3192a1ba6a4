"""Two programs over the same inputs: which grows faster, and from where on the other one wins."""

import math
from pathlib import Path
from typing import Any

from steelyard.profiling._profile import prepare
from steelyard.profiling._records import Point
from steelyard.profiling.fitting import Curve, fit_curve
from steelyard.sandbox import CellPool
from steelyard.schemas import Band, GrowthComparison, Measurement, ProfileReport
from steelyard.toolchains import language_of

_ALIKE = 0.05
"""Growth ratios this near to 1 are alike."""
_LEAST_MS = 1.0
"""Above what the start costs; times below tell nothing of growth."""
_TAIL = 5
_STEPS = 400


def compare_growth(
    first: str | bytes | Path,
    second: str | bytes | Path,
    *,
    pool: CellPool | None = None,
    second_language: str | None = None,
    **options: Any,
) -> GrowthComparison:
    """Profiles two programs over the same inputs, and compares their times.

    Args:
        first: A program's text, or the path of a file with it.
        second: Another one that reads the same inputs.
        pool: Where they run; a pool of one cell is made where it is None.
        second_language: The other's, where it is not that of its file's ending or of the first.
        **options: Further arguments of `profile`, for both.

    Raises:
        UsageError, InfrastructureError: as `profile` does.
    """
    if pool is None:
        with CellPool(1) as own:
            return compare_growth(
                first, second, pool=own, second_language=second_language, **options
            )
    if second_language is None and isinstance(second, Path):
        second_language = language_of(second)
    language = {"language": second_language} if second_language else {}
    # What is wrong with the second call is told before the first takes its time.
    both = (
        prepare(first, pool=pool, **options),
        prepare(second, pool=pool, **{**options, **language}),
    )
    return compared(*(each.report() for each in both))


def compared(first: ProfileReport, second: ProfileReport) -> GrowthComparison:
    """The comparison of two profiles over the same inputs."""
    pairs = _pairs(first, second)
    notes: list[str] = []
    ratio, at_n = None, None
    if pairs:
        one, other = pairs[-1]
        ratio, at_n = _ratio(one, other), one.n
    else:
        notes.append("there is no size at which both were timed")
    growth_ratio = _growth_ratio(pairs, first.base_cpu_ms, second.base_cpu_ms)
    if growth_ratio is None:
        notes.append("too few sizes took long enough to compare how they grow")
    return GrowthComparison(
        first=first,
        second=second,
        ratio=ratio,
        ratio_at_n=at_n,
        growth=_in_words(first, second, growth_ratio),
        growth_ratio=growth_ratio,
        crossover_n=_crossover(first, second),
        notes=tuple(notes),
    )


def _pairs(first: ProfileReport, second: ProfileReport) -> list[tuple[Measurement, Measurement]]:
    """Sizes at which both were timed, ascending; of a grid those with m at its default."""
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
    """By what the ratio of times is multiplied when n doubles, over the last sizes."""
    usable = [
        (one.n, (one.cpu_ms - base) / (other.cpu_ms - other_base))
        for one, other in pairs
        if one.cpu_ms is not None and other.cpu_ms is not None
        and one.cpu_ms - base > _LEAST_MS and other.cpu_ms - other_base > _LEAST_MS
    ][-_TAIL:]  # fmt: skip
    if len(usable) < 3 or usable[0][0] == usable[-1][0]:
        return None
    xs = [math.log2(n) for n, _ in usable]
    ys = [math.log2(ratio) for _, ratio in usable]
    middle, level = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - middle) * (y - level) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - middle) ** 2 for x in xs
    )
    return float(2**slope)


def _in_words(first: ProfileReport, second: ProfileReport, growth_ratio: float | None) -> str:
    classes = f"{first.time.complexity} against {second.time.complexity}"
    if growth_ratio is None:
        return classes
    if abs(growth_ratio - 1) <= _ALIKE:
        return f"{classes}: they grow alike"
    if growth_ratio > 1:
        return f"{classes}: the first falls behind by {growth_ratio:.2f}x when n doubles"
    return f"{classes}: the second falls behind by {1 / growth_ratio:.2f}x when n doubles"


def _crossover(first: ProfileReport, second: ProfileReport) -> int | None:
    """The size within the bounds from which on the other one is faster, by the fitted curves."""
    one, other = _curve(first), _curve(second)
    if one is None or other is None:
        return None
    sizes = [size.n for size in (*first.measurements, *second.measurements)]
    low, high = max(min(sizes), 1), max(first.prediction.n, second.prediction.n)
    if high <= low:
        return None
    before: bool | None = None
    found: int | None = None
    for step in range(_STEPS + 1):
        n = round(low * (high / low) ** (step / _STEPS))
        wins = one.at(Point(n)) < other.at(Point(n))
        if before is not None and wins is not before:
            found = n
        before = wins
    return found


def _curve(report: ProfileReport) -> Curve | None:
    if report.time.unsure or len(report.parameters) > 1:
        return None
    known = [size for size in report.measurements if size.cpu_ms is not None]
    return fit_curve(
        [Point(size.n) for size in known],
        [size.cpu_ms or 0.0 for size in known],
        report.time.complexity,
    )
