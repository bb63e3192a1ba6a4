"""Drive planner, pruner, coder and analyst in one loop.

`Solver` solves a problem; `SolveOptions` are its options. Models plan and write programs; all
figures of a program are measured. `pruning` refuses hopeless plans before they cost anything.
"""

from steelyard._homes import publish
from steelyard.solving._history import (
    RunHead,
    SolveStory,
    Turn,
    read_solve_story,
)
from steelyard.solving._job import JOB, SolveRequest
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import problem_of_text, read_generator, read_problem
from steelyard.solving._solver import Solver, asolve, solve
from steelyard.solving._story import story_json, story_view
from steelyard.solving._view import view
from steelyard.solving.pruning import Pruner

__all__ = [
    "JOB",
    "Pruner",
    "RunHead",
    "SolveOptions",
    "SolveRequest",
    "SolveStory",
    "Solver",
    "Turn",
    "asolve",
    "problem_of_text",
    "read_generator",
    "read_problem",
    "read_solve_story",
    "solve",
    "story_json",
    "story_view",
    "view",
]

publish(__name__, globals())
