"""Make pages of templates, in which every value is escaped."""

import secrets
from datetime import datetime
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from steelyard._printable import printable
from steelyard.evaluation.reporting import figure, interval
from steelyard.rendering import count, mebibytes, milliseconds, visible_lines
from steelyard.schemas import MetricValue, Verdict
from steelyard.service._auth import LOCAL
from steelyard.service._job import STATE_WORDS
from steelyard.service.jobs import judgement_in_words, tests_in_words
from steelyard.service.pages._assets import asset_url
from steelyard.service.pages._csrf import COOKIE, csrf_of

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_WIDTHS = "; style-src-attr 'unsafe-inline'"
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


def page(
    request: Request, template: str, *, status: int = 200, widths: bool = False, **values: Any
) -> HTMLResponse:
    """Return a page.

    Args:
        request: The request that it answers.
        template: A file in `templates/`.
        status: The HTTP status.
        widths: Allow style attributes, which reports use for the lengths of bars.
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
        "Content-Security-Policy": _POLICY.format(nonce=nonce) + (_WIDTHS if widths else ""),
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
    return {
        "caller": caller,
        "is_local": caller == LOCAL,
        "may_judge": caller is not None and bool(caller.scopes & {"judge", "admin"}),
        "may_author": caller is not None and bool(caller.scopes & {"author", "admin"}),
        "csrf": csrf_of(request.cookies.get(COOKIE, "")),
        "path": request.url.path,
    }


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("steelyard.service.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        count=count,
        ms=milliseconds,
        mib=mebibytes,
        line=printable,
        lines=visible_lines,
        when=_when,
        short=_short,
        metric=_metric,
        interval=interval,
        judgement=judgement_in_words,
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
