"""Replace a cache folder that cannot be used by a temporary folder of this process."""

import os
import shutil
import tempfile
import threading
import warnings
import weakref
from pathlib import Path

from steelyard.errors import SteelyardWarning

_lock = threading.Lock()
_made: dict[int, Path] = {}
"""The temporary folders by process: a forked process makes its own."""
_warned: list[Path] = []


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
        made = Path(tempfile.mkdtemp(prefix="steelyard-cache-"))
        weakref.finalize(temporary_cache, _remove, made, process)
        _made[process] = made
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


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a fork may run its parent's last steps
        shutil.rmtree(folder, ignore_errors=True)
