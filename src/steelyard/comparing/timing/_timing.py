"""Time both versions in the way that the options and the function allow."""

import dataclasses
import time

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.recording._versions import Version
from steelyard.comparing.timing._in_tests import in_tests
from steelyard.comparing.timing._loops import in_loops
from steelyard.comparing.timing._paired import cases_of, in_pairs
from steelyard.comparing.timing._timed import Timed, not_measured


def time_both(baseline: CompareBaseline, candidate: Version) -> Timed:
    """Times both versions.

    Raises:
        InfrastructureError: where the machine failed.
    """
    start = time.monotonic()
    timed = _timed(baseline, candidate)
    elapsed = time.monotonic() - start
    return dataclasses.replace(timed, speed=timed.speed.model_copy(update={"seconds": elapsed}))


def _timed(baseline: CompareBaseline, candidate: Version) -> Timed:
    if baseline.options.method == "loops":
        return in_loops(baseline, candidate)
    cases = cases_of(baseline)
    if cases:
        return in_pairs(baseline, candidate, cases)
    if any(test.calls for test in baseline.tests.tests.values()):
        return in_tests(baseline, candidate)
    return not_measured(baseline, "no call of the function could be timed")
