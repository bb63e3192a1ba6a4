"""Drive planner, pruner, coder and analyst in one loop.

`Solver` solves a problem; `SolveOptions` are its options. Models plan and write programs; all
figures of a program are measured. `pruning` refuses hopeless plans before they cost anything.
"""

from steelyard._homes import publish
from steelyard.solving._history import RunHead, Story, Turn, read_head, read_story
from steelyard.solving._job import JOB, SolveRequest
from steelyard.solving._options import SolveOptions
from steelyard.solving._problem import problem_of_text, read_generator, read_problem
from steelyard.solving._solver import Replay, Solver, asolve, solve
from steelyard.solving._story import replay_view, story_json, story_view
from steelyard.solving._view import view
from steelyard.solving.pruning import Pruner

__all__ = [
    "JOB",
    "Pruner",
    "Replay",
    "RunHead",
    "SolveOptions",
    "SolveRequest",
    "Solver",
    "Story",
    "Turn",
    "asolve",
    "problem_of_text",
    "read_generator",
    "read_head",
    "read_problem",
    "read_story",
    "replay_view",
    "solve",
    "story_json",
    "story_view",
    "view",
]

publish(__name__, globals())
