"""What estimates allow to be claimed, and when enough of them have been taken."""

import math
import random
from collections.abc import Sequence

import pytest

from steelyard.comparing._reasons import of_speed
from steelyard.comparing.incell.told import PairTimes
from steelyard.comparing.timing._decide import LOOKS, decide, interval_of, measure_in_pairs
from steelyard.comparing.timing.incell.loops import is_stable
from steelyard.schemas import Interval, Speed


def pair(
    overall: float, wall: float | None = None, generated: Sequence[tuple[float, float]] = ()
) -> PairTimes:
    return PairTimes(
        overall=overall,
        cases=[(1.0, 1.0), (2.0, 2.0)],
        first_ns=[(1, 1)],
        generated=[("list", one, two) for one, two in generated],
        import_ns=(1, 1),
        wall=wall,
        swapped=False,
        rounds=9,
        forgetting=False,
        call_ns=10.0,
    )


@pytest.mark.parametrize(
    ("low", "high", "claim"),
    [
        (1.06, 1.20, "faster"),
        (1.04, 1.20, "undecided"),
        (0.97, 1.04, "same"),
        (0.94, 1.04, "undecided"),
        (0.80, 0.90, "slower"),
        (0.80, 0.96, "undecided"),
        (0.5, 2.0, "undecided"),
    ],
)
def test_a_claim_needs_its_whole_interval(low: float, high: float, claim: str) -> None:
    assert decide(Interval(low=low, mid=(low + high) / 2, high=high), 0.05) == claim


@pytest.mark.parametrize(
    ("walls", "expected"),
    [([None] * 5, None), ([None, 1, 2, 3, None], 2), ([None] * 3 + [1, 1], None)],
)
def test_time_on_the_wall_is_told_where_most_processes_saw_the_function_wait(
    walls: Sequence[float | None], expected: float | None
) -> None:
    pairs = [pair(0.0, wall) for wall in walls]
    times = measure_in_pairs(lambda first, count: pairs[first : first + count], 0.05)
    assert times is not None
    assert times.wall_speedup == (None if expected is None else pytest.approx(math.exp(expected)))


def test_the_bounds_are_order_statistics() -> None:
    estimates = [math.log(1 + place / 100) for place in range(9)]
    found = interval_of(estimates)
    assert (found.low, found.mid, found.high) == pytest.approx((1.01, 1.04, 1.07))
    assert interval_of(estimates[:5]).low == pytest.approx(1.00)


def test_one_process_in_bad_luck_moves_nothing() -> None:
    assert interval_of([0.0] * 8 + [3.0]) == Interval(low=1.0, mid=1.0, high=1.0)


def measured(
    estimates: Sequence[float],
    threshold: float,
    wide: float | None = None,
    *,
    wants_gain: bool | None = None,
) -> tuple[str, int]:
    def more(first: int, count: int) -> list[PairTimes]:
        return [pair(each) for each in estimates[first : first + count]]

    wide_for = None if wide is None else lambda _: wide
    found = measure_in_pairs(more, threshold, wide_for=wide_for, wants_gain=wants_gain)
    assert found is not None
    return found.claim, len(found.pairs)


def test_it_stops_as_soon_as_something_can_be_claimed() -> None:
    assert measured([0.2] * 16, 0.05) == ("faster", 5)
    assert measured([0.2, 0.2, 0.0] + [0.2] * 13, 0.05) == ("faster", 9)
    assert measured([0.0] * 16, 0.05) == ("same", 5)
    assert measured([0.0, 0.1] * 16, 0.05) == ("undecided", max(LOOKS))


def test_it_stops_when_the_question_asked_is_answered() -> None:
    slower_or_same = [math.log(0.946), math.log(0.956)] * 16
    assert measured(slower_or_same, 0.05) == ("undecided", max(LOOKS))
    assert measured(slower_or_same, 0.05, wants_gain=True) == ("undecided", 5)
    faster_or_same = [math.log(1.04), math.log(1.07)] * 16
    assert measured(faster_or_same, 0.05, wants_gain=False) == ("undecided", 5)
    assert measured(faster_or_same, 0.05, wants_gain=True) == ("undecided", max(LOOKS))


