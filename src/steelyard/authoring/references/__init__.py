"""Reference solutions: written without sight of each other, weighed by evidence, repaired."""

from steelyard.authoring.references._runs import LIMITS, Program, Runs, Voice, fault_of_program
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
from steelyard.authoring.references._writing import Writer

__all__ = [
    "HEALINGS",
    "LIMITS",
    "SUSPICIOUS",
    "Ballot",
    "Program",
    "Runs",
    "Settled",
    "Settling",
    "Side",
    "Smallest",
    "Split",
    "Voice",
    "Weighed",
    "Writer",
    "count",
    "fault_of_program",
    "reading_of",
    "shrink",
    "weigh",
]
