"""List runs, look at one, cancel one: `/v1/runs`."""

import asyncio
import base64
import json
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.service._async import run_response
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._job import Job, JobKind, JobState, Run
from steelyard.service._problems import Problem
from steelyard.service._state import services_of
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._rows import Position

__all__ = ["owned", "queue_of", "router"]

router = new_router("/v1", tag="runs")
_Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class RunQuery(BaseModel):
    """The part of the list of runs to return."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(default=50, ge=1, le=200)
    """Number of items."""
    cursor: str = Field(default="", max_length=200)
    """`next` of the page before; empty for the first page."""
    kind: list[JobKind] = []
    """Only these kinds; may be given many times."""
    state: list[JobState] = []
    """Only these states; may be given many times."""

    @property
    def after(self) -> Position | None:
        """The last run of the page before.

        Raises:
            Problem: 422 if the cursor is malformed.
        """
        if not self.cursor:
            return None
        try:
            key = json.loads(base64.b64decode(self.cursor.encode(), b"-_", validate=True))
            return Position(int(key[0]), _Ids(id=key[1]).id)
        except (ValueError, TypeError, LookupError, RecursionError, OverflowError):
            raise Problem(
                422, "cursor-invalid", "The cursor is not of this list",
                "the cursor is malformed; send `next` of the page before, or no cursor",
            ) from None  # fmt: skip


class _Ids(BaseModel):
    id: _Id


class Runs(BaseModel, frozen=True):
    """A part of the list of runs."""

    items: tuple[Job, ...]
    next: str | None
    """The cursor of the page after this one; null if this is the last one."""


def queue_of(request: Request) -> JobQueue:
    """Return the queue of a request's application.

    Raises:
        Problem: 503 if it has none.
    """
    jobs = services_of(request).jobs
    if not isinstance(jobs, JobQueue):
        raise Problem(503, "no-jobs", "This service keeps no jobs", "ask another service")
    return jobs


async def owned(
    run_id: _Id, request: Request, caller: Caller = Depends(allow("judge", "author"))
) -> Job:
    """Return the run that a path names, without its result.

    Raises:
        Problem: 404 if there is none, or it is another caller's.
    """
    job = await asyncio.to_thread(queue_of(request).find, run_id)
    if job is None or not _may_see(caller, job):
        raise _no_run()
    return job


@router.get("/runs", response_model=Runs)
async def runs(
    query: Annotated[RunQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Runs:
    """Return the caller's runs, the newest first; everybody's for the scope `admin`."""
    after = query.after
    found = await asyncio.to_thread(
        queue_of(request).list,
        owner=None if "admin" in caller.scopes else caller.token_id,
        kinds=query.kind,
        states=query.state,
        after=after,
        limit=query.limit + 1,
    )
    items = tuple(found[: query.limit])
    return Runs(items=items, next=_cursor(items[-1]) if len(found) > query.limit else None)


@router.get("/runs/{run_id}", response_model=Run)
async def run(request: Request, job: Job = Depends(owned)) -> Response:
    """Return a run: its state, and at its end its result or its problem."""
    whole = await asyncio.to_thread(queue_of(request).get, job.id)
    if whole is None:
        raise _no_run()
    return run_response(whole, 200)


@router.delete("/runs/{run_id}", response_model=Job)
async def cancel(request: Request, job: Job = Depends(owned)) -> Response:
    """Cancel a run and end its processes. A run that has ended stays as it is."""
    cancelled = await asyncio.to_thread(queue_of(request).cancel, job.id)
    if cancelled is None:
        raise _no_run()
    return run_response(cancelled, 200)


def _may_see(caller: Caller, job: Job) -> bool:
    return job.owner == caller.token_id or "admin" in caller.scopes


def _cursor(job: Job) -> str:
    key = [str(round(job.created_utc.timestamp() * 1000)), job.id]
    return base64.urlsafe_b64encode(json.dumps(key, separators=(",", ":")).encode()).decode()


def _no_run() -> Problem:
    return Problem(
        404, "run-not-found", "There is no such run",
        "there is no run with this id, or it is another caller's; list yours at /v1/runs",
    )  # fmt: skip
