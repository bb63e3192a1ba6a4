"""Run work for a request, or accept it as a job that outlives the request.

1. Work runs in a thread once the gate admits it, and is stopped if nobody waits or it takes too
   long.
2. With `Prefer: respond-async` it is stored as a job, and answered with the run to follow.

Source: https://www.rfc-editor.org/rfc/rfc7240.
"""

import asyncio
import dataclasses
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel

from steelyard.sandbox import CellPool, StoppablePool, StoppedError
from steelyard.schemas import Event
from steelyard.service._auth import Caller
from steelyard.service._error_responses import Problem
from steelyard.service._gate import Gate
from steelyard.service._job import JobKind, QueuedJob
from steelyard.service._replies import key_of
from steelyard.service._state import Services, services_of

_UNWATCHED_S = 0.03
_AGAIN_S = 0.2
_HEADERS = {"Location": {"description": "The run to follow.", "schema": {"type": "string"}}}
T = TypeVar("T")
ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {"description": "The work is a run now.", "headers": _HEADERS, "model": QueuedJob}
}
"""The response of every path that may answer with a run."""


class Stop:
    """Stops work: nobody waits for it, or it takes too long. Threads share it."""

    def __init__(self, most_s: float) -> None:
        self._owner = ""
        self._most_s = most_s
        self._until = time.monotonic() + most_s
        self._gone = threading.Event()
        self._pools: list[StoppablePool] = []

    def __call__(self) -> bool:
        """Return True if the work should stop."""
        return self._gone.is_set() or time.monotonic() > self._until

    @property
    def is_gone(self) -> bool:
        """True if nobody waits."""
        return self._gone.is_set()

    def begin(self, caller: Caller) -> None:
        """Begin to count the time of the work. Callers that wait for cells get them in turns."""
        self._until = time.monotonic() + self._most_s
        self._owner = caller.owner
        for pool in self._pools:
            pool.owner = caller.owner

    def leave(self) -> None:
        """Stop because nobody waits: programs that run are killed, and no other begins."""
        self._gone.set()
        for pool in self._pools:
            pool.stop()

    def cells(self, pool: CellPool) -> StoppablePool:
        """Return the cells of a pool; what runs in them ends as soon as nobody waits."""
        own = pool.stoppable(self._owner)
        self._pools.append(own)
        if self.is_gone:
            own.stop()
        return own

    def over(self, services: Services) -> Services:
        """Return the services with such cells."""
        return dataclasses.replace(services, pool=self.cells(services.pool))

    def at_event(self, _: Event) -> None:
        """Stop the work at an event, for work that asks nothing else.

        Raises:
            Problem: if it should stop.
        """
        if self():
            raise self.problem()

    def problem(self) -> Problem:
        """Return the reason as a problem."""
        if self._gone.is_set():
            return Problem(
                499, "client-gone", "The client closed the connection", "nobody waits for this"
            )
        return Problem(
            422,
            "request-too-long",
            "The work for one request takes too long",
            f"the work for one request may take {self._most_s:g} s; send fewer tests, or lower "
            "their time limits",
        )


async def run_admitted(
    gate: Gate, threads: Executor, caller: Caller, stop: Stop, work: Callable[[], T]
) -> T:
    """Run work in a thread once the gate admits it.

    Raises:
        Problem: 429 if too many requests wait; 499 if the client is gone before its turn.
    """
    async with gate.admitted(caller.owner):
        if stop.is_gone:
            raise stop.problem()
        stop.begin(caller)  # the time in which it waited does not count
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        except asyncio.CancelledError:
            stop.leave()
            raise
        except StoppedError:
            raise stop.problem() from None


async def run_accepted(
    gate: Gate, threads: Executor, caller: Caller, stop: Stop, work: Callable[[], T]
) -> T:
    """Run work as `run_admitted`. It was accepted, so it waits as long as too many others do.

    Raises:
        Problem: 499 if the client is gone before its turn.
    """
    while True:
        try:
            return await run_admitted(gate, threads, caller, stop, work)
        except Problem as problem:
            if problem.status_code != 429:
                raise
            await asyncio.sleep(_AGAIN_S)


async def in_cells(request: Request, caller: Caller, work: Callable[[Services, Stop], T]) -> T:
    """Run work in a thread once the service's gate admits it; stop it if the client is gone.

    Raises:
        Problem: 429 if too many requests wait; 499 if the client is gone.
    """
    services = services_of(request)
    stop = Stop(services.settings.service.max_request_s)
    async with watched(request, stop):
        return await run_admitted(
            services.gate, services.threads, caller, stop, lambda: work(stop.over(services), stop)
        )


class watched:  # noqa: N801  (used as a function)
    """Stop work if the client of a request closes its connection meanwhile.

    Most work is done before a watcher would be of use: it begins after some milliseconds.
    """

    def __init__(self, request: Request, stop: Stop) -> None:
        self._request, self._stop = request, stop
        self._watcher: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_UNWATCHED_S, self._begin)

    async def __aexit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()

    def _begin(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            message = await self._request.receive()
            if message["type"] == "http.disconnect":
                self._stop.leave()
                return


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
) -> QueuedJob:
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


def run_response(job: QueuedJob, status: int) -> Response:
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
