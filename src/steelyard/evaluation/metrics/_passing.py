"""Estimate, from n samples of a task, how often k samples hold one that succeeds."""

from math import comb


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
