"""Files that appear when they are complete, and which path may be replaced."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

HIDDEN = ".steelyard-"
"""How the names of files begin that are not complete yet."""


def replaceable(path: Path) -> Path:
    """Return the path without links, if a new file may take its place.

    Raises:
        OSError: A folder, a device, a pipe or a socket is there.
    """
    real = Path(os.path.realpath(path))
    if real.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if real.exists() and not real.is_file():
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return real


def hidden(target: Path) -> Path:
    """Return a new name next to a file or a folder, for as long as it is not complete."""
    return target.with_name(f"{HIDDEN}{os.urandom(8).hex()}")


def replace(new: Path, target: Path) -> None:
    """Put a file or a folder in place of an earlier one, which goes even if there is no new one.

    Raises:
        OSError: if it cannot be done; an earlier file stays then.
    """
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif not os.path.lexists(new):
        target.unlink(missing_ok=True)
    if os.path.lexists(new):
        os.replace(new, target)


@contextmanager
def replacing(
    path: Path, *, encoding: str = "utf-8", mode: int = 0o666, follow_links: bool = True
) -> Iterator[TextIO]:
    """Open a file that takes the path when it is complete; until then the path stays as it was.

    Args:
        path: The file. An earlier file's mode is kept.
        encoding: Of the text.
        mode: Mode of a new file, less the process's mask.
        follow_links: Replace the file that a link leads to; if false, replace the link itself.

    Raises:
        OSError: if it cannot be written, or is a folder, a device, a pipe or a socket; the file
            name in it is this path.
    """
    try:
        target = replaceable(path) if follow_links else path
        new = hidden(target)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except OSError as error:
        error.filename = str(path)
        raise
    try:
        with open(descriptor, "w", encoding=encoding, newline="\n") as out:
            if target.exists() and not target.is_symlink():
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            yield out
            out.flush()
            os.fsync(descriptor)
        replace(new, target)
    except BaseException:  # an interrupt, too, must leave no half-written file
        with suppress(OSError):
            os.unlink(new)
        raise
