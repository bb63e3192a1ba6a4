"""Run in a cell: which files come, change or go while something is run.

Those of the scratch tree, and those of the other places that a program can write to.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import quote

from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.project import PLACE, is_kept_by_tools
from steelyard.project_runs.incell.scratch import own_places
from steelyard.values.incell.snapshot_databases import tables_of
from steelyard.values.incell.temporary import masked
from steelyard.values.incell.walking import each_once

PREFIX = "file "
"""Begins the name of a changed file; its path in the project follows, or its whole path."""
PLACES_IN_CODE = r"(?<=Traceback \(most recent call last\):\n)(?:[ \t].*\n?)+"
"""The lines that a traceback names; a rewritten function has others."""
_PLACES = re.compile(PLACES_IN_CODE.encode())
_MADE_UP = re.compile(r"\b(tmp|pymp-)[a-z0-9_]{8}")
"""Names that `tempfile` generates, here or in another process."""
_MOST_FILES, _MOST_BYTES, _MOST_SHOWN = 2_000, 64 << 20, 60
_MOST_CHARS, _MOST_WALKED = 1_000, 100_000
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OF_SQLITE, _connect = b"SQLite format 3\0", sqlite3.connect
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


class Files:
    """The scratch tree and the other writable folders as they are at this moment.

    Args:
        place: The scratch tree.
        others: Further folders; by default those that a cell has of its own.
    """

    def __init__(self, place: str = PLACE, others: list[str] | None = None) -> None:
        self._place = place
        self._tops = ["", *(f"{each}/" for each in (own_places() if others is None else others))]
        self._before = self._marks()

    def changes(self) -> dict[str, tuple[str, str]]:
        """Return what has changed as `world.changes` does; of many files, the first ones."""
        now, before = self._marks(), self._before
        changed: dict[str, list[str]] = {}
        for name in now.keys() | before.keys():
            if now.get(name) != before.get(name):
                changed.setdefault(_shown(name), []).append(name)
        found = {}
        for shown, names in sorted(changed.items())[:_MOST_FILES]:
            held = sorted(_held(self._path(name)) if name in now else "gone" for name in names)
            was = "not there" if before.keys().isdisjoint(names) else "as it was"
            found[f"{PREFIX}{shown}"] = was, _shortened("\n".join(held).encode(), _MOST_CHARS)
        return found

    def _marks(self) -> dict[str, tuple[int, ...]]:
        """By the names of files and folders, what changes with them; a slash ends a folder's."""
        names = each_once(self._tops, self._inside, most=_MOST_WALKED, key=self._path)
        marks = {name: _mark_of(self._path(name)) for name in names if name not in self._tops}
        return {name: mark for name, mark in marks.items() if mark}

    def _path(self, name: str) -> str:
        return os.path.join(self._place, name)  # a name beyond the scratch tree is a whole path

    def _inside(self, name: str) -> Iterator[str]:
        """Yield what is in a folder, except for what tools keep in it."""
        if name and not name.endswith("/"):
            return
        # It may be gone, or may not be read.
        with suppress(OSError), os.scandir(self._path(name)) as entries:
            for entry in entries:
                if not is_kept_by_tools(entry.name):
                    yield f"{name}{entry.name}{'/' * entry.is_dir(follow_symlinks=False)}"


def _mark_of(path: str) -> tuple[int, ...]:
    try:
        found = os.lstat(path)
    except FileNotFoundError:  # a thread is at work
        return ()
    kind = stat.S_IFMT(found.st_mode)
    is_folder = kind == stat.S_IFDIR
    return (kind,) if is_folder else (kind, found.st_size, found.st_mtime_ns, found.st_ino)


def _shown(name: str) -> str:
    text = os.fsencode(name).decode("utf-8", "replace")
    return masked(_MADE_UP.sub(r"\1********", text)) if name.startswith("/") else text


def _shortened(content: bytes, most: int) -> str:
    if len(content) <= most:
        return content.decode("utf-8", "replace")
    text = content[:_MOST_SHOWN].decode("utf-8", "replace")
    return f"{text}… ({len(content):,} bytes, digest {digest_of(content).hex()[:12]})"


def _held(path: str) -> str:
    try:
        kind = stat.S_IFMT(os.lstat(path).st_mode)
        if stat.S_ISLNK(kind):
            return f"a link to {_shown(os.readlink(path))}"
        if not stat.S_ISREG(kind):
            return _KINDS.get(kind, "a device")
        with open(os.open(path, _READING), "rb") as file:
            content = _PLACES.sub(b"", file.read(_MOST_BYTES))
    except OSError as error:
        return type(error).__name__
    if content.startswith(_OF_SQLITE):
        content = _rows_of(path) or content
    return _shortened(content, _MOST_SHOWN)


def _rows_of(path: str) -> bytes:
    """Return the rows of a database: its bytes also count how often it was written to."""
    try:
        with closing(_connect(f"file:{quote(path)}?immutable=1", uri=True)) as connection:
            return repr(tables_of(connection)).encode()
    except sqlite3.Error:
        return b""
