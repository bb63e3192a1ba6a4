"""Follow a run by server-sent events: `/v1/runs/{id}/events`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator

from fastapi import Depends, Header, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from steelyard.service._body import new_router
from steelyard.service._job import Job
from steelyard.service._problems import Problem
from steelyard.service._work import Stop, watched
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._runs import owned, queue_of

router = new_router("/v1", tag="runs")
_ID = re.compile(r"(\d{1,9})\.(\d{1,9})")
_END = "end"
_WAKE_S = 1.0
_PING_S = 15.0
_EXAMPLE = (
    'event: progress\nid: 0.0\ndata: {"job": "solve", "stage": "planner"}\n\n'
    'event: end\nid: end\ndata: {"state": "done"}\n\n'
)


@router.get(
    "/runs/{run_id}/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`progress` for each step, and `end` with the state.",
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}},
        },
        204: {"description": "The client has the last event already."},
    },
)
async def events(
    request: Request,
    job: Job = Depends(owned),
    last_event_id: str = Header(default="", max_length=40, description="Resume after this event."),
) -> Response:
    """Return the progress of a run as it happens, from its beginning."""
    if last_event_id == _END:
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
        return _line("end", _END, {"state": "cancelled" if job is None else job.state})


def _line(event: str, event_id: str, data: dict[str, object]) -> bytes:
    return format_sse_event(event=event, id=event_id, data_str=json.dumps(data))


def _after(last_event_id: str) -> tuple[int, int]:
    if not last_event_id:
        return 0, 0
    found = _ID.fullmatch(last_event_id)
    if found is None:
        raise Problem(
            422,
            "event-id-invalid",
            "The Last-Event-ID is not of this stream",
            "send the id of an event of this run, or no Last-Event-ID",
        )
    return int(found[1]), int(found[2]) + 1
