"""Connect to a database: SQLite with one writer at a time, PostgreSQL made to do the same."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from steelyard._installation import install_command
from steelyard.errors import DatabaseError, UsageError
from steelyard.storage._faults import BUSY_S, log_of, missing, moved, plain_errors
from steelyard.storage._target import Target

APPLICATION = 0x53544C44  # "STLD" identifies a file as ours
_WRITERS = 0x53544C44  # the key of the lock that a writer holds on a server
_PRAGMAS = (
    "trusted_schema = OFF",
    "foreign_keys = ON",
    "recursive_triggers = ON",  # so that REPLACE, too, meets the triggers
    "cell_size_check = ON",
    "synchronous = FULL",
    f"journal_size_limit = {1 << 24}",
)


def connect(target: Target) -> Engine:
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
def transaction(engine: Engine, target: Target, *, writes: bool) -> Iterator[Connection]:
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


def _connected(engine: Engine, target: Target, *, writes: bool) -> Connection:
    if target.file is not None:
        return engine.connect().execution_options(steelyard_writes=writes)
    # The lock makes writers serial, and each of their statements must see what was stored
    # while they waited for it.
    level = "READ COMMITTED" if writes else "REPEATABLE READ"
    return engine.connect().execution_options(isolation_level=level)


def _server(target: Target) -> Engine:
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
    connection = sqlite3.connect(
        f"file:{quote(str(file))}?{mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


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
        raise missing(Target(str(file), file)) from error
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
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@contextmanager
def _unchanged_if_frozen(target: Target) -> Iterator[None]:
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


def _identity(target: Target) -> tuple[int, int] | None:
    if target.file is None:
        return None
    try:
        status = target.file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options()["steelyard_writes"]
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
