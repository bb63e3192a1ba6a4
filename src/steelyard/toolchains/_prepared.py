"""Folders that make compiles faster, made once and mounted read-only in later cells."""

import contextlib
import fcntl
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from steelyard.sandbox import CellPool, View

_SHOWN_AT = "/prepared"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder that makes a compile faster, and the command's changes to use it."""

    shown_at: str
    """The folder's path in a cell."""
    view: View
    """A compile's view, with the folder in it."""
    options: tuple[str, ...] = ()
    """Options for the compiler."""
    wrapper: tuple[str, ...] = ()
    """A prefix of the whole command."""


def place_in_cell(pool: CellPool, folder: Path) -> str | None:
    """Return the path at which a pool's cells see a folder of the host, or None if they cannot."""
    match pool.isolation.filesystem:
        case "view":  # a path of its own: the folder may be under /tmp, which a cell hides
            return _SHOWN_AT
        case "container":
            return None
        case _:
            return str(folder)


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder against other threads and processes, make it if missing, mark it as used.

    Raises:
        OSError: if it cannot be made, or belongs to another user, who could put files into it.
    """
    folder.mkdir(mode=0o755, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"other users may write to {folder}")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o755)  # in spite of the umask: a cell reads it as another user
        yield
        os.utime(descriptor)
    finally:
        # Closing alone could leave it locked: a process forked meanwhile holds a copy.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def write_for_cells(path: Path, data: bytes) -> None:
    """Write a file atomically, and make it and its folder readable by a cell's user."""
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    temporary = path.with_name(f"tmp-{os.getpid()}-{path.name}")
    with temporary.open("wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
