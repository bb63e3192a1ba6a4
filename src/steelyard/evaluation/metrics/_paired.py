"""Compare two runs on the tasks that both have."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import NormalDist, fmean

from steelyard.evaluation.metrics._spread import LEVEL, bootstrap_interval, standard_error

__all__ = ["Paired", "compare_paired", "mcnemar", "smallest_difference"]

_POWER = 0.8


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
    p_value: float | None
    """Of McNemar's exact test; None if a score is neither 0 nor 1."""
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
    whole = all(score in (0.0, 1.0) for score in (*first, *second))
    return Paired(
        difference=fmean(differences) if differences else 0.0,
        standard_error=error,
        interval=bootstrap_interval(differences, clusters, level=level, seed=seed),
        won=won,
        lost=lost,
        tied=len(differences) - won - lost,
        p_value=mcnemar(won, lost) if whole else None,
        smallest=None if error is None else smallest_difference(error, level=level),
    )


def mcnemar(won: int, lost: int) -> float:
    """Return the exact two-sided p-value that wins and losses are equally likely.

    Source: McNemar, Psychometrika 12, 1947; the exact form is a sign test on the pairs that
    differ.
    """
    n = won + lost
    tail = sum(comb(n, i) for i in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / (1 << n))


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
