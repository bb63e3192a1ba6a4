"""Let only this service's own pages send forms.

The token is a MAC of the session's secret, which other sites do not know.
"""

import hashlib
import hmac
import secrets
from typing import Annotated

from fastapi import Form, Request, Response

from steelyard.service._problems import Problem

COOKIE = "steelyard_session"
_LOCAL_KEY = secrets.token_bytes(32)
"""The key of callers on loopback, who have no secret of their own."""


def csrf_of(token: str) -> str:
    """Return the value that each form of a session's pages sends; the token is in its cookie."""
    key = token.encode("utf-8", "surrogatepass") or _LOCAL_KEY
    return hmac.new(key, b"steelyard forms", hashlib.sha256).hexdigest()


def sign_in_with(response: Response, request: Request, token: str) -> None:
    """Keep a token in the cookie of a browser, which no script can read."""
    response.set_cookie(
        COOKIE,
        token,
        httponly=True,
        samesite="strict",
        # The proxy speaks TLS, so only the browser knows.
        secure=request.headers.get("origin", "").startswith("https:"),
        path="/",
    )


def check_csrf(request: Request, csrf: Annotated[str, Form(max_length=100)] = "") -> None:
    """Refuse a form that is not of this session's pages; for `Depends`.

    Raises:
        Problem: 403.
    """
    # Anybody can read the value of those who are not signed in; a browser says who sends a form.
    own = csrf_of(request.cookies.get(COOKIE, ""))
    foreign = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if foreign or not hmac.compare_digest(csrf.encode(), own.encode()):
        raise Problem(
            403,
            "form-foreign",
            "The form is not of this session",
            "the form is too old or of another page; load the page again and repeat it",
        )
