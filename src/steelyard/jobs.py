"""The registry of jobs: each is declared in its room (see `steelyard.job`), and named here as text.

A room is imported when its job is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.job import Job

JOBS: dict[str, str] = {
    "judge": "steelyard.judging:JOB",
    "profile": "steelyard.profiling:JOB",
    "compare": "steelyard.comparing:JOB",
    "strength": "steelyard.strength:JOB",
    "author": "steelyard.authoring.pipeline:JOB",
    "solve": "steelyard.solving:JOB",
}
"""The declaration of each job, by its name, as `package:name`."""


def job(name: str) -> "Job[Any, Any, Any]":
    """Return the declaration of a job."""
    module, _, attribute = JOBS[name].partition(":")
    found: Job[Any, Any, Any] = getattr(import_module(module), attribute)
    return found
