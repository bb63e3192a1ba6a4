"""List runs, look at one, cancel one, follow its events, read its files: `/v1/runs`.

The files (plans, programs, measurements, the report of a run of models) are on the machine whose
worker ran the job, for as long as the run is kept.
"""

import asyncio
import json
import re
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel, Field

from steelyard.errors import SteelyardError
from steelyard.runs import content_of
from steelyard.service._auth import Caller, allow, may_see, owner_seen
from steelyard.service._body import new_router
from steelyard.service._error_responses import Problem
from steelyard.service._job import JobKind, JobState, QueuedJob, QueuedRun
from steelyard.service._reads import Page, PageQuery, cursor_invalid, etagged, fresh_or, page_of
from steelyard.service._running import Stop, run_response, watched
from steelyard.service._state import services_of
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._table import Position

router = new_router("/v1", tag="runs")
_MILLISECONDS = re.compile("[0-9]{1,15}")
_Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
_EVENT_ID = re.compile(r"(\d{1,9})\.(\d{1,9})")
_END_EVENT = "end"
_WAKE_S = 1.0
_PING_S = 15.0
_EVENTS_EXAMPLE = (
    'event: progress\nid: 0.0\ndata: {"job": "solve", "stage": "planner"}\n\n'
    'event: end\nid: end\ndata: {"state": "done"}\n\n'
)
_FILE_TYPE = "text/plain; charset=utf-8"


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
) -> QueuedJob:
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
) -> Page[QueuedJob]:
    """Return the caller's runs, the newest first; everybody's for the scope `admin`."""
    return await runs_on(request, caller, query)


