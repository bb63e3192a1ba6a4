"""Do jobs for requests: `POST /v1/NAME` for each job of the house.

1. A body is the job's request with its options (`Job.body`), or its document, with the options in
   the query.
2. What a request asks for is bounded by the service: sources, tests, limits, models, spending.
3. A quick job takes its turn among many, one that measures has the machine for itself, and one
   that asks models is a run from the beginning. With `Prefer: respond-async` each is a run.
"""

import asyncio
import inspect
import time
from collections.abc import Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect

from steelyard.authoring import NO_MODEL
from steelyard.job import Job
from steelyard.jobs import JOBS, job
from steelyard.options import RunOptions
from steelyard.sandbox import StoppablePool
from steelyard.schemas import Report, VerifyResult
from steelyard.service._auth import Caller, allow, caller_of
from steelyard.service._body import StrictRequest, StrictRoute, new_router
from steelyard.service._bounds import check
from steelyard.service._error_responses import MEDIA_TYPE, Problem, request_id_of
from steelyard.service._job import QueuedJob, QueuedRun
from steelyard.service._replies import answered_once, key_of
from steelyard.service._running import (
    ACCEPTED,
    Stop,
    accepted,
    asks_async,
    preferred_wait_s,
    run_accepted,
    run_admitted,
    run_response,
    started,
    watched,
)
from steelyard.service._state import Services, services_of
from steelyard.settings import ServiceSettings, Settings

_POLL_S = 0.2


class DirectRoute(StrictRoute):
    """A route whose endpoint takes a JSON `body`, the `request` and a `caller` by `allow`.

    What is not JSON that fits the body's type takes FastAPI's way, which makes the errors. That
    way costs about half of all that a request costs the event loop.
    """

    def get_route_handler(self) -> Any:
        """Return the handler."""
        handle = super().get_route_handler()
        endpoint: Any = self.endpoint
        parameters = inspect.signature(endpoint).parameters
        body_type: Any = parameters["body"].annotation
        read = TypeAdapter(body_type).validate_python
        admitted = asynccontextmanager(parameters["caller"].default.dependency)

        async def directly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            response: Response
            known = await caller_of(strict)  # no body is read for a stranger
            try:
                is_json = request.headers.get("content-type") == "application/json"
                body = read(await strict.json()) if is_json and await strict.body() else None
            except (ValidationError, ClientDisconnect):
                body = None
            if body is None:
                response = await handle(strict)
            else:
                async with admitted(strict, known) as caller:
                    response = await endpoint(body=body, request=strict, caller=caller)
            return response

        return directly


def job_routers() -> list[APIRouter]:
    """Return a router for each job."""
    return [_router_of(job(name)) for name in JOBS]


def _router_of(own: Job[Any, Any, Any]) -> APIRouter:
    if own.document:

        async def endpoint(
            body: Any,
            query: Any,
            request: Request,
            caller: Caller = Depends(allow(own.scope)),
        ) -> Response:
            return await answer(own, {own.document: body} | stated(query), request, caller)

        kind: Any = own.request.model_fields[own.document].annotation
        annotation = Annotated[kind, Body(examples=[dict(own.example)])]
        endpoint.__annotations__ |= {"body": annotation, "query": Annotated[own.query, Query()]}
        router, paths = new_router(tag=own.name), [f"/{own.name}", f"/v1/{own.name}"]
    else:

        async def endpoint(  # type: ignore[misc]
            body: Any, request: Request, caller: Caller = Depends(allow(own.scope))
        ) -> Response:
            return await answer(own, stated(body), request, caller)

        endpoint.__annotations__["body"] = own.body
        router, paths = new_router(tag=own.name, route=DirectRoute), [f"/v1/{own.name}"]
    endpoint.__name__, endpoint.__doc__ = own.name, own.help
    for path in paths:
        router.post(
            path, responses={200: {"model": own.report}, **ACCEPTED}, response_class=Response
        )(endpoint)
    return router


def stated(body: BaseModel) -> dict[str, Any]:
    """Return the fields that a body states."""
    return {name: getattr(body, name) for name in body.model_fields_set}


async def answer(
    own: Job[Any, Any, Any], given: dict[str, Any], request: Request, caller: Caller
) -> Response:
    """Return the answer to a request: the report, or the run that will have it.

    Args:
        own: The job.
        given: The fields that the request states.
        request: The request.
        caller: Who asks.

    Raises:
        Problem: if the request is beyond the service's limits, too many wait, or nobody waits.
        SteelyardError: as the job.
    """
    services = services_of(request)
    given = bounded(own, given, services.settings)
    payload = payload_of(own, given)
    if own.scope == "author":
        return await _followed(request, caller, own.name, payload)
    if asks_async(request):
        return await accepted(request, caller, own.name, payload)

    async def make() -> Response:
        stop = Stop(services.settings.service.max_request_s)
        async with watched(request, stop):
            content = await done(own, given, services, caller, stop)
        return Response(content, media_type="application/json")

    return await answered_once(request, caller, make)


async def done(
    own: Job[Any, Any, Any],
    given: Mapping[str, Any],
    services: Services,
    caller: Caller,
    stop: Stop,
    *,
    of_batch: bool = False,
) -> bytes:
    """Return a job's report as JSON, once a cell is free.

    Args:
        own: The job.
        given: The fields of the request, which are within the service's limits.
        services: The service's.
        caller: Who asks.
        stop: The wish to stop.
        of_batch: It is one of many, which were accepted together: it uses one cell.

    Raises:
        Problem: if too many wait, or it was stopped.
        SteelyardError: as the job.
    """
    cells = stop.cells(services.pool)
    work = partial(_done, own, given, services, cells, stop, of_batch=of_batch)
    gate, threads = services.long_gate, services.long_threads
    if own.quick:
        gate, threads = services.gate, services.threads
    run = run_accepted if of_batch else run_admitted
    return await run(gate, threads, caller, stop, work)


