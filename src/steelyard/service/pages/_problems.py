"""The pages of problems: the list, and one with its statement and an editor."""

from functools import cache
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response

from steelyard.authoring.calls import shown_value
from steelyard.authoring.specification import starter_code, statement_of
from steelyard.challenges.submissions import USUAL_MS
from steelyard.schemas import Limits
from steelyard.service._auth import Caller, allow
from steelyard.service._state import services_of
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router
from steelyard.service.records import (
    Name,
    ProblemQuery,
    SubmissionQuery,
    problem_detail,
    problems_on,
    submissions_on,
    version_for,
)
from steelyard.toolchains import languages as all_languages

router = page_router()


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
