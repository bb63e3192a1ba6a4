"""List the versions of suites, and show suites with their strength: `/v1/suites`."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response

from steelyard.schemas import SuiteVersion, json_text
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._etags import fresh_or
from steelyard.service._page import Page, ProblemFilter, page_of
from steelyard.service._state import services_of
from steelyard.service.records._found import FullDigest, looked_up
from steelyard.service.records._hidden import version_for
from steelyard.service.records._messages import SuiteDetail, SuiteStrength
from steelyard.storage import suite_page

router = new_router("/v1", tag="suites")
_UNCHANGED = {"description": "As the client has it."}


@router.get("/suites", response_model=Page[SuiteVersion])
def suites(
    query: Annotated[ProblemFilter, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Page[SuiteVersion]:
    """Return versions of suites, by problem and number."""
    after = query.after(str, int) or ("", 0)
    with services_of(request).database.read() as reader:
        found = suite_page(
            reader, problem=query.problem, after=(after[0], after[1]), most=query.limit + 1
        )
    shown = [version_for(caller, each) for each in found]
    return page_of(shown, query, lambda each: (each.problem, each.number))


@router.get("/suites/{digest}", response_model=SuiteDetail, responses={304: _UNCHANGED})
def suite(digest: FullDigest, request: Request, _: Caller = Depends(allow("author"))) -> Response:
    """Return a suite with its cases and expected outputs, which never changes."""
    with services_of(request).database.read() as reader, looked_up():
        detail = SuiteDetail(digest=digest, suite=reader.suite(digest))
    return fresh_or(request, json_text(detail), digest=digest, immutable=True)


@router.get("/suites/{digest}/strength", response_model=SuiteStrength, responses={304: _UNCHANGED})
def strength(
    digest: FullDigest, request: Request, _: Caller = Depends(allow("author"))
) -> Response:
    """Return the certificates of a suite's strength, the oldest first."""
    with services_of(request).database.read() as reader, looked_up():
        found = reader.strengths(digest)
        if not found:
            reader.suite(digest)  # there may be no such suite
    return fresh_or(request, json_text(SuiteStrength(items=found)))
