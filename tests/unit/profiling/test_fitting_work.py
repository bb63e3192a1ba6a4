"""Counts of work name the class that made them."""

import math
import random
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.profiling._records import Point
from steelyard.profiling.fitting import (
    UNSURE,
    Observation,
    WorkClass,
    classify_two,
    classify_work,
    same_class,
)

Count = Callable[[int], float]

LARGE = [1_000_000 >> k for k in range(14, -1, -1)]
MIDDLE = [4000 >> k for k in range(8, -1, -1)]
VALUES = [round(10 ** (1.5 + k * 0.7)) for k in range(24)]
SMALL = list(range(2, 24))


def observed(
    ns: Iterable[int], blocks: dict[str, Count], jitter: float = 0.0, seed: int = 1
) -> list[Observation]:
    chance = random.Random(seed)
    return [
        Observation(
            Point(n),
            8 * n,
            {
                key: round(count(n) * (1 + jitter * chance.uniform(-1, 1)))
                for key, count in blocks.items()
            },
        )
        for n in ns
    ]


CASES: list[tuple[str, Sequence[int], Count]] = [
    ("O(1)", LARGE, lambda n: 5000),
    ("O(log n)", VALUES, lambda n: 100 * math.log2(n)),
    ("O(sqrt n)", VALUES, math.sqrt),
    ("O(n)", LARGE, lambda n: 3 * n),
    ("O(n log n)", LARGE, lambda n: n * math.log2(n)),
    ("O(n log^2 n)", LARGE, lambda n: n * math.log2(n) ** 2),
    ("O(n sqrt n)", LARGE, lambda n: n**1.5),
    ("O(n^2)", MIDDLE, lambda n: n * (n - 1) / 2),
    ("O(n^2 log n)", MIDDLE, lambda n: n * n * math.log2(n)),
    ("O(n^3)", MIDDLE, lambda n: n**3),
    ("O(n^4)", MIDDLE, lambda n: n**4),
    ("O(2^n)", SMALL, lambda n: 2**n),
    ("O(phi^n)", SMALL, lambda n: 1.618034**n),
    ("O(1.38^n)", list(range(4, 60)), lambda n: 3 * 1.38**n),
    ("O(n^2 2^n)", SMALL, lambda n: n * n * 2**n),
    ("O(n!)", list(range(2, 12)), math.factorial),
]


@pytest.mark.parametrize(("name", "ns", "count"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("jitter", [0.0, 0.005])
def test_every_class_is_found_among_lower_work(
    name: str, ns: Sequence[int], count: Count, jitter: float
) -> None:
    blocks = {"main": count, "start": lambda n: 40.0}
    if name not in ("O(1)", "O(log n)", "O(sqrt n)"):
        blocks["read"] = lambda n: 2.0 * n
    found = classify_work(observed(ns, blocks, jitter))
    assert same_class(found.complexity, name)
    assert found.basis == "work"
    assert found.sizes == len(ns)
    assert found.confidence > 0.5


def test_the_heaviest_term_comes_first_with_its_blocks() -> None:
    blocks: dict[str, Count] = {
        "sort": lambda n: 2 * n * math.log2(n),
        "sift": lambda n: n * math.log2(n),
        "read": lambda n: n,
    }
    found = classify_work(observed(LARGE, blocks))
    assert found.complexity == "O(n log n)"
    assert [term.complexity for term in found.terms] == ["O(n log n)", "O(n)"]
    assert found.terms[0].blocks == ("sort", "sift")
    assert sum(term.share for term in found.terms) == pytest.approx(1, abs=0.01)


def test_a_loop_over_the_bytes_of_the_input_is_linear() -> None:
    runs = [
        Observation(Point(n), n * len(str(n)), {"digits": n * len(str(n)), "numbers": n})
        for n in LARGE
    ]
    assert classify_work(runs).complexity == "O(n)"


def test_a_term_with_a_tiny_share_does_not_name_the_class() -> None:
    blocks: dict[str, Count] = {"main": lambda n: 1e6 * n, "rare": lambda n: n * n / 100}
    assert classify_work(observed(LARGE, blocks)).complexity == "O(n)"


def test_runs_of_several_seeds_are_added_up() -> None:
    blocks: dict[str, Count] = {"main": lambda n: n * math.log2(n)}
    runs = [run for seed in (1, 2, 3) for run in observed(LARGE, blocks, 0.02, seed)]
    found = classify_work(runs)
    assert found.complexity == "O(n log n)"
    assert found.sizes == len(LARGE)


def wandering(ns: Iterable[int], seeds: int, noise: float) -> list[Observation]:
    """n log n steps beside linear ones that chance moves from input to input."""
    runs = []
    for seed in range(seeds):
        chance = random.Random(seed)
        for n in ns:
            drawn = chance.gauss(1, noise)
            work = {
                "sort": round(n * math.log2(n)),
                "left": round(5 * n * max(drawn, 0.01)),
                "right": round(5 * n * max(2 - drawn, 0.01)),
            }
            runs.append(Observation(Point(n), 8 * n, work))
    return runs


@pytest.mark.parametrize("noise", [0.1, 0.3, 0.6])
def test_what_chance_moves_does_not_name_the_class(noise: float) -> None:
    found = classify_work(wandering(LARGE, 3, noise))
    assert found.complexity == "O(n log n)"
    assert found.confidence > 0.9


@pytest.mark.parametrize("seed", range(8))
def test_linear_work_that_wanders_is_no_more_than_linear(seed: int) -> None:
    chance = random.Random(seed)
    runs = [
        Observation(Point(n), 8 * n, {"walk": round(4 * n * chance.uniform(0.6, 1.4))})
        for _ in range(5)
        for n in LARGE
    ]
    assert classify_work(runs).complexity == "O(n)"


def test_the_curve_within_the_class_is_named() -> None:
    assert classify_work(observed(SMALL, {"f": lambda n: 1.618034**n})).curve == "phi^n"


def test_the_same_counts_give_the_same_answer_in_any_order() -> None:
    runs = observed(LARGE, {"a": lambda n: n, "b": lambda n: n * math.log2(n)}, 0.01)
    assert classify_work(runs) == classify_work(list(reversed(runs)))


@pytest.mark.parametrize(
    "runs",
    [
        [],
        observed([10], {"a": lambda n: n}),
        observed([10, 20], {"a": lambda n: n}),
        observed(LARGE, {"a": lambda n: 0}),
        observed(LARGE, {}),
    ],
    ids=["none", "one", "two", "zeros", "no blocks"],
)
def test_too_little_gives_no_class(runs: list[Observation]) -> None:
    found = classify_work(runs)
    assert found.complexity == UNSURE
    assert found.posterior == ()
    assert found.confidence == 0
    assert classify_two(runs).complexity == UNSURE


def is_an_answer(found: WorkClass) -> bool:
    likely = [p for _, p in found.posterior]
    return (
        bool(found.complexity)
        and all(0 <= p <= 1 + 1e-9 for p in likely)
        and likely == sorted(likely, reverse=True)
        and sum(likely) <= 1 + 1e-6
    )


@given(
    st.dictionaries(
        st.integers(1, 10**18),
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 10**15), max_size=3),
        max_size=12,
    )
)
@settings(max_examples=60, deadline=None)
def test_any_counts_give_an_answer(table: dict[int, dict[str, int]]) -> None:
    assert is_an_answer(classify_work(Observation(Point(n), 1, w) for n, w in table.items()))


