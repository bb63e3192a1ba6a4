"""Give the routes of pages the token in the cookie, and show problems as pages."""

import json
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from steelyard.errors import SteelyardError
from steelyard.service._auth import caller_of
from steelyard.service._outer import MOST_BYTES
from steelyard.service._problems import Problem, invalid, problem_of, request_id_of
from steelyard.service.pages._csrf import COOKIE
from steelyard.service.pages._render import page

_STRANGERS_BYTES = 16 << 10


def page_router(prefix: str = "/pages", *, for_strangers: bool = False) -> APIRouter:
    """Return a router of pages. Only these take the token from the cookie.

    Args:
        prefix: The beginning of their addresses.
        for_strangers: Anybody may send its forms, which are small. Other forms need a token before
            they are read.
    """
    route = _StrangersRoute if for_strangers else _PageRoute
    return APIRouter(prefix=prefix, route_class=route, include_in_schema=False)


def redirect(request: Request, path: str, *, replace: bool = False) -> Response:
    """Send the browser to another page, from a form or from a part of a page.

    Args:
        request: The request that it answers.
        path: The other page.
        replace: Put it in the place of the page that asks, so that `back` skips that one.
    """
    if "hx-request" not in request.headers:
        return RedirectResponse(path, 303)
    if not replace:
        return Response(headers={"HX-Redirect": path})
    where = {
        "path": path,
        "replace": "true",
        "target": "#main",
        "select": "#main",
        "swap": "outerHTML",
    }
    return Response(headers={"HX-Location": json.dumps(where)})


def asks_for_page(request: Request) -> bool:
    """Return True if a browser asks, which shows pages and no JSON."""
    return "text/html" in request.headers.get("accept", "")


def unknown_address(request: Request) -> Response:
    """Return the page for an address that the service does not have."""
    return _failed(
        request,
        Problem(
            404,
            "not-found",
            "There is no page at this address",
            "the address may have a typing error, or what it showed was deleted",
        ),
    )


class _PageRoute(APIRoute):
    async def admit(self, request: Request) -> None:
        """Refuse a form before it is read.

        Raises:
            Problem: 401 without a valid token.
        """
        await caller_of(request)

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return the handler, whose failures are pages."""
        handle = super().get_route_handler()

        async def shown(given: Request) -> Response:
            request = _with_token(given)
            try:
                if request.method == "POST":
                    await self.admit(request)
                    # Kept by the request. A text area is bounded as the body is, not to 1 MiB.
                    await request.form(max_part_size=sys.maxsize)
                response: Response = await handle(request)
                return response
            except Problem as problem:
                return _failed(request, problem)
            except HTTPException as error:
                found = Problem(
                    error.status_code, "bad-request", "The request is malformed", error.detail
                )
                return _failed(request, found)
            except SteelyardError as error:
                return _failed(request, problem_of(error))
            except RequestValidationError as error:
                if any(each["loc"][0] == "path" for each in error.errors()):
                    return unknown_address(request)
                return _failed(request, invalid(error.errors(), "; go back and correct this field"))

        return shown


class _StrangersRoute(_PageRoute):
    async def admit(self, request: Request) -> None:
        """Read a small form."""
        request.scope[MOST_BYTES] = _STRANGERS_BYTES


def _with_token(request: Request) -> Request:
    """Return the request with the token of the cookie, and no other one."""
    token = request.cookies.get(COOKIE)
    headers = [each for each in request.scope["headers"] if each[0] != b"authorization"]
    if token:
        headers.append((b"authorization", b"Bearer " + token.encode("latin-1", "replace")))
    request.scope["headers"] = headers
    return Request(request.scope, request.receive)


def _failed(request: Request, problem: Problem) -> Response:
    if problem.status_code == 401:
        back = quote(request.url.path) if request.method == "GET" else ""
        fault = "" if problem.code == "token-missing" else f"&fault={problem.code}"
        return redirect(request, f"/pages/sign-in?back={back}{fault}")
    response = page(
        request,
        "error.html",
        status=problem.status_code,
        problem=problem,
        request_id=request_id_of(request.scope),
    )
    response.headers.update(problem.headers or {})
    return response
