"""Run in a cell: puts the writable places back to what they held, whatever was done to them."""

from __future__ import annotations

import itertools
import os
import select
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from steelyard.project_runs.incell.project import PLACE

PLACES = ("/w", "/tmp", "/dev/shm")  # noqa: S108 - a cell's own; the same as project_runs/_places.py
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TICK_S = 0.02
"""Longer than a tick of the clock that files are stamped by."""

Stamp = tuple[int, ...]


class _Leaf(NamedTuple):
    """A regular file, or a link, which holds its target."""

    mode: int
    times: tuple[int, int]
    stamp: Stamp
    content: bytes


class _Folder(NamedTuple):
    mode: int
    times: tuple[int, int]
    held: dict[str, _Leaf | _Folder]


_Step = Callable[[int, _Folder], int]


class Scratch:
    """The places as they are at this moment, with all that files in them hold.

    Nobody may write to them while they are noted or restored. A file's ctime, which no program can
    set, tells whether it is still the one that was noted.

    Args:
        places: Folders; by default the cell's own ones.
    """

    def __init__(self, places: Sequence[str] | None = None) -> None:
        self._noted = [(place, _note(place)) for place in places or own_places()]
        _wait_a_tick()

    def restore(self) -> None:
        """Takes away what was not there, and puts back what was.

        Raises:
            OSError: where that cannot be done.
        """
        for place, folder in self._noted:  # first, for it may fill what all of them share
            _inside(place, None, folder, _clear)
        if sum([_inside(place, None, folder, _fill) for place, folder in self._noted]):
            _wait_a_tick()


def own_places() -> list[str]:
    """Those that belong to this cell alone: they lie together, on a file system of their own."""
    device = os.stat(PLACE).st_dev
    if device == os.stat("/").st_dev:
        return [PLACE]
    return [place for place in PLACES if os.path.isdir(place) and os.stat(place).st_dev == device]


def _wait_a_tick() -> None:
    """What is written from here on has another ctime than what is there."""
    select.select([], [], [], _TICK_S)


# ------------------------------------------------------------------------------------------ noting


def _note(place: str) -> _Folder:
    fd = os.open(place, _FOLDER)
    try:
        return _noted_folder(fd)
    finally:
        os.close(fd)


def _noted_folder(fd: int) -> _Folder:
    held: dict[str, _Leaf | _Folder] = {}
    for name, found in _listed(fd).items():
        if stat.S_ISDIR(found.st_mode):
            inner = os.open(name, _FOLDER, dir_fd=fd)
            try:
                held[name] = _noted_folder(inner)
            finally:
                os.close(inner)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode):
            content = _read(fd, name, found)
            held[name] = _leaf(os.stat(name, dir_fd=fd, follow_symlinks=False), content)
    found = os.fstat(fd)  # last: to be listed moves its atime
    return _Folder(stat.S_IMODE(found.st_mode), _times(found), held)


def _listed(fd: int) -> dict[str, os.stat_result]:
    with os.scandir(fd) as entries:
        return {entry.name: entry.stat(follow_symlinks=False) for entry in entries}


def _read(fd: int, name: str, found: os.stat_result) -> bytes:
    if stat.S_ISLNK(found.st_mode):
        return os.fsencode(os.readlink(name, dir_fd=fd))
    with open(os.open(name, _FILE, dir_fd=fd), "rb") as file:
        return file.read()


def _leaf(found: os.stat_result, content: bytes) -> _Leaf:
    return _Leaf(found.st_mode, _times(found), _stamp(found), content)


def _times(found: os.stat_result) -> tuple[int, int]:
    return found.st_atime_ns, found.st_mtime_ns


def _stamp(found: os.stat_result) -> Stamp:
    return (
        found.st_ino,
        found.st_mode,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_nlink,
    )


# --------------------------------------------------------------------------------------- restoring


def _inside(name: str, at: int | None, folder: _Folder, do: _Step) -> int:
    """Does something in a folder that is there: how much it had to put back."""
    if stat.S_IMODE(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode) != folder.mode:
        os.chmod(name, folder.mode, dir_fd=at)
    fd = os.open(name, _FOLDER, dir_fd=at)
    try:
        return do(fd, folder)
    finally:
        os.close(fd)


def _clear(fd: int, folder: _Folder) -> int:
    """Takes away what is not as it was."""
    for name, found in _listed(fd).items():
        noted = folder.held.get(name)
        if isinstance(noted, _Folder) and stat.S_ISDIR(found.st_mode):
            _inside(name, fd, noted, _clear)
        elif not (isinstance(noted, _Leaf) and noted.stamp == _stamp(found)):
            _remove(fd, name, found)
    return 0


def _fill(fd: int, folder: _Folder) -> int:
    """Makes what is missing. What is there has been found as it was, but for when it was read."""
    there, made = _listed(fd), 0
    for name, noted in folder.held.items():
        if isinstance(noted, _Folder):
            if name not in there:
                os.mkdir(name, dir_fd=fd)
                made += 1
            made += _inside(name, fd, noted, _fill)
        elif name not in there or _times(there[name]) != noted.times:
            if name not in there:
                _make(fd, name, noted)
            os.utime(name, ns=noted.times, dir_fd=fd, follow_symlinks=False)
            found = os.stat(name, dir_fd=fd, follow_symlinks=False)
            folder.held[name] = _leaf(found, noted.content)
            made += 1
    if _times(os.fstat(fd)) != folder.times:
        with suppress(PermissionError):  # of a place itself, which the cell owns
            os.utime(fd, ns=folder.times)
    return made


def _make(fd: int, name: str, noted: _Leaf) -> None:
    if stat.S_ISLNK(noted.mode):
        os.symlink(os.fsdecode(noted.content), name, dir_fd=fd)
        return
    with open(os.open(name, _NEW, 0o600, dir_fd=fd), "wb") as file:
        file.write(noted.content)
        os.fchmod(file.fileno(), stat.S_IMODE(noted.mode))


def _remove(fd: int, name: str, found: os.stat_result) -> None:
    """Takes one thing away; of a folder what lies deeper is moved up first, however deep it is."""
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=fd)
        return
    pending, numbers = [name], itertools.count()
    os.chmod(name, stat.S_IRWXU, dir_fd=fd)
    while pending:
        folder = pending.pop()
        inner = os.open(folder, _FOLDER, dir_fd=fd)
        try:
            with os.scandir(inner) as entries:
                names = [(each.name, each.is_dir(follow_symlinks=False)) for each in entries]
            for each, is_folder in names:
                if not is_folder:
                    os.unlink(each, dir_fd=inner)
                    continue
                os.chmod(each, stat.S_IRWXU, dir_fd=inner)
                moved = next(free for i in numbers if not _exists(fd, free := f".moved-{i}"))
                os.rename(each, moved, src_dir_fd=inner, dst_dir_fd=fd)
                pending.append(moved)
        finally:
            os.close(inner)
        os.rmdir(folder, dir_fd=fd)


def _exists(fd: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
