"""Times both versions within their tests: where calls cannot leave them, or by the known rule."""

import math
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from assayer.equivalence._baseline import Baseline
from assayer.equivalence._results import TestResults, results_of
from assayer.equivalence._timed import ALLOWED_S, ELSEWHERE, WORKS_ELSEWHERE, Timed, not_measured
from assayer.equivalence._versions import ORIGINAL, Version
from assayer.equivalence.speed import MOST_SECONDS, decide, interval_of
from assayer.schemas import Interval, Reason, Speed, SpeedCase

__all__ = ["in_loops", "in_tests"]

_IN_TEST_LOOPS, _IN_TEST_PAIRS = 6, 9


def in_tests(baseline: Baseline, candidate: Version) -> Timed:
    """Where calls cannot be carried out of their tests: short loops, versions taking turns."""
    logs: list[float] = []
    sides: list[list[_Looped]] = [[], []]
    for index in range(_IN_TEST_PAIRS):
        order = ((0, ORIGINAL), (1, candidate))
        for side, version in order if index % 2 else reversed(order):
            sides[side].append(_loops(baseline, version, loops=_IN_TEST_LOOPS))
        one, two = (side[-1].results.total_passed_runtime() for side in sides)
        if not one or not two:
            why = "the function could not be timed within its tests"
            return not_measured(baseline, why)
        logs.append(math.log(one / two))
    speedup, threshold = interval_of(logs), baseline.options.threshold
    claim, reasons = decide(speedup, threshold), []
    elsewhere = [median(looped.elsewhere for looped in side) for side in sides]
    if elsewhere[1] - max(elsewhere[0], 0.0) > ELSEWHERE:
        claim = "undecided"
        reasons.append(WORKS_ELSEWHERE)
    speed = Speed(
        verdict=claim, threshold=threshold, speedup=speedup,
        estimates=tuple(math.exp(each) for each in logs), method="in-test", processes=2 * len(logs),
        cases=_casesin_loops(sides[0][-1].results, sides[1][-1].results),
        rounds=_IN_TEST_LOOPS * len(logs),
        notes=("its arguments cannot be carried out of the tests: it was timed within them",),
    )  # fmt: skip
    return Timed(speed, tuple(reasons))


def in_loops(baseline: Baseline, candidate: Version) -> Timed:
    """The known rule: one version after the other, the best of many loops."""
    original, other = _loops(baseline, ORIGINAL).results, _loops(baseline, candidate).results
    one, two = original.total_passed_runtime(), other.total_passed_runtime()
    if not one or not two:
        return not_measured(baseline, "the function could not be timed within its tests")
    ratio = one / two
    threshold = baseline.options.threshold
    verdict: Literal["faster", "slower", "same"] = "same"
    if ratio > 1 + threshold:
        verdict = "faster"
    elif ratio < 1 / (1 + threshold):
        verdict = "slower"
    speed = Speed(
        verdict=verdict, threshold=threshold, speedup=Interval(low=ratio, mid=ratio, high=ratio),
        method="loops", processes=2, rounds=original.number_of_loops() + other.number_of_loops(),
        cases=_casesin_loops(original, other),
        notes=("the rule of loops gives no interval, and on unchanged code it is often wrong",),
    )  # fmt: skip
    if not other.forged_markers:
        return Timed(speed)
    text = f"it prints {other.forged_markers} timing markers that are not the harness's"
    return Timed(speed, (Reason(code="tampers", text=text),))


@dataclass(frozen=True, slots=True)
class _Looped:
    results: TestResults
    elsewhere: float
    """CPU time of other threads meanwhile, as a share of the calls' own."""


def _loops(baseline: Baseline, version: Version, *, loops: int | None = None) -> _Looped:
    said: dict[str, Any] = {**baseline.pytest_said(), "most_seconds": MOST_SECONDS}
    if loops is not None:
        said["loops"] = loops
    run = baseline.run("loops", said, version, seconds=ALLOWED_S)
    told = run.told.last("elsewhere")
    elsewhere = told.said["ns"] / max(told.said["timed_ns"], 1) if told else 0.0
    return _Looped(results_of(run, baseline.subject.name), elsewhere)


def _casesin_loops(original: TestResults, candidate: TestResults) -> tuple[SpeedCase, ...]:
    one, two = original.best_by_test(), candidate.best_by_test()
    found = []
    for name in one:
        if one[name] and two.get(name):
            ratio = one[name] / two[name]
            found.append(
                SpeedCase(
                    name=name, original_ns=one[name], candidate_ns=two[name],
                    speedup=Interval(low=ratio, mid=ratio, high=ratio),
                )
            )  # fmt: skip
    return tuple(found)
