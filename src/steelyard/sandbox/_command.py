"""What a caller asks a cell to run."""

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
    """Where it appears; at the same path where this is empty."""


@dataclass(frozen=True, slots=True)
class View:
    """All of the host that a command may see, read-only. A path that is absent is left out.

    Beside it each cell has `/dev` with the harmless devices, `/proc` with the run's own
    processes, and an empty scratch folder, capped together, at `/w` (the work folder), `/tmp`
    and `/dev/shm`.
    """

    mounts: tuple[Mount, ...] = ()
    scratch_mib: int = 256
    """Room for all files of a run together, in MiB."""
    _hash: int = field(init=False, compare=False, repr=False)  # it is asked for with every run

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.mounts, self.scratch_mib)))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def of(cls, *paths: str, scratch_mib: int = 256) -> "View":
        """A view of these host paths, each at its own place."""
        return cls(tuple(Mount(path) for path in paths), scratch_mib)


SYSTEM_VIEW = View.of(
    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
    "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",
    "/etc/alternatives", "/etc/ld.so.cache",
)  # fmt: skip
"""The system's programs and shared libraries, and nothing else."""


@dataclass(frozen=True, slots=True)
class ForkServer:
    """A trusted program that a cell starts once, and that makes the process of each later run.

    It loads what many runs need, and then calls `steelyard_serve` (fork_server.c) once. Nothing
    of a candidate ever reaches its own memory. A cell retires it after a number of runs, after a
    run that did not end by itself, and when a run left anything behind.
    """

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    """Also that of every process it makes."""


@dataclass(frozen=True, slots=True)
class Command:
    """One program to run under limits.

    Raises:
        CommandError: when it is handed to a pool, if no cell could run it as it is written.
    """

    argv: tuple[str, ...]
    """The program and its arguments; a bare name is looked for along `env["PATH"]`."""
    stdin: bytes | Blob = b""
    limits: Limits = field(default_factory=Limits)
    env: Mapping[str, str] = field(default_factory=lambda: DEFAULT_ENV)
    files: Mapping[str, bytes | Blob] = field(default_factory=dict)
    """Written into the work folder before the start, by relative path; readable, executable."""
    executable: Blob | None = None
    """Run this in place of the file that `argv[0]` names: an ELF image, started from memory."""
    collect: tuple[str, ...] = ()
    """Files of the work folder to bring back: regular files only, no symbolic link followed."""
    view: View = SYSTEM_VIEW
    cell: str = ""
    """Names the cell to run in. Commands that name different cells never share one, nor its fork
    server, even if their views are equal."""
    channel: int | None = None
    """A descriptor of the caller's that the program finds as its descriptor 3."""
    fixed_addresses: bool = False
    """Start it without address randomisation, where the kernel permits: its resident memory is
    then the same in every run. A fork server's processes have the server's addresses."""
    server: ForkServer | None = None
    """What makes the process, in cells that can; elsewhere `argv` is started."""
    forked_argv: tuple[str, ...] = ()
    """What the server's process is handed in place of `argv`."""
