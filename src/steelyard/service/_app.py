"""Make the application, and describe it as OpenAPI 3.1.

The document has the problems of every operation, and the derived fields of reports.
"""

import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, get_type_hints

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field, TypeAdapter
from starlette.exceptions import HTTPException
from starlette.routing import Match

from steelyard import __version__
from steelyard.errors import SteelyardError
from steelyard.sandbox import CellPool, settle_on_cell_cores
from steelyard.schemas import Report
from steelyard.service import _batch, _extract, _health
from steelyard.service._auth import Rates
from steelyard.service._body import new_router
from steelyard.service._error_responses import (
    MEDIA_TYPE,
    Problem,
    invalid,
    problem_of,
    problem_response,
)
from steelyard.service._gate import Gate
from steelyard.service._health import Trial
from steelyard.service._job_routes import job_routers
from steelyard.service._middleware import Middleware
from steelyard.service._reads import fresh_or
from steelyard.service._replies import Replies
from steelyard.service._state import Metrics, Services, utc_clock
from steelyard.service._tokens import TokenBook
from steelyard.service.compat import peer_routers
from steelyard.service.jobs import JobQueue, Workers
from steelyard.service.jobs import routers as jobs
from steelyard.service.pages import asks_for_page, unknown_address
from steelyard.service.pages import routers as pages
from steelyard.service.records import routers as records
from steelyard.settings import ServiceSettings, Settings, current_settings
from steelyard.storage import open_database
from steelyard.toolchains import CompileCache, languages

openapi_router = new_router(tag="state")

_DESCRIPTION = "Report with evidence whether a program is right, how fast it is and how it grows."
_MEANINGS = {
    400: "The body is not JSON, or a header is malformed.",
    401: "The request has no valid token.",
    403: "The token lacks a scope.",
    404: "There is nothing at this path.",
    408: "The body came too slowly.",
    409: "The request contradicts the state.",
    413: "The body is too large.",
    415: "The body has another type.",
    422: "The request is wrong: the library's usage errors, and limits of the service.",
    429: "Too many requests, or the queue is full; the header Retry-After has the seconds.",
    500: "The service has a fault.",
    503: "The machine failed, not the program.",
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the service as an ASGI application.

    Its database and its cells are opened when it starts, and closed when it ends.

    Args:
        settings: None for the process's settings.
    """
    own = settings or current_settings()
    app = FastAPI(
        title="Steelyard",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=_lifespan,
        openapi_url=None,  # the path has a router of its own
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=_PROBLEMS,
        # Its logs would hold what clients send, and its inner spans the texts of exceptions.
        telemetry={"logs": False, "operation_spans": False},
    )
    app.openapi = lambda: _describe(app)  # type: ignore[method-assign]
    app.state.settings = own
    app.state.rates = Rates()
    app.state.replies = Replies()
    app.state.trial = Trial()
    app.state.ending = False
    app.add_middleware(Middleware, settings=own.service)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(SteelyardError, _on_library_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    for router in routers(own.service):
        app.include_router(router)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    own = settings.service
    with (
        open_database(settings.database_url or None) as database,
        JobQueue(settings) as jobs,
        CellPool(own.cells, settings=settings.sandbox) as pool,
        Workers(settings, own.workers) as workers,
        ThreadPoolExecutor(2 * pool.size + 1, "steelyard-judge", settle_on_cell_cores) as threads,
        ThreadPoolExecutor(1, "steelyard-measure") as long_threads,
    ):
        if own.compat:
            threads.submit(languages)  # it may take longer than clients of peers wait
        # More than there are cells, so that none is idle while a request is read.
        gate, long_gate = Gate(2 * pool.size, own.most_waiting), Gate(1, own.most_waiting_long)
        metrics = Metrics()
        metrics.watch({"judge": gate, "measure": long_gate}, pool.size)
        app.state.services = Services(
            settings=settings,
            pool=pool,
            cache=CompileCache(),
            gate=gate,
            long_gate=long_gate,
            threads=threads,
            long_threads=long_threads,
            database=database,
            tokens=TokenBook(database, utc_clock),
            metrics=metrics,
            jobs=jobs,
            workers_alive=workers.alive,
        )
        yield


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error, Problem):
        return problem_response(request, error)
    if error.status_code in (404, 405) and asks_for_page(request):
        return unknown_address(request)
    headers = dict(error.headers or {})
    match error.status_code:
        case 404:
            problem = Problem(
                404,
                "not-found",
                "There is nothing at this path",
                "no operation has this path; /openapi.json lists them",
                headers=headers,
            )
        case 405:
            headers["Allow"] = _offered(request)
            problem = Problem(
                405,
                "method-not-allowed",
                "The path does not take this method",
                f"{request.method} is not offered here; use {headers['Allow']}",
                headers=headers,
            )
        case status:
            problem = Problem(
                status,
                "bad-request",
                "The request is malformed",
                str(error.detail),
                headers=headers,
            )
    return problem_response(request, problem)


def _offered(request: Request) -> str:
    """Return the methods of a path; the router itself names those of its first route."""
    found = [
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]
    return ", ".join(["GET", "HEAD", *found[1:]] if found[:1] == ["GET"] else found)


async def _on_library_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, SteelyardError)
    return problem_response(request, problem_of(error))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(request, invalid(error.errors()))


def routers(settings: ServiceSettings) -> list[APIRouter]:
    """Return the routers that these settings ask for."""
    return [
        _health.router,
        _health.machine_router,
        openapi_router,
        *job_routers(),
        _batch.router,
        _extract.router,
        *records(),
        *pages(),
        *peer_routers(settings.compat),
        *jobs(),
    ]


class ProblemDocument(BaseModel, extra="allow"):
    """An error, as RFC 9457 has it. Some codes have further members."""

    type: str
    """A page that explains the code."""
    title: str
    status: int
    code: str = Field(examples=["tests-error"])
    detail: str
    """One line: what is wrong, and what to do."""
    request_id: str


_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDocument, "description": meaning}
    for status, meaning in _MEANINGS.items()
}
"""The responses that every operation may have."""
_DOCUMENT = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}


@openapi_router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request) -> Response:
    """Return the OpenAPI document; a thread makes it, since that takes a second."""
    state = request.app.state
    if not hasattr(state, "openapi"):
        state.openapi = json.dumps(request.app.openapi(), separators=(",", ":"))
    return fresh_or(request, state.openapi)


def _describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            openapi_version="3.1.0",
        )
        schemas = made.get("components", {}).get("schemas", {})
        for report in _reports(Report):
            if report.__name__ in schemas:
                _add_derived(schemas[report.__name__], report)
        for path in made["paths"].values():
            for operation in path.values():
                _as_problems(operation)
        app.openapi_schema = made
    return app.openapi_schema


def _reports(base: Any) -> set[type[Report]]:
    found: set[type[Report]] = set(base.__subclasses__())
    return found.union(*map(_reports, found)) if found else found


def _add_derived(schema: dict[str, Any], report: type[Report]) -> None:
    for name in report.derived:
        value = getattr(report, name)
        hint = get_type_hints(value.fget)["return"]
        schema["properties"][name] = {
            **TypeAdapter(hint).json_schema(),
            "description": (value.__doc__ or "").partition("\n")[0],
            "readOnly": True,
        }


def _as_problems(operation: dict[str, Any]) -> None:
    """Give the problems of an operation their own media type."""
    for response in operation["responses"].values():
        for content in response.get("content", {}).values():
            if content.get("schema") == _DOCUMENT:
                response["content"] = {MEDIA_TYPE: {"schema": _DOCUMENT}}
                break