@given(
    st.lists(
        st.tuples(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**12)),
        max_size=16,
    )
)
@settings(max_examples=40, deadline=None)
def test_any_grid_gives_an_answer(rows: list[tuple[int, int, int]]) -> None:
    runs = [Observation(Point(n, m), n + m, {"a": work, "b": n}) for n, m, work in rows]
    assert is_an_answer(classify_two(runs))


def test_decreasing_counts_give_an_answer() -> None:
    assert is_an_answer(classify_work(observed(LARGE, {"a": lambda n: 1e9 / n})))


@given(st.floats(1, 1e4), st.floats(0, 3), st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_a_constant_factor_and_lower_work_do_not_change_the_class(
    factor: float, lower: float, seed: int
) -> None:
    blocks: dict[str, Count] = {
        "main": lambda n: factor * n * n,
        "read": lambda n: lower * factor * n,
    }
    assert classify_work(observed(MIDDLE, blocks, 0.003, seed)).complexity == "O(n^2)"


GRID = [(n, m) for n in (250, 500, 1000, 2000) for m in (300, 900, 2700, 8100)]
Cost = Callable[[int, int], float]

TWO: list[tuple[str, dict[str, Cost]]] = [
    ("O(1)", {"a": lambda n, m: 70}),
    ("O(n)", {"a": lambda n, m: 3 * n}),
    ("O(m)", {"a": lambda n, m: 3 * m}),
    ("O(n+m)", {"a": lambda n, m: 3 * n, "b": lambda n, m: 2 * m}),
    ("O(n*m)", {"a": lambda n, m: n * m, "b": lambda n, m: m}),
    ("O(n^2)", {"a": lambda n, m: n * n}),
    ("O(n^2 + m)", {"a": lambda n, m: n * n, "b": lambda n, m: 9 * m}),
    ("O(m log n)", {"a": lambda n, m: m * math.log2(n + m)}),
    ("O(m log n + n)", {"a": lambda n, m: m * math.log2(n + m), "b": lambda n, m: 30 * n}),
    ("O(n log n + m)", {"a": lambda n, m: n * math.log2(n + m), "b": lambda n, m: 6 * m}),
    ("O((n+m) log n)", {"a": lambda n, m: (n + m) * math.log2(n + m)}),
    ("O(n*m^2)", {"a": lambda n, m: n * m * m}),
]


@pytest.mark.parametrize(("name", "blocks"), TWO, ids=[name for name, _ in TWO])
def test_every_form_of_two_parameters_is_found(name: str, blocks: dict[str, Cost]) -> None:
    runs = [
        Observation(Point(n, m), 8 * n + 5, {k: round(cost(n, m)) for k, cost in blocks.items()})
        for n, m in GRID
    ]
    assert same_class(classify_two(runs).complexity, name)


def test_the_ladder_settles_logarithms() -> None:
    """A branch whose share changes with m/n looks like a logarithm on a grid alone."""

    def taken(n: int, m: int) -> float:
        return n * m * (0.5 + 0.11 * math.log2(m / n))

    grid = [(n, m) for n in (250, 500, 1000, 2000) for m in (250, 500, 1000, 2000)]
    runs = [Observation(Point(n, m), 1, {"a": round(taken(n, m))}) for n, m in grid]
    ladder = classify_work(Observation(Point(n, n), 1, {"a": round(taken(n, n))}) for n in MIDDLE)
    assert ladder.complexity == "O(n^2)"
    assert classify_two(runs, ladder).complexity == "O(n*m)"
