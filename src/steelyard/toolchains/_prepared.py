"""Folders that a compiler is helped by, made once in a cell and shown read-only to later ones."""

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
    """A folder that helps a compile, as its command has to be told of it."""

    shown_at: str
    """Where a cell sees it."""
    view: View
    """A compile's view, with the folder in it."""
    options: tuple[str, ...] = ()
    """For the compiler."""
    wrapper: tuple[str, ...] = ()
    """What stands before the whole command."""


def place_in_cell(pool: CellPool, folder: Path) -> str | None:
    """Where a pool's cells see a folder of the host, or None where they cannot."""
    match pool.isolation.filesystem:
        case "view":  # a place of its own: the folder may lie under /tmp, which a cell hides
            return _SHOWN_AT
        case "container":
            return None
        case _:
            return str(folder)


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold a folder, made if need be, against other threads and processes; mark it as used.

    Raises:
        OSError: where it cannot be made, or is another user's: that could plant a file in it.
    """
    folder.mkdir(mode=0o755, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"{folder} is not this user's alone")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o755)  # whatever the umask: a cell reads it as another user
        yield
        os.utime(descriptor)
    finally:
        # Closing alone would leave it locked: a process forked meanwhile holds a copy.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def write_for_cells(path: Path, data: bytes) -> None:
    """Write a whole file or none, and its folder, readable by a cell's user."""
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    temporary = path.with_name(f"tmp-{os.getpid()}-{path.name}")
    with temporary.open("wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
