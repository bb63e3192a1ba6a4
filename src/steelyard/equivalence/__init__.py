"""A rewritten function beside its original: behaviour, speed, coverage.

baseline = Baseline("project", "pkg.module:function")
comparison = compare_candidate(baseline, text)  # as many candidates as one likes
"""

from steelyard.equivalence._baseline import Baseline
from steelyard.equivalence._compare import compare, compare_candidate, rank
from steelyard.equivalence._options import Options
from steelyard.equivalence._results import TestResults
from steelyard.equivalence.subject import CandidateKind

__all__ = [
    "Baseline",
    "CandidateKind",
    "Options",
    "TestResults",
    "compare",
    "compare_candidate",
    "rank",
]
