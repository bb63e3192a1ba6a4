"""Describe the service as OpenAPI 3.1: problems of every operation, derived fields of reports."""

import json
from typing import Any, get_type_hints

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field, TypeAdapter

from steelyard.schemas import Report
from steelyard.service._body import new_router
from steelyard.service._problems import MEDIA_TYPE
from steelyard.service._reads import fresh_or

router = new_router(tag="state")


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
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDocument, "description": meaning}
    for status, meaning in _MEANINGS.items()
}
"""The responses that every operation may have."""

_DOCUMENT = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request) -> Response:
    """Return the OpenAPI document; a thread makes it, since that takes a second."""
    state = request.app.state
    if not hasattr(state, "openapi"):
        state.openapi = json.dumps(request.app.openapi(), separators=(",", ":"))
    return fresh_or(request, state.openapi)


def describe(app: FastAPI) -> dict[str, Any]:
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
