"""Run jobs, one at a time, in a process of its own.

1. A worker holds a lock as long as it lives. The operating system, or the server, frees it at the
   worker's death however it dies. So whoever can take a worker's lock knows that the worker is
   dead, and may put its jobs back into the queue.
2. It takes one job at a time from the queue, and runs it in a step that may run again.
3. It watches that the job is still its own, and ends if the job does not stop.
4. Now and then it deletes old jobs, and the folders of jobs that are gone.

See docs/decisions/0023-jobs.md.
"""

import fcntl
import hashlib
import json
import logging
import os
import secrets
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from steelyard.errors import DatabaseError, SteelyardError
from steelyard.jobs import JOBS
from steelyard.logs import logger
from steelyard.sandbox import CellPool
from steelyard.service._error_responses import Problem, problem_of, unexpected
from steelyard.service._job import JobFailedError, JobKind
from steelyard.service.jobs._kinds import RunningJob, run_kind
from steelyard.service.jobs._queue import VERSION
from steelyard.service.jobs._summary import summary_of
from steelyard.service.jobs._table import (
    APPLICATION,
    QUEUE,
    JobPlace,
    JobRows,
    Sealing,
    WorkerClaim,
    connect,
    job_place,
    prepare,
)
from steelyard.settings import Settings

STUCK = 75
"""Exit status of a worker that cannot continue; another one takes its jobs."""
_log = logger("jobs")
_CONNECTIONS = 5
_WATCH_S = 0.5
_RECOVER_EVERY = 4
_CLEAN_EVERY = 120
_POLL_S = 0.1
_GRACE_S = 5.0
_STUCK_AFTER = 40
_DRAIN_S = 25
_FAILED = "failed:"
_SETTLED_S = 10.0
"""After a server's restart its locks are gone; live workers take theirs again in this time."""
_DAY_MS = 86_400_000
_MOST = 500
_LONGEST = 300
_EXPECTED = (
    JobFailedError,
    dbos_error.DBOSWorkflowCancelledError,
    dbos_error.DBOSWorkflowConflictIDError,
)


