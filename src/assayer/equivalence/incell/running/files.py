"""Run in a cell: which files of the scratch tree come, change or go while something is run."""

from __future__ import annotations

import os
from collections.abc import Iterator

from assayer.equivalence.incell.running.digests import digest_of
from assayer.equivalence.incell.running.project import PLACE

PREFIX = "file "
"""What a change of a file is called: this, then its path in the project."""
_LEFT_OUT = frozenset({
    "__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache", ".git",
})  # fmt: skip
_MOST_FILES, _MOST_BYTES, _MOST_SHOWN = 100, 64 << 20, 60

_BEFORE = {True: "as it was", False: "not there"}

Stamps = dict[str, tuple[int, int, int]]


class Files:
    """The scratch tree as it is at this moment."""

    def __init__(self, place: str = PLACE) -> None:
        self._place = place
        self._before = self._stamps()

    def changes(self) -> dict[str, tuple[str, str]]:
        """What became different, as `World` tells its changes; of many files, the first ones."""
        now, before = self._stamps(), self._before
        paths = [path for path in now.keys() | before.keys() if now.get(path) != before.get(path)]
        return {
            f"{PREFIX}{_shown(path)}": (_BEFORE[path in before], self._held(path))
            for path in sorted(paths)[:_MOST_FILES]
        }

    def _stamps(self) -> Stamps:
        return dict(_files_in(self._place, ""))

    def _held(self, path: str) -> str:
        try:
            with open(os.path.join(self._place, path), "rb") as file:
                content = file.read(_MOST_BYTES)
        except FileNotFoundError:
            return "gone"
        except OSError as error:
            return type(error).__name__
        text = content[:_MOST_SHOWN].decode("utf-8", "replace")
        if len(content) <= _MOST_SHOWN:
            return text
        return f"{text}… ({len(content):,} bytes, digest {digest_of(content).hex()[:12]})"


def _shown(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


def _files_in(folder: str, prefix: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    try:
        entries = os.scandir(folder)
    except OSError:  # it is gone, or may not be read
        return
    with entries:
        for entry in entries:
            if entry.name in _LEFT_OUT or entry.name.startswith(".coverage"):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file(follow_symlinks=False):
                found = entry.stat(follow_symlinks=False)
                yield f"{prefix}{entry.name}", (found.st_size, found.st_mtime_ns, found.st_ino)
