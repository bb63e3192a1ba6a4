"""The class of CPU times, for languages whose work cannot be counted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._models import (
    PRIOR,
    Array,
    Variant,
    fitted_exponential,
    is_small,
    rank,
    variants,
)
from steelyard.profiling.fitting._names import LADDER
from steelyard.profiling.fitting._nonnegative import fit_nonnegative
from steelyard.profiling.fitting._result import (
    SURE,
    WorkClass,
    normalised,
    ordered,
    too_few,
)
from steelyard.profiling.fitting._two import classify_values
from steelyard.profiling.fitting._work import FEWEST_SIZES

RELATIVE_SIGMA = 0.15
"""Spread of the least CPU time of a few repetitions. Measured over ambient and loaded runs; smaller
values made the verdict change from run to run."""
ABSOLUTE_SIGMA_MS = 0.3
"""Spread that short runs have from the start of the process."""
TRUST = 0.5
"""By which power the likelihood counts: errors of times come in runs, as caches fill."""
CONSTANT_MS = 2.0
"""Times that differ by no more are constant."""


def classify_time(ns: Sequence[int], cpu_ms: Sequence[float]) -> WorkClass:
    """Return the class of CPU times in n: `c0 + c1 f(n)`, by BIC and the prior.

    Args:
        ns: Sizes, in any order; of equal ones the least time counts.
        cpu_ms: User and system time of each, of the whole process.
    """
    n, times = least_by_size(ns, cpu_ms)
    if len(n) < FEWEST_SIZES:
        return too_few("time", len(n))
    if times.max() - times.min() <= CONSTANT_MS:
        return WorkClass("O(1)", (("O(1)", SURE),), basis="time", sizes=len(n), curve="1")
    return _of_times(n, times, PRIOR)


def agreeing_with_time(work: WorkClass, ns: Sequence[int], cpu_ms: Sequence[float]) -> WorkClass:
    """Return the class that times speak for among those that the counts left open.

    Args:
        work: The class of the counts.
        ns: Sizes of the timed runs, in any order.
        cpu_ms: User and system time of each.
    """
    n, times = least_by_size(ns, cpu_ms)
    if len(n) < FEWEST_SIZES:
        return work
    found = _of_times(n, times, dict(work.posterior))
    same = found.complexity == work.complexity
    return replace(work, posterior=found.posterior) if same else replace(found, sizes=work.sizes)


def of_time_from(least: str, ns: Sequence[int], cpu_ms: Sequence[float]) -> WorkClass:
    """Return the class of CPU times among `least` and those that grow faster.

    Args:
        least: A class of `LADDER`.
        ns: Sizes, in any order.
        cpu_ms: User and system time of each.
    """
    n, times = least_by_size(ns, cpu_ms)
    if len(n) < FEWEST_SIZES:
        return WorkClass(least, ((least, 1.0),), basis="time", sizes=len(n))
    return _of_times(n, times, {name: PRIOR[name] for name in LADDER[rank(least) :]})


def _of_times(n: Array, times: Array, prior: Mapping[str, float]) -> WorkClass:
    posterior, curves = time_posterior(n, times)
    known = normalised(
        {
            name: TRUST * math.log(max(posterior.get(name, 0.0), 1e-300)) + math.log(p)
            for name, p in prior.items()
            if name in curves and p > 0
        }
    )
    name = max(known, key=known.__getitem__)
    return WorkClass(name, ordered(known), basis="time", sizes=len(n), curve=curves[name])


def classify_time_two(
    points: Sequence[Point], cpu_ms: Sequence[float], ladder: WorkClass | None = None
) -> WorkClass:
    """Return the class of CPU times in n and m.

    Args:
        points: The grid, in any order.
        cpu_ms: User and system time of each, of the whole process; its start is part of every fit.
        ladder: The class of times over sizes with m in proportion to n, where there is one.
    """
    distinct = len(set(points))
    if len({point.n for point in points}) < 2 or distinct < 2 * FEWEST_SIZES:
        return too_few("time", distinct)
    times = np.asarray(cpu_ms, dtype=float)
    if times.max() - times.min() <= CONSTANT_MS:
        return WorkClass("O(1)", (("O(1)", SURE),), basis="time", sizes=distinct, curve="1")
    spread = np.hypot(ABSOLUTE_SIGMA_MS, RELATIVE_SIGMA * times)
    return replace(classify_values(points, times, spread, ladder), basis="time")


def least_by_size(ns: Sequence[int], values: Sequence[float]) -> tuple[Array, Array]:
    """Ascending sizes with the least finite value of each."""
    least: dict[int, float] = {}
    for n, value in zip(ns, values, strict=True):
        if math.isfinite(value):
            least[n] = min(value, least.get(n, math.inf))
    sizes = sorted(least)
    return np.array(sizes, dtype=float), np.array([least[n] for n in sizes], dtype=float)


def time_posterior(n: Array, times: Array) -> tuple[dict[str, float], dict[str, str]]:
    """Probabilities before any prior, and the best curve of each class."""
    small = is_small(n)
    weights = 1 / np.hypot(ABSOLUTE_SIGMA_MS, RELATIVE_SIGMA * times)
    scores: dict[str, float] = {}
    chi2s: dict[str, float] = {}
    curves: dict[str, str] = {}
    parameters: dict[str, int] = {}
    for name, known in variants(small=small).items():
        candidates: list[Variant] = list(known)
        if name == "O(2^n)" and (free := fitted_exponential(n, times - times.min())):
            candidates.append(free)
        for variant in candidates:
            columns = [np.ones(len(n))] + ([] if name == "O(1)" else [variant.scaled(n)])
            chi2 = fit_nonnegative(columns, times, weights).chi2
            count = len(columns) + variant.parameters
            score = chi2 + count * math.log(len(n))
            if score < scores.get(name, math.inf):
                scores[name], chi2s[name] = score, chi2
                curves[name], parameters[name] = variant.name, count
    winner = min(scores, key=scores.__getitem__)
    inflation = max(1.0, chi2s[winner] / max(1, len(n) - parameters[winner]))
    posterior = normalised(
        {
            name: -0.5 * (chi2s[name] / inflation + parameters[name] * math.log(len(n)))
            for name in scores
        }
    )
    return posterior, curves
