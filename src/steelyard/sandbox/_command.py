"""The commands that cells run, and the sealed memory files (`Blob`) that they are given."""

import fcntl
import os
import struct
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Self

from steelyard.schemas import Limits

MIB = 1024 * 1024
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


_SET_RW_HINT, _SET_FLAGS = 1036, 0x4008_6602  # F_SET_RW_HINT, FS_IOC_SETFLAGS
_NOATIME = struct.pack("@l", 0x80)  # FS_NOATIME_FL
_SEAL_EXEC = 0x20  # the kernel's F_SEAL_EXEC
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


class Blob:
    """Immutable bytes in memory, passed to cells by descriptor and so never copied again.

    Use one for data that many runs share: an executable, or an input of many megabytes. It is
    sealed, so that even a program under the caller's own user id cannot write to it.
    The memory is freed with the last reference.
    """

    __slots__ = ("__weakref__", "_finalizer", "fd", "keeps_times", "size")

    keeps_times: bool
    """True if reading leaves no trace: a program that does not own it cannot change it at all."""

    def __init__(self, data: bytes | memoryview) -> None:
        self.size = len(data)
        self.fd = os.memfd_create("blob", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._finalizer = weakref.finalize(self, os.close, self.fd)
        view = memoryview(data)
        while view:
            view = view[os.write(self.fd, view) :]
        with suppress(OSError):  # before Linux 6.3 an owner can stop others from running it
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, _SEAL_EXEC)
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, _SEALS)
        self._reset_traits()

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Return a blob with the current content of a file."""
        return cls(path.read_bytes())

    def detach(self) -> int:
        """Return the descriptor, which the caller closes; the blob cannot be used afterwards."""
        self._finalizer.detach()
        return self.fd

    def reader(self) -> int:
        """Return a new descriptor at offset 0, which the caller closes."""
        self.restore(owned=True)
        return os.open(f"/proc/self/fd/{self.fd}", os.O_RDONLY | os.O_CLOEXEC)

    def restore(self, *, owned: bool) -> None:
        """Reset traits that a program can change: with them it could pass a message to the next.

        Args:
            owned: True if programs have this process's user id, and so an owner's rights. Under
                any id, reading changes the access time, unless the kernel keeps it.
        """
        if owned:
            self._reset_traits()
        elif not self.keeps_times:
            os.utime(self.fd, ns=(0, 0))

    def _reset_traits(self) -> None:
        os.fchmod(self.fd, 0o555)
        os.utime(self.fd, ns=(0, 0))
        with suppress(OSError):  # older kernels have neither trait for memory files
            fcntl.fcntl(self.fd, _SET_RW_HINT, bytes(8))
        try:
            fcntl.ioctl(self.fd, _SET_FLAGS, _NOATIME)
            self.keeps_times = True
        except OSError:
            self.keeps_times = False

    def read(self) -> bytes:
        """Return all the bytes."""
        return os.pread(self.fd, self.size, 0)

    def __repr__(self) -> str:
        return f"Blob({self.size} bytes)"


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
