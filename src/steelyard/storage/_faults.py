"""Turn the errors of both engines into one line each, which ends in what to do."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from steelyard.errors import DatabaseError
from steelyard.storage._target import Target

BUSY_S = 30.0
"""How long a writer waits for another one."""

_SQLITE = {
    sqlite3.SQLITE_NOTADB: "is not a database; name another file",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from an export or a backup",
    sqlite3.SQLITE_BUSY: f"has been locked by another process for {BUSY_S:.0f} s; "
    "try again when it has ended",
    sqlite3.SQLITE_FULL: "is on a full disk; free disk space",
    sqlite3.SQLITE_READONLY: "is read-only; name a file that you can write to, in such a folder",
    sqlite3.SQLITE_PERM: "cannot be opened by this user; name another file",
    sqlite3.SQLITE_TOOBIG: "cannot hold a record of this size; make the record smaller",
}
"""By primary result code. Source: https://www.sqlite.org/rescode.html."""
_SQLITE[sqlite3.SQLITE_LOCKED] = _SQLITE[sqlite3.SQLITE_BUSY]
_LEAST_SPACE = 1 << 16
"""Bytes; a page of the database, its log and the log's index need less."""
_MOVED = 1032  # SQLITE_READONLY_DBMOVED, which Python 3.11 names and older SQLite does not

_VIOLATIONS: dict[str, Literal["taken", "missing"]] = {
    "SQLITE_CONSTRAINT_UNIQUE": "taken",
    "SQLITE_CONSTRAINT_PRIMARYKEY": "taken",
    "SQLITE_CONSTRAINT_FOREIGNKEY": "missing",
    "23505": "taken",
    "23503": "missing",
}
_POSTGRES = {
    "08": "lost its connection; try again when the server answers",
    "25006": "is read-only; name a database that you can write to",
    "28": "refuses this user; correct the user or the password",
    "3D": "does not exist; make it with createdb",
    "42501": "does not permit this to the user; ask its owner for the right",
    "53100": "is on a full disk; free disk space",
    "53": "has no resources left; try again later",
    "55P03": f"has been locked by another process for {BUSY_S:.0f} s; try again when it has ended",
    "57": "is shutting down; try again when the server answers",
    "XX": "is damaged; restore it from an export or a backup",
}
"""By SQLSTATE, or its class. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html."""


def log_of(file: Path) -> Path:
    """Return the write-ahead log of a file of SQLite, which holds changes that the file has not."""
    return file.with_name(f"{file.name}-wal")


def missing(target: Target) -> DatabaseError:
    """Return the error for a file that is not there."""
    return DatabaseError(
        f"there is no database {target.shown}; make it with `steelyard db upgrade`, "
        "or name another one with --db"
    )


def moved(target: Target) -> DatabaseError:
    """Return the error for a file that was removed or replaced during a change."""
    return DatabaseError(
        f"{target.shown} was removed or replaced meanwhile, so the change is lost; "
        "put the file back, or make a new one with `steelyard db upgrade`"
    )


@contextmanager
def plain_errors(target: Target) -> Iterator[None]:
    """Convert errors of the engine and its driver.

    Raises:
        DatabaseError: one line without a password.
    """
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        raise _fault(error, target) from error


def violation(error: IntegrityError) -> Literal["taken", "missing", "other"]:
    """Return what a row violates: its key is taken, or what it refers to is missing."""
    name = getattr(error.orig, "sqlite_errorname", None)
    return _VIOLATIONS.get(name or getattr(error.orig, "sqlstate", None) or "", "other")


def _fault(error: DBAPIError | PoolTimeout, target: Target) -> DatabaseError:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    text = " ".join(target.without_secrets(str(cause)).split()) or type(cause).__name__
    if target.file is not None:
        return _sqlite_fault(cause, target, text)
    state = getattr(cause, "sqlstate", None) or ""
    for key in (state, state[:2]):
        if key in _POSTGRES:
            return DatabaseError(f"{target.shown} {_POSTGRES[key]} ({text})")
    if not state and isinstance(error, DBAPIError):
        return DatabaseError(
            f"{target.shown} cannot be reached ({text}); "
            "start the server, or correct the URL of the database"
        )
    return DatabaseError(f"{target.shown} failed: {text}; try again, or check the server's log")


def _has_space(folder: Path) -> bool:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize >= _LEAST_SPACE


def _sqlite_fault(cause: BaseException, target: Target, text: str) -> DatabaseError:
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    assert target.file is not None
    if code == _MOVED:
        return moved(target)
    code &= 0xFF
    if code == sqlite3.SQLITE_CANTOPEN and not os.access(target.file.parent, os.W_OK):
        if log_of(target.file).exists():
            return DatabaseError(
                f"{target.shown} has a log, {log_of(target.file).name}, which cannot be read in a "
                "read-only folder; copy both files to a folder that you can write to"
            )
        code = sqlite3.SQLITE_READONLY  # the journal cannot be made
    if code == sqlite3.SQLITE_IOERR and not _has_space(target.file.parent):
        code = sqlite3.SQLITE_FULL  # the log's index is mapped, where a full disk is a failed write
    advice = _SQLITE.get(code)
    if advice:
        return DatabaseError(f"{target.shown} {advice}")
    return DatabaseError(
        f"{target.shown} cannot be used: {text}; check it with `steelyard db check`"
    )
