"""Connect to a database: SQLite with one writer at a time, PostgreSQL made to do the same.

1. `target_of` reads the URL. Its password never leaves this module as text.
2. `connect` gives an engine, and `transaction` runs one transaction in it.
3. The errors of both engines become one line each, which ends in what to do: `plain_errors`.
"""

import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import NullPool

from steelyard._installation import install_command
from steelyard._sqlite_files import BUSY_S, open_sqlite
from steelyard.errors import DatabaseError, UsageError

APPLICATION = 0x53544C44  # "STLD" identifies a file as ours
_WRITERS = 0x53544C44  # the key of the lock that a writer holds on a server
_PRAGMAS = (
    "foreign_keys = ON",
    "recursive_triggers = ON",  # so that REPLACE, too, meets the triggers
    f"journal_size_limit = {1 << 24}",
)


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """The place of a database."""

    shown: str
    """For people: without a password."""
    file: Path | None = None
    """A file of SQLite; None for a server."""
    url: URL | None = field(default=None, repr=False)
    """The URL of a server."""

    def without_secrets(self, text: str) -> str:
        """Return a driver's message without the secrets of the URL."""
        if self.url is None:
            return text
        queries = (self.url.query.get(name, "") for name in _SECRETS)
        for secret in (self.url.password, *queries):
            if isinstance(secret, str) and secret:
                text = text.replace(secret, "***")
        return text


def target_of(text: str) -> DatabasePlace:
    """Return the place that a text names.

    Args:
        text: The path of a file, or a URL.

    Raises:
        UsageError: if it is neither; the message does not repeat a URL.
    """
    if "\0" in text or not text:
        raise UsageError(f"the name of the database is empty or holds a NUL byte; {_FORMS}")
    scheme = _SCHEME.match(text)
    if not scheme:
        return _file_target(text)
    name = scheme[1].lower()
    if name != "sqlite" and name not in _POSTGRES_NAMES:
        raise UsageError(f"no database is reached by {name}:; {_FORMS}")
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UsageError(
            f"the {name} URL of the database is malformed; "
            "write special characters of a password as %XX, such as %40 for @"
        ) from None
    return _sqlite_target(url) if name == "sqlite" else _server_target(url)


def connect(target: DatabasePlace) -> Engine:
    """Return an engine; it connects when it is first used.

    Raises:
        UsageError: if the driver of PostgreSQL is not installed.
    """
    file = target.file
    if file is None:
        return _server(target)
    # A new connection for each transaction: a file that was removed or replaced is noticed.
    engine = create_engine(
        "sqlite://",
        creator=lambda: _open_file(file),
        poolclass=NullPool,
        hide_parameters=True,
    )
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def transaction(engine: Engine, target: DatabasePlace, *, writes: bool) -> Iterator[Connection]:
    """Run one transaction: it is stored as a whole when the block ends, or not at all.

    A writer waits until it is the only one, in both engines, so nothing that it has read changes
    before it writes. A reader sees one state.

    Raises:
        DatabaseError: if the database fails.
    """
    with (
        _unchanged_if_frozen(target),
        plain_errors(target),
        _connected(engine, target, writes=writes) as connection,
    ):
        before = _identity(target)
        with connection.begin():
            if target.file is None and writes:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_S:.0f}s'")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS})")
            yield connection
        if writes and target.file and (before is None or _identity(target) != before):
            raise moved(target)


def _connected(engine: Engine, target: DatabasePlace, *, writes: bool) -> Connection:
    if target.file is not None:
        return engine.connect().execution_options(steelyard_writes=writes)
    # The lock makes writers serial, and each of their statements must see what was stored
    # while they waited for it.
    level = "READ COMMITTED" if writes else "REPEATABLE READ"
    return engine.connect().execution_options(isolation_level=level)


def _server(target: DatabasePlace) -> Engine:
    assert target.url is not None
    try:
        return create_engine(
            target.url,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": 10},
        )
    except ImportError as error:
        raise UsageError(
            f"{target.shown} needs the package psycopg; run: {install_command('postgres')}"
        ) from error


def _open_file(file: Path) -> sqlite3.Connection:
    """Return a connection to a file that exists. It begins no transaction of its own.

    In a folder that cannot be written to, SQLite reads a file of its WAL mode only as `immutable`,
    without locks. Source: https://www.sqlite.org/wal.html#readonly.
    """
    _check_file(file)
    mode = "mode=rw" if _frozen_state(file) is None else "mode=ro&immutable=1"
    return open_sqlite(file, *_PRAGMAS, query=mode)


