"""Answer a request whose work is a job: with its result, or with the run to follow."""

import asyncio
import time
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from steelyard.service._async import asks_async, preferred_wait_s, run_response, started
from steelyard.service._auth import Caller
from steelyard.service._job import Job, JobKind, Run
from steelyard.service._problems import MEDIA_TYPE, Problem, request_id_of
from steelyard.service._replies import key_of
from steelyard.service._state import services_of
from steelyard.service._work import Stop, watched
from steelyard.service.jobs._runs import queue_of

_POLL_S = 0.2


async def answer(
    request: Request, caller: Caller, kind: JobKind, payload: dict[str, Any]
) -> Response:
    """Return a job's result; 202 if the client would rather follow it, or it takes too long.

    If the client goes away, the job is cancelled, unless an Idempotency-Key lets it ask again.

    Raises:
        Problem: as `started`; 499 if the client is gone.
        DatabaseError: if the job cannot be stored.
    """
    job = await started(request, caller, kind, payload)
    if asks_async(request):
        return run_response(job, 202)
    jobs = queue_of(request)
    longest_s = services_of(request).settings.service.max_request_s
    preferred_s = preferred_wait_s(request)
    wait_s = longest_s if preferred_s is None else min(longest_s, preferred_s)
    stop = Stop(wait_s)
    async with watched(request, stop):
        job = await _ended(request, job, stop)
    if stop.is_gone and not job.has_ended:
        if key_of(request) is None:
            await asyncio.to_thread(jobs.cancel, job.id)
        raise stop.problem()
    whole = await asyncio.to_thread(jobs.get, job.id)
    return _response(request, Run(**dict(job)) if whole is None else whole)


async def _ended(request: Request, job: Job, stop: Stop) -> Job:
    """Return the job once it has ended, or nobody waits any longer."""
    jobs, begun = queue_of(request), time.monotonic()
    while not (job.has_ended or stop() or request.app.state.ending):
        await asyncio.sleep(min(2.0, _POLL_S + (time.monotonic() - begun) / 50))
        found = await asyncio.to_thread(jobs.find, job.id)
        job = job if found is None else found
    return job


def _response(request: Request, job: Run) -> Response:
    if not job.has_ended:
        return run_response(job, 202)
    if job.state == "cancelled":
        raise Problem(
            409, "run-cancelled", "The run was cancelled", "the run was cancelled; send it again"
        )
    headers = {"Location": f"/v1/runs/{job.id}"}
    if job.problem is not None:
        document = {**job.problem, "request_id": request_id_of(request.scope)}
        return JSONResponse(document, job.problem["status"], headers, media_type=MEDIA_TYPE)
    return JSONResponse(job.result, 200, headers)
