"""Judge what people submit on a problem's current suite, and keep every judgement."""

from steelyard.authoring.challenges.submissions._results import (
    REFERENCES,
    Results,
    rank_of,
    read_results,
    reference_of,
    replacement_of,
    require_problem_name,
    store_problem,
    store_results,
)
from steelyard.authoring.challenges.submissions._submit import (
    PYTHON,
    USUAL_MS,
    CurrentProblem,
    SuiteJudge,
    list_submissions,
    repeat_outdated,
    submit,
)

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
