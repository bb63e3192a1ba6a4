"""Hold a lock for as long as a worker lives.

The operating system, or the server, frees it at the worker's death however it dies. So whoever can
take a worker's lock knows that the worker is dead, and may put its jobs back into the queue.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from steelyard.errors import DatabaseError
from steelyard.service.jobs._place import JobPlace

_SETTLED_S = 10.0
"""After a server's restart its locks are gone; live workers take theirs again in this time."""


class WorkerLock(Protocol):
    """The lock of this worker."""

    def keep(self) -> None:
        """Take the lock again if it was lost."""

    def dead(self, other: str) -> AbstractContextManager[bool]:
        """Yield True if another worker is dead; its lock is held in the block."""

    def tidy(self) -> None:
        """Remove what dead workers left."""

    def free(self) -> None:
        """Give the lock up."""


def lock_worker(place: JobPlace, worker: str) -> WorkerLock:
    """Take the lock of a worker.

    Raises:
        DatabaseError: if it cannot be taken.
    """
    return _ServerLock(place, worker) if place.file is None else _FileLock(place.folder, worker)


class _FileLock:
    def __init__(self, folder: Path, worker: str) -> None:
        self._folder = folder / "workers"
        self._file = self._folder / worker
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._held = self._take()
        except OSError as error:
            raise DatabaseError(f"{self._file} cannot be made: {error.strerror}") from error

    def _take(self) -> int:
        while True:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), self._file.stat()):
                    return descriptor
            os.close(descriptor)  # it was tidied away before it was locked

    def keep(self) -> None:
        """Do nothing: the lock lasts as long as the process."""

    @contextmanager
    def dead(self, other: str) -> Iterator[bool]:
        file = self._folder / other
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:  # it ended in order, or its death was noticed before
            yield True
            return
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            yield True
            with suppress(FileNotFoundError):
                file.unlink()
        finally:
            os.close(descriptor)

    def tidy(self) -> None:
        for each in self._folder.iterdir():
            if each != self._file:
                with self.dead(each.name):
                    pass

    def free(self) -> None:
        with suppress(FileNotFoundError):
            self._file.unlink()
        os.close(self._held)


class _ServerLock:
    def __init__(self, place: JobPlace, worker: str) -> None:
        self._key = _key(worker)
        # A connection of its own: the lock is the session's.
        self._engine = sa.create_engine(
            place.url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={"connect_timeout": 10, "application_name": "steelyard-worker"},
        )
        self._session: sa.Connection | None = None
        self._since = float("-inf")
        try:
            self._take()
        except SQLAlchemyError as error:
            self._drop()
            raise DatabaseError(f"{place.shown} cannot be reached; check the server") from error

    def keep(self) -> None:
        try:
            if self._session is None:
                self._take()
            else:
                self._session.execute(sa.text("SELECT 1"))
        except SQLAlchemyError:
            self._drop()

    @contextmanager
    def dead(self, other: str) -> Iterator[bool]:
        session = self._session
        if session is None or time.monotonic() - self._since < _SETTLED_S:
            yield False
            return
        key = {"key": _key(other)}
        if not session.execute(sa.text("SELECT pg_try_advisory_lock(:key)"), key).scalar():
            yield False
            return
        try:
            yield True
        finally:
            session.execute(sa.text("SELECT pg_advisory_unlock(:key)"), key)

    def tidy(self) -> None:
        """Do nothing: the server keeps no lock of a session that has ended."""

    def free(self) -> None:
        self._drop()
        self._engine.dispose()

    def _take(self) -> None:
        self._session, self._since = self._engine.connect(), time.monotonic()
        # A machine that vanished is noticed within half a minute.
        self._session.execute(sa.text("SET tcp_keepalives_idle = 10"))
        self._session.execute(sa.text("SET tcp_keepalives_interval = 5"))
        self._session.execute(sa.text("SET tcp_keepalives_count = 3"))
        self._session.execute(sa.text("SET lock_timeout = '10s'"))
        self._session.execute(sa.text("SELECT pg_advisory_lock(:key)"), {"key": self._key})

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with suppress(SQLAlchemyError):
                session.invalidate()
                session.close()


def _key(worker: str) -> int:
    digest = hashlib.sha256(f"steelyard worker {worker}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
