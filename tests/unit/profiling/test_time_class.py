"""Where time outgrows the counted work, the class is not that of the counted work alone."""

from typing import Any

import pytest

from steelyard.profiling._classes import Findings, time_class
from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling._timing import TimedSize
from steelyard.schemas import Execution, StopReason

NS = tuple(1 << k for k in range(4, 14))
BASE_MS = 2.0
NO_RUN: dict[str, Any] = {}


def found(power: float, executed: dict[int, float], grows_mib: float = 0) -> Findings:
    """Constant work, times that grow by a power of n, and instructions at some sizes."""
    counted = [
        CountedRun(Point(n), 5, {"main:0": 40}, 100, 4096, Execution.model_construct(**NO_RUN))
        for n in NS
    ]
    timed = [
        TimedSize(
            Point(n), 5, ms, ms, ms, memory_mib=mib, charged_mib=mib, repetitions=5,
            stop=StopReason.EXITED, exit_code=0,
        )
        for n in NS
        for ms, mib in ((BASE_MS + 200 * (n / NS[-1]) ** power, 1 + grows_mib * n / NS[-1]),)
    ]  # fmt: skip
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
    assert "may overflow" in unknown.notes[0]
    assert "instructions do not: larger inputs overflow the caches" in known.notes[0]


def test_a_walk_through_memory_is_no_work_however_steep() -> None:
    findings = found(1.0, dict.fromkeys(NS[-3:], 1e6), grows_mib=50)
    assert findings.flags == ["memory-bound"]
    assert (findings.work.complexity, findings.work.basis) == ("O(1)", "work")
