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

__all__ = [
    "Artefact",
    "Asker",
    "Exchange",
    "Journal",
    "Steps",
    "content_of",
    "exchanges_in",
    "locked",
    "open_budget",
    "open_models",
    "read_record",
    "recorded_models",
    "turns_in",
]
