"""Files that appear when they are complete: which path may be replaced."""

import errno
import os
from pathlib import Path

__all__ = ["replaceable"]


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
