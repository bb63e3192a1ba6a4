"""Keep a run of models in a folder, so that it can be resumed, replayed and shown."""

from steelyard.journal._artefacts import (
    Artefact,
    Exchange,
    content_of,
    exchanges_in,
    read_record,
    turns_in,
)
from steelyard.journal._asking import Asker, open_budget, open_models, recorded_models
from steelyard.journal._journal import Journal, Steps, locked
from steelyard.journal._results import HEAD, ResultsFolder, disk_faults, holds_results, read_lines

__all__ = [
    "HEAD",
    "Artefact",
    "Asker",
    "Exchange",
    "Journal",
    "ResultsFolder",
    "Steps",
    "content_of",
    "disk_faults",
    "exchanges_in",
    "holds_results",
    "locked",
    "open_budget",
    "open_models",
    "read_lines",
    "read_record",
    "recorded_models",
    "turns_in",
]
