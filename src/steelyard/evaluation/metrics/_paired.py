"""Compare two runs on the tasks that both have."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import NormalDist, fmean

import numpy as np

from steelyard.evaluation.metrics._spread import (
    DRAWS,
    LEVEL,
    bootstrap_interval,
    cluster_sums,
    standard_error,
)

_POWER = 0.8
_MOST_COUNTED = 16
"""Clusters up to which all signs are counted; their number doubles with each cluster."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The difference of two runs over the same tasks, second less first."""

    difference: float
    standard_error: float | None
    interval: tuple[float, float] | None
    won: int
    """Tasks on which the second run scores higher."""
    lost: int
    tied: int
    p_value: float
    """Of the sign-flip test, which is McNemar's exact test if all scores are 0 or 1."""
    smallest: float | None
    """Smallest difference that these tasks would have shown with a power of 80 %."""


def compare_paired(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    level: float = LEVEL,
    seed: int = 0,
) -> Paired:
    """Compare two runs by the differences of their scores on each task.

    Args:
        first: One score for each task of the first run.
        second: The second run's scores of the same tasks.
        clusters: For each task, its cluster.
        level: The interval's level, in 0..1.
        seed: Seed of the bootstrap.

    Source: Miller, arXiv 2411.00640, section 4: the variance of paired differences is smaller than
    the sum of both variances, so overlapping intervals do not show that two runs are alike.
    """
    differences = [b - a for a, b in zip(first, second, strict=True)]
    won, lost = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    error = standard_error(differences, clusters)
    return Paired(
        difference=fmean(differences) if differences else 0.0,
        standard_error=error,
        interval=bootstrap_interval(differences, clusters, level=level, seed=seed),
        won=won,
        lost=lost,
        tied=len(differences) - won - lost,
        p_value=sign_flip_p(differences, clusters, seed=seed),
        smallest=None if error is None else smallest_difference(error, level=level),
    )


def sign_flip_p(
    differences: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 0
) -> float:
    """Return the p-value that the sign of each cluster's difference is random, two-sided.

    It is exact for any number of tasks; an interval from resampled tasks is too narrow for few. All
    signs are counted, or drawn if there are more than 2^16 and the differences are not equal in
    size.

    Args:
        differences: One difference for each task.
        clusters: For each task, its cluster; its tasks change sign together.
        seed: Seed of the draws.

    Source: Fisher, "The Design of Experiments", 1935, section 21. With differences of -1, 0 and 1
    it is the exact form of McNemar, Psychometrika 12, 1947.
    """
    sums = np.array([total for total, _ in cluster_sums(differences, clusters)])
    sums = sums[np.abs(sums) > 1e-12]
    n, sizes = len(sums), np.abs(sums)
    if n == 0:
        return 1.0
    if np.allclose(sizes, sizes[0]):
        fewer = min(int((sums > 0).sum()), int((sums < 0).sum()))
        return min(1.0, 2 * sum(comb(n, i) for i in range(fewer + 1)) / (1 << n))
    least = abs(sums.sum()) * (1 - 1e-9)
    if n <= _MOST_COUNTED:
        every = np.zeros(1)
        for size in sizes:
            every = np.concatenate((every + size, every - size))
        return float((np.abs(every) >= least).mean())
    generator = np.random.default_rng(seed)
    hits = sum(abs(generator.choice((-1.0, 1.0), size=n) @ sizes) >= least for _ in range(DRAWS))
    return (1 + int(hits)) / (1 + DRAWS)


def smallest_difference(error: float, *, level: float = LEVEL, power: float = _POWER) -> float:
    """Return the smallest true difference that is found with this power: (z_a/2 + z_b) x SE.

    Args:
        error: Standard error of the difference.
        level: Level of the two-sided test's interval.
        power: Chance to find the difference.

    Source: Miller, arXiv 2411.00640, section 5.
    """
    normal = NormalDist()
    return (normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(power)) * error
