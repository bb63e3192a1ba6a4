"""Reference solutions: written without sight of each other, weighed by evidence, repaired."""

from steelyard.authoring.references._runs import (
    LIMITS,
    SolutionRuns,
    Voice,
    WrittenSolution,
    fault_of_program,
)
from steelyard.authoring.references._settling import HEALINGS, SUSPICIOUS, Settled, Settling
from steelyard.authoring.references._shrinking import shrink
from steelyard.authoring.references._voting import (
    Ballot,
    Contradiction,
    Side,
    Split,
    Truth,
    Voting,
    ballots_of,
    contradictions,
    is_truth,
    truths_of,
)
from steelyard.authoring.references._weighing import Smallest, Weighed, weigh
from steelyard.authoring.references._writing import SolutionWriter

__all__ = [
    "HEALINGS",
    "LIMITS",
    "SUSPICIOUS",
    "Ballot",
    "Contradiction",
    "Settled",
    "Settling",
    "Side",
    "Smallest",
    "SolutionRuns",
    "SolutionWriter",
    "Split",
    "Truth",
    "Voice",
    "Voting",
    "Weighed",
    "WrittenSolution",
    "ballots_of",
    "contradictions",
    "fault_of_program",
    "is_truth",
    "shrink",
    "truths_of",
    "weigh",
]