class Worker:
    """A process that runs jobs. Its database and its lock are opened when it is made.

    Raises:
        DatabaseError: if the database of jobs cannot be opened.
    """

    def __init__(self, settings: Settings) -> None:
        self._own = settings.service
        self._place = job_place(settings)
        self._runs = self._place.folder / "runs"
        self._sealing = Sealing()
        self.id = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(4)}"
        adopt_logs()
        prepare(self._place)
        self._lock = lock_worker(self._place, self.id)
        self._pool = CellPool(self._own.worker_cells, settings=settings.sandbox)
        self._engine = connect(self._place, 1)
        self._rows = JobRows(self._place, self._engine, self._sealing)
        self._work: RunningJob | None = None
        self._stopping: tuple[RunningJob, float] | None = None
        self._ending = threading.Event()

    def run(self) -> None:
        """Run jobs until `end` is called; then finish the job under way."""
        self._launch()
        _log.info("worker began", worker=self.id)
        turn = idle = 0
        while not self._ending.wait(_WATCH_S):
            self._lock.keep()
            turn += 1
            try:
                idle = self._watched(idle)
                if idle > _STUCK_AFTER:
                    _log.warning("a job was taken and does not run; the worker ends")
                    os._exit(STUCK)
                if turn % _RECOVER_EVERY == 0:
                    self._recover()
                if turn % _CLEAN_EVERY == 1:
                    self._lock.tidy()
                    delete_old(self._rows, self._runs, self._own.keep_jobs_days)
            except (SQLAlchemyError, dbos_error.DBOSException) as error:
                _log.warning("the database of jobs fails", error=str(error).partition("\n")[0])
        DBOS.destroy(workflow_completion_timeout_sec=_DRAIN_S)
        work = self._work
        if work is not None:
            _log.info("job goes back into the queue", job=work.job_id, worker=self.id)
        self._lock.free()
        _log.info("worker ends", worker=self.id)
        # Threads of a job that did not end in time must not hold up the process.
        os._exit(0)

    def end(self) -> None:
        """Begin no more jobs."""
        self._ending.set()

    def _launch(self) -> None:
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": self._place.text,
            "system_database_engine": connect(self._place, _CONNECTIONS),
            "application_version": VERSION,
            "executor_id": self.id,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
        }
        DBOS(config=config)
        for kind in JOBS:
            self._register(kind)
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            worker_concurrency=1,
            partition_worker_concurrency=1,
            polling_interval_sec=_POLL_S,
            on_conflict="always_update",
        )

    def _register(self, kind: JobKind) -> None:
        @DBOS.step(name=f"run {kind}")
        def step(text: str) -> str:
            return self._run(kind, text)

        @DBOS.workflow(name=kind, max_recovery_attempts=self._own.max_job_attempts)
        def workflow(text: str) -> str:
            # The step may run again; its end is stored once, by whoever owns the job then.
            answer = step(text)
            if answer.startswith(_FAILED):
                raise JobFailedError(answer.removeprefix(_FAILED))
            return answer

    def _run(self, kind: JobKind, text: str) -> str:
        """Return a job's result as sealed JSON; with a mark before it, its problem."""
        job_id = DBOS.workflow_id or ""
        folder = self._runs / job_id
        started = time.monotonic()
        payload: dict[str, Any] | None = None
        with RunningJob(job_id, folder, self._pool, self._own.max_job_s, self._sealing) as work:
            self._work = work
            try:
                payload = json.loads(self._sealing.open(text))
                found = run_kind(kind, work, payload)
                summary, problem = summary_of(kind, payload, result=found), None
            except Problem as error:
                problem = error
            except SteelyardError as error:
                problem = problem_of(error)
            except Exception:  # noqa: BLE001  (one job must not end the worker)
                _log.exception("unexpected error", job=job_id, kind=kind)
                problem = unexpected()
        self._work = None
        if problem is not None:
            document = problem.document(job_id)
            summary, found = summary_of(kind, payload, problem=document), json.dumps(document)
        if not work.is_stopped:
            DBOS.update_workflow_attributes(job_id, self._sealing.summary(summary), merge=True)
        end = "done" if problem is None else problem.code
        seconds = round(time.monotonic() - started, 3)
        _log.info("job ended", job=job_id, kind=kind, end=end, seconds=seconds)
        return ("" if problem is None else _FAILED) + self._sealing.seal(found)

    def _watched(self, idle: int) -> int:
        """Stop the job under way if it is not this worker's any more, or too long.

        Returns:
            For how many turns the database has had a job of this worker that does not run.
        """
        work = self._work
        if work is None:
            return idle + 1 if self._rows.running().get(self.id) else 0
        claim = self._rows.claim(work.job_id)
        if claim is None or claim != WorkerClaim("PENDING", self.id):
            work.stop()
        if work():
            self._require_end(work)
        return 0

    def _require_end(self, work: RunningJob) -> None:
        """End the process if a job does not stop: its cells and programs end with it."""
        if self._stopping is None or self._stopping[0] is not work:
            self._stopping = work, time.monotonic()
        elif time.monotonic() - self._stopping[1] > _GRACE_S:
            _log.warning("the job does not stop; the worker ends", job=work.job_id)
            os._exit(STUCK)

    def _recover(self) -> None:
        """Put the jobs of dead workers back into the queue."""
        for other, jobs in self._rows.running().items():
            if other == self.id:
                continue
            with self._lock.dead(other) as is_dead:
                if is_dead:
                    _log.warning("worker died", worker=other, jobs=len(jobs))
                    # Not in the public interface; tests/contract/test_jobs_killed.py holds it.
                    DBOS._recover_pending_workflows([other])  # noqa: SLF001


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


def delete_old(rows: JobRows, runs: Path, keep_days: float) -> None:
    """Delete some of the jobs that ended long ago, and the artefacts of deleted jobs.

    Args:
        rows: The jobs.
        runs: The folder of the jobs' folders.
        keep_days: For how long a job is kept after its end.
    """
    old = rows.ended_before(round(time.time() * 1000 - keep_days * _DAY_MS), _MOST)
    if old:
        DBOS.delete_workflows(old)
    if not runs.is_dir():
        return
    folders = list(runs.iterdir())
    for first in range(0, len(folders), _MOST):
        part = folders[first : first + _MOST]
        known = rows.known([each.name for each in part])
        for each in part:
            if each.name not in known:
                shutil.rmtree(each, ignore_errors=True)


def adopt_logs() -> None:
    """Give the library's logger the handlers of Steelyard's."""
    theirs = logging.getLogger("dbos")
    theirs.handlers = list(logging.getLogger("steelyard").handlers) or [logging.NullHandler()]
    theirs.propagate = False
    theirs.setLevel(logging.WARNING)
    theirs.addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for the end of a job that failed or was cancelled: its state has it."""
    raised = record.exc_info[1] if record.exc_info else None
    record.msg, record.args = record.getMessage().partition("\n")[0][:_LONGEST], ()
    return not isinstance(raised, _EXPECTED)
