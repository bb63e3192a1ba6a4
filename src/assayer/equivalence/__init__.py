"""A rewritten function beside its original: behaviour, speed, coverage.

baseline = Baseline("project", "pkg.module:function")
comparison = compare_candidate(baseline, text)  # as many candidates as one likes
"""

from assayer.equivalence._baseline import Baseline
from assayer.equivalence._compare import compare, compare_candidate, rank
from assayer.equivalence._options import Options
from assayer.equivalence._results import TestResults
from assayer.equivalence.subject import CandidateKind

__all__ = [
    "Baseline",
    "CandidateKind",
    "Options",
    "TestResults",
    "compare",
    "compare_candidate",
    "rank",
]
