"""Score how fast a program is, relative to reference programs on the same machine."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb
from statistics import median


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
