"""Accept long work as a job that outlives the request: `Prefer: respond-async`.

Source: https://www.rfc-editor.org/rfc/rfc7240.
"""

import asyncio
from typing import Any

from fastapi import Request, Response
from pydantic import BaseModel

from steelyard.service._auth import Caller
from steelyard.service._job import Job, JobKind
from steelyard.service._problems import Problem
from steelyard.service._replies import key_of
from steelyard.service._state import services_of

_HEADERS = {"Location": {"description": "The run to follow.", "schema": {"type": "string"}}}
ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {"description": "The work is a run now.", "headers": _HEADERS, "model": Job}
}
"""The response of every path that may answer with a run."""


def asks_async(request: Request) -> bool:
    """Return True if the client would rather follow a run than wait."""
    return "respond-async" in _preferences(request)


def preferred_wait_s(request: Request) -> float | None:
    """Return how long the client would wait for an answer; None if it does not say."""
    wait = _preferences(request).get("wait", "")
    return float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 9 else None


async def accepted(
    request: Request, caller: Caller, kind: JobKind, body: BaseModel | dict[str, Any]
) -> Response:
    """Store a request as a job, and return 202 with its place.

    Raises:
        Problem: 429 if too many jobs wait, 422 if the Idempotency-Key was used for another request.
        DatabaseError: if the job cannot be stored.
    """
    return run_response(await started(request, caller, kind, body), 202)


async def started(
    request: Request, caller: Caller, kind: JobKind, body: BaseModel | dict[str, Any]
) -> Job:
    """Store a request as a job.

    Raises:
        Problem: 429 if too many jobs wait, 422 if the Idempotency-Key was used for another request.
        DatabaseError: if the job cannot be stored.
    """
    jobs = services_of(request).jobs
    if jobs is None:
        raise Problem(
            503, "no-jobs", "This service keeps no jobs", "send the request without Prefer"
        )
    payload = body if isinstance(body, dict) else body.model_dump(exclude_unset=True)
    return await asyncio.to_thread(jobs.submit, kind, payload, caller, key=key_of(request))


def run_response(job: Job, status: int) -> Response:
    """Return a run as the response, with its path."""
    headers = {"Location": f"/v1/runs/{job.id}"}
    if status == 202:
        headers["Preference-Applied"] = "respond-async"
        if not job.has_ended:
            headers["Retry-After"] = "1"
    return Response(
        job.model_dump_json(exclude_none=True), status, headers, media_type="application/json"
    )


def _preferences(request: Request) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in request.headers.getlist("prefer"):
        for part in line.replace(";", ",").split(","):
            name, _, value = part.strip().partition("=")
            found.setdefault(name.strip().lower(), value.strip().strip('"'))
    return found
