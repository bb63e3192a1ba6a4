"""Find where jobs are kept, and read them: their place, what seals them, and the table of jobs.

1. `job_place` is a file of SQLite next to the database, or the team's PostgreSQL.
2. `Sealing` keeps what jobs hold encrypted there if `CACHE_ENCRYPT_KEY` is set.
3. `JobRows` reads counts, pages and owners from the tables of DBOS; only DBOS writes to them.

The tables are documented. Source: https://docs.dbos.dev/explanations/system-tables.
"""

import base64
import binascii
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOS
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import DatabaseError
from steelyard.jobs import JOBS
from steelyard.models import KEY_VARIABLE, Seal, key_id, read_key
from steelyard.service._job import STATES, JobKind, QueuedJob, Summary, at, state_of
from steelyard.settings import Settings, default_database
from steelyard.storage import target_of

APPLICATION = "steelyard"
_BUSY_MS = 30_000
_PREFIX = "sealed:"
_LABEL = b"job"
_SUMMARY = "summary"

QUEUE = "jobs"
EVENTS = "events"
"""The stream of a job's events: each value is a list of them."""
TURNS = "turns"
"""The stream of the turns of a solve run: each value is one, which replaces earlier ones."""
_SCHEMA = "dbos"
_COLUMNS = (
    "workflow_uuid",
    "status",
    "name",
    "authenticated_user",
    "executor_id",
    "queue_name",
    "queue_partition_key",
    "created_at",
    "started_at_epoch_ms",
    "completed_at",
    "recovery_attempts",
)
_ACTIVE: tuple[sa.ColumnClause[str], ...] = (
    sa.literal_column("'ENQUEUED'"),
    sa.literal_column("'PENDING'"),
)
"""Literals, so that the partial index on them is used."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a list of jobs by time: the last one of a page."""

    at_ms: int
    id: str


@dataclass(frozen=True, slots=True)
class WorkerClaim:
    """The state of a job, and its worker."""

    status: str
    worker: str


class Sealing:
    """Seals requests, events, turns and results of jobs: they hold programs, tests and prompts.

    Without a key it returns texts as they are. It reads both kinds. Threads may share it.

    Raises:
        CacheKeyError: if the key is malformed, or `cryptography` is not installed.
    """

    def __init__(self) -> None:
        key = read_key()
        self._key_id = key_id(key)
        self._seal = None if key is None else Seal(key)

    def seal(self, text: str) -> str:
        """Return the stored form of a JSON text."""
        if self._seal is None:
            return text
        sealed = self._seal.seal(text.encode("utf-8", "surrogatepass"), _LABEL)
        return f"{_PREFIX}{self._key_id}:{base64.b64encode(sealed).decode('ascii')}"

    def open(self, stored: str) -> str:
        """Return the JSON text of a stored form.

        Raises:
            DatabaseError: if it was sealed with another key, or changed.
        """
        if not stored.startswith(_PREFIX):
            return stored
        used, _, value = stored.removeprefix(_PREFIX).partition(":")
        if self._seal is None or used != self._key_id:
            raise DatabaseError(
                f"a run is encrypted with the key {used[:16]}; set {KEY_VARIABLE} to that key"
            )
        try:
            opened = self._seal.open(base64.b64decode(value, validate=True), _LABEL)
        except binascii.Error:
            opened = None
        if opened is None:
            raise DatabaseError("an encrypted run was changed in the database; start it again")
        return opened.decode("utf-8", "surrogatepass")

    def summary(self, summary: Summary) -> dict[str, str]:
        """Return the attribute of a job that holds its summary."""
        return {_SUMMARY: self.seal(summary.model_dump_json())}

    def summary_in(self, attributes: Mapping[str, str]) -> Summary:
        """Return the summary in a job's attributes; an empty one if it needs another key."""
        try:
            return Summary.model_validate_json(self.open(attributes.get(_SUMMARY, "{}")))
        except DatabaseError:  # a list shows the runs of other keys too
            return Summary()


