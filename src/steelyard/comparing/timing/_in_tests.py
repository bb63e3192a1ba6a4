"""Times both versions within their tests, where calls cannot leave them: versions take turns."""

import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import IN_TESTS
from steelyard.comparing.incell.told import Loop, LoopsDone, LoopTests
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.comparing.timing._decide import decide, interval_of
from steelyard.comparing.timing._timed import (
    ALLOWED_S,
    ELSEWHERE,
    WORKS_ELSEWHERE,
    Timed,
    not_measured,
    only_again,
    skipping,
    speed_case,
)
from steelyard.project_runs import Run
from steelyard.schemas import Reason, Speed, SpeedCase

_LOOPS, _PAIRS = 6, 9
_MANY = 4
"""Where there are so many tests, the first of them only heats the code."""
_BEYOND_NOISE = 3.0
"""So many times as much as processes of one version differ is not by chance."""
_Call = tuple[str, int]
"""A test, and the index of a call in it."""


_Given = defaultdict[tuple[int, str, int], set[bytes]]
"""By loop, test and index, what calls gave in all processes of a version, as snapshots."""


@dataclass(frozen=True, slots=True)
class _Looped:
    """One process that ran the tests in loops. Times are CPU times in ns."""

    best: Mapping[_Call, int]
    """The least time of each call in a test that passed."""
    first: Mapping[_Call, int]
    """Times of calls whose arguments had not come before, in the first loop."""
    elsewhere: float
    """CPU time of other threads and processes meanwhile, as a share of the calls' own."""
    timed_ms: float
    """All calls of all loops together, as the process itself reports."""
    cpu_ms: float
    """All that the process did, seen from outside."""


def in_tests(baseline: CompareBaseline, candidate: Version) -> Timed:
    """Times where calls cannot leave their tests: short loops, versions taking turns."""
    logs: list[float] = []
    sides: tuple[list[_Looped], list[_Looped]] = [], []
    given: tuple[_Given, _Given] = defaultdict(set), defaultdict(set)
    asked = LoopTests(
        session=baseline.session,
        docstring=baseline.subject.docstring,
        loops=_LOOPS,
        looks_at=[1, 2 + secrets.randbelow(_LOOPS - 1)],
        counts_others="pid" in baseline.stand.isolation.namespaces,
        calling=[name for name, test in baseline.tests.tests.items() if test.calls],
    )
    for index in range(_PAIRS):
        order = ((0, ORIGINAL), (1, candidate))
        for side, version in order if index % 2 else reversed(order):
            run = baseline.stand.run(IN_TESTS, asked, version, seconds=ALLOWED_S)
            sides[side].append(_looped_of(run, given[side]))
        one, two = (sum(side[-1].best.values()) for side in sides)
        if not one or not two:
            return not_measured(baseline, "the function could not be timed inside its tests")
        logs.append(math.log(one / two))
    speedup, threshold = interval_of(logs), baseline.options.threshold
    claim, reasons = decide(speedup, threshold), skipping(baseline, _odd(baseline, *given))
    elsewhere = [median(looped.elsewhere for looped in side) for side in sides]
    if elsewhere[1] - max(elsewhere[0], 0.0) > ELSEWHERE:
        claim = "undecided"
        reasons.append(WORKS_ELSEWHERE)
    if claim == "faster":
        objections = _objections(math.log(speedup.mid), *sides)
        reasons += objections
        if any(each.code != "remembers-calls" for each in objections):
            claim = "undecided"
    why = "its arguments cannot be copied out of the tests"
    if any(call.test_type in RECORDED for call in baseline.calls):
        why = "its calls need what fixtures and tests set up"
    speed = Speed(
        verdict=claim,
        threshold=threshold,
        speedup=speedup,
        estimates=tuple(math.exp(each) for each in logs),
        method="in-test",
        processes=2 * len(logs),
        cases=cases_of(*(_by_test(side[-1].best) for side in sides)),
        rounds=_LOOPS * len(logs),
        notes=(f"{why}: it was timed inside them",),
    )
    return Timed(speed, tuple(reasons))


def _looped_of(run: Run, given: _Given) -> _Looped:
    """Read what a run of loops reported, and add what its calls gave."""
    best: dict[_Call, int] = {}
    first: dict[_Call, int] = {}
    for loop in run.told.of(Loop):
        for number, test in enumerate(loop.tests):
            heats = number == 0 and len(loop.tests) >= _MANY
            for index, what in enumerate(test.given):
                given[loop.index, test.test, index].update([what] if what else ())
            for index, taken in enumerate(test.times_ns) if test.passed else ():
                key = test.test, index
                best[key] = min(taken, best.get(key, taken))
                if loop.index == 1 and any(test.new[index : index + 1]) and not heats:
                    first[key] = taken
    done = run.told.last(LoopsDone) or LoopsDone(0, 0)
    return _Looped(
        best=best,
        first=first,
        elsewhere=done.elsewhere_ns / max(done.timed_ns, 1),
        timed_ms=done.timed_ns / 1e6,
        cpu_ms=run.execution.cpu_ms,
    )


def _odd(
    baseline: CompareBaseline, original: _Given, candidate: _Given
) -> Iterator[tuple[str, bytes, bytes]]:
    """Results that differ from the original's where all of its processes gave the same."""
    for key, found in candidate.items():
        known = original[key]
        if len(known) == 1 and key[1] not in baseline.dropped_tests:
            yield from ((key[1], next(iter(known)), what) for what in found - known)


def _objections(
    gain: float, original: Sequence[_Looped], candidate: Sequence[_Looped]
) -> list[Reason]:
    """Why a gain does not count, if it does not."""
    firsts = []
    for one, two in zip(original, candidate, strict=True):
        if keys := one.first.keys() & two.first.keys():
            sums = (max(1, sum(each.first[key] for key in keys)) for each in (one, two))
            firsts.append(math.log(next(sums) / next(sums)))
    if not firsts:
        text = "no first call could be timed, so it may cache its results"
        return [Reason(code="undecided", text=text)]
    return only_again(gain, firsts, heated=False) or _unseen(original, candidate)


def _unseen(original: Sequence[_Looped], candidate: Sequence[_Looped]) -> list[Reason]:
    """Object if the processes as a whole do not show from outside the gain that they report."""
    told_ms = median(each.timed_ms for each in original) - median(
        each.timed_ms for each in candidate
    )
    whole = [each.cpu_ms for each in original]
    seen_ms = median(whole) - median(each.cpu_ms for each in candidate)
    if told_ms < _BEYOND_NOISE * (max(whole) - min(whole)) or seen_ms >= told_ms / 2:
        return []
    text = (
        f"the times of its calls add up to {told_ms:.0f} ms less, but its process as a whole "
        f"takes {seen_ms:.0f} ms less"
    )
    return [Reason(code="tampers", text=text)]


def _by_test(best: Mapping[_Call, int]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for (test, _), taken in best.items():
        sums[test] += taken
    return sums


def cases_of(original: Mapping[str, int], candidate: Mapping[str, int]) -> tuple[SpeedCase, ...]:
    """Return the tests that both versions passed, with the best times of their calls in ns."""
    return tuple(
        speed_case(test, [(one, candidate[test])])
        for test, one in original.items()
        if one and candidate.get(test)
    )
