"""Describe a job as clients see it."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Protocol

from pydantic import AfterValidator, BaseModel, Field

from steelyard.jobs import JOBS
from steelyard.schemas import Spending


def _known(name: str) -> str:
    if name not in JOBS:
        raise ValueError(f"is not a job; use one of {', '.join(JOBS)}")
    return name


JobKind = Annotated[str, AfterValidator(_known), Field(json_schema_extra={"enum": list(JOBS)})]
"""The name of a job."""
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
STATES: dict[JobState, tuple[str, ...]] = {
    "queued": ("ENQUEUED", "DELAYED"),
    "running": ("PENDING",),
    "done": ("SUCCESS",),
    "failed": ("ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"),
    "cancelled": ("CANCELLED",),
}
"""The states, and what the library of jobs calls them."""
STATE_WORDS: dict[JobState, str] = {
    "queued": "queued",
    "running": "running",
    "done": "finished",
    "failed": "failed",
    "cancelled": "stopped",
}
"""The states as people read them."""
_STATE_OF = {theirs: ours for ours, names in STATES.items() for theirs in names}


class JobFailedError(Exception):
    """Ends a job with a problem; its text is the problem's document as JSON."""


class Owner(Protocol):
    """Whoever asks for a job."""

    @property
    def owner(self) -> str:
        """The account; empty for a caller on loopback."""

    @property
    def name(self) -> str:
        """The name of the token."""


class Jobs(Protocol):
    """A queue of jobs; see `steelyard.service.jobs`."""

    def submit(
        self, kind: JobKind, payload: dict[str, Any], caller: Owner, *, key: str | None = None
    ) -> "QueuedJob":
        """Store a job."""

    def find(self, job_id: str) -> "QueuedJob | None":
        """Return a job without its result."""

    def get(self, job_id: str) -> "QueuedRun | None":
        """Return a job with its result."""

    def cancel(self, job_id: str) -> "QueuedJob | None":
        """Cancel a job, and return it."""

    def counts(self) -> dict[str, int]:
        """Return how many jobs are `queued` and `running`."""

    def new_spendings(self) -> "list[tuple[JobKind, Spending]]":
        """Return what models cost in the runs that are done since the last call."""


class Summary(BaseModel, frozen=True):
    """A run in a few words."""

    subject: str = ""
    """Such as the name of a function, or the first line of a problem."""
    outcome: str = ""
    """Such as `rejected, changes the order`; empty until the run has ended."""
    passed: bool | None = None
    """True if the outcome is a good one; None until the run has ended."""
    seconds: float | None = None
    """The time that the job took, by its report; None until there is one."""


class QueuedJob(Summary, frozen=True):
    """A run that clients follow: its subject, its state and its outcome."""

    id: str
    kind: JobKind
    state: JobState
    """`done` has a result, which may say that the program is wrong; `failed` has a problem."""
    owner: str = Field(exclude=True)
    """The account that asked for it; empty for a caller on loopback."""
    owner_name: str = ""
    created_utc: datetime
    started_utc: datetime | None = None
    ended_utc: datetime | None = None
    attempts: int = 0
    """How often a worker began it; more than 1 if a worker died."""
    digest: str = Field(default="", exclude=True)
    """Identifies the request."""

    @property
    def has_ended(self) -> bool:
        """True if its state will not change."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def has_outcome(self) -> bool:
        """True if the run ended by itself, good or bad."""
        return self.state in ("done", "failed") and bool(self.outcome)

    @property
    def status(self) -> str:
        """The outcome; the state in words if there is none."""
        return self.outcome if self.has_outcome else STATE_WORDS[self.state]

    @property
    def heading(self) -> str:
        """The subject and the status, such as `dedupe: rejected, changes the order`."""
        return f"{self.subject or self.kind}: {self.status}"


class QueuedRun(QueuedJob, frozen=True):
    """A run with its end."""

    result: Any = None
    """As the job's own path answers."""
    problem: dict[str, Any] | None = None
    """The problem document of a run that failed."""


def state_of(status: str) -> JobState:
    """Return our name of a state."""
    return _STATE_OF[status]


def at(epoch_ms: int | None) -> datetime | None:
    """Return a time."""
    return None if epoch_ms is None else datetime.fromtimestamp(epoch_ms / 1000, UTC)
