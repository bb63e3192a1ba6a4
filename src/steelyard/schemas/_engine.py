"""Jobs that an engine runs on one machine or on many, and their results."""

from typing import Literal

from pydantic import Field, JsonValue

from steelyard.schemas._authored import Sha256
from steelyard.schemas._base import Given, Record
from steelyard.schemas._execution import Isolation
from steelyard.schemas._verdict import ErrorResult

JobKind = Literal["judge", "solve", "suite"]
IsolationLevel = Literal["none", "partial", "full"]


class EngineJob(Given):
    """A piece of work that holds all that it needs, so that any node can do it."""

    key: str = Field(min_length=1, max_length=200)
    """Unique in a run. A result that comes twice is known by it."""
    kind: JobKind
    data: dict[str, JsonValue] = Field(default_factory=dict, repr=False)
    blobs: tuple[Sha256, ...] = ()
    """SHA-256 of the blobs that it reads, such as its task. A node receives each blob once."""
    max_cost_usd: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """The most that models may cost. The job itself must not exceed it."""


class EngineResult(Record):
    """Result of a job: either `value` or `error` is set."""

    key: str
    value: dict[str, JsonValue] | None = Field(default=None, repr=False)
    error: ErrorResult | None = None
    node: str
    """Name of the machine, or of the node of a cluster."""
    isolation: Isolation | None = None
    """The isolation of the node's cells."""
    seconds: float = 0.0
    """Wall time of the last try."""
    cost_usd: float = 0.0
    """Cost of models in all tries. A try that is lost counts as the job's `max_cost_usd`."""
    tries: int = 1


class EngineNode(Record):
    """A machine of an engine."""

    name: str
    workers: int
    """Jobs that it runs in parallel; 0 if it takes no work."""
    isolation: Isolation | None = None
    refused: str = ""
    """The reason why it takes no work, or does so no longer; empty if it takes work."""
