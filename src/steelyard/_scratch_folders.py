"""Folders for the life of this process.

Scratch folders of killed processes are removed by the next process. A cache folder that cannot be
used is replaced by a temporary one.
"""

import fcntl
import os
import shutil
import tempfile
import threading
import time
import warnings
import weakref
from contextlib import suppress
from pathlib import Path

from steelyard.errors import SteelyardWarning

_YOUNG_S = 60.0  # a folder is locked just after it is made
_locks: dict[Path, int] = {}
_swept: set[str] = set()

_lock = threading.Lock()
_made: dict[int, Path] = {}
"""The temporary folders by process: a forked process makes its own."""
_warned: list[Path] = []


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


def temporary_cache(folder: Path, why: str) -> Path:
    """Return a cache folder that is removed when this process ends, with a warning.

    Args:
        folder: The cache folder that cannot be used.
        why: What is wrong with it.

    Raises:
        OSError: if no temporary folder can be made either.
    """
    process = os.getpid()
    with _lock:
        if process in _made:
            return _made[process]
        made = _made[process] = make_scratch_folder("cache")
        weakref.finalize(temporary_cache, _remove_own, made, process)
    warn_without_cache(folder, why)
    return made


def warn_without_cache(folder: Path, why: str) -> None:
    """Warn once, in a process and its forks, that nothing is cached for later runs.

    Args:
        folder: The cache folder that cannot be used.
        why: What is wrong with it.
    """
    with _lock:
        if _warned:
            return
        _warned.append(folder)
    warnings.warn(
        f"without a cache: {folder} cannot be used ({why}); set cache.dir to a folder "
        "that you can write to",
        SteelyardWarning,
        stacklevel=2,
    )


def _remove_own(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a fork may run its parent's last steps
        remove_scratch_folder(folder)
