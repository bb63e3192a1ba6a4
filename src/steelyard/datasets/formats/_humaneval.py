"""HumanEval."""

from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields
from steelyard.judging import FORMS, Source

__all__ = ["read_humaneval"]


def read_humaneval(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, entry_point, canonical_solution, test`."""
    prompt = row.text("prompt")
    return {
        "id": row.identifier("task_id"),
        "title": row.line("entry_point"),
        "prompt": prompt,
        **FORMS["humaneval"].fields(Source(row.text("test"), row.text("entry_point"), prompt)),
        "solutions": ({"source": prompt + row.text("canonical_solution")},),
    }