def test_a_wider_threshold_holds_for_wide_intervals_only() -> None:
    assert measured([math.log(1.1)] * 16, 0.05, 0.15) == ("faster", 5)
    assert measured([0.08, 0.135] * 16, 0.05, 0.15) == ("same", max(LOOKS))
    assert measured([0.08, 0.135] * 16, 0.05) == ("faster", 5)
    assert measured([0.16, 0.3] * 16, 0.05, 0.15) == ("faster", 5)
    assert measured([0.08, 0.135, 0.1, 0.1, 0.1] + [0.1] * 27, 0.05, 0.15) == ("faster", 9)
    assert measured([0.0, 0.01] * 16, 0.05, 0.15) == ("same", 5)


def test_a_gain_that_hangs_on_arguments_is_there_for_some_of_the_others() -> None:
    def other_calls(*others: tuple[float, float]) -> list[float]:
        times = measure_in_pairs(lambda _, count: [pair(0.7, None, others)] * count, 0.05)
        assert times is not None
        return times.others

    for some in ([(9, 9), (8, 4), (9, 10), (8, 4)], [(900, 450), (9, 9), (8, 10), (9, 9)]):
        assert other_calls(*some) == pytest.approx([math.log(2)] * 5, rel=0.1)
    assert other_calls((9, 9), (8, 4), (900, 900)) == pytest.approx([0.0] * 5, abs=0.01)
    assert other_calls((8, 4), (8, 4), (1, 1)) == []


def test_processes_that_are_lost_end_it() -> None:
    def more(first: int, count: int) -> list[PairTimes]:
        return [pair(-1.0 if place % 2 else 1.0) for place in range(count)] if first < 5 else []

    assert measure_in_pairs(more, 0.2) is None


def test_unchanged_code_is_hardly_ever_called_faster() -> None:
    rng = random.Random(1)
    claims = [measured([rng.gauss(0, 0.01) for _ in range(32)], 0.02)[0] for _ in range(2_000)]
    assert claims.count("faster") + claims.count("slower") <= 4
    assert claims.count("same") > 1_000


def test_true_gains_are_shown() -> None:
    rng = random.Random(2)
    claims = [
        measured([rng.gauss(math.log(1.05), 0.01) for _ in range(32)], 0.02)[0]
        for _ in range(1_000)
    ]
    assert claims.count("faster") > 950


def test_small_gains_are_shown_by_more_processes() -> None:
    rng = random.Random(3)
    claims = [
        measured([rng.gauss(math.log(1.02), 0.01) for _ in range(32)], 0.01)[0]
        for _ in range(1_000)
    ]
    assert claims.count("faster") > 900


def test_loops_are_stable_where_a_window_holds_still() -> None:
    falling = [100 * 0.9**i for i in range(30)]
    assert not is_stable(falling, 30)
    assert is_stable(falling + [falling[-1]] * 40, 60)
    assert not is_stable([1.0, 1.0], 60)
    assert not is_stable([1.0, 1.004] * 30, 60)


@pytest.mark.parametrize(
    ("low", "high", "code", "text"),
    [
        (0.946, 0.956, "slower", "it is 0.95 times as fast (0.95 to 0.96), slower, perhaps"),
        (0.2, 0.999, "slower", "(0.20 to 1.00)"),
        (0.94, 1.04, "not-faster", "not faster by 5 %"),
        (0.94, 1.2, "undecided", "undecided whether faster"),
        (1.01, 1.2, "undecided", "faster, perhaps by less than 5 %"),
        (1.9, 2.1, "undecided", "gain not confirmed"),
    ],
)
def test_an_undecided_interval_gives_the_reason_that_it_shows(
    low: float, high: float, code: str, text: str
) -> None:
    interval = Interval(low=low, mid=(low + high) / 2, high=high)
    speed = Speed(verdict="undecided", threshold=0.05, speedup=interval)
    (reason,) = of_speed(speed, wants_gain=True)
    assert (reason.code, reason.rejects) == (code, True)
    assert text in reason.text
    assert not [*of_speed(speed, wants_gain=False)]