def _done(
    own: Job[Any, Any, Any],
    given: Mapping[str, Any],
    services: Services,
    cells: StoppablePool,
    stop: Stop,
    *,
    of_batch: bool,
) -> bytes:
    # One quick job may use every cell, as long as it is alone.
    if own.quick and (of_batch or services.gate.working > 1):
        cells.most = 1
    asked, fields = own.read(given)
    options = own.options.of(**fields, pool=cells, on_event=stop.at_event)
    report: Report = own.finished(asked, options)
    if isinstance(report, VerifyResult):
        services.metrics.count_verdicts(report)
    return report.to_json_line().encode()


def payload_of(own: Job[Any, Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request as plain JSON, from which a worker does the job."""
    body = own.body(**given)
    return body.model_dump(mode="json", include=set(given))


def bounded(own: Job[Any, Any, Any], given: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the fields of a request with the service's models and limits on spending.

    Raises:
        Problem: 422 if the request is beyond the service's limits.
        UsageError: if it cannot be obeyed.
    """
    if issubclass(own.options, RunOptions):
        given = {
            **given,
            **_allowed_models(own.options, given, settings),
            **_allowed_spending(given, settings.service),
        }
    asked, fields = own.read(given)
    check(asked.needs(own.options.of(**fields)), settings.service)
    return given


def _allowed_models(
    options: type[RunOptions], given: Mapping[str, Any], settings: Settings
) -> dict[str, str]:
    """Return the models of a request by role.

    A name may lead to a file or to an address, so a request only names what the service offers.

    Raises:
        Problem: 422 for a model that is not offered.
    """
    own = settings.models
    offered = dict.fromkeys((own.planner, own.coder, own.analyst, *settings.service.models))
    found = {}
    for role, usual in options.model_settings.items():
        name = given.get(role) or getattr(own, usual)
        if name not in offered and not (options.may_ask_none and name == NO_MODEL):
            raise Problem(
                422,
                "model-not-offered",
                "The service does not offer this model",
                f"{role}: the service offers {', '.join(offered)}; got {name[:100]!r}",
            )
        found[role] = name
    return found


def _allowed_spending(given: Mapping[str, Any], own: ServiceSettings) -> dict[str, Any]:
    """Return the limits on what a request spends on models: its own, or the service's.

    Raises:
        Problem: 422 for a limit beyond the service's.
    """
    found = {}
    for field, what, most, unit in (
        ("max_cost_usd", "cost", own.max_job_cost_usd, "US dollars"),
        ("max_tokens", "token", own.max_job_tokens, "tokens"),
    ):
        asked = given.get(field)
        if asked is not None and most is not None and asked > most:
            raise Problem(
                422,
                f"{what}-limit-too-high",
                f"The {what} limit is beyond the service's",
                f"a run may have {most:g} {unit} at most, got {asked:g}",
                limit=most,
            )
        found[field] = most if asked is None else asked
    return found


async def _followed(
    request: Request, caller: Caller, name: str, payload: dict[str, Any]
) -> Response:
    """Return a run's result; 202 if the client would rather follow it, or it takes too long.

    If the client goes away, the run is cancelled, unless an Idempotency-Key lets it ask again.

    Raises:
        Problem: as `started`; 499 if the client is gone.
        DatabaseError: if the run cannot be stored.
    """
    run = await started(request, caller, name, payload)
    if asks_async(request):
        return run_response(run, 202)
    services = services_of(request)
    assert services.jobs is not None  # `started` requires it
    longest_s, preferred_s = services.settings.service.max_request_s, preferred_wait_s(request)
    stop = Stop(longest_s if preferred_s is None else min(longest_s, preferred_s))
    async with watched(request, stop):
        run = await _ended(request, run, stop)
    if stop.is_gone and not run.has_ended:
        if key_of(request) is None:
            await asyncio.to_thread(services.jobs.cancel, run.id)
        raise stop.problem()
    whole = await asyncio.to_thread(services.jobs.get, run.id)
    return _response(request, QueuedRun(**dict(run)) if whole is None else whole)


async def _ended(request: Request, run: QueuedJob, stop: Stop) -> QueuedJob:
    """Return the run once it has ended, or nobody waits any longer."""
    jobs, begun = services_of(request).jobs, time.monotonic()
    assert jobs is not None
    while not (run.has_ended or stop() or request.app.state.ending):
        await asyncio.sleep(min(2.0, _POLL_S + (time.monotonic() - begun) / 50))
        found = await asyncio.to_thread(jobs.find, run.id)
        run = run if found is None else found
    return run


def _response(request: Request, run: QueuedRun) -> Response:
    if not run.has_ended:
        return run_response(run, 202)
    if run.state == "cancelled":
        raise Problem(
            409, "run-cancelled", "The run was cancelled", "the run was cancelled; send it again"
        )
    headers = {"Location": f"/v1/runs/{run.id}"}
    if run.problem is not None:
        document = {**run.problem, "request_id": request_id_of(request.scope)}
        return JSONResponse(document, run.problem["status"], headers, media_type=MEDIA_TYPE)
    return JSONResponse(run.result, 200, headers)
