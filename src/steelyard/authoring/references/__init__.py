"""Reference solutions: written without sight of each other, weighed by evidence, repaired."""

from steelyard.authoring.references._ballot import Ballot, Side, Split, count, reading_of
from steelyard.authoring.references._runs import Runs
from steelyard.authoring.references._settling import HEALINGS, SUSPICIOUS, Settled, Settling
from steelyard.authoring.references._shrinking import shrink
from steelyard.authoring.references._voice import LIMITS, Program, Voice, fault_of_program
from steelyard.authoring.references._weighing import Smallest, Weighed, weigh
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
