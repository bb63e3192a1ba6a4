"""Standard errors and intervals of a mean over tasks, clustered by what tasks share."""

from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import NormalDist, fmean

import numpy as np

LEVEL = 0.95
DRAWS = 10_000
_BLOCK = 2_000_000
"""Drawn indices that are in memory at once."""


def standard_error(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """Return the standard error of the mean; None with fewer than two clusters.

    sqrt(C / (C - 1) x sum over clusters of (sum of (s_i - mean))^2) / n. With a cluster for each
    value it is the usual sd / sqrt(n).

    Args:
        values: One value for each task.
        clusters: For each value, what its task shares with others, such as a contest.

    Source: Miller, "Adding Error Bars to Evals", arXiv 2411.00640, section 2.2, with the
    correction C / (C - 1) of Liang and Zeger for few clusters.
    """
    sums = cluster_sums(values, clusters)
    if len(sums) < 2:
        return None
    mean = fmean(values)
    squares = sum((total - count * mean) ** 2 for total, count in sums)
    return sqrt(len(sums) / (len(sums) - 1) * squares) / len(values)


def bootstrap_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[float, float] | None:
    """Return the percentile interval of the mean over resampled clusters; None below two clusters.

    Args:
        values: One value for each task.
        clusters: For each value, its cluster; whole clusters are drawn.
        level: The interval's level, in 0..1.
        draws: Number of resamples.
        seed: Seed of the draws: the same values give the same interval.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; clusters as
    in Davison and Hinkley, 1997, section 3.8.
    """
    sums = cluster_sums(values, clusters)
    if len(sums) < 2:
        return None
    totals, counts = np.array(sums, dtype=float).T
    generator = np.random.default_rng(seed)
    means: list[float] = []
    while len(means) < draws:
        rows = min(draws - len(means), max(1, _BLOCK // len(sums)))
        drawn = generator.integers(0, len(sums), size=(rows, len(sums)))
        means.extend(totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def wilson_interval(mean: float, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's score interval of a share, which is not empty at 0 and 1.

    Args:
        mean: The share, in 0..1.
        n: Number of independent trials.
        level: The interval's level, in 0..1.

    Source: Wilson, "Probable Inference", JASA 22, 1927.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(
    values: Sequence[float], clusters: Sequence[Hashable], *, level: float = LEVEL, seed: int = 0
) -> tuple[float, float] | None:
    """Return the interval to report for the mean of shares; None if there is too little data.

    It is the bootstrap's. If all values are equal, no resample differs: then it is Wilson's, with
    the number of clusters as the number of trials, which is wide rather than empty.
    """
    if len(set(values)) == 1 and 0 <= values[0] <= 1:
        return wilson_interval(values[0], len(set(clusters)), level=level)
    return bootstrap_interval(values, clusters, level=level, seed=seed)


def cluster_sums(values: Sequence[float], clusters: Sequence[Hashable]) -> list[tuple[float, int]]:
    """Return the sum and the number of values of each cluster."""
    found: dict[Hashable, tuple[float, int]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        total, count = found.get(cluster, (0.0, 0))
        found[cluster] = (total + value, count + 1)
    return list(found.values())
