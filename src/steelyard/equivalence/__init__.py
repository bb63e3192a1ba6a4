"""Compare a rewritten function with its original: behaviour, speed, coverage.

baseline = CompareBaseline("pkg.module:function", "project")
comparison = compare_candidate(baseline, text)  # as many candidates as you like
"""

from steelyard._homes import publish
from steelyard.equivalence._baseline import CompareBaseline
from steelyard.equivalence._compare import (
    acompare,
    acompare_candidate,
    compare,
    compare_candidate,
    rank_candidates,
)
from steelyard.equivalence._job import JOB
from steelyard.equivalence._options import (
    TEST_TIMEOUT_MS,
    AcceptMode,
    CompareOptions,
    TimingMethod,
)
from steelyard.equivalence._results import TestResults
from steelyard.equivalence._view import view
from steelyard.equivalence._words import times_as_fast
from steelyard.equivalence.subject import CandidateKind

__all__ = [
    "JOB",
    "TEST_TIMEOUT_MS",
    "AcceptMode",
    "CandidateKind",
    "CompareBaseline",
    "CompareOptions",
    "TestResults",
    "TimingMethod",
    "acompare",
    "acompare_candidate",
    "compare",
    "compare_candidate",
    "rank_candidates",
    "times_as_fast",
    "view",
]

publish(__name__, globals())
