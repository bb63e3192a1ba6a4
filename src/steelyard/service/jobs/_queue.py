"""Accept jobs, find them, follow them and cancel them. It runs nothing."""

import builtins
import hashlib
import json
import secrets
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self

from dbos import DBOSClient, DBOSPortableJSONSerializer
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import DatabaseError
from steelyard.jobs import JOBS, job
from steelyard.schemas import Spending
from steelyard.service._error_responses import Problem
from steelyard.service._job import JobKind, Owner, QueuedJob, QueuedRun
from steelyard.service._replies import key_reused
from steelyard.service.jobs._summary import summary_of
from steelyard.service.jobs._table import (
    APPLICATION,
    EVENTS,
    QUEUE,
    JobPlace,
    JobRows,
    Position,
    Sealing,
    connect,
    job_place,
    prepare,
)
from steelyard.settings import Settings

VERSION = "1"
"""The version of the payloads; workers take the jobs of their own."""
_CONNECTIONS = 6
_COUNTED_S = 0.5
_POLL_S = 0.3
_RETRY_AFTER_S = "10"
JobEvents = tuple[int, list[dict[str, Any]]]
"""A batch of events, and its position in the stream."""
_SETTLED_MS = 2_000
"""A run's end is stored a little after its time, so younger ends are read next time."""
_MOST = 200


