"""What one run did, and what isolated and measured it."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record


class StopReason(StrEnum):
    """Why a run ended: by itself, or at which limit."""

    EXITED = "exited"
    SIGNALED = "signaled"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    NOT_STARTED = "not_started"
    """The program could not be executed (not found, not executable, wrong format)."""


class Isolation(Record):
    """What was really in force around a run. Strength is a fact here, not a hope."""

    backend: Literal["cell", "python-cell", "docker"]
    level: Literal["full", "partial", "none"]
    """`full`: own namespaces, own file view, seccomp; `partial`: some of it; `none`: limits."""
    namespaces: tuple[str, ...] = ()
    filesystem: Literal["view", "landlock", "container", "host"] = "host"
    """What the program sees: a private read-only view, the host through Landlock, a container's
    image, or the host's files as the user may read them."""
    seccomp: bool = False
    separate_user: bool = False
    """Whether the program runs under another user id than its supervisor."""
    network: Literal["none", "host"] = "host"
    cpu_counter: Literal["cgroup-v1", "cgroup-v2", "rusage"] = "rusage"
    memory_counter: Literal["cgroup-v1", "cgroup-v2", "rss"] = "rss"
    memory_limited_by: Literal["cgroup-v1", "cgroup-v2", "sampling"] = "sampling"
    pinned: bool = False
    """Whether each cell keeps to one core."""
    missing: tuple[str, ...] = ()
    """One line for each protection that is not in force, with the reason."""


class Execution(Record):
    """What one run did."""

    stop: StopReason
    exit_code: int | None
    """None where a signal ended it or it never started."""
    signal: int | None
    cpu_ms: float
    """User and system time of all processes of the run."""
    wall_ms: float
    """From just before the program was started to its end, by the monotonic clock."""
    memory_mib: float
    """Peak memory of all processes together where a cgroup counts it, else as `memory_counter`."""
    max_rss_mib: float
    """Peak resident set of the largest single process."""
    stdout: bytes = Field(repr=False)
    stderr: bytes = Field(repr=False)
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    files: dict[str, bytes] = Field(default_factory=dict, repr=False)
    """The collected files that exist, by the name that was asked for."""
    message: str = ""
    """For `not_started`, why."""
    forked: bool = False
    """Whether a fork server made the process; else the program was started."""
    isolation: Isolation = Field(repr=False)
