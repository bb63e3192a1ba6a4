"""Find a function in a project, run tests and calls in cells, and read what these runs tell.

subject = find_subject(Path("project"), "pkg.module:Class.method")
"""

from steelyard.project_runs._endings import Ended, end_of
from steelyard.project_runs._frames import Told
from steelyard.project_runs._interpreter import interpreter_of, require_version
from steelyard.project_runs._memory import usable_memory
from steelyard.project_runs._parsing import UnparsableError, parse
from steelyard.project_runs._project import Project, read_project
from steelyard.project_runs._runs import SUITE, Kind, Plan, Run, Runner, Target
from steelyard.project_runs._signature import Binding, FunctionKind
from steelyard.project_runs._subject import (
    Subject,
    encoding_of,
    find_file,
    find_subject,
    read_text,
)
from steelyard.project_runs.incell.sessions import Collecting, Session, TestBegun, Uncollected
from steelyard.project_runs.incell.suites import Collected, Suite, SuiteCoverage, SuiteTest
from steelyard.project_runs.incell.task import Ended as EndOfRun
from steelyard.project_runs.incell.task import Failed

__all__ = [
    "SUITE",
    "Binding",
    "Collected",
    "Collecting",
    "EndOfRun",
    "Ended",
    "Failed",
    "FunctionKind",
    "Kind",
    "Plan",
    "Project",
    "Run",
    "Runner",
    "Session",
    "Subject",
    "Suite",
    "SuiteCoverage",
    "SuiteTest",
    "Target",
    "TestBegun",
    "Told",
    "Uncollected",
    "UnparsableError",
    "encoding_of",
    "end_of",
    "find_file",
    "find_subject",
    "interpreter_of",
    "parse",
    "read_project",
    "read_text",
    "require_version",
    "usable_memory",
]
