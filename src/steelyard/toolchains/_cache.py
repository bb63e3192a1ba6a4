"""Caches on disk: results by the digest of their inputs, limited in size, safe to share.

Several processes may use one folder. An entry is written under a temporary name and renamed, so
a reader finds a whole entry or none. Its head has the length and SHA-256 of its body, so a torn
or damaged entry is detected, removed and made again.
"""

import errno
import hashlib
import os
import secrets
import shutil
import stat
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path

from steelyard._scratch_folders import temporary_cache, warn_without_cache
from steelyard.errors import SettingsError
from steelyard.settings import current_settings

_MAGIC = b"steelyard-compiled-1\n"  # the same for all kinds, so that old entries stay valid
_HEAD_BYTES = len(_MAGIC) + 8 + hashlib.sha256().digest_size
_MIB = 1 << 20
_TRIM_SHARE = 8
"""The folder's size is counted each time that an eighth of its limit has been written."""
_BLOCK_BYTES = 4_096
_HEADERS_NEED_MIB = 512


class EntryCache:
    """A folder of entries of one kind. Safe to share between threads and processes.

    Args:
        kind: Name of the kind, such as `inputs`, and of its folder in the cache folder.
        folder: The cache folder, which is made if it is missing. None for the setting `cache.dir`,
            or, if that folder cannot be used, a temporary folder of this process, with a warning.
        max_mib: The limit on all files of the kind together, in MiB; None for the setting
            `cache.max_mib`. The least recently used files are removed first.

    Raises:
        SettingsError: if the given folder cannot be made, or other users may write to it: their
            files would be run and scored.
    """

    def __init__(self, kind: str, folder: Path | None = None, max_mib: int | None = None) -> None:
        settings = current_settings().cache
        self.kind = kind
        self.max_bytes = (settings.max_mib if max_mib is None else max_mib) * _MIB
        self.folder = Path(os.path.abspath(folder or settings.dir))
        try:
            try:
                self._entries = self._open()
            except OSError as error:
                if folder is not None:
                    raise
                self.folder = temporary_cache(self.folder, error.strerror or str(error))
                self._entries = self._open()
        except OSError as error:
            raise SettingsError(
                f"the cache folder {self.folder} cannot be used: {error.strerror or error}; "
                "set cache.dir (or binary_cache_dir) to a folder that you can write to"
            ) from error
        weakref.finalize(self, os.close, self._entries)
        self._lock = threading.Lock()
        self._unaccounted = self.max_bytes  # so that the first write counts existing files

    def _open(self) -> int:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_parent(self.folder)
        entries = open_own_folder(self.folder / self.kind)
        try:
            self._open_more()
        except OSError:
            os.close(entries)
            raise
        return entries

    def _open_more(self) -> None:
        """Make and check any further folders of the cache."""

    def get(self, key: str) -> memoryview | None:
        """Return the body stored under a key, checked for damage, or None.

        Args:
            key: A file name: letters and digits.
        """
        try:
            descriptor = os.open(
                key, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=self._entries
            )
        except OSError:
            return None
        with open(descriptor, "rb") as file:
            data = memoryview(file.read())
            body = _verified(data)
            if body is None:
                self._remove(key)
                return None
            os.utime(descriptor)
        return body

    def put(self, key: str, parts: Sequence[bytes]) -> None:
        """Store a body under a key; if the disk is full, change nothing and warn.

        Args:
            key: A file name: letters and digits.
            parts: The body, in pieces.
        """
        size = sum(map(len, parts)) + _HEAD_BYTES
        if size > self.max_bytes // 2:
            return
        self.account(size)
        total = hashlib.sha256()
        for part in parts:
            total.update(part)
        head = _MAGIC + (size - _HEAD_BYTES).to_bytes(8, "little") + total.digest()
        temporary = f"tmp-{secrets.token_hex(8)}"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with open(os.open(temporary, flags, 0o600, dir_fd=self._entries), "wb") as file:
                file.writelines((head, *parts))
            os.rename(temporary, key, src_dir_fd=self._entries, dst_dir_fd=self._entries)
        except OSError as error:
            self._remove(temporary)
            warn_without_cache(self.folder, error.strerror or str(error))

    def account(self, size: int) -> None:
        """Make room for `size` bytes, before they are written."""
        size = -(-size // _BLOCK_BYTES) * _BLOCK_BYTES
        with self._lock:
            self._unaccounted += size
            if self._unaccounted < self.max_bytes // _TRIM_SHARE:
                return
            self._unaccounted = size
        self._trim(self.max_bytes - self.max_bytes // _TRIM_SHARE)

    def _trim(self, bound: int) -> None:
        """Remove the least recently used files until all files fit in `bound` bytes."""
        files = self._stored()
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= bound:
                return
            self._discard(path)
            total -= size

    def _stored(self) -> list[tuple[float, int, Path]]:
        """Return the last use, the bytes on disk and the path of each entry."""
        return [
            (status.st_mtime, status.st_blocks * 512, Path(self.kind, entry.name))
            for entry in os.scandir(self._entries)
            if (status := _status(entry))
        ]

    def _discard(self, path: Path) -> None:
        self._remove(path.name)

    def _remove(self, name: str) -> None:
        try:
            os.unlink(name, dir_fd=self._entries)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EROFS, errno.EACCES):
                raise


class CompileCache(EntryCache):
    """Compiled results and precompiled headers.

    Args:
        folder: As for `EntryCache`.
        max_mib: As for `EntryCache`, including the headers.

    Raises:
        SettingsError: as in `EntryCache`.
    """

    def __init__(self, folder: Path | None = None, max_mib: int | None = None) -> None:
        super().__init__("compiled", folder, max_mib)

    @property
    def headers(self) -> Path:
        """The folder of the precompiled headers."""
        return self.folder / "headers"

    @property
    def holds_headers(self) -> bool:
        """True if the limit leaves room for precompiled headers of about 100 MiB each."""
        return self.max_bytes >= _HEADERS_NEED_MIB * _MIB

    def _open_more(self) -> None:
        os.close(open_own_folder(self.headers))

    def _stored(self) -> list[tuple[float, int, Path]]:
        try:
            entries = list(os.scandir(self.headers))
        except FileNotFoundError:  # another process emptied the cache
            entries = []
        folders = [
            (status.st_mtime, _folder_bytes(entry.path), Path(entry.path))
            for entry in entries
            if (status := _status(entry))
        ]
        return [*super()._stored(), *folders]

    def _discard(self, path: Path) -> None:
        if path.parent == self.headers:
            shutil.rmtree(path, ignore_errors=True)
        else:
            super()._discard(path)


def _verified(data: memoryview) -> memoryview | None:
    if len(data) < _HEAD_BYTES or data[: len(_MAGIC)] != _MAGIC:
        return None
    length = int.from_bytes(data[len(_MAGIC) : len(_MAGIC) + 8], "little")
    digest, body = data[len(_MAGIC) + 8 : _HEAD_BYTES], data[_HEAD_BYTES:]
    if len(body) != length or hashlib.sha256(body).digest() != digest:
        return None
    return body


def _check_parent(folder: Path) -> None:
    status = folder.stat()
    if status.st_uid not in (os.geteuid(), 0):
        raise PermissionError(errno.EPERM, f"it belongs to user {status.st_uid}")
    if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
        raise PermissionError(errno.EPERM, "every user may write to it")


def open_own_folder(folder: Path) -> int:
    """Return a descriptor of a folder that only this user may write to."""
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    status = os.fstat(descriptor)
    problem = ""
    if status.st_uid != os.geteuid():
        problem = f"{folder.name} in it belongs to user {status.st_uid}"
    elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        problem = f"other users may write to {folder.name} in it"
    elif not os.access(folder, os.W_OK | os.X_OK):
        problem = f"{folder.name} in it is read-only"
    if problem:
        os.close(descriptor)
        raise PermissionError(errno.EPERM, problem)
    return descriptor


def _status(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # another process was faster
        return None


def _folder_bytes(folder: str) -> int:
    return sum(
        status.st_blocks * 512
        for path, _, _ in os.walk(folder)
        for entry in os.scandir(path)
        if (status := _status(entry))
    )
