"""Folders for the life of this process; those of killed processes are removed by the next."""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_YOUNG_S = 60.0  # a folder is locked just after it is made
_locks: dict[Path, int] = {}
_swept: set[str] = set()


def make_scratch_folder(kind: str) -> Path:
    """Return a new folder named `steelyard-KIND-...`, locked while this process lives."""
    if kind not in _swept:
        _swept.add(kind)
        _sweep(kind)
    folder = Path(tempfile.mkdtemp(prefix=f"steelyard-{kind}-"))
    _locks[folder] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with suppress(OSError):  # a file system without locks: nobody else removes it either
        fcntl.flock(_locks[folder], fcntl.LOCK_SH | fcntl.LOCK_NB)
    return folder


def remove_scratch_folder(folder: Path) -> None:
    """Remove a folder of this process, with everything in it."""
    shutil.rmtree(folder, ignore_errors=True)
    lock = _locks.pop(folder, None)
    if lock is not None:
        os.close(lock)


def _sweep(kind: str) -> None:
    """Remove this user's folders of a kind that no process holds.

    A lock works for processes of other containers too, whose ids cannot be seen.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"steelyard-{kind}-*"):
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                status = os.fstat(lock)
                if status.st_uid != os.geteuid() or time.time() - status.st_mtime < _YOUNG_S:
                    continue
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