@dataclass(frozen=True, slots=True)
class JobPlace:
    """The database of jobs, and the folder for their files."""

    url: URL
    folder: Path
    """Holds the locks of this machine's workers, and the artefacts of runs under way."""
    shown: str
    """The database for people, without a password."""

    @property
    def file(self) -> Path | None:
        """The file of SQLite; None for a server."""
        is_file = self.url.get_backend_name() == "sqlite"
        return Path(self.url.database or "") if is_file else None

    @property
    def text(self) -> str:
        """The URL with its password."""
        return self.url.render_as_string(hide_password=False)


class JobRows:
    """Reads the jobs of a database, whose summaries may be sealed."""

    def __init__(self, place: JobPlace, engine: sa.Engine, sealing: Sealing) -> None:
        schema = None if place.file else _SCHEMA
        self._engine, self._sealing = engine, sealing
        self._jobs = sa.table(
            "workflow_status",
            *(sa.column(name) for name in _COLUMNS),
            sa.column("attributes", sa.JSON),
            schema=schema,
        )

    def active(self, owner: str | None = None) -> int:
        """Return how many jobs wait or run, of all owners or of one."""
        own = self._jobs.c
        query = sa.select(sa.func.count()).where(own.queue_name == QUEUE, own.status.in_(_ACTIVE))
        if owner is not None:
            query = query.where(own.queue_partition_key == owner)
        return int(self._run(query)[0][0])

    def by_state(self) -> dict[str, int]:
        """Return how many jobs wait and run."""
        own = self._jobs.c
        query = (
            sa.select(own.status, sa.func.count())
            .where(own.queue_name == QUEUE, own.status.in_(_ACTIVE))
            .group_by(own.status)
        )
        found = {"queued": 0, "running": 0}
        return found | {state_of(status): number for status, number in self._run(query)}

    def page(
        self,
        *,
        owner: str | None,
        kinds: Sequence[str],
        states: Sequence[str],
        after: Position | None,
        limit: int,
    ) -> list[QueuedJob]:
        """Return jobs, the newest first, without their results.

        Args:
            owner: Whose jobs; None for everybody's.
            kinds: Only these; empty for all.
            states: Only these; empty for all.
            after: The last job of the page before.
            limit: How many at most.
        """
        own = self._jobs.c
        query = sa.select(self._jobs).where(own.name.in_(kinds or JOBS))
        if owner is not None:
            query = query.where(own.authenticated_user == owner)
        if states:
            theirs = [name for state, names in STATES.items() if state in states for name in names]
            query = query.where(own.status.in_(theirs))
        if after is not None:
            query = query.where(
                sa.tuple_(own.created_at, own.workflow_uuid)
                < sa.tuple_(sa.literal(after.at_ms), sa.literal(after.id))
            )
        order = own.created_at.desc(), own.workflow_uuid.desc()
        return [self._job(row) for row in self._run(query.order_by(*order).limit(limit))]

    def find(self, job_id: str) -> QueuedJob | None:
        """Return a job without its result; None if there is none."""
        query = sa.select(self._jobs).where(self._jobs.c.workflow_uuid == job_id)
        return next((self._job(row) for row in self._run(query) if row.name in JOBS), None)

    def claim(self, job_id: str) -> WorkerClaim | None:
        """Return who runs a job; None if there is no such job."""
        own = self._jobs.c
        query = sa.select(own.status, own.executor_id).where(own.workflow_uuid == job_id)
        return next((WorkerClaim(row[0], row[1] or "") for row in self._run(query)), None)

    def running(self) -> dict[str, list[str]]:
        """Return the jobs that run, by the workers that run them."""
        own = self._jobs.c
        query = sa.select(own.executor_id, own.workflow_uuid).where(
            own.status == sa.literal_column("'PENDING'"), own.name.in_(JOBS)
        )
        found: dict[str, list[str]] = {}
        for worker, job_id in self._run(query):
            found.setdefault(worker, []).append(job_id)
        return found

    def known(self, job_ids: Sequence[str]) -> set[str]:
        """Return which of these jobs there are."""
        own = self._jobs.c
        query = sa.select(own.workflow_uuid).where(own.workflow_uuid.in_(job_ids))
        return {row[0] for row in self._run(query)}

    def done_after(
        self, after: Position, before_ms: int, kinds: Sequence[str], limit: int
    ) -> list[tuple[Position, JobKind]]:
        """Return jobs that have a result, in the order of their ends, each with its kind.

        Args:
            after: The end of the last job that is known.
            before_ms: Jobs that ended later are left out.
            kinds: Only these.
            limit: How many at most.
        """
        own = self._jobs.c
        place = sa.tuple_(own.completed_at, own.workflow_uuid)
        known = sa.tuple_(sa.literal(after.at_ms), sa.literal(after.id))
        query = (
            sa.select(own.completed_at, own.workflow_uuid, own.name)
            .where(own.status.in_(STATES["done"]), own.name.in_(kinds))
            .where(place > known, own.completed_at < before_ms)
            .order_by(own.completed_at, own.workflow_uuid)
        )
        return [(Position(row[0], row[1]), row[2]) for row in self._run(query.limit(limit))]

    def ended_before(self, epoch_ms: int, limit: int) -> list[str]:
        """Return the ids of jobs that ended before a time."""
        own = self._jobs.c
        query = sa.select(own.workflow_uuid).where(own.completed_at < epoch_ms, own.name.in_(JOBS))
        return [row[0] for row in self._run(query.limit(limit))]

    def _run(self, query: sa.Select[Any]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).fetchall()

    def _job(self, row: Any) -> QueuedJob:
        attributes = row.attributes or {}
        return QueuedJob.model_validate(
            {
                **dict(self._sealing.summary_in(attributes)),
                "id": row.workflow_uuid,
                "kind": row.name,
                "state": state_of(row.status),
                "owner": row.authenticated_user or "",
                "owner_name": attributes.get("owner_name", ""),
                "created_utc": at(row.created_at),
                "started_utc": at(row.started_at_epoch_ms),
                "ended_utc": at(row.completed_at),
                "attempts": row.recovery_attempts or 0,
                "digest": attributes.get("digest", ""),
            }
        )


