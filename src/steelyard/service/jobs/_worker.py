"""Run jobs, one at a time, in a process of its own.

A worker holds a lock as long as it lives, and puts the jobs of dead workers back into the queue.
See docs/decisions/0023-jobs.md.
"""

import json
import os
import secrets
import socket
import threading
import time
from typing import Any

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import SteelyardError
from steelyard.logs import logger
from steelyard.sandbox import CellPool
from steelyard.service._job import KINDS, JobFailedError, JobKind
from steelyard.service._problems import Problem, problem_of, unexpected
from steelyard.service.jobs._cleaning import delete_old
from steelyard.service.jobs._kinds import run_kind
from steelyard.service.jobs._locks import lock_worker
from steelyard.service.jobs._logs import adopt_logs
from steelyard.service.jobs._place import APPLICATION, connect, job_place, prepare
from steelyard.service.jobs._queue import VERSION
from steelyard.service.jobs._rows import QUEUE, Claim, JobRows
from steelyard.service.jobs._sealing import Sealing
from steelyard.service.jobs._summary import summary_of
from steelyard.service.jobs._work import Work
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
        self._work: Work | None = None
        self._stopping: tuple[Work, float] | None = None
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
        for kind in KINDS:
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
        with Work(job_id, folder, self._pool, self._own.max_job_s, self._sealing) as work:
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
        if claim is None or claim != Claim("PENDING", self.id):
            work.stop()
        if work():
            self._require_end(work)
        return 0

    def _require_end(self, work: Work) -> None:
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
