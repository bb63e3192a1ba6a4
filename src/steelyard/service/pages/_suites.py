"""The page of a suite: its strength and its cases."""

from fastapi import Depends, Request, Response

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.schemas import AuthoredCase
from steelyard.service._auth import Caller, allow
from steelyard.service._state import services_of
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router
from steelyard.service.records import FullDigest, looked_up

router = page_router()
_MOST_ROWS = 500


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
        cases=found.cases[:_MOST_ROWS],
        count_of_cases=len(found.cases),
        shown_input=_shown_input,
        shown_value=shown_value,
        shown_call=shown_call,
    )


def _shown_input(case: AuthoredCase) -> str:
    """Return an input as it is stored: an expression is not expanded."""
    given = case.input
    return given.expression if given.args is None else shown_call(given.args)
