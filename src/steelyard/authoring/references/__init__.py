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
from steelyard.authoring.references._weighing import (
    Ballot,
    Side,
    Smallest,
    Split,
    Weighed,
    count,
    reading_of,
    weigh,
)
from steelyard.authoring.references._writing import SolutionWriter

__all__ = [
    "HEALINGS",
    "LIMITS",
    "SUSPICIOUS",
    "Ballot",
    "Settled",
    "Settling",
    "Side",
    "Smallest",
    "SolutionRuns",
    "SolutionWriter",
    "Split",
    "Voice",
    "Weighed",
    "WrittenSolution",
    "count",
    "fault_of_program",
    "reading_of",
    "shrink",
    "weigh",
]
