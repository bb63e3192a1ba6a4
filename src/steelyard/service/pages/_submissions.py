"""The pages of submissions: send one, watch its cases come in, read its judgement."""

import asyncio
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Form, Path, Query, Request, Response

from steelyard.challenges.submissions import USUAL_MS
from steelyard.schemas import Limits
from steelyard.service._auth import Caller, allow
from steelyard.service._state import services_of
from steelyard.service.pages._cases import Failure, failures_on
from steelyard.service.pages._csrf import check_csrf
from steelyard.service.pages._live import Live, live_submissions, start_live
from steelyard.service.pages._live_book import found_live, live_stream
from steelyard.service.pages._render import fragment, fragment_text, page
from steelyard.service.pages._route import page_router, redirect
from steelyard.service.records import (
    Digest,
    Name,
    SubmissionQuery,
    SubmissionRequest,
    submission_detail,
    submissions_on,
)

router = page_router()
_SHORT_WAIT_S = 0.5
"""What is judged within this time needs no live page."""
MOST_ROWS = 500
"""Cases that a page lists."""


@router.post("/problems/{name}/submissions", dependencies=[Depends(check_csrf)])
async def submit(
    name: Name,
    request: Request,
    program: Annotated[str, Form()] = "",
    language: Annotated[str, Form(max_length=100)] = "python",
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Start to judge a program."""
    # Browsers send CR LF for each line of a text area.
    source = program.replace("\r\n", "\n")
    body = SubmissionRequest(problem=name, program=source, language=language)
    live = await start_live(request, caller, body)
    assert live.task is not None
    await asyncio.wait([live.task], timeout=_SHORT_WAIT_S)
    return redirect(request, _after(live))


@router.get("/live/{live_id}")
async def watch(
    live_id: Annotated[str, Path(max_length=100)],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Show the cases so far; the page asks now and then until all are judged."""
    live = _found(request, caller, live_id)
    if live.problem_found is not None:
        raise live.problem_found
    if live.digest:
        return redirect(request, _after(live), replace=True)
    values: dict[str, Any] = {"live": live, "most": MOST_ROWS}
    if "hx-request" in request.headers:
        return fragment(request, "live-part.html", **values)
    return page(request, "live.html", **values)


@router.get("/live/{live_id}/events")
async def follow(
    live_id: Annotated[str, Path(max_length=100)],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Send the cases as they are judged."""
    live = _found(request, caller, live_id)
    return live_stream(
        request,
        live,
        lambda: fragment_text(request, "live-part.html", live=live, most=MOST_ROWS),
    )


def _found(request: Request, caller: Caller, live_id: str) -> Live:
    return found_live(live_submissions(request), Live, caller, live_id)


def _after(live: Live) -> str:
    return f"/pages/submissions/{live.digest}" if live.digest else f"/pages/live/{live.id}"


@router.get("/submissions")
def submissions(
    query: Annotated[SubmissionQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Show a page of the list of submissions."""
    with services_of(request).database.read() as reader:
        found = submissions_on(reader, caller, query)
    kept = (("problem", query.problem), ("by", query.by), ("cursor", found.next))
    after = urlencode([each for each in kept if each[1]])
    return page(request, "submissions.html", query=query, found=found, after=after)


@router.get("/submissions/{digest}")
def submission(
    digest: Digest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Show a submission with its judgement."""
    with services_of(request).database.read() as reader:
        own = submission_detail(reader, caller, digest)
        versions = reader.suite_versions(own.submission.problem)
        suite = own.suite_version and reader.suite(versions[own.suite_version - 1].suite)
        specification = reader.spec(suite.spec_digest) if suite else None
    result = own.result
    failures: tuple[Failure, ...] = ()
    if result and suite and specification:
        failures = failures_on(result, suite.cases, specification, caller)
    cases = result.cases[:MOST_ROWS] if result else ()
    return page(
        request,
        "submission.html",
        own=own,
        result=result,
        failures=failures,
        cases=cases,
        time_limit_ms=(suite and suite.time_limit_ms) or USUAL_MS,
        memory_limit_mib=Limits().memory_mib,
        most_mib=max((case.memory_mib for case in cases), default=0.0),
    )
