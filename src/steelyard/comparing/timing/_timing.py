"""Time both versions in the way that the options and the function allow."""

import dataclasses
import time

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.recording._versions import Version
from steelyard.comparing.timing._in_tests import in_tests
from steelyard.comparing.timing._loops import in_loops
from steelyard.comparing.timing._paired import Pairs, cases_of
from steelyard.comparing.timing._timed import Timed, not_measured


def time_both(baseline: CompareBaseline, candidate: Version) -> Timed:
    """Times both versions.

    Raises:
        InfrastructureError: where the machine failed.
    """
    start = time.monotonic()
    if baseline.options.method == "loops":
        timed = in_loops(baseline, candidate)
    elif cases := cases_of(baseline):
        timed = Pairs(baseline, candidate, cases).timed()
    elif any(test.calls for test in baseline.tests.tests.values()):
        timed = in_tests(baseline, candidate)
    else:
        timed = not_measured(baseline, "no call of the function could be timed")
    elapsed = time.monotonic() - start
    return dataclasses.replace(timed, speed=timed.speed.model_copy(update={"seconds": elapsed}))
