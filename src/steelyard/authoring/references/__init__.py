"""Reference solutions: written without sight of each other, weighed by evidence, repaired."""

from steelyard.authoring.references._ballot import Ballot, Side, Split, count
from steelyard.authoring.references._runs import Runs
from steelyard.authoring.references._settling import Settled, Settling
from steelyard.authoring.references._shrinking import shrink
from steelyard.authoring.references._voice import LIMITS, Program, Voice, fault_of_program
from steelyard.authoring.references._weighing import Smallest, Weighed, weigh
from steelyard.authoring.references._writing import Writer

__all__ = [
    "LIMITS",
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
    "shrink",
    "weigh",
]
