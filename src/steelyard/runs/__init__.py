"""Run models step by step, in a folder from which the run is resumed, replayed and shown.

`Run` is one run, `Runner` what begins, resumes and replays the runs of a job, and `Story` what a
run's folder holds.
"""

from steelyard._homes import publish
from steelyard.runs._artefacts import (
    Exchange,
    content_of,
    exchanges_in,
    read_record,
    turns_in,
)
from steelyard.runs._folder import HEAD, RunFolder, disk_faults, locked
from steelyard.runs._paid_replies import open_budget, open_models
from steelyard.runs._results import ResultsFolder, holds_results, read_lines
from steelyard.runs._resumable import Head, Replay, Runner, Story, read_head, read_story
from steelyard.runs._run import FAULTS, MACHINE_FAULTS, Run, ended_by

__all__ = [
    "FAULTS",
    "HEAD",
    "MACHINE_FAULTS",
    "Exchange",
    "Head",
    "Replay",
    "ResultsFolder",
    "Run",
    "RunFolder",
    "Runner",
    "Story",
    "content_of",
    "disk_faults",
    "ended_by",
    "exchanges_in",
    "holds_results",
    "locked",
    "open_budget",
    "open_models",
    "read_head",
    "read_lines",
    "read_record",
    "read_story",
    "turns_in",
]

publish(__name__, globals())
