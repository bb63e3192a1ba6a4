"""Times, instructions and memory: class, drift and prediction."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.profiling._records import Point
from steelyard.profiling.fitting import (
    INSTRUCTION_DRIFT,
    LADDER,
    TIME_DRIFT,
    Observation,
    classify_space,
    classify_space_two,
    classify_time,
    classify_time_two,
    classify_work,
    hidden_class,
    instruction_drift,
    predict_memory,
    predict_time,
    time_drift,
    with_logarithm_open,
)

NS = [1_000_000 >> k for k in range(12, -1, -1)]
GRID = [Point(n, m) for n in (1000, 2000, 4000, 8000) for m in (2000, 6000, 18000, 54000)]
MIB = 1 << 20


def noisy(value: float, chance: random.Random) -> float:
    return value * chance.uniform(0.97, 1.03)


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("O(1)", lambda n: 0.0),
        ("O(n)", lambda n: 1e-3 * n),
        ("O(n log n)", lambda n: 1e-4 * n * math.log2(n)),
        ("O(n^2)", lambda n: 1e-8 * n * n),
        ("O(n^3)", lambda n: 1e-14 * n**3),
    ],
)
def test_clean_times_name_the_class_within_one(name: str, cost: Callable[[int], float]) -> None:
    chance = random.Random(3)
    found = classify_time(NS, [noisy(2 + cost(n), chance) for n in NS])
    steps = abs(LADDER.index(found.complexity) - LADDER.index(name))
    assert steps <= 1
    assert found.basis == "time"


def test_times_in_two_parameters() -> None:
    times = [1.0 + 2e-5 * point.n * point.m for point in GRID]
    found = classify_time_two(GRID, times)
    assert found.complexity == "O(n*m)"
    assert found.basis == "time"


def test_time_that_grows_as_the_work_does_has_no_drift() -> None:
    drift = time_drift(NS, [2 + 1e-3 * n for n in NS], 2, "O(n)")
    assert drift == pytest.approx(0, abs=0.01)


def test_time_that_grows_by_a_power_more_has_that_drift() -> None:
    drift = time_drift(NS, [2 + 1e-6 * n**1.5 for n in NS], 2, "O(n)")
    assert drift == pytest.approx(0.5, abs=0.02)
    assert drift > TIME_DRIFT


def test_times_that_stay_those_of_the_start_say_nothing_of_work_that_grows() -> None:
    for name, drift in (("O(1)", 0.0), ("O(log n)", 0.0), ("O(n)", None), ("O(n log n)", None)):
        assert time_drift(NS, [2.0 for _ in NS], 2, name) == drift, name


def test_one_size_above_the_start_is_enough_where_it_is_far_above() -> None:
    starts = [80 + 1.5 * (k % 2) for k in range(len(NS))]
    for last, name, drifts in (
        ((140.0,), "O(1)", True),
        ((140.0,), "O(n)", True),
        ((110.0,), "O(n^4)", False),
        ((90.0, 140.0), "O(1)", True),
        ((83.0,), "O(1)", False),
        ((86.0,), "O(n log n)", False),
    ):
        drift = time_drift(NS, [*starts[: -len(last)], *last], 80, name)
        assert (drift is not None and drift > TIME_DRIFT) == drifts, (last, name, drift)


def test_imports_are_taken_off_however_long_they_take() -> None:
    grown = [1e-5 * n for n in NS]
    assert time_drift(NS, [80 + ms for ms in grown], 80, "O(n)") == pytest.approx(0, abs=0.05)
    wandering = [80 + 8 * (k % 2) + ms for k, ms in enumerate(grown)]
    assert time_drift(NS, wandering, 80, "O(n)") is None


# Of `a, b = b, a + b` in Python: long integers are charged from some length on.
FIBONACCI = {
    61: 0,
    122: 0,
    244: 0,
    488: 504,
    977: 4_153,
    1_953: 19_185,
    3_906: 80_301,
    7_813: 326_732,
    15_625: 1_316_015,
}


def test_work_that_begins_at_some_size_is_classified_from_there_on() -> None:
    for most in FIBONACCI:
        found = classify_work(
            Observation(Point(n), 5, {"loop": n, "sums": count})
            for n, count in FIBONACCI.items()
            if n <= most
        )
        sure = found.confidence >= 0.7
        assert found.complexity == "O(n^2)" or not sure or most < 488, (most, found.posterior)
        assert sure or most < 3_906


# Of Rust programs that read n numbers, less those of the start; n doubles up to 300,000.
INSTRUCTIONS = {
    "sum": [481545, 960879, 1984885, 3901156, 7733518, 15397820, 30726232, 61382768],
    "HashMap": [1257448, 2515849, 5099853, 10112668, 20164909, 40255433, 80437419, 160792855],
    "prefix sums": [1204200, 2410616, 4836682, 9882139, 19588285, 39246068],
    "BTreeMap": [1203333, 2476553, 5165857, 10573192, 21576507, 44163935, 90714527, 185376780],
    "BTreeSet": [1020308, 2102418, 4397439, 8911372, 18233118, 37347696, 76444936, 156774018],
    "sort": [852960, 1771524, 3766245, 7649818, 15709985, 32302546, 66354498, 136597354],
    "BinaryHeap": [879924, 1808704, 3845157, 7761042, 15796028, 32282040, 66079562, 135329967],
}


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_a_logarithm_that_cannot_be_told_is_left_open(name: str) -> None:
    totals = INSTRUCTIONS[name]
    ns = [300_000 >> k for k in range(len(totals) - 1, -1, -1)]
    work = classify_work(
        Observation(Point(n), 0, {"all": count}) for n, count in zip(ns, totals, strict=True)
    )
    found = with_logarithm_open(work, ns, totals)
    likely = dict(found.posterior)
    if name in ("sum", "HashMap", "prefix sums"):
        assert found is work
        assert likely["O(n)"] > 0.95
    else:
        assert likely["O(n)"] == likely["O(n log n)"] <= 0.5


def test_drift_needs_runs_above_the_base() -> None:
    assert time_drift([], [], 0, "O(n)") is None
    assert time_drift(NS[:2], [2.0, 2.0], 2, "O(1)") is None
    assert time_drift(NS, [float(n) for n in NS], 0, "O(n+m)") is None
    assert instruction_drift([], [], "O(n)") is None


def test_hidden_library_work_is_found_by_its_instructions() -> None:
    work = classify_work(Observation(Point(n), 8 * n, {"loop": n}) for n in NS)
    drift = instruction_drift(NS, [2e6 + 5 * n + n * n / 16 for n in NS], work.complexity)
    assert drift is not None
    assert drift > INSTRUCTION_DRIFT
    found = hidden_class(work, drift, NS, [2 + 1e-8 * n * n for n in NS])
    assert found.complexity == "O(n^2)"
    assert found.basis == "instructions"
    assert found.terms == ()  # none that was counted is of that class
    assert 0.5 < found.confidence < 0.95


@pytest.mark.parametrize(
    ("name", "heap"),
    [
        ("O(1)", lambda n: 70_000),
        ("O(n)", lambda n: 70_000 + 8 * n),
        ("O(n log n)", lambda n: 70_000 + int(4 * n * math.log2(n))),
        ("O(n^2)", lambda n: 70_000 + n * n // 1000),
        ("O(n)", lambda n: 8_232 + 4_000 * n // NS[-1]),
        ("O(n^2)", lambda n: 81_000 + 4_000 * n * n // NS[-1] ** 2),
    ],
)
def test_the_heap_names_the_class_of_memory(name: str, heap: Callable[[int], int]) -> None:
    found = classify_space(NS, [heap(n) for n in NS], [3 * MIB + heap(n) for n in NS])
    assert found.complexity == name
    assert found.basis == "heap"


def test_static_arrays_show_in_the_resident_set_alone() -> None:
    found = classify_space(NS, [70_000] * len(NS), [3 * MIB + 8 * n for n in NS])
    assert (found.complexity, found.basis) == ("O(n)", "resident")


def test_memory_without_a_hook_rests_on_the_resident_set() -> None:
    found = classify_space(NS, None, [3 * MIB + 8 * n for n in NS])
    assert (found.complexity, found.basis) == ("O(n)", "resident")


def test_a_peak_at_the_start_of_the_process_hides_no_growth() -> None:
    heap = [max(6_000_000, 5_000_000 + 60 * n) for n in NS]
    assert classify_space(NS, heap, heap).complexity == "O(n)"


@pytest.mark.parametrize(
    ("name", "heap"),
    [
        ("O(1)", lambda n, m: 90_000),
        ("O(n)", lambda n, m: 90_000 + 32 * n),
        ("O(m)", lambda n, m: 90_000 + 16 * m),
        ("O(n+m)", lambda n, m: 90_000 + 40 * n + 12 * m),
        ("O(n*m)", lambda n, m: 90_000 + n * m // 2),
    ],
)
def test_memory_in_two_parameters(name: str, heap: Callable[[int, int], int]) -> None:
    values = [heap(point.n, point.m) for point in GRID]
    found = classify_space_two(GRID, values, [3 * MIB + value for value in values])
    assert found.complexity == name


def test_a_prediction_is_where_the_curve_goes() -> None:
    points = [Point(n) for n in NS[:-2]]
    times = [2 + 1e-5 * n * math.log2(n) for n in NS[:-2]]
    at = Point(NS[-1])
    band = predict_time(points, times, "O(n log n)", at, base_ms=2, memory_growth_mib=0.1)
    assert band is not None
    assert band.mid == pytest.approx(2 + 1e-5 * at.n * math.log2(at.n), rel=0.01)
    assert band.low == pytest.approx(0.7 * band.mid)
    assert band.high == pytest.approx(1.5 * band.mid)


def test_more_memory_gives_a_wider_interval() -> None:
    points, times = [Point(n) for n in NS], [2 + 1e-4 * n for n in NS]
    highs = []
    for growth in (0.1, 4.0, 50.0):
        band = predict_time(
            points, times, "O(n)", Point(4_000_000), base_ms=2, memory_growth_mib=growth
        )
        assert band is not None
        highs.append(band.high)
    assert highs == sorted(set(highs))


def test_short_runs_predict_nothing() -> None:
    points, times = [Point(n) for n in NS], [2 + 1e-6 * n for n in NS]
    assert predict_time(points, times, "O(n)", Point(10**8), base_ms=2) is None
    assert predict_time([], [], "O(n)", Point(10**8), base_ms=2) is None


def test_a_known_exponential_is_followed() -> None:
    ns = list(range(2, 26))
    times = [20 + 1e-3 * 1.618034**n for n in ns]
    band = predict_time(
        [Point(n) for n in ns], times, "O(2^n)", Point(30), curve="phi^n", base_ms=20
    )
    assert band is not None
    assert band.mid == pytest.approx(20 + 1e-3 * 1.618034**30, rel=0.01)


def test_a_prediction_in_two_parameters_has_a_coefficient_a_term() -> None:
    times = [2 + 3e-3 * point.n + 1e-3 * point.m for point in GRID]
    band = predict_time(GRID, times, "O(n+m)", Point(16000, 40000), base_ms=2)
    assert band is not None
    assert band.mid == pytest.approx(90, rel=0.01)


def test_memory_is_predicted_within_its_interval() -> None:
    chance = random.Random(5)
    points = [Point(n) for n in NS[:-2]]
    memory = [noisy(3 + 8e-6 * n, chance) for n in NS[:-2]]
    band = predict_memory(points, memory, "O(n)", Point(NS[-1]))
    assert band is not None
    assert band.low <= 3 + 8e-6 * NS[-1] <= band.high
    assert band.high - band.mid >= 0.05 * band.mid


@given(
    st.lists(st.tuples(st.integers(1, 10**18), st.floats(0, 1e9)), max_size=12),
    st.sampled_from(["O(1)", "O(log n)", "O(n log n)", "O(n^3)", "O(2^n)", "O(n!)", "O(n+m)"]),
)
@settings(max_examples=80, deadline=None)
def test_any_measures_give_an_answer(rows: list[tuple[int, float]], name: str) -> None:
    ns, values = [n for n, _ in rows], [value for _, value in rows]
    points = [Point(n) for n in ns]
    counts = [int(value) for value in values]
    for found in (
        classify_time(ns, values),
        classify_space(ns, counts, counts),
        classify_time_two(points, values),
        classify_space_two(points, None, counts),
    ):
        assert found.complexity
        assert sum(p for _, p in found.posterior) <= 1 + 1e-6
    time_drift(ns, values, 1.0, name)
    instruction_drift(ns, values, name)
    for band in (
        predict_time(points, values, name, Point(10**6, 10), base_ms=0),
        predict_memory(points, values, name, Point(10**6, 10)),
    ):
        assert band is None or band.low <= band.mid <= band.high


def test_time_that_doubles_with_each_step_is_exponential() -> None:
    ns = list(range(10, 26))
    work = classify_work(Observation(Point(n), n, {"loop": n}) for n in ns)
    found = hidden_class(work, 0.9, ns, [2 + 1e-5 * 2**n for n in ns])
    assert found.complexity == "O(2^n)"
    assert found.terms == ()
