"""The class of memory, where counted runs are much smaller than timed ones or few of them grow."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._timing import TimedSize
from steelyard.profiling._weighed_evidence import SURE_FROM, space_class
from steelyard.profiling.fitting import WorkClass, less_sure
from steelyard.schemas import Execution, StopReason

MIB = 1 << 20
COUNTED = tuple(16 << k for k in range(8))
TIMED = tuple(16 << k for k in range(14))
NO_RUN: dict[str, Any] = {}

Bytes = Callable[[int], float]


def found(heap: Bytes, resident: Bytes, counted: Sequence[int] = COUNTED) -> WorkClass:
    execution = Execution.model_construct(**NO_RUN)
    runs = [
        CountedRun(Point(n), 8 * n, {"main:0": n}, int(heap(n)), 3 * MIB, execution)
        for n in counted
    ]
    timed = [
        TimedSize(
            Point(n),
            8 * n,
            1,
            1,
            1,
            memory_mib=3 + resident(n) / MIB,
            charged_mib=1 + resident(n) / MIB,
            repetitions=5,
            stop=StopReason.EXITED,
            exit_code=0,
        )
        for n in TIMED
    ]
    return space_class(runs, timed, grid=False)


def linear(n: int) -> float:
    return 40 * n


def constant(_: int) -> float:
    return 8_000


def test_both_measurements_together_are_sure() -> None:
    known = found(linear, linear)
    assert known.complexity == "O(n)"
    assert known.confidence > SURE_FROM


@pytest.mark.parametrize(
    ("heap", "resident"),
    [
        (lambda n: 8_000 + n * n / 200, constant),  # would need 80 MiB at the largest timed size
        (lambda n: 8_000 + n * n / 20, linear),
    ],
)
def test_growth_that_larger_runs_refute_is_not_sure(heap: Bytes, resident: Bytes) -> None:
    assert found(heap, resident).confidence < SURE_FROM


def test_memory_that_only_larger_runs_need_is_seen() -> None:
    known = found(constant, lambda n: max(0, 400 * (n - COUNTED[-1])))
    assert known.complexity == "O(n)"
    assert known.basis == "resident"


def test_two_sizes_above_a_flat_start_prove_no_curve() -> None:
    def heap(n: int) -> float:
        return max(9_000, 100 * (n - 256))  # linear: two points lie on a square, too

    assert found(heap, constant, counted=COUNTED[:6]).confidence < SURE_FROM


def test_a_class_that_the_clock_cut_short_is_less_sure() -> None:
    known = found(linear, linear)
    assert SURE_FROM < less_sure(known).confidence < known.confidence
    doubtful = WorkClass("O(n)", (("O(n)", 0.72), ("O(n log n)", 0.28)))
    assert less_sure(doubtful).confidence < SURE_FROM
