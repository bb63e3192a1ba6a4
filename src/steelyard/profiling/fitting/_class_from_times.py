"""Classify CPU times, and compare their growth with that of the counted work.

Of languages whose work cannot be counted, times alone give the class. Of the others, their drift
against the counted work shows what counts miss: caches and uncounted work make time grow faster.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._class_curves import (
    PRIOR,
    Array,
    curves_through,
    first_variant,
    fit_nonnegative,
    is_small,
    rank,
)
from steelyard.profiling.fitting._class_from_counts import FEWEST_SIZES
from steelyard.profiling.fitting._class_names import LADDER, canonical
from steelyard.profiling.fitting._class_of_two_sizes import classify_values
from steelyard.profiling.fitting._result import (
    SURE,
    Fitted,
    WorkClass,
    best_by_name,
    best_of,
    normalised,
    ordered,
    too_few,
    weighed,
)

Size = TypeVar("Size", int, Point)

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
    n, times = _least_by_n(ns, cpu_ms)
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
    n, times = _least_by_n(ns, cpu_ms)
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
    n, times = _least_by_n(ns, cpu_ms)
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


def least_values(sizes: Iterable[Size], values: Iterable[float]) -> list[tuple[Size, float]]:
    """Return the least finite value of each size, ascending."""
    least: dict[Size, float] = {}
    for size, value in zip(sizes, values, strict=True):
        if math.isfinite(value):
            least[size] = min(value, least.get(size, math.inf))
    return sorted(least.items())


def _least_by_n(ns: Sequence[int], values: Sequence[float]) -> tuple[Array, Array]:
    """Return ascending sizes with the least finite value of each."""
    known = dict(least_values(ns, values))
    return np.array(list(known), dtype=float), np.array(list(known.values()), dtype=float)


def time_posterior(n: Array, times: Array) -> tuple[dict[str, float], dict[str, str]]:
    """Probabilities before any prior, and the best curve of each class."""
    weights = 1 / np.hypot(ABSOLUTE_SIGMA_MS, RELATIVE_SIGMA * times)
    fits = []
    for name, variant in curves_through(n, times - times.min()):
        columns = [np.ones(len(n))] + ([] if name == "O(1)" else [variant.scaled(n)])
        chi2 = fit_nonnegative(columns, times, weights).chi2
        fits.append((name, Fitted(chi2, len(columns) + variant.parameters, variant.name)))
    best = best_by_name(fits, len(n))
    inflation = max(1.0, best_of(best, len(n)).misfit(len(n)))
    posterior = weighed(best, len(n), dict.fromkeys(best, 1.0), inflation)
    return posterior, {name: fit.curve for name, fit in best.items()}


TIME_DRIFT = 0.3
"""Power of n above which time counts as growing faster than work. Measured: caches alone stay below
for most programs."""
INSTRUCTION_DRIFT = 0.2
"""Power of n above which instructions count as growing faster than work: hidden library work."""
SLOWER_DRIFT = -0.5
"""Power of n below which time counts as growing slower than work."""
TAIL = 4
FEWEST_USABLE = 3
STILL = ("O(1)", "O(log n)")
"""Classes whose time may well stay that of the start at every size."""
INSTRUCTION_TAIL = 3
LEAST_MS = 2.0
LEAST_OF_BASE = 0.15
START_SPREADS = 2.0
"""A time rises above the start by more than so many times as much as the times of the smaller half
of the sizes differ, which are nearly all start. Imports take long, but always about as long: it
need not be as much as `LEAST_OF_BASE` of them."""
LEAST_OF_BASE_INSTRUCTIONS = 0.1
TIME_TRUST = 0.25
"""Weight (power) of the likelihood of times relative to the drift of instructions."""
EXPONENT_SIGMA = 0.12
"""Spread of the exponent that work and drift add up to."""
LOG_DISCOUNT = 0.1
"""On classes with a logarithm: hidden library work is a loop over a string or an array, whose
class has none."""
EXPONENTIAL_DRIFT = 0.5
"""In powers of 2^n, where n is small."""
CERTAINTY = 0.9
"""Factor on the confidence, because the class rests on two measurements."""


def time_drift(
    ns: Sequence[int], cpu_ms: Sequence[float], base_ms: float, complexity: str
) -> float | None:
    """By which power of n time grows faster than the class, over the last four usable sizes.

    Args:
        ns: Sizes, in any order.
        cpu_ms: User and system time of each.
        base_ms: What the start of the process costs.
        complexity: A class of `LADDER`.

    Returns:
        0 if they grow alike; None if that is unknown: times hardly rise above the start, or
        the class is off the ladder. Where only one or two sizes rise above it, the least power
        that explains them, if it is above `TIME_DRIFT`. For n up to 64 it is in powers of 2^n.
    """
    n, times = _least_by_n(ns, cpu_ms)
    if not len(n):
        return None
    base_ms = min(base_ms, float(times.min()))  # nothing takes less than the start
    above = times - base_ms
    spread = float(np.ptp(times[: (len(n) + 1) // 2]))
    least = max(LEAST_MS, min(LEAST_OF_BASE * base_ms, START_SPREADS * spread))
    usable = above > least
    if usable.sum() >= FEWEST_USABLE:
        return _excess(n[usable][-TAIL:], above[usable][-TAIL:], complexity)
    if not usable.any():
        return 0.0 if len(n) >= FEWEST_USABLE and canonical(complexity) in STILL else None
    last_below = int(np.flatnonzero(~usable)[-1]) if not usable.all() else len(n)
    above = np.maximum(above, least)  # the last size that does not rise took so much at most
    drift = _excess(n[last_below:], above[last_below:], complexity, fewest=2)
    return drift if drift is not None and drift > TIME_DRIFT else None


def instruction_drift(
    ns: Sequence[int], instructions: Sequence[float], complexity: str
) -> float | None:
    """By which power of n instructions grow faster than the class, over the last three sizes.

    Args:
        ns: Sizes, in any order, among them a small one, which gives the start of the process.
        instructions: Executed by the whole process at each.
        complexity: A class of `LADDER`.

    Returns:
        As `time_drift`.
    """
    n, executed = _least_by_n(ns, instructions)
    if len(n) == 0:
        return None
    base = 0.995 * executed.min()
    above = executed - base
    usable = above > LEAST_OF_BASE_INSTRUCTIONS * base
    tail = slice(-INSTRUCTION_TAIL, None)
    return _excess(n[usable][tail], above[usable][tail], complexity, fewest=2)


def hidden_class(
    work: WorkClass, drift: float, ns: Sequence[int], cpu_ms: Sequence[float]
) -> WorkClass:
    """Return the class of a program whose library calls do work that is not counted.

    It is the class nearest to the exponent of the counted work plus the drift of instructions,
    weighed with the prior and a little with the likelihood of the times.

    Args:
        work: The class of the counted work.
        drift: Of instructions, as `instruction_drift` gives it.
        ns: Sizes of the timed runs, in any order.
        cpu_ms: User and system time of each.

    Returns:
        A class above that of the work, its `basis` `instructions`, without terms, as none of those
        that were counted is of that class; `work` itself where none is.
    """
    counted = canonical(work.complexity)
    n, times = _least_by_n(ns, cpu_ms)
    if counted not in LADDER or len(n) < 3:
        return work
    if is_small(n) and drift > EXPONENTIAL_DRIFT:
        known = (("O(2^n)", CERTAINTY), (counted, 1 - CERTAINTY))
        return replace(
            work, complexity="O(2^n)", posterior=known, terms=(), basis="instructions", curve=""
        )
    by_time, _ = time_posterior(n, times)
    top = float(n[-1])
    target = _exponent(counted, top) + drift
    weights = {
        name: TIME_TRUST * math.log(by_time.get(name, 0.0) + 1e-12)
        + math.log(PRIOR[name] * (LOG_DISCOUNT if "log" in name else 1.0))
        - 0.5 * ((_exponent(name, top) - target) / EXPONENT_SIGMA) ** 2
        for name in LADDER[rank(counted) + 1 : rank("O(2^n)")]
    }
    if not weights:
        return work
    posterior = {name: CERTAINTY * p for name, p in normalised(weights).items()}
    posterior[counted] = posterior.get(counted, 0.0) + 1 - CERTAINTY
    likeliest = max(weights, key=posterior.__getitem__)
    return replace(
        work,
        complexity=likeliest,
        posterior=ordered(posterior),
        terms=(),
        basis="instructions",
        curve=first_variant(likeliest).name,
    )


def _exponent(name: str, n: float) -> float:
    """Return the slope of log f on log n over the last factor of 8 below n."""
    log_f = first_variant(name).log_f(np.array([n / 8, n]))
    return float(log_f[1] - log_f[0]) / math.log(8)


def _excess(n: Array, values: Array, complexity: str, fewest: int = 3) -> float | None:
    name = canonical(complexity)
    if len(n) < fewest or name not in LADDER:
        return None
    axis = n * math.log(2) if is_small(n) else np.log(np.maximum(n, 1))
    return float(np.polyfit(axis, np.log(values) - first_variant(name).log_f(n), 1)[0])
