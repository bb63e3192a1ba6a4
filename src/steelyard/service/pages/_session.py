"""Sign in with a token, which is kept in a cookie that no script can read, and sign out."""

from typing import Annotated

from fastapi import Depends, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from steelyard.service._auth import caller_with
from steelyard.service._problems import Problem
from steelyard.service.pages._csrf import COOKIE, check_csrf, sign_in_with
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router

router = page_router(for_strangers=True)
_FAULTS = {
    "token-expired": "The token has expired. Ask for another one.",
    "token-revoked": "The token was revoked. Ask for another one.",
    "token-invalid": "There is no such token. Check it, or ask for one.",
}


@router.get("/sign-in")
def form(
    request: Request,
    back: Annotated[str, Query(max_length=500)] = "",
    fault: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Show the form for a token."""
    return page(request, "sign-in.html", back=_own(back), fault=_FAULTS.get(fault, ""))


@router.post("/sign-in", dependencies=[Depends(check_csrf)])
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


@router.post("/sign-out", dependencies=[Depends(check_csrf)])
def sign_out() -> Response:
    """Forget the token."""
    response = RedirectResponse("/pages/sign-in", 303)
    response.delete_cookie(COOKIE, path="/")
    return response


def _own(path: str) -> str:
    """Return a path if it is one of the pages below the first one; empty for any other."""
    return path if path.startswith("/pages/") and path.isprintable() else ""
