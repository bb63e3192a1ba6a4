"""List problems, show them with their versions, and store them: `/v1/problems`."""

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response
from pydantic import Field

from steelyard.schemas import ProblemSummary, SpecVersion, json_text
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._etags import fresh_or
from steelyard.service._page import Page, PageQuery, Text, page_of
from steelyard.service._problems import Problem
from steelyard.service._replies import answered_once
from steelyard.service._state import Services, services_of
from steelyard.service._work import Stop, run_admitted, watched
from steelyard.service.records._found import Name, looked_up
from steelyard.service.records._hidden import version_for
from steelyard.service.records._messages import ProblemDetail, Solution, SpecDetail
from steelyard.service.records._problem_form import ProblemForm, store
from steelyard.storage import Reader, problem_page, problem_summary

router = new_router("/v1", tag="problems")
_UNCHANGED = {"description": "As the client has it."}


class ProblemQuery(PageQuery):
    """The part of the list of problems."""

    search: Text = ""
    """Words in any case. The name contains all of them, or the title and tags do."""
    tag: list[Text] = Field(default=[], max_length=20)
    """Tags that the problem has, in any case."""


def problems_on(reader: Reader, query: ProblemQuery) -> Page[ProblemSummary]:
    """Return a page of problems."""
    (after,) = query.after(str) or ("",)
    found = problem_page(
        reader, search=query.search, tags=query.tag, after=after, most=query.limit + 1
    )
    return page_of(found, query, lambda each: (each.name,))


def problem_detail(reader: Reader, caller: Caller, name: str) -> ProblemDetail:
    """Return a problem in its current version.

    Raises:
        Problem: 404 if it is not stored.
    """
    with looked_up():
        summary = problem_summary(reader, name)
    specs, suites = reader.spec_versions(name), reader.suite_versions(name)
    return ProblemDetail(
        problem=summary,
        specification=reader.spec(specs[-1].spec) if specs else None,
        suite=version_for(caller, suites[-1]) if suites else None,
        solutions=tuple(
            Solution.of(each) for each in reader.solutions(name) if each.role != "submission"
        ),
    )


@router.get("/problems", response_model=Page[ProblemSummary])
def problems(
    query: Annotated[ProblemQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Page[ProblemSummary]:
    """Return problems by name."""
    with services_of(request).database.read() as reader:
        return problems_on(reader, query)


@router.post(
    "/problems",
    status_code=201,
    responses={201: {"model": ProblemDetail}},
    response_class=Response,
)
async def store_problem(
    body: ProblemForm, request: Request, caller: Caller = Depends(allow("author"))
) -> Response:
    """Store a problem, or new versions of one.

    The specification, each input and each expected output are checked first. Nothing is stored if
    one is wrong.
    """
    services = services_of(request)
    body.check(services.settings.service)

    async def make() -> Response:
        stop = Stop(services.settings.service.max_request_s)
        work = partial(_stored, stop.over(services), caller, body)
        async with watched(request, stop):
            content = await run_admitted(services.gate, services.threads, caller, stop, work)
        headers = {"Location": f"/v1/problems/{body.name}"}
        return Response(content, 201, headers, media_type="application/json")

    return await answered_once(request, caller, make)


def _stored(services: Services, caller: Caller, form: ProblemForm) -> bytes:
    store(services, form)
    with services.database.read() as reader:
        return json_text(problem_detail(reader, caller, form.name)).encode()


@router.get("/problems/{name}", response_model=ProblemDetail, responses={304: _UNCHANGED})
def problem(name: Name, request: Request, caller: Caller = Depends(allow("judge"))) -> Response:
    """Return a problem in its current version."""
    with services_of(request).database.read() as reader:
        return fresh_or(request, json_text(problem_detail(reader, caller, name)))


@router.get("/problems/{name}/versions", response_model=Page[SpecVersion])
def versions(
    name: Name,
    query: Annotated[PageQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Page[SpecVersion]:
    """Return the versions of a problem's specification, the first one first."""
    (after,) = query.after(int) or (0,)
    with services_of(request).database.read() as reader, looked_up():
        found = reader.spec_versions(name)[after : after + query.limit + 1]
    return page_of(found, query, lambda each: (each.number,))


@router.get(
    "/problems/{name}/versions/{number}", response_model=SpecDetail, responses={304: _UNCHANGED}
)
def version(
    name: Name,
    number: Annotated[int, Path(ge=1, lt=1 << 31)],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Response:
    """Return a version of a problem's specification, which never changes."""
    with services_of(request).database.read() as reader:
        with looked_up():
            found = reader.spec_versions(name)
        if number > len(found):
            raise Problem(
                404,
                "not-stored",
                "The database has no such record",
                f"problem {name} has {len(found)} versions of its specification",
            )
        own = found[number - 1]
        detail = SpecDetail(version=own, specification=reader.spec(own.spec))
    return fresh_or(request, json_text(detail), digest=own.digest, immutable=True)