async def runs_on(request: Request, caller: Caller, query: RunQuery) -> Page[QueuedJob]:
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
    response_model=QueuedRun,
    responses={304: {"description": "As the client has it."}},
)
async def run(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Return a run: its state, and at its end its result or its problem."""
    whole = await asyncio.to_thread(queue_of(request).get, job.id)
    if whole is None:
        raise _no_run()
    if whole.has_ended:
        return fresh_or(request, whole.model_dump_json(exclude_none=True))
    return run_response(whole, 200)


@router.delete("/runs/{run_id}", response_model=QueuedJob)
async def cancel(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Cancel a run and end its processes. A run that has ended stays as it is."""
    cancelled = await asyncio.to_thread(queue_of(request).cancel, job.id)
    if cancelled is None:
        raise _no_run()
    return run_response(cancelled, 200)


def _key(job: QueuedJob) -> tuple[str, str]:
    return str(round(job.created_utc.timestamp() * 1000)), job.id


def _no_run() -> Problem:
    return Problem(
        404,
        "run-not-found",
        "There is no such run",
        "there is no run with this id, or it is another caller's; look at the list of your runs",
    )


@router.get(
    "/runs/{run_id}/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`progress` for each step, and `end` with the state.",
            "content": {
                "text/event-stream": {"schema": {"type": "string"}, "example": _EVENTS_EXAMPLE}
            },
        },
        204: {"description": "The client has the last event already."},
    },
)
async def events(
    request: Request,
    job: QueuedJob = Depends(owned),
    last_event_id: str = Header(default="", max_length=40, description="Resume after this event."),
) -> Response:
    """Return the progress of a run as it happens, from its beginning."""
    if last_event_id == _END_EVENT:
        return Response(status_code=204)  # a browser would connect again and again
    position, index = _after(last_event_id)
    stream = _Stream(request, queue_of(request), job.id)
    return StreamingResponse(
        stream.lines(position, index),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


class _Stream:
    """The events of one run, for one client."""

    def __init__(self, request: Request, jobs: JobQueue, job_id: str) -> None:
        self._request, self._jobs, self._id = request, jobs, job_id

    async def lines(self, position: int, skipped: int) -> AsyncIterator[bytes]:
        """Yield events, and now and then a comment that keeps the connection open.

        Args:
            position: The first batch to read.
            skipped: Number of events in it that the client has.
        """
        gone = Stop(float("inf"))
        batches = self._jobs.events(self._id, after=position)
        coming: asyncio.Task[tuple[int, list[dict[str, object]]]] | None = None
        pinged = time.monotonic()
        try:
            async with watched(self._request, gone):
                while not gone() and not self._request.app.state.ending:
                    coming = coming or asyncio.ensure_future(anext(batches))
                    await asyncio.wait({coming}, timeout=_WAKE_S)
                    if not coming.done():
                        if time.monotonic() - pinged > _PING_S:
                            pinged = time.monotonic()
                            yield b": waiting\n\n"
                        continue
                    try:
                        at, batch = coming.result()
                    except StopAsyncIteration:
                        yield await self._end()
                        return
                    coming = None
                    for index, event in enumerate(batch):
                        if index >= skipped:
                            yield _line("progress", f"{at}.{index}", event)
                    skipped = 0
        finally:
            if coming is not None:
                coming.cancel()
                await asyncio.wait({coming})  # a generator that runs cannot be closed
            await batches.aclose()

    async def _end(self) -> bytes:
        job = await asyncio.to_thread(self._jobs.find, self._id)
        return _line("end", _END_EVENT, {"state": "cancelled" if job is None else job.state})


def _line(event: str, event_id: str, data: dict[str, object]) -> bytes:
    return format_sse_event(event=event, id=event_id, data_str=json.dumps(data))


def _after(last_event_id: str) -> tuple[int, int]:
    if not last_event_id:
        return 0, 0
    found = _EVENT_ID.fullmatch(last_event_id)
    if found is None:
        raise Problem(
            422,
            "event-id-invalid",
            "The Last-Event-ID is not of this stream",
            "send the id of an event of this run, or no Last-Event-ID",
        )
    return int(found[1]), int(found[2]) + 1


class RunFile(BaseModel, frozen=True):
    """A file of a run."""

    path: str
    bytes: int


@router.get("/runs/{run_id}/files")
async def files(
    query: Annotated[PageQuery, Query()], request: Request, job: QueuedJob = Depends(owned)
) -> Page[RunFile]:
    """Return the files that a run has written so far, by path."""
    (after,) = query.after(str) or ("",)
    found = await asyncio.to_thread(lambda: sorted(_files_in(_folder(request, job))))
    rest = [RunFile(path=path, bytes=size) for path, size in found if path > after]
    return page_of(rest[: query.limit + 1], query, lambda each: (each.path,))


@router.get(
    "/runs/{run_id}/files/{path:path}",
    response_class=Response,
    responses={
        200: {"content": {_FILE_TYPE: {"schema": {"type": "string"}}}},
        304: {"description": "As the client has it."},
    },
)
async def file(path: str, request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Return a file of a run, as plain text."""
    content = await asyncio.to_thread(_content, _folder(request, job), path)
    if content is None:
        raise Problem(
            404,
            "file-not-found",
            "The run has no such file",
            f"the run has no file {path[:100]!r} on this machine; list /v1/runs/{job.id}/files",
        )
    return etagged(request, content, media_type=_FILE_TYPE)


def _folder(request: Request, job: QueuedJob) -> Path:
    return queue_of(request).place.folder / "runs" / job.id


def _files_in(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the path and the size of each file, without those that only the worker needs."""
    for each in folder.rglob("*"):
        with suppress(FileNotFoundError):  # the worker renames what it has written
            status = each.lstat()
            if stat.S_ISREG(status.st_mode) and not each.name.startswith("."):
                yield each.relative_to(folder).as_posix(), status.st_size


def _content(folder: Path, path: str) -> bytes | None:
    """Return a file's text, decrypted; None if there is no such file.

    Raises:
        Problem: 503 if this machine cannot decrypt it.
    """
    if path in {name for name, _ in _files_in(folder)}:
        try:
            return content_of(folder / path)
        except FileNotFoundError:
            return None
        except SteelyardError as error:  # its text names folders of this machine
            raise Problem(
                503,
                "file-unreadable",
                "A file of a run cannot be read",
                f"{path} is encrypted with another key, or was changed; ask the operator",
            ) from error
    return None
