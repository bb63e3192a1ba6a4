"""The pages of problems, their suites and the submissions to them.

A problem has its statement and an editor. Who sends a program watches its cases come in, and reads
its judgement.
"""

import asyncio
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Form, Path, Query, Request, Response

from steelyard.authoring.calls import shown_value
from steelyard.authoring.challenges.submissions import USUAL_MS
from steelyard.authoring.specification import starter_code, statement_of
from steelyard.schemas import Limits
from steelyard.service._auth import Caller, allow
from steelyard.service._state import services_of
from steelyard.service.pages._cases import Failure, failures_on, shown_input
from steelyard.service.pages._live import (
    LiveSubmission,
    found_live,
    live_stream,
    live_submissions,
    start_live,
)
from steelyard.service.pages._render import check_csrf, fragment, fragment_text, page, text_of_area
from steelyard.service.pages._route import page_router, redirect
from steelyard.service.records import (
    Digest,
    FullDigest,
    Name,
    ProblemQuery,
    SubmissionQuery,
    SubmissionRequest,
    looked_up,
    problem_detail,
    problems_on,
    submission_detail,
    submissions_on,
    version_for,
)
from steelyard.strength import strength_blocks
from steelyard.toolchains import languages as all_languages

router = page_router()
_SHORT_WAIT_S = 0.5
"""What is judged within this time needs no live page."""
_MOST_ROWS = 500
"""Cases that a page lists."""


@router.get("/problems")
def problems(
    query: Annotated[ProblemQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Response:
    """Show a page of the list of problems."""
    with services_of(request).database.read() as reader:
        found = problems_on(reader, query)
    kept = [("search", query.search), *(("tag", tag) for tag in query.tag)]
    after = urlencode([each for each in (*kept, ("cursor", found.next or "")) if each[1]])
    return page(request, "problems.html", query=query, found=found, after=after)


@router.get("/problems/{name}")
def problem(
    name: Name,
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Show a problem, with an editor for a program."""
    with services_of(request).database.read() as reader:
        detail = problem_detail(reader, caller, name)
        suite = reader.stored_suite(detail.suite.suite) if detail.suite else None
        latest = submissions_on(reader, caller, SubmissionQuery(problem=name, limit=10))
        values: dict[str, Any] = {
            "specs": reader.spec_versions(name)[::-1],
            "suites": [version_for(caller, each) for each in reader.suite_versions(name)[::-1]],
        }
    spec = detail.specification
    return page(
        request,
        "problem.html",
        detail=detail,
        spec=spec,
        latest=latest.items,
        statement=statement_of(spec) if spec else "",
        starter=starter_code(spec) if spec else "",
        time_limit_ms=(suite and suite.time_limit_ms) or USUAL_MS,
        limits=Limits(),
        languages=languages(),
        shown_value=shown_value,
        **values,
    )


@cache
def languages() -> tuple[tuple[str, str], ...]:
    """Return the names and titles of the languages that can be judged, Python first."""
    found = {
        each.language: each.title for each in all_languages() if each.installed and each.runnable
    }
    return tuple(sorted(found.items(), key=lambda each: (each[0] != "python", each[1].casefold())))


@router.post("/problems/{name}/submissions", dependencies=[Depends(check_csrf)])
async def submit(
    name: Name,
    request: Request,
    program: Annotated[str, Form()] = "",
    language: Annotated[str, Form(max_length=100)] = "python",
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Start to judge a program."""
    body = SubmissionRequest(problem=name, program=text_of_area(program), language=language)
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
    values: dict[str, Any] = {"live": live, "most": _MOST_ROWS}
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
        lambda: fragment_text(request, "live-part.html", live=live, most=_MOST_ROWS),
    )


def _found(request: Request, caller: Caller, live_id: str) -> LiveSubmission:
    return found_live(live_submissions(request), LiveSubmission, caller, live_id)


def _after(live: LiveSubmission) -> str:
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
    cases = result.cases[:_MOST_ROWS] if result else ()
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


@router.get("/suites/{digest}")
def suite(digest: FullDigest, request: Request, _: Caller = Depends(allow("author"))) -> Response:
    """Show a suite."""
    with services_of(request).database.read() as reader, looked_up():
        found = reader.suite(digest)
        version = reader.version_of(digest)
        strengths = reader.strengths(digest)
    return page(
        request,
        "suite.html",
        digest=digest,
        problem=version.problem,
        number=version.number,
        strength=strengths[-1] if strengths else None,
        blocks=strength_blocks(strengths[-1].report, brief=False) if strengths else (),
        cases=found.cases[:_MOST_ROWS],
        count_of_cases=len(found.cases),
        shown_input=shown_input,
        shown_value=shown_value,
    )
