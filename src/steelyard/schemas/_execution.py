"""The result of one run, and its isolation."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record


class StopReason(StrEnum):
    """The reason why a run ended: by itself, or at a limit."""

    EXITED = "exited"
    SIGNALED = "signaled"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    NOT_STARTED = "not_started"
    """The program could not be executed (not found, not executable, wrong format)."""


class Isolation(Record):
    """The isolation that was really in force in a run."""

    backend: Literal["cell", "docker"]
    level: Literal["full", "partial", "none"]
    """`full`: own namespaces, file view and control group, seccomp; `partial`: some of it; `none`:
    limits."""
    namespaces: tuple[str, ...] = ()
    filesystem: Literal["view", "landlock", "container", "host"] = "host"
    """The files that the program sees: a private read-only view, the host through Landlock, a
    container's image, or the host's files with the user's rights."""
    seccomp: bool = False
    separate_user: bool = False
    """True if the program runs under another user id than its supervisor."""
    network: Literal["none", "host"] = "host"
    cpu_counter: Literal["cgroup-v1", "cgroup-v2", "rusage"] = "rusage"
    memory_counter: Literal["cgroup-v1", "cgroup-v2", "rss"] = "rss"
    memory_limited_by: Literal["cgroup-v1", "cgroup-v2", "sampling"] = "sampling"
    pinned: bool = False
    """True if each cell is pinned to one core."""
    missing: tuple[str, ...] = ()
    """One line for each protection that is not in force, with the reason."""

    def __str__(self) -> str:
        """Return one line for reports: the strength, what it consists of, and what counted."""
        return (
            f"{self.level} ({self.backend}; files: {self.filesystem}; network: {self.network}; "
            f"seccomp: {'on' if self.seccomp else 'off'}; "
            f"CPU by {self.cpu_counter}, memory by {self.memory_counter})"
        )


class Execution(Record):
    """The result of one run."""

    stop: StopReason
    exit_code: int | None
    """None if a signal ended it or it never started."""
    signal: int | None
    cpu_ms: float
    """User and system time of all processes of the run."""
    wall_ms: float
    """Wall time from just before the program starts to its end, by the monotonic clock."""
    waited_ms: float = 0
    """The part of it in which the run could have gone on, but others had its core or the disk.

    It does not count against the wall limit."""
    memory_mib: float
    """Peak memory of all processes together if a cgroup counts it, else as `memory_counter`."""
    max_rss_mib: float
    """Peak resident set of the largest single process."""
    stdout: bytes = Field(repr=False)
    stderr: bytes = Field(repr=False)
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    files: dict[str, bytes] = Field(default_factory=dict, repr=False)
    """The collected files that exist, by their requested names."""
    message: str = ""
    """The reason for `not_started`."""
    forked: bool = False
    """True if a fork server made the process; else the program was started."""
    isolation: Isolation = Field(repr=False)