class JobQueue:
    """The jobs of a service, in a database that outlives it. Threads may share it.

    Args:
        settings: With the database, and the limits on jobs.

    Raises:
        DatabaseError: if the database of jobs cannot be opened.
        CacheKeyError: if the key that encrypts runs is malformed.
    """

    def __init__(self, settings: Settings) -> None:
        self.place: JobPlace = job_place(settings)
        self._own = settings.service
        self._sealing = Sealing()
        prepare(self.place)
        self._engine = connect(self.place, _CONNECTIONS)
        self._rows = JobRows(self.place, self._engine, self._sealing)
        self._spendings = NewSpendings(self._rows, self.get)
        with self._plain_errors():
            self._client = DBOSClient(
                system_database_url=self.place.text,
                system_database_engine=self._engine,
                application_name=APPLICATION,
                retry_connection_errors=False,
                serializer=DBOSPortableJSONSerializer(),
            )
        self._lock = threading.Lock()
        self._counts: dict[str | None, tuple[float, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.destroy()
        self._engine.dispose()

    def submit(
        self, kind: JobKind, payload: dict[str, Any], caller: Owner, *, key: str | None = None
    ) -> QueuedJob:
        """Store a job. Once this returns, the job is not lost.

        Args:
            kind: What to do.
            payload: The request, as plain JSON.
            caller: Its owner.
            key: The Idempotency-Key: a second request with it gets the first job.

        Raises:
            Problem: 429 if too many jobs wait, 422 if the key was used for another request.
            DatabaseError: if the job cannot be stored.
        """
        text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(f"{kind}\0{text}".encode()).hexdigest()
        job_id = _new_id()
        if key is not None:
            named = f"{caller.owner}\0{kind}\0{key}"
            job_id = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]
            known = self.find(job_id)
            if known is not None:
                return _same(known, digest)
        self._require_room(caller)
        with self._plain_errors():
            self._client.enqueue(
                {
                    "workflow_name": kind,
                    "queue_name": QUEUE,
                    "workflow_id": job_id,
                    "app_version": VERSION,
                    "queue_partition_key": _partition(caller.owner),
                    "authenticated_user": caller.owner,
                    "attributes": {
                        "digest": digest,
                        "owner_name": caller.name,
                        **self._sealing.summary(summary_of(kind, payload)),
                    },
                },
                self._sealing.seal(text),
            )
        found = self.find(job_id)
        if found is None:
            raise DatabaseError("a job was stored and is gone; check the database of jobs")
        return _same(found, digest)

    def find(self, job_id: str) -> QueuedJob | None:
        """Return a job without its result; None if there is none.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            return self._rows.find(job_id)

    def get(self, job_id: str) -> QueuedRun | None:
        """Return a job with its result or its problem; None if there is none.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            job = self._rows.find(job_id)
            if job is None:
                return None
            run = QueuedRun(**dict(job))
            if not job.has_ended:
                return run
            found = self._client.list_workflows(workflow_ids=[job_id], load_input=False)
        if not found:
            return None
        if job.state == "done":
            return run.model_copy(
                update={"result": json.loads(self._sealing.open(str(found[0].output)))}
            )
        if job.state == "failed":
            return run.model_copy(
                update={"problem": _problem(job, self._sealing.open(str(found[0].error)))}
            )
        return run

    def request(self, job_id: str) -> dict[str, Any] | None:
        """Return what a job was asked to do; None if there is no such job.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            found = self._client.list_workflows(workflow_ids=[job_id], load_output=False)
        if not found or not found[0].input:
            return None
        (text,) = found[0].input["args"]
        return dict(json.loads(self._sealing.open(text)))

    def list(
        self,
        *,
        owner: str | None = None,
        kinds: Sequence[str] = (),
        states: Sequence[str] = (),
        after: Position | None = None,
        limit: int = 50,
    ) -> list[QueuedJob]:
        """Return jobs without their results, the newest first; see `JobRows.page`.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            return self._rows.page(
                owner=owner, kinds=kinds, states=states, after=after, limit=limit
            )

    async def events(self, job_id: str, *, after: int = 0) -> AsyncGenerator[JobEvents]:
        """Yield a job's events as they come, until it has ended.

        Args:
            job_id: The job.
            after: The position of the first batch to yield.

        Raises:
            DatabaseError: if the database fails.
        """
        values = self._client.read_stream_async(
            job_id, EVENTS, offset=after, polling_interval_sec=_POLL_S
        )
        position = after
        with self._plain_errors():
            async for value in values:
                yield position, json.loads(self._sealing.open(value))
                position += 1

    def so_far(self, job_id: str, stream: str, *, after: int = 0) -> Sequence[str]:
        """Return the values that a job has written to a stream, without waiting for more.

        Args:
            job_id: The job.
            stream: `EVENTS` or `TURNS`.
            after: The position of the first value to return.

        Raises:
            DatabaseError: if the database fails.
        """
        found: list[str] = []
        with self._plain_errors(), suppress(dbos_error.DBOSStreamTimeoutError):
            found.extend(self._client.read_stream(job_id, stream, offset=after, timeout_seconds=0))
        return [self._sealing.open(each) for each in found]

    def cancel(self, job_id: str) -> QueuedJob | None:
        """Cancel a job; one that has ended stays as it is. Its processes end within seconds.

        Raises:
            DatabaseError: if the database fails.
        """
        job = self.find(job_id)
        if job is None or job.has_ended:
            return job
        with self._plain_errors():
            self._client.cancel_workflow(job_id)
        with self._lock:
            self._counts.clear()  # its place is free at once
        return self.find(job_id)

    def counts(self) -> dict[str, int]:
        """Return how many jobs are `queued` and `running`.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            return self._rows.by_state()

    def new_spendings(self) -> builtins.list[tuple[JobKind, Spending]]:
        """Return what models cost in the runs that are done since the last call, by kind.

        Raises:
            DatabaseError: if the database fails.
        """
        with self._plain_errors():
            return self._spendings.read()

    def _require_room(self, caller: Owner) -> None:
        limits = ((None, self._own.max_jobs), (caller.owner, self._own.max_jobs_per_token))
        with self._lock:
            for owner, most in limits:
                if self._active(owner) >= most:
                    whose = "" if owner is None else "of this caller "
                    raise Problem(
                        429,
                        "queue-full",
                        "Too many jobs wait",
                        f"{most:,} jobs {whose}wait or run already; try again later",
                        headers={"Retry-After": _RETRY_AFTER_S},
                    )
            for owner, _ in limits:
                counted, number = self._counts[owner]
                self._counts[owner] = counted, number + 1

    def _active(self, owner: str | None) -> int:
        """Return how many jobs wait or run, counted lately, with those accepted since."""
        counted, number = self._counts.get(owner, (float("-inf"), 0))
        if time.monotonic() - counted > _COUNTED_S:
            if len(self._counts) > 10_000:
                self._counts.clear()
            with self._plain_errors():
                number = self._rows.active(None if owner is None else _partition(owner))
            self._counts[owner] = time.monotonic(), number
        return number

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, dbos_error.DBOSException) as error:
            why = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise DatabaseError(f"the database of jobs fails: {why}; try again later") from error


def _new_id() -> str:
    """Return an id that no caller can guess. Later ids are larger."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(10)}"


def _partition(owner: str) -> str:
    return owner or "local"


def _same(job: QueuedJob, digest: str) -> QueuedJob:
    if job.digest != digest:
        raise key_reused()
    return job


def _problem(job: QueuedJob, error: str) -> dict[str, Any]:
    try:
        document = json.loads(error)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return document
    return Problem(
        500,
        "job-died",
        "The workers that ran this died",
        f"{job.attempts} workers died while they ran this; ask for less, or report it",
    ).document(job.id)


class NewSpendings:
    """The costs of the runs that are done since this was made. Threads may share it.

    Args:
        rows: The jobs.
        get: Returns a job with its result.
    """

    def __init__(self, rows: JobRows, get: Callable[[str], QueuedRun | None]) -> None:
        self._rows, self._get = rows, get
        self._after = Position(_now_ms(), "")
        self._lock = threading.Lock()

    def read(self) -> list[tuple[JobKind, Spending]]:
        """Return the costs of runs that no call has returned yet, with their kinds."""
        with self._lock:
            ended = self._rows.done_after(
                self._after, _now_ms() - _SETTLED_MS, _asking_models(), _MOST
            )
            found: list[tuple[JobKind, Spending]] = []
            for position, kind in ended:
                run = self._get(position.id)
                if run is not None and run.result is not None:
                    found.append((kind, Spending.model_validate(run.result["spending"])))
            if ended:
                self._after = ended[-1][0]
            return found


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _asking_models() -> tuple[str, ...]:
    return tuple(name for name in JOBS if job(name).scope == "author")
