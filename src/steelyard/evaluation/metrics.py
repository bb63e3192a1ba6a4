"""Metrics as pure functions: each names its formula and its source.

1. `pass_at_k` and its relatives estimate, from n samples of a task, how often k samples hold one
   that succeeds.
2. `enamel_score` and `beyond` score how fast a program is, relative to reference programs on the
   same machine.
3. Standard errors and intervals of a mean over tasks are clustered by what tasks share.
4. `compare_paired` compares two runs on the tasks that both have.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, sqrt
from statistics import NormalDist, fmean, median

import numpy as np


def pass_at_k(n: int, successes: int, k: int) -> float | None:
    """Return the chance that at least one of k samples succeeds; None if n < k.

    It is the share of all subsets of k samples that hold a success: 1 - C(n - c, k) / C(n, k).

    Args:
        n: Samples of the task.
        successes: Those that succeed, c.
        k: Samples that may be drawn, from 1.

    Source: Chen et al., "Evaluating Large Language Models Trained on Code", 2021, equation 1.
    """
    without = pass_hat_k(n, n - successes, k)
    return None if without is None else 1.0 - without


def pass_hat_k(n: int, successes: int, k: int) -> float | None:
    """Return the chance that all of k samples succeed; None if n < k.

    It is the share of all subsets of k samples without a failure: C(c, k) / C(n, k).

    Args:
        n: Samples of the task.
        successes: Those that succeed, c.
        k: Samples that are drawn, from 1.

    Source: Yao et al., "tau-bench", 2024, section 3.
    """
    if k < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of n = {n} at k = {k} is not a count of samples")
    return None if n < k else comb(successes, k) / comb(n, k)


def enamel_score(
    levels_ms: Sequence[float | None],
    reference_ms: Sequence[float],
    *,
    factor: float = 2.0,
    hardness: Sequence[float] | None = None,
) -> float:
    """Return ENAMEL's efficiency score of one right program; a wrong program's score is 0.

    With T = factor x the slowest reference level, each level l scores
    f_l = max(0, T - t_l) / (T - t*_l), and the program scores sum(h_l f_l) / sum(h_l). A level
    that exceeds its limit is right-censored: that level and all later ones score 0. A program
    that is faster than the reference scores above 1.

    Args:
        levels_ms: t_l, the worst time of each level in ms, from light to heavy; None if the level
            exceeded the time limit.
        reference_ms: t*_l, the reference's worst time of each level in ms.
        factor: T over the slowest reference level; above 1.
        hardness: h_l, the weight of each level; None weighs all alike.

    Source: Qiu et al., "How Efficient is LLM-Generated Code? A Rigorous & High-Standard
    Benchmark", ICLR 2025, equations 3 and 4. There, factor is 2 and hardness (3, 3, 4).
    """
    weights = [1.0] * len(levels_ms) if hardness is None else list(hardness)
    if not levels_ms or not len(levels_ms) == len(reference_ms) == len(weights) or factor <= 1:
        raise ValueError("levels, reference and hardness must have one length, and factor exceed 1")
    limit_ms = factor * max(reference_ms)
    total = 0.0
    for taken_ms, best_ms, weight in zip(levels_ms, reference_ms, weights, strict=True):
        if taken_ms is None or taken_ms > limit_ms:
            break
        total += weight * (limit_ms - taken_ms) / (limit_ms - best_ms)
    return total / sum(weights)


def enamel_eff_at_k(scores: Sequence[float], k: int) -> float | None:
    """Return the expected best score of k samples; None if there are fewer than k.

    With the scores sorted ascending it is the sum over r = k..n of
    C(r - 1, k - 1) / C(n, k) x e_(r): the mean of the maximum over all subsets of k samples.

    Args:
        scores: The efficiency score of each sample of a task; 0 for a wrong one.
        k: Samples that may be drawn, from 1.

    Source: Qiu et al., ICLR 2025, theorem 1 (an unbiased estimator with the least variance).
    """
    n = len(scores)
    if k < 1:
        raise ValueError(f"k = {k} is below 1")
    if n < k:
        return None
    ascending = sorted(scores)
    return sum(comb(r - 1, k - 1) * ascending[r - 1] for r in range(k, n + 1)) / comb(n, k)


def beyond(taken_ms: float | None, references_ms: Sequence[float]) -> float | None:
    """Return Mercury's Beyond: the share of the references' range that a program leaves behind.

    (max - clip(t, min, max)) / (max - min) over the references' times.

    Args:
        taken_ms: The program's time in ms; None if it is wrong, which scores 0.
        references_ms: The times of right programs in ms.

    Returns:
        A score in 0..1; None if the references do not differ, as nothing can be ranked then.

    Source: Du et al., "Mercury: A Code Efficiency Benchmark", NeurIPS 2024, section 3.3.
    """
    fastest, slowest = min(references_ms, default=0.0), max(references_ms, default=0.0)
    if slowest <= fastest:
        return None
    if taken_ms is None:
        return 0.0
    return (slowest - min(max(taken_ms, fastest), slowest)) / (slowest - fastest)


def hodges_lehmann(values: Sequence[float]) -> float:
    """Return the median of the means of all pairs: a location that outliers move little.

    Source: Hodges and Lehmann, "Estimates of Location Based on Rank Tests", 1963.
    """
    return median((a + b) / 2 for a, b in combinations_with_replacement(values, 2))


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
