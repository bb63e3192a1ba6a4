"""Where time outgrows the counted work, the class is not that of the counted work alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._timing import TimedSize
from steelyard.profiling._weighed_evidence import ClassFindings, not_below_memory, time_class
from steelyard.profiling.fitting import WorkClass
from steelyard.schemas import Execution, StopReason

NS = tuple(1 << k for k in range(4, 14))
BASE_MS = 2.0
NO_RUN: dict[str, Any] = {}


def found(power: float, executed: dict[int, float], grows_mib: float = 0) -> ClassFindings:
    """Constant work, times that grow by a power of n, and instructions at some sizes."""
    counted = [
        CountedRun(Point(n), 5, {"main:0": 40}, 100, 4096, Execution.model_construct(**NO_RUN))
        for n in NS
    ]
    timed = [
        TimedSize(
            Point(n),
            5,
            ms,
            ms,
            ms,
            memory_mib=mib,
            charged_mib=mib,
            repetitions=5,
            stop=StopReason.EXITED,
            exit_code=0,
        )
        for n in NS
        for ms, mib in ((BASE_MS + 200 * (n / NS[-1]) ** power, 1 + grows_mib * n / NS[-1]),)
    ]
    instructions = {Point(n): round(count) for n, count in executed.items()}
    return time_class(counted, (), timed, BASE_MS, lambda _: instructions)


@pytest.mark.parametrize(
    ("executed", "why"),
    [
        ({}, "a built-in such as a regular expression, a library, or another process"),
        (dict.fromkeys(NS[-3:], 1e6), "instructions do not: other processes, or the operating"),
    ],
)
def test_growth_that_no_cache_explains_is_work_unseen(executed: dict[int, float], why: str) -> None:
    findings = found(2, executed)
    assert findings.flags == ["hidden-library-work"]
    assert why in findings.notes[0]
    assert (findings.work.complexity, findings.work.basis) == ("O(n^2)", "time")


def test_a_little_growth_is_that_of_caches_only_where_instructions_say_so() -> None:
    unknown, known = found(0.5, {}), found(0.5, dict.fromkeys(NS[-3:], 1e6))
    for findings in (unknown, known):
        assert findings.flags == ["memory-bound"]
        assert (findings.work.complexity, findings.work.basis) == ("O(1)", "work")
    assert known.work.confidence > 0.95
    assert 0.5 <= unknown.work.confidence < 0.9
    assert "may overflow" in unknown.notes[0]
    assert "instructions do not: larger inputs overflow the caches" in known.notes[0]


def test_a_walk_through_memory_is_no_work_however_steep() -> None:
    findings = found(1.0, dict.fromkeys(NS[-3:], 1e6), grows_mib=50)
    assert findings.flags == ["memory-bound"]
    assert (findings.work.complexity, findings.work.basis) == ("O(1)", "work")


def test_steep_growth_without_instructions_is_unsure() -> None:
    findings = found(1.0, {}, grows_mib=50)
    assert findings.flags == ["memory-bound"]
    assert findings.work.confidence < 0.7


def test_times_that_never_rise_above_the_start_check_nothing() -> None:
    for per_n, is_checked in ((0, True), (3, False)):
        counted = [
            CountedRun(Point(n), 5, {"a": 40 + per_n * n}, 100, 4096, Execution.model_construct())
            for n in NS
        ]
        findings = time_class(counted, (), timed(dict.fromkeys(NS, 9.0)), 9.0, lambda _: NO_RUN)
        assert findings.is_checked == is_checked
        assert any("to check the counted work" in note for note in findings.notes) != is_checked


@pytest.mark.parametrize(
    ("work", "memory", "ms", "expected"),
    [
        ("O(n)", "O(n^2)", lambda n: 80 + 250 * (n / NS[-1]) ** 2, "O(n^2)"),
        ("O(1)", "O(n)", lambda n: 80.0, "O(n)"),
        ("O(n)", "O(n)", lambda n: 80 + 250 * (n / NS[-1]) ** 2, "O(n)"),
        ("O(n)", "O(n log n)", lambda n: 80.0, "O(n)"),
        ("O(n^2)", "O(n)", lambda n: 80.0, "O(n^2)"),
    ],
)
def test_time_is_never_below_the_memory_that_is_touched(
    work: str, memory: str, ms: Callable[[int], float], expected: str
) -> None:
    counted = ClassFindings(WorkClass(work, ((work, 1.0),), sizes=len(NS)), ["memory-bound"])
    touched = WorkClass(memory, ((memory, 1.0),), basis="resident", sizes=len(NS))
    findings = not_below_memory(counted, touched, timed({n: ms(n) for n in NS}))
    assert findings.work.complexity == expected
    assert ("hidden-library-work" in findings.flags) == (expected != work)
    assert findings.work.sizes == len(NS)
    unsure = replace(touched, posterior=((memory, 0.6),))
    assert not_below_memory(counted, unsure, timed({n: ms(n) for n in NS})) is counted


def timed(ms_at: dict[int, float]) -> list[TimedSize]:
    return [
        TimedSize(
            Point(n),
            5,
            ms,
            ms,
            ms,
            memory_mib=1,
            charged_mib=1,
            repetitions=5,
            stop=StopReason.EXITED,
            exit_code=0,
        )
        for n, ms in ms_at.items()
    ]
