"""Compare a rewritten function with its original: behaviour, speed, coverage.

baseline = CompareBaseline("pkg.module:function", "project")
comparison = compare_candidate(baseline, text)  # as many candidates as you like
"""

from steelyard._homes import publish
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._compare import (
    acompare,
    acompare_candidate,
    compare,
    compare_candidate,
    rank_candidates,
)
from steelyard.comparing._job import JOB
from steelyard.comparing._options import (
    TEST_TIMEOUT_MS,
    AcceptMode,
    CompareOptions,
    TimingMethod,
)
from steelyard.comparing._view import view
from steelyard.comparing._words import times_as_fast
from steelyard.comparing.function import CandidateKind
from steelyard.comparing.timing._loops import TestResults

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
