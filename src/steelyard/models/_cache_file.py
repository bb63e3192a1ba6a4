"""Make, open and check the SQLite file of the cache of replies."""

import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from steelyard.errors import CacheError

SCHEMA = 1
"""Increase it with every change of the tables, of `Request` or of `Reply`."""
_APPLICATION = 0x53544C59  # "STLY" identifies the file as ours
_BUSY_S = 30.0
_TABLES = f"""
PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {SCHEMA};
CREATE TABLE replies (
    key TEXT NOT NULL PRIMARY KEY,  -- Request.key
    key_id TEXT NOT NULL,           -- of the key that seals the value; '' in clear
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    value BLOB NOT NULL,            -- a sealed Reply
    bytes INTEGER NOT NULL,         -- of the value
    used_s INTEGER NOT NULL         -- since the epoch; when it was last asked for
);
CREATE INDEX replies_by_key_id ON replies (key_id);
CREATE INDEX replies_by_use ON replies (used_s, bytes);
COMMIT;
"""
_DAMAGED = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


class UnusableCacheError(CacheError):
    """A file that is damaged, or from another version: it can only be removed."""


class UnwritableCacheError(CacheError):
    """A file that cannot be made, or that another user owns; `why` is short."""

    def __init__(self, message: str, *, why: str) -> None:
        super().__init__(message)
        self.why = why


def open_cache_file(path: Path) -> sqlite3.Connection:
    """Return a connection to the file, which is made if it is missing.

    Any thread may use the connection, one at a time. It starts no transaction of its own.

    Raises:
        UnusableCacheError: if it is damaged, or from another version of Steelyard.
        UnwritableCacheError: if this user cannot make it or write to it.
        CacheError: if it cannot be read, or is not a cache of replies.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.path.lexists(path):
            _make(path)
        _check_owner(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise UnwritableCacheError(
            f"the cache of replies {path} cannot be used: {why}; "
            "set cache.dir to a folder that you can write to",
            why=why,
        ) from error
    with plain_errors(path):
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw",
            uri=True,
            timeout=_BUSY_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            _prepare(connection)
            _check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(path: Path) -> None:
    """Make an empty cache, visible only when complete: another process may be making it too."""
    # Made with mode 0600, which SQLite gives to its further files too.
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(descriptor)
    try:
        with plain_errors(path), closing(sqlite3.connect(name)) as connection:
            connection.executescript(_TABLES)
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)


def _check_owner(path: Path) -> None:
    # It is not opened here: closing any descriptor of it would release SQLite's own locks.
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise FileExistsError(None, "it is not a file")
    if status.st_uid != os.geteuid():
        raise PermissionError(None, f"it belongs to user {status.st_uid}")
    if stat.S_IMODE(status.st_mode) != 0o600:
        path.chmod(0o600)


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA secure_delete = ON")  # no unencrypted text may remain
    connection.execute("PRAGMA synchronous = FULL")  # a reply was paid for
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute(f"PRAGMA journal_size_limit = {1 << 20}")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise CacheError(f"{path} is not a cache of replies; move it to another folder")
    if schema != SCHEMA:
        raise UnusableCacheError(
            f"{path} has schema {schema}, and this version of Steelyard reads schema {SCHEMA}; "
            "use the version that made it, or remove it with `steelyard cache clear`"
        )


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Convert SQLite's errors to one line that ends in what to do.

    Raises:
        UnusableCacheError: if the file is damaged.
        CacheError: if SQLite fails in another way.
    """
    try:
        yield
    except sqlite3.Error as error:
        # A text that is not UTF-8 has no code.
        unnamed = sqlite3.SQLITE_ERROR if isinstance(error, sqlite3.OperationalError) else 0
        code = getattr(error, "sqlite_errorcode", unnamed) & 0xFF
        if code in _DAMAGED:
            raise UnusableCacheError(
                f"{path} is damaged ({error}); remove it with `steelyard cache clear`"
            ) from error
        if code in _BUSY:
            raise CacheError(
                f"{path} has been locked by another process for {_BUSY_S:.0f} s; "
                "try again when it has ended"
            ) from error
        if code == sqlite3.SQLITE_FULL:
            raise UnwritableCacheError(
                f"the disk of {path} is full; free disk space", why="the disk is full"
            ) from error
        text = f"{path} cannot be used: {error}; set cache.dir to a folder that you can write to"
        if code in _UNWRITABLE:
            raise UnwritableCacheError(text, why=str(error)) from error
        raise CacheError(text) from error


@contextmanager
def transaction(connection: sqlite3.Connection, *, writes: bool = True) -> Iterator[None]:
    """Run a transaction: reads see one state, and either all writes are kept or none."""
    connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled it back itself
            connection.execute("ROLLBACK")
        raise
