"""Runs a project's tests and calls in cells, and reads what these runs tell."""

from steelyard.equivalence.running._endings import Ended, end_of
from steelyard.equivalence.running._frames import Frame, Told
from steelyard.equivalence.running._interpreter import interpreter_of, require_version
from steelyard.equivalence.running._memory import usable_memory
from steelyard.equivalence.running._project import Project, read_project
from steelyard.equivalence.running._runs import Run, Runner, Target

__all__ = [
    "Ended",
    "Frame",
    "Project",
    "Run",
    "Runner",
    "Target",
    "Told",
    "end_of",
    "interpreter_of",
    "read_project",
    "require_version",
    "usable_memory",
]
