"""Runs a project's tests and calls in cells, and reads what these runs tell."""

from steelyard.equivalence.running._frames import Frame, Told
from steelyard.equivalence.running._memory import usable_memory
from steelyard.equivalence.running._project import Project, read_project
from steelyard.equivalence.running._runs import Run, Runner

__all__ = ["Frame", "Project", "Run", "Runner", "Told", "read_project", "usable_memory"]
