"""List runs, look at one, cancel one: `/v1/runs`."""

import asyncio
import re
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import Field

from steelyard.service._async import run_response
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._etags import fresh_or
from steelyard.service._job import Job, JobKind, JobState, Run
from steelyard.service._page import Page, PageQuery, cursor_invalid, page_of
from steelyard.service._problems import Problem
from steelyard.service._rights import may_see, owner_seen
from steelyard.service._state import services_of
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._rows import Position

router = new_router("/v1", tag="runs")
_MILLISECONDS = re.compile("[0-9]{1,15}")
_Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class RunQuery(PageQuery):
    """The part of the list of runs to return."""

    kind: tuple[JobKind, ...] = ()
    """Only these kinds; may be given many times."""
    state: tuple[JobState, ...] = ()
    """Only these states; may be given many times."""

    @property
    def position(self) -> Position | None:
        """The last run of the page before.

        Raises:
            Problem: 422 if the cursor is malformed.
        """
        key = self.after(str, str)
        if key is None:
            return None
        created_ms, job_id = key
        if not _MILLISECONDS.fullmatch(created_ms):
            raise cursor_invalid()
        return Position(int(created_ms), job_id)


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
    if job is None or not may_see(caller, "run", job.owner):
        raise _no_run()
    return job


@router.get("/runs")
async def runs(
    query: Annotated[RunQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Page[Job]:
    """Return the caller's runs, the newest first; everybody's for the scope `admin`."""
    return await runs_on(request, caller, query)


async def runs_on(request: Request, caller: Caller, query: RunQuery) -> Page[Job]:
    """Return a page of the runs that a caller may see."""
    after = query.position
    found = await asyncio.to_thread(
        queue_of(request).list,
        owner=owner_seen(caller, "run"),
        kinds=query.kind,
        states=query.state,
        after=after,
        limit=query.limit + 1,
    )
    return page_of(found, query, _key)


@router.get(
    "/runs/{run_id}",
    response_model=Run,
    responses={304: {"description": "As the client has it."}},
)
async def run(request: Request, job: Job = Depends(owned)) -> Response:
    """Return a run: its state, and at its end its result or its problem."""
    whole = await asyncio.to_thread(queue_of(request).get, job.id)
    if whole is None:
        raise _no_run()
    if whole.has_ended:
        return fresh_or(request, whole.model_dump_json(exclude_none=True))
    return run_response(whole, 200)


@router.delete("/runs/{run_id}", response_model=Job)
async def cancel(request: Request, job: Job = Depends(owned)) -> Response:
    """Cancel a run and end its processes. A run that has ended stays as it is."""
    cancelled = await asyncio.to_thread(queue_of(request).cancel, job.id)
    if cancelled is None:
        raise _no_run()
    return run_response(cancelled, 200)


def _key(job: Job) -> tuple[str, str]:
    return str(round(job.created_utc.timestamp() * 1000)), job.id


def _no_run() -> Problem:
    return Problem(
        404,
        "run-not-found",
        "There is no such run",
        "there is no run with this id, or it is another caller's; look at the list of your runs",
    )
