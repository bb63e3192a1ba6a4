"""Progress of a job, as callbacks receive it."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._verdict import CaseResult

Job = Literal["judge", "profile", "compare", "solve"]


class Event(Record):
    """One step of a job that is under way."""

    job: Job
    stage: str
    """A short text for people, such as `timing at n = 1,024`."""
    share: float | None = Field(default=None, ge=0, le=1)
    """How much of the job is done; None if unknown."""
    message: str = ""
    """What the step found, one line; empty if there is nothing to say."""
    iteration: int = Field(default=0, ge=0)
    """For solve, the turn of the loop, from 0."""
    case: CaseResult | None = None
    """For judge, the case that has just been judged."""


OnEvent = Callable[[Event], None]
"""Receives each event as it comes, from any thread."""
