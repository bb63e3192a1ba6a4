"""What speaks against a gain that was timed within the tests."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.incell.told import Looks, Loop, LoopsDone
from steelyard.comparing.timing._results import TestResults, results_of
from steelyard.comparing.timing._timed import COLD, ONLY_AGAIN, mostly
from steelyard.project_runs import Run
from steelyard.schemas import Reason

_MANY = 4
"""Where there are so many tests, the first of them only heats the code."""
_BEYOND_NOISE = 3.0
"""So many times as much as processes of one version differ is not by chance."""
_Call = tuple[str, int]
"""A test, and the place of a call in it."""


@dataclass(frozen=True, slots=True)
class Looped:
    """One process that ran the tests in loops."""

    results: TestResults
    elsewhere: float
    """CPU time of other threads and processes meanwhile, as a share of the calls' own."""
    first: Mapping[_Call, int]
    """CPU times in ns of calls whose arguments had not come before, in the first loop."""
    again: Mapping[_Call, int]
    """The least time of each call in later loops."""
    looks: tuple[Looks, ...]
    timed_ms: float
    """All calls of all loops together, as the process itself says."""
    cpu_ms: float
    """All that the process did, seen from outside."""


def looped_of(run: Run, baseline: CompareBaseline) -> Looped:
    """What a run of loops told."""
    done = run.told.last(LoopsDone) or LoopsDone(0, 0)
    looks = tuple(run.told.of(Looks))
    first, again = _times_in(run, looks)
    return Looped(
        results=results_of(run, baseline.subject.name, baseline.stand.inspired),
        elsewhere=done.elsewhere_ns / max(done.timed_ns, 1),
        first=first,
        again=again,
        looks=looks,
        timed_ms=done.timed_ns / 1e6,
        cpu_ms=run.execution.cpu_ms,
    )


def _times_in(run: Run, looks: Sequence[Looks]) -> tuple[dict[_Call, int], dict[_Call, int]]:
    is_new = {
        (test, place): new
        for loop in looks
        if loop.index == 1
        for test, looked in loop.tests.items()
        for place, new in enumerate(looked.new)
    }
    first: dict[_Call, int] = {}
    again: dict[_Call, int] = {}
    for loop in run.told.of(Loop):
        for test in loop.tests[1:] if len(loop.tests) >= _MANY else loop.tests:
            for place, taken in enumerate(test.times_ns) if test.passed else ():
                key = test.test, place
                if not is_new.get(key):
                    continue
                if loop.index == 1:
                    first[key] = taken
                else:
                    again[key] = min(taken, again.get(key, taken))
    return first, again


def odd_in_tests(
    baseline: CompareBaseline, original: Sequence[Looped], candidate: Sequence[Looped]
) -> list[str]:
    """Results that differ from the original's where all of its processes gave the same."""
    given: defaultdict[tuple[int, str, int], set[str]] = defaultdict(set)
    shown: dict[str, bytes] = {}
    for looped in original:
        for key, digest in _given(looped):
            given[key].add(digest)
        for loop in looped.looks:
            shown |= loop.shown
    odd = []
    for looped in candidate:
        blobs = {name: blob for loop in looped.looks for name, blob in loop.shown.items()}
        for key, digest in _given(looped):
            test = key[1]
            if len(given[key]) != 1 or digest in given[key] or test in baseline.dropped_tests:
                continue
            one, two = shown.get(next(iter(given[key]))), blobs.get(digest)
            if one is None or two is None:
                continue
            found = baseline.strictness.differences(one, two)
            if any(each.kind != "not-comparable" for each in found):
                odd.append(f"{found[0]} ({test})")
    return odd


def _given(looped: Looped) -> Iterator[tuple[tuple[int, str, int], str]]:
    """By loop, test and place, what calls gave."""
    for loop in looped.looks:
        for test, looked in loop.tests.items():
            for place, digest in enumerate(looked.given):
                yield (loop.index, test, place), digest


def objection_in_tests(original: Sequence[Looped], candidate: Sequence[Looped]) -> Reason | None:
    """Why a gain does not count, if it does not."""
    firsts, agains = [], []
    for one, two in zip(original, candidate, strict=True):
        keys = one.first.keys() & two.first.keys() & one.again.keys() & two.again.keys()
        if keys:
            firsts.append(_log_ratio(one.first, two.first, keys))
            agains.append(_log_ratio(one.again, two.again, keys))
    if not firsts:
        text = "no first call could be timed, so it may cache its results"
        return Reason(code="undecided", text=text)
    gain, first = median(agains), median(firsts)
    most = min(gain * ONLY_AGAIN, math.log(COLD))
    if first < most and mostly(firsts, gain / 2):
        text = (
            f"its tests' calls are {math.exp(gain):.3g} times as fast if repeated, but "
            f"{math.exp(first):.3g} times the first time"
        )
        if first < gain - math.log(COLD):
            return Reason(code="remembers-calls", text=f"{text}: it caches its results")
        return Reason(code="undecided", text=f"{text}: it may cache its results")
    return _unseen(original, candidate)


def _log_ratio(one: Mapping[_Call, int], two: Mapping[_Call, int], keys: set[_Call]) -> float:
    return math.log(max(1, sum(one[key] for key in keys)) / max(1, sum(two[key] for key in keys)))


def _unseen(original: Sequence[Looped], candidate: Sequence[Looped]) -> Reason | None:
    """Whether the processes as a whole, seen from outside, do not show what they say of calls."""
    told_ms = median(each.timed_ms for each in original) - median(
        each.timed_ms for each in candidate
    )
    whole = [each.cpu_ms for each in original]
    seen_ms = median(whole) - median(each.cpu_ms for each in candidate)
    if told_ms < _BEYOND_NOISE * (max(whole) - min(whole)) or seen_ms >= told_ms / 2:
        return None
    text = (
        f"the times of its calls add up to {told_ms:.0f} ms less, but its process as a whole "
        f"takes {seen_ms:.0f} ms less"
    )
    return Reason(code="tampers", text=text)
