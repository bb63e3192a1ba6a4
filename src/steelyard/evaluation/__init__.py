"""Evaluate programs on a benchmark: a record that resumes, metrics counted from it, reports.

`evaluate` judges samples, or lets a model or the solve loop write them first. `diff_evaluations`
compares two runs pair by pair, `merge_evaluations` joins shards, and `view_evaluation` counts all
figures again from a record. `export_evaluation` writes a log of Inspect. `metrics` holds the
formulas.
"""

from steelyard._homes import publish
from steelyard.evaluation._evaluate import aevaluate, evaluate, run_evaluation
from steelyard.evaluation._finished import diff_evaluations, merge_evaluations, view_evaluation
from steelyard.evaluation._folder import EvaluationFolder, read_head, read_record
from steelyard.evaluation._inspect import export_evaluation
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._report import stored_program, stored_report, stored_task
from steelyard.evaluation._view import diff_view, sample_view, task_table, view
from steelyard.evaluation._words import figure, interval

__all__ = [
    "EvaluateOptions",
    "EvaluationFolder",
    "aevaluate",
    "diff_evaluations",
    "diff_view",
    "evaluate",
    "export_evaluation",
    "figure",
    "interval",
    "merge_evaluations",
    "read_head",
    "read_record",
    "run_evaluation",
    "sample_view",
    "stored_program",
    "stored_report",
    "stored_task",
    "task_table",
    "view",
    "view_evaluation",
]

publish(__name__, globals())
