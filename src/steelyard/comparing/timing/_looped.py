"""Times both versions within their tests: where calls cannot leave them, or by the known rule."""

import math
import secrets
from dataclasses import replace
from statistics import median
from typing import Literal

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import LOOPS
from steelyard.comparing.incell.told import LoopTests
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.comparing.timing._decide import decide, interval_of
from steelyard.comparing.timing._in_tests import Looped, looped_of, objection_in_tests, odd_in_tests
from steelyard.comparing.timing._results import TestResults
from steelyard.comparing.timing._timed import (
    ALLOWED_S,
    ELSEWHERE,
    WORKS_ELSEWHERE,
    Timed,
    not_measured,
    skipping,
)
from steelyard.comparing.timing.incell.looping_rule import MOST_SECONDS
from steelyard.schemas import Interval, Reason, Speed, SpeedCase

_IN_TEST_LOOPS, _IN_TEST_PAIRS = 6, 9


def in_tests(baseline: CompareBaseline, candidate: Version) -> Timed:
    """Times where calls cannot leave their tests: short loops, versions taking turns."""
    logs: list[float] = []
    sides: list[list[Looped]] = [[], []]
    asked = replace(
        _asked(baseline),
        loops=_IN_TEST_LOOPS,
        looks_at=[1, 2 + secrets.randbelow(_IN_TEST_LOOPS - 1)],
        counts_others="pid" in baseline.stand.isolation.namespaces,
        calling=[name for name, test in baseline.tests.tests.items() if test.calls],
    )
    for index in range(_IN_TEST_PAIRS):
        order = ((0, ORIGINAL), (1, candidate))
        for side, version in order if index % 2 else reversed(order):
            sides[side].append(_loops(baseline, version, asked))
        one, two = (side[-1].results.total_passed_runtime() for side in sides)
        if not one or not two:
            why = "the function could not be timed inside its tests"
            return not_measured(baseline, why)
        logs.append(math.log(one / two))
    speedup, threshold = interval_of(logs), baseline.options.threshold
    claim, reasons = decide(speedup, threshold), skipping(odd_in_tests(baseline, *sides))
    elsewhere = [median(looped.elsewhere for looped in side) for side in sides]
    if elsewhere[1] - max(elsewhere[0], 0.0) > ELSEWHERE:
        claim = "undecided"
        reasons.append(WORKS_ELSEWHERE)
    if claim == "faster":
        objection = objection_in_tests(*sides)
        if objection is not None:
            reasons.append(objection)
            if objection.code != "remembers-calls":
                claim = "undecided"
    speed = Speed(
        verdict=claim,
        threshold=threshold,
        speedup=speedup,
        estimates=tuple(math.exp(each) for each in logs),
        method="in-test",
        processes=2 * len(logs),
        cases=_looped_cases(sides[0][-1].results, sides[1][-1].results),
        rounds=_IN_TEST_LOOPS * len(logs),
        notes=(f"{_why_inside(baseline)}: it was timed inside them",),
    )
    return Timed(speed, tuple(reasons))


def _why_inside(baseline: CompareBaseline) -> str:
    if any(call.test_type in RECORDED for call in baseline.calls):
        return "its calls need what fixtures and tests set up"
    return "its arguments cannot be copied out of the tests"


def in_loops(baseline: CompareBaseline, candidate: Version) -> Timed:
    """The known rule: one version after the other, the best of many loops."""
    asked = _asked(baseline)
    original = _loops(baseline, ORIGINAL, asked).results
    other = _loops(baseline, candidate, asked).results
    one, two = original.total_passed_runtime(), other.total_passed_runtime()
    if not one or not two:
        return not_measured(baseline, "the function could not be timed inside its tests")
    ratio = one / two
    threshold = baseline.options.threshold
    verdict: Literal["faster", "slower", "same"] = "same"
    if ratio > 1 + threshold:
        verdict = "faster"
    elif ratio < 1 / (1 + threshold):
        verdict = "slower"
    speed = Speed(
        verdict=verdict,
        threshold=threshold,
        speedup=Interval(low=ratio, mid=ratio, high=ratio),
        method="loops",
        processes=2,
        rounds=original.number_of_loops() + other.number_of_loops(),
        cases=_looped_cases(original, other),
        notes=("loops gives no interval and often reports false gains",),
    )
    if not other.forged_markers:
        return Timed(speed)
    text = f"it printed {other.forged_markers} timing markers that the harness did not write"
    return Timed(speed, (Reason(code="tampers", text=text),))


def _asked(baseline: CompareBaseline) -> LoopTests:
    return LoopTests(baseline.session, baseline.subject.docstring, MOST_SECONDS)


def _loops(baseline: CompareBaseline, version: Version, asked: LoopTests) -> Looped:
    return looped_of(baseline.stand.run(LOOPS, asked, version, seconds=ALLOWED_S), baseline)


def _looped_cases(original: TestResults, candidate: TestResults) -> tuple[SpeedCase, ...]:
    one, two = original.best_by_test(), candidate.best_by_test()
    found = []
    for name in one:
        if one[name] and two.get(name):
            ratio = one[name] / two[name]
            found.append(
                SpeedCase(
                    name=name,
                    original_ns=one[name],
                    candidate_ns=two[name],
                    speedup=Interval(low=ratio, mid=ratio, high=ratio),
                )
            )
    return tuple(found)
