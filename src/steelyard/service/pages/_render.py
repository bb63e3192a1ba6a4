"""Make pages of templates, in which every value is escaped, with their style, scripts and forms.

1. A page is a template, with a policy that allows the service's own style and scripts only.
2. Scripts are built by `make assets`. Their addresses change with their content.
3. Each form sends a token, so that only this service's own pages send forms. The token is a MAC of
   the session's secret, which other sites do not know.
"""

import hashlib
import hmac
import secrets
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment

from steelyard._printable import printable
from steelyard.evaluation import figure, interval
from steelyard.jobs import JOBS, job
from steelyard.judging import tests_in_words
from steelyard.reports import (
    count,
    environment,
    html,
    mebibytes,
    milliseconds,
    style,
    visible_lines,
)
from steelyard.schemas import MetricValue, Verdict
from steelyard.service._auth import LOCAL
from steelyard.service._error_responses import Problem
from steelyard.service._job import STATE_WORDS
from steelyard.service._reads import etagged

assets_router = APIRouter(prefix="/pages/assets", include_in_schema=False)
COOKIE = "steelyard_session"
_LOCAL_KEY = secrets.token_bytes(32)
"""The key of callers on loopback, who have no secret of their own."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_VERDICTS: dict[Verdict, str] = {
    Verdict.AC: "right",
    Verdict.WA: "wrong answer",
    Verdict.TLE: "too slow",
    Verdict.MLE: "too much memory",
    Verdict.OLE: "too much output",
    Verdict.RTE: "crashed",
    Verdict.CE: "does not compile",
    Verdict.SK: "skipped",
}
_OWN = Path(__file__).parent
_FILES: dict[str, tuple[Path | None, str]] = {
    "style.css": (None, "text/css; charset=utf-8"),
    "icon.svg": (_OWN / "icon.svg", "image/svg+xml"),
    "pages.js": (_OWN / "built" / "pages.js", "text/javascript; charset=utf-8"),
    "licences.txt": (_OWN / "built" / "licences.txt", "text/plain; charset=utf-8"),
}


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page.

    Args:
        request: The request that it answers.
        template: A file in `templates/`.
        status: The HTTP status.
        **values: What the template shows.
    """
    nonce = secrets.token_urlsafe(16)
    shared = {
        **_shared(request),
        "nonce": nonce,
        "script": asset_url("pages.js"),
        "style": asset_url("style.css"),
        "icon": asset_url("icon.svg"),
    }
    text = _environment().get_template(template).render(shared | values)
    # Firefox and Chromium send `Origin: null` with forms of pages that send no referrer.
    headers = {
        "Content-Security-Policy": _POLICY.format(nonce=nonce),
        "Referrer-Policy": "same-origin",
    }
    return HTMLResponse(text, status, headers)


def fragment(request: Request, template: str, **values: Any) -> HTMLResponse:
    """Return a part of a page, which replaces the one that is shown."""
    return HTMLResponse(fragment_text(request, template, **values))


def fragment_text(request: Request, template: str, **values: Any) -> str:
    """Return the HTML of a part of a page."""
    return _environment().get_template(template).render(**_shared(request), **values)


def _shared(request: Request) -> dict[str, Any]:
    caller = request.scope.get("state", {}).get("caller")
    may = {
        scope: caller is not None and bool(caller.scopes & {scope, "admin"})
        for scope in ("judge", "author")
    }
    return {
        "caller": caller,
        "is_local": caller == LOCAL,
        "may_judge": may["judge"],
        "may_author": may["author"],
        "forms": [
            (f"new/{own.name}", own.form.title, own.summary, may[own.scope])
            for own in map(job, JOBS)
            if own.form is not None
        ],
        "csrf": csrf_of(request.cookies.get(COOKIE, "")),
        "path": request.url.path,
    }


@cache
def _environment() -> Environment:
    made = environment("steelyard.service.pages")
    made.filters.update(
        count=count,
        ms=milliseconds,
        mib=mebibytes,
        html=html,
        line=printable,
        lines=visible_lines,
        when=_when,
        short=_short,
        metric=_metric,
        interval=interval,
        judgement=job("judge").outcome,
        tests=tests_in_words,
        state=STATE_WORDS.__getitem__,
        verdict=_VERDICTS.__getitem__,
    )
    return made


def _metric(metric: MetricValue) -> str:
    return figure(metric, metric.value)


def _when(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _short(digest: str) -> str:
    return digest[:12]


@assets_router.get("/{name}")
def asset(name: str, request: Request) -> Response:
    """Return a file. Its address changes with its content, so it may be kept for ever."""
    found = _read(name)
    if found is None:
        raise HTTPException(404)
    content, digest = found
    return etagged(
        request,
        content,
        digest=digest,
        immutable="v" in request.query_params,
        media_type=_FILES[name][1],
    )


def asset_url(name: str) -> str:
    """Return the address of a file; empty if it was not built."""
    found = _read(name)
    return f"/pages/assets/{name}?v={found[1]}" if found else ""


@cache
def _read(name: str) -> tuple[bytes, str] | None:
    path, _ = _FILES.get(name, (Path(), ""))
    if path is None:
        content = style().encode()
    elif path.is_file():
        content = path.read_bytes()
    else:
        return None
    return content, hashlib.sha256(content).hexdigest()[:16]


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


def text_of_area(text: str) -> str:
    """Return the text of a text area as it was written: browsers send CR LF for each line."""
    return text.replace("\r\n", "\n")
