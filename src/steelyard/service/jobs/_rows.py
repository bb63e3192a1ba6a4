"""Read the table of jobs: counts, pages, owners.

The library's tables are documented. Source: https://docs.dbos.dev/explanations/system-tables.
Only the library writes to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from steelyard.service._job import KINDS, STATES, Job, JobKind, at, state_of
from steelyard.service.jobs._place import JobPlace
from steelyard.service.jobs._sealing import Sealing

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
class Claim:
    """The state of a job, and its worker."""

    status: str
    worker: str


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
    ) -> list[Job]:
        """Return jobs, the newest first, without their results.

        Args:
            owner: Whose jobs; None for everybody's.
            kinds: Only these; empty for all.
            states: Only these; empty for all.
            after: The last job of the page before.
            limit: How many at most.
        """
        own = self._jobs.c
        query = sa.select(self._jobs).where(own.name.in_(kinds or KINDS))
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

    def find(self, job_id: str) -> Job | None:
        """Return a job without its result; None if there is none."""
        query = sa.select(self._jobs).where(self._jobs.c.workflow_uuid == job_id)
        return next((self._job(row) for row in self._run(query) if row.name in KINDS), None)

    def claim(self, job_id: str) -> Claim | None:
        """Return who runs a job; None if there is no such job."""
        own = self._jobs.c
        query = sa.select(own.status, own.executor_id).where(own.workflow_uuid == job_id)
        return next((Claim(row[0], row[1] or "") for row in self._run(query)), None)

    def running(self) -> dict[str, list[str]]:
        """Return the jobs that run, by the workers that run them."""
        own = self._jobs.c
        query = sa.select(own.executor_id, own.workflow_uuid).where(
            own.status == sa.literal_column("'PENDING'"), own.name.in_(KINDS)
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
        query = sa.select(own.workflow_uuid).where(own.completed_at < epoch_ms, own.name.in_(KINDS))
        return [row[0] for row in self._run(query.limit(limit))]

    def _run(self, query: sa.Select[Any]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).fetchall()

    def _job(self, row: Any) -> Job:
        attributes = row.attributes or {}
        return Job.model_validate(
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
