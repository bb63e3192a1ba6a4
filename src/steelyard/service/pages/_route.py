"""Give the routes of pages the token in the cookie, and show problems as pages.

Who signs in with a token keeps it in a cookie that no script can read.
"""

import json
import sys
from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from steelyard.errors import SteelyardError
from steelyard.service._auth import caller_of, caller_with
from steelyard.service._error_responses import Problem, invalid, problem_of, request_id_of
from steelyard.service._middleware import MOST_BYTES
from steelyard.service.pages._render import COOKIE, check_csrf, page, sign_in_with

_STRANGERS_BYTES = 16 << 10
_FAULTS = {
    "token-expired": "The token has expired. Ask for another one.",
    "token-revoked": "The token was revoked. Ask for another one.",
    "token-invalid": "There is no such token. Check it, or ask for one.",
}


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


class _StrangersRoute(_PageRoute):
    async def admit(self, request: Request) -> None:
        """Read a small form."""
        request.scope[MOST_BYTES] = _STRANGERS_BYTES


sign_in_router = page_router(for_strangers=True)


@sign_in_router.get("/sign-in")
def form(
    request: Request,
    back: Annotated[str, Query(max_length=500)] = "",
    fault: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Show the form for a token."""
    return page(request, "sign-in.html", back=_own(back), fault=_FAULTS.get(fault, ""))


@sign_in_router.post("/sign-in", dependencies=[Depends(check_csrf)])
async def sign_in(
    request: Request,
    token: Annotated[str, Form(max_length=200)] = "",
    back: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Keep a token in the cookie, if it is valid."""
    try:
        await caller_with(request, token.strip())
    except Problem as problem:
        fault = _FAULTS.get(problem.code, problem.detail)
        return page(request, "sign-in.html", status=401, back=_own(back), fault=fault)
    response = RedirectResponse(_own(back) or "/", 303)
    sign_in_with(response, request, token.strip())
    return response


@sign_in_router.post("/sign-out", dependencies=[Depends(check_csrf)])
def sign_out() -> Response:
    """Forget the token."""
    response = RedirectResponse("/pages/sign-in", 303)
    response.delete_cookie(COOKIE, path="/")
    return response


def _own(path: str) -> str:
    """Return a path if it is one of the pages below the first one; empty for any other."""
    return path if path.startswith("/pages/") and path.isprintable() else ""
