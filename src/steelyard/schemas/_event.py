"""Progress of a job, as callbacks receive it."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._verdict import CaseResult

Job = Literal["judge", "profile", "compare", "solve", "author", "evaluate", "train", "check"]


class Event(Record):
    """One step of a running job."""

    job: Job
    stage: str
    """A short text for people, such as `timing at n = 1,024`."""
    share: float | None = Field(default=None, ge=0, le=1)
    """The finished share of the job; None if unknown."""
    message: str = ""
    """The step's finding in one line; empty if there is none."""
    iteration: int = Field(default=0, ge=0)
    """For solve, the loop's iteration, from 0."""
    case: CaseResult | None = None
    """For judge, the latest judged case."""


OnEvent = Callable[[Event], None]
"""A callback that receives each event, from any thread."""