def job_place(settings: Settings) -> JobPlace:
    """Return where jobs are kept.

    Raises:
        UsageError: if the URL of the database is malformed.
    """
    target = target_of(settings.database_url or str(default_database()))
    if target.url is not None:
        return JobPlace(target.url, default_database().with_name("jobs"), target.shown)
    assert target.file is not None
    file = target.file.absolute()
    folder = file.with_name(f"{file.name}.jobs")
    store = folder / "jobs.sqlite3"
    return JobPlace(URL.create("sqlite", database=str(store)), folder, str(store))


def connect(place: JobPlace, size: int) -> Engine:
    """Return an engine for the database of jobs; it connects when it is first used.

    Its errors never show values: they hold source code.
    """
    shared: dict[str, Any] = {
        "pool_size": size,
        "max_overflow": 0,
        "pool_timeout": 30,
        "hide_parameters": True,
    }
    if place.file is None:
        return create_engine(
            place.url,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10, "application_name": "steelyard-jobs"},
            **shared,
        )
    engine = create_engine(place.url, **shared)
    event.listen(engine, "connect", _set_up)
    return engine


def prepare(place: JobPlace) -> None:
    """Make the folder and the tables, if they are not there yet.

    Raises:
        DatabaseError: if they cannot be made.
    """
    try:
        place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.file is not None:
            with suppress(FileExistsError):
                os.close(os.open(place.file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(sqlite3.connect(place.file, timeout=_BUSY_MS / 1000)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        DBOS.migrate(place.text)
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        why = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise DatabaseError(f"the jobs in {place.shown} cannot be opened: {why}") from error


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = "IMMEDIATE"  # writers take turns, and none fails in the middle
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
