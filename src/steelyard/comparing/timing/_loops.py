"""The rule of loops: one version after the other, the best of many loops over the tests.

Its results are calls with their loops and minima; it prints each call's time as a marker,
`!######<id>:<ns>######!`. Whoever can print can print a marker: what counts is what the run's own
channel reports, and a marker that differs from it is a forgery.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import LOOPS
from steelyard.comparing.incell.told import Loop, LoopTests
from steelyard.comparing.recording._inspired import is_inspired
from steelyard.comparing.recording._versions import ORIGINAL, Version
from steelyard.comparing.timing._decide import decide
from steelyard.comparing.timing._in_tests import cases_of
from steelyard.comparing.timing._timed import ALLOWED_S, Timed, not_measured
from steelyard.project_runs import Run
from steelyard.schemas import (
    FunctionTestInvocation,
    Interval,
    InvocationId,
    Reason,
    Speed,
    TestType,
)

_MARKER = re.compile(r"!######([^\n#]{1,4096}):([0-9]{1,18})######!")
_MOST_LOOPS = 250


class Marker(NamedTuple):
    """One call's time; its id is the call's `unique_invocation_loop_id`."""

    id: str
    duration_ns: int


def markers_in(text: str) -> list[Marker]:
    """Return the markers in a text, in order."""
    return [Marker(found[1], int(found[2])) for found in _MARKER.finditer(text)]


class TestResults:
    """Calls, each at most once for each loop, in the order of arrival."""

    __test__ = False

    def __init__(self, invocations: Iterable[FunctionTestInvocation] = ()) -> None:
        self._by_id: dict[str, FunctionTestInvocation] = {}
        for invocation in invocations:
            self.add(invocation)

    def add(self, invocation: FunctionTestInvocation) -> bool:
        """Add a call; return False if the same call of the same loop is already there."""
        key = invocation.unique_invocation_loop_id
        return self._by_id.setdefault(key, invocation) is invocation

    def __iter__(self) -> Iterator[FunctionTestInvocation]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def number_of_loops(self) -> int:
        """Return the highest loop; 0 if there are no calls."""
        return max((each.loop_index for each in self), default=0)

    def usable_runtime_data_by_test_case(self) -> dict[InvocationId, list[int]]:
        """Return the CPU times in ns of each call that passed, over all loops."""
        times: dict[InvocationId, list[int]] = {}
        for each in self:
            if each.did_pass and each.runtime_ns is not None:
                times.setdefault(each.id, []).append(each.runtime_ns)
        return times

    def total_passed_runtime(self) -> int:
        """Return the least time of each call, summed over all calls, in ns."""
        return sum(self.best_by_test().values())

    def best_by_test(self) -> dict[str, int]:
        """Return the least time of each call, summed by test, in ns."""
        best: dict[str, int] = {}
        for call, times in self.usable_runtime_data_by_test_case().items():
            best[call.test] = best.get(call.test, 0) + min(times)
        return best

    def forged_among(self, markers: Iterable[Marker]) -> list[Marker]:
        """Return the markers that no call of these has."""
        trusted = {name: each.runtime_ns or 0 for name, each in self._by_id.items()}
        return [each for each in markers if trusted.get(each.id) != each.duration_ns]


def in_loops(baseline: CompareBaseline, candidate: Version) -> Timed:
    """Times one version after the other by the best of many loops."""
    asked = LoopTests(baseline.session, baseline.subject.docstring, loops=_MOST_LOOPS)
    name, inspired = baseline.subject.name, baseline.stand.inspired
    versions = ORIGINAL, candidate
    runs = [baseline.stand.run(LOOPS, asked, each, seconds=ALLOWED_S) for each in versions]
    original, other = (results_of(run, name, inspired) for run in runs)
    one, two = original.total_passed_runtime(), other.total_passed_runtime()
    if not one or not two:
        return not_measured(baseline, "the function could not be timed inside its tests")
    ratio, threshold = one / two, baseline.options.threshold
    speedup = Interval(low=ratio, mid=ratio, high=ratio)
    speed = Speed(
        verdict=decide(speedup, threshold),
        threshold=threshold,
        speedup=speedup,
        method="loops",
        processes=2,
        rounds=original.number_of_loops() + other.number_of_loops(),
        cases=cases_of(original.best_by_test(), other.best_by_test()),
        notes=("loops gives no interval and often reports false gains",),
    )
    printed = runs[1].execution.stdout.decode("utf-8", "replace")
    forged = len(other.forged_among(markers_in(printed)))
    if not forged:
        return Timed(speed)
    text = f"it printed {forged} timing markers that the harness did not write"
    return Timed(speed, (Reason(code="tampers", text=text),))


def results_of(run: Run, function: str, inspired: Collection[str]) -> TestResults:
    """Return the calls that a run of loops reported; `inspired` tests were written for it."""
    results = TestResults()
    kinds = TestType.EXISTING_UNIT_TEST, TestType.INSPIRED_REGRESSION
    for loop in run.told.of(Loop):
        for test in loop.tests:
            module, *rest = test.test.split("::")
            for index, taken in enumerate(test.times_ns):
                name = InvocationId(
                    test_module=module,
                    test_class="::".join(rest[:-1]),
                    test_function=rest[-1] if rest else "",
                    function=function,
                    iteration=index,
                )
                each = FunctionTestInvocation(
                    loop_index=loop.index,
                    id=name,
                    did_pass=test.passed,
                    runtime_ns=taken,
                    return_value=None,
                    test_type=kinds[is_inspired(test.test, inspired)],
                )
                results.add(each)
    return results