def make_file(file: Path) -> None:
    """Make an empty database that only this user can read, if there is no file yet.

    Raises:
        DatabaseError: if it cannot be made.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # An existing file is not opened: closing it would release SQLite's locks in this process.
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        if file.stat().st_size == 0:
            with closing(_open_file(file)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
    except OSError as error:
        raise DatabaseError(
            f"{file} cannot be made: {error.strerror}; name a file that you can write to"
        ) from error
    except sqlite3.Error as error:
        raise DatabaseError(
            f"{file} cannot be made: {error}; free disk space, or name another file"
        ) from error


def _check_file(file: Path) -> None:
    """Check that a file is one, before anything waits for it.

    Raises:
        DatabaseError: if it is missing, or something other than a file.
    """
    try:
        status = file.stat()
    except FileNotFoundError as error:
        raise missing(DatabasePlace(str(file), file)) from error
    except OSError as error:
        raise DatabaseError(
            f"{file} cannot be opened: {error.strerror}; name another file"
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise DatabaseError(f"{file} is not a file; name another one")


def _frozen_state(file: Path) -> tuple[int, int] | None:
    """Return the time and the size of a file that this process cannot change; None if it can.

    None also for a file whose log holds changes: without the log its records are older ones.
    """
    if os.access(file.parent, os.W_OK) or log_of(file).exists():
        return None
    with suppress(OSError):
        status = file.stat()
        return status.st_mtime_ns, status.st_size
    return None


@contextmanager
def _unchanged_if_frozen(target: DatabasePlace) -> Iterator[None]:
    """Refuse what was read without locks if another user changed the file meanwhile.

    Raises:
        DatabaseError: if the file was changed.
    """
    before = None if target.file is None else _frozen_state(target.file)
    try:
        yield
    finally:
        if target.file and before is not None and _frozen_state(target.file) != before:
            raise DatabaseError(
                f"{target.shown} was changed by another user while it was read; try again"
            )


def _identity(target: DatabasePlace) -> tuple[int, int] | None:
    if target.file is not None:
        with suppress(OSError):
            status = target.file.stat()
            return status.st_dev, status.st_ino
    return None


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options()["steelyard_writes"]
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


_LOCKED = f"has been locked by another process for {BUSY_S:.0f} s; try again when it has ended"
_SQLITE = {
    sqlite3.SQLITE_NOTADB: "is not a database; name another file",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from an export or a backup",
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: "is on a full disk; free disk space",
    sqlite3.SQLITE_READONLY: "is read-only; name a file that you can write to, in such a folder",
    sqlite3.SQLITE_PERM: "cannot be opened by this user; name another file",
    sqlite3.SQLITE_TOOBIG: "cannot hold a record of this size; make the record smaller",
}
"""By primary result code. Source: https://www.sqlite.org/rescode.html."""
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
    "55P03": _LOCKED,
    "57": "is shutting down; try again when the server answers",
    "XX": "is damaged; restore it from an export or a backup",
}
"""By SQLSTATE, or its class. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html."""


def log_of(file: Path) -> Path:
    """Return the write-ahead log of a file of SQLite, which holds changes that the file has not."""
    return file.with_name(f"{file.name}-wal")


def missing(target: DatabasePlace) -> DatabaseError:
    """Return the error for a file that is not there."""
    return DatabaseError(
        f"there is no database {target.shown}; make it with `steelyard db upgrade`, "
        "or name another one with --db"
    )


def moved(target: DatabasePlace) -> DatabaseError:
    """Return the error for a file that was removed or replaced during a change."""
    return DatabaseError(
        f"{target.shown} was removed or replaced meanwhile, so the change is lost; "
        "put the file back, or make a new one with `steelyard db upgrade`"
    )


@contextmanager
def plain_errors(target: DatabasePlace) -> Iterator[None]:
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


def _fault(error: DBAPIError | PoolTimeout, target: DatabasePlace) -> DatabaseError:
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
    with suppress(OSError):
        disk = os.statvfs(folder)
        return disk.f_bavail * disk.f_frsize >= _LEAST_SPACE
    return True


def _sqlite_fault(cause: BaseException, target: DatabasePlace, text: str) -> DatabaseError:
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


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_POSTGRES_NAMES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
_HOST = re.compile(r"[A-Za-z0-9._:-]*")
_SECRETS = ("password", "sslpassword", "passfile")
_FORMS = "name a file, sqlite:///FILE or postgresql://USER@HOST/NAME"


def _file_target(name: str) -> DatabasePlace:
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:  # there is no such user
        raise UsageError(f"{name}: {error}; write the whole path") from error
    return DatabasePlace(shown=str(path), file=path)


def _sqlite_target(url: URL) -> DatabasePlace:
    if url.host or url.query:
        raise UsageError(
            "a sqlite URL has three slashes before the path and no options; "
            "write sqlite:///FILE, or sqlite:////FOLDER/FILE from the root"
        )
    if not url.database or url.database == ":memory:":
        raise UsageError("a database in memory is lost at the end; write sqlite:///FILE")
    return _file_target(url.database)


def _server_target(url: URL) -> DatabasePlace:
    url = url.set(drivername="postgresql+psycopg")
    if not _HOST.fullmatch(url.host or ""):
        # Part of a password may be in it.
        raise UsageError(
            "the host in the URL of the database is malformed; "
            "write special characters of a password as %XX, such as %40 for @"
        )
    shown = URL.create(
        "postgresql", username=url.username, host=url.host, port=url.port, database=url.database
    )
    return DatabasePlace(shown=str(shown), url=url)
