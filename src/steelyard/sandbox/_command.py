"""The commands that cells run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from steelyard.sandbox._blob import Blob
from steelyard.schemas import Limits

DEFAULT_ENV: Mapping[str, str] = MappingProxyType(
    # /tmp is the cell's own scratch folder.
    {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108
)


@dataclass(frozen=True, slots=True)
class Mount:
    """A host file or folder that appears, read-only, in a cell."""

    source: str
    target: str = ""
    """The path in the cell; empty for the same path."""


@dataclass(frozen=True, slots=True)
class View:
    """All of the host that a command may see, read-only. A path that is absent is left out.

    Each cell also has `/dev` with the harmless devices, `/proc` with the run's own
    processes, and empty scratch folders that share one limit: `/w` (the work folder), `/tmp`
    and `/dev/shm`.
    """

    mounts: tuple[Mount, ...] = ()
    scratch_mib: int = 256
    """Limit on all files of a run together, in MiB."""
    _hash: int = field(init=False, compare=False, repr=False)  # needed in every run

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.mounts, self.scratch_mib)))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def of(cls, *paths: str, scratch_mib: int = 256) -> "View":
        """Return a view of these host paths, each at the same path in the cell."""
        return cls(tuple(Mount(path) for path in paths), scratch_mib)


SYSTEM_VIEW = View.of(
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/etc/alternatives",
    "/etc/ld.so.cache",
)
"""The system's programs and shared libraries, and nothing else."""


@dataclass(frozen=True, slots=True)
class ForkServer:
    """A trusted program that a cell starts once, and that makes the process of each later run.

    It loads what many runs need, and then calls `steelyard_serve` (fork_server.c) once. Nothing
    of a candidate ever reaches its own memory. A cell replaces it after a number of runs, after a
    run that did not end by itself, and after a run that left anything behind.
    """

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    """The environment of the server and of every process that it makes."""


@dataclass(frozen=True, slots=True)
class Heap:
    """A memory limit that a program's own runtime enforces, inside of the run's limit."""

    limit_mib: int
    """As the user gave it."""
    messages: tuple[bytes, ...]
    """What the runtime writes to standard error when the heap is full."""

    @property
    def message(self) -> str:
        """The fault of a program that met the limit, for people."""
        return f"used more than {self.limit_mib:,} MiB"

    def is_full(self, stderr: bytes, used_mib: float) -> bool:
        """Return True if the runtime wrote that its heap is full, and more than the limit was used.

        A program can write the same words.
        """
        return used_mib > self.limit_mib and any(message in stderr for message in self.messages)


@dataclass(frozen=True, slots=True)
class Command:
    """One program to run under limits.

    Raises:
        CommandError: when a pool runs it, if no cell can run it.
    """

    argv: tuple[str, ...]
    """The program and its arguments; a bare name is looked up in `env["PATH"]`."""
    stdin: bytes | Blob = b""
    limits: Limits = field(default_factory=Limits)
    env: Mapping[str, str] = field(default_factory=lambda: DEFAULT_ENV)
    files: Mapping[str, bytes | Blob] = field(default_factory=dict)
    """Files to write into the work folder before the start, by relative path; all executable."""
    executable: Blob | None = None
    """An ELF image to run from memory instead of the file that `argv[0]` names."""
    collect: tuple[str, ...] = ()
    """Names of regular files in the work folder to bring back; symbolic links are not followed."""
    heap: Heap | None = None
    """The runtime's own memory limit. A run that fails with a full heap met a memory limit."""
    view: View = SYSTEM_VIEW
    cell: str = ""
    """The name of the cell to run in. Commands with different names never share a cell or its
    fork server, even if their views are equal."""
    channel: int | None = None
    """A descriptor of the caller that becomes the program's descriptor 3."""
    fixed_addresses: bool = False
    """Start without address randomisation, if the kernel permits, so that resident memory is the
    same in every run. A fork server's processes have the server's addresses."""
    server: ForkServer | None = None
    """The fork server that makes the process; cells that cannot have one start `argv` instead."""
    forked_argv: tuple[str, ...] = ()
    """The arguments for the server's process, instead of `argv`."""
