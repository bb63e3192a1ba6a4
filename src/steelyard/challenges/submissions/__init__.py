"""Judge what people submit on a problem's current suite, and keep every judgement."""

from steelyard.challenges.submissions._judging import PYTHON, USUAL_MS, SuiteJudge
from steelyard.challenges.submissions._problem import CurrentProblem
from steelyard.challenges.submissions._reference import (
    REFERENCES,
    rank_of,
    reference_of,
    replacement_of,
)
from steelyard.challenges.submissions._results import (
    Results,
    read_results,
    require_problem_name,
    store_problem,
    store_results,
)
from steelyard.challenges.submissions._submit import list_submissions, repeat_outdated, submit

__all__ = [
    "PYTHON",
    "REFERENCES",
    "USUAL_MS",
    "CurrentProblem",
    "Results",
    "SuiteJudge",
    "list_submissions",
    "rank_of",
    "read_results",
    "reference_of",
    "repeat_outdated",
    "replacement_of",
    "require_problem_name",
    "store_problem",
    "store_results",
    "submit",
]
