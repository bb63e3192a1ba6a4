"""One run: its limits, its result and isolation, and what the sandbox offers for it."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from steelyard.schemas._base import Given, Record

WALL_GRACE_MS = 250
"""Wall time that a run may take beyond its CPU time, in ms (the runtime limit + 250 ms)."""
_Millis = Annotated[int, Field(ge=1, le=86_400_000)]
_Mib = Annotated[int, Field(ge=1, le=1_048_576)]


class Limits(Given):
    """The limits of one run; the defaults suit a C++ program."""

    cpu_ms: _Millis = 5_000
    """CPU time of all processes together, user and system."""
    wall_ms: _Millis = 0  # filled in below
    """Wall time; by default `cpu_ms` + 250."""
    memory_mib: _Mib = 512
    """Memory of all processes together, including files in the scratch folder."""
    stack_mib: _Mib = 256
    """Stack of each process's main thread."""
    output_mib: _Mib = 50
    """Size of standard output, and of standard error."""
    file_mib: _Mib = 50
    """Size of each file."""
    processes: Annotated[int, Field(ge=1, le=4096)] = 64
    """Processes and threads that may exist at once."""

    @model_validator(mode="before")
    @classmethod
    def _wall_from_cpu(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("wall_ms") is None:
            cpu_ms = data.get("cpu_ms", cls.model_fields["cpu_ms"].default)
            if isinstance(cpu_ms, int):
                return {**data, "wall_ms": min(cpu_ms + WALL_GRACE_MS, 86_400_000)}
        return data

    def replace(self, **changes: int) -> Self:
        """Return validated limits with changes; a new `cpu_ms` alone moves `wall_ms` too."""
        if "cpu_ms" in changes and "wall_ms" not in changes:
            checked = type(self)(cpu_ms=changes["cpu_ms"]).cpu_ms
            changes["wall_ms"] = checked + (self.wall_ms - self.cpu_ms)
        return type(self)(**{**self.model_dump(), **changes})


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

    @property
    def out_of_time(self) -> bool:
        """True at a limit on CPU or wall time."""
        return self in (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)


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


class Remedy(Record):
    """Something that is missing, and the command that installs it."""

    what: str
    why: str
    command: str
    """A shell command, which may need root."""


class SandboxReport(Record):
    """The sandbox's abilities on this machine."""

    isolation: Isolation | None
    """The isolation of a run; None if no cell can be made."""
    error: str = ""
    """The reason why no cell can be made."""
    native_cell: bool
    """True if the build compiled the native cell."""
    forks: bool = False
    """True if Python programs are forked from an interpreter with preloaded modules."""
    docker: str
    """The engine's version, or the reason why the `docker` backend cannot be used."""
    cores: int
    """Cores that this process may use: the size of a pool."""
    memory_mib: int = 0
    """Memory that all cells may use together, in MiB: the machine's, or its group's limit. 0 if it
    is unknown."""
    kernel: str
    machine: str
    python: str
    remedies: tuple[Remedy, ...] = ()
