"""HumanEval."""

from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields

__all__ = ["read_humaneval"]


def read_humaneval(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, entry_point, canonical_solution, test`.

    The prompt defines helpers of the tests too, so it is their setup.
    """
    prompt = row.text("prompt")
    return {
        "id": row.identifier("task_id"),
        "title": row.line("entry_point"),
        "prompt": prompt,
        "entry": f"asserts:{row.text('entry_point')}",
        "language": "python",
        "completion": "continuation",
        "tests": ({"code": row.text("test"), "setup": prompt},),
        "solutions": ({"source": prompt + row.text("canonical_solution")},),
    }
