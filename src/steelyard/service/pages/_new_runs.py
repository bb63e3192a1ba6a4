"""Start runs by forms: growth, comparison, solving, authoring."""

from typing import Annotated, Any, Literal

from fastapi import Depends, Form, Request, Response
from pydantic import Field

from steelyard.schemas import ProblemName, SolutionLanguage
from steelyard.service._async import started
from steelyard.service._auth import Caller, allow
from steelyard.service._compare import CompareRequest
from steelyard.service._job import JobKind
from steelyard.service._profile import ProfileRequest
from steelyard.service._state import services_of
from steelyard.service.jobs import AuthorRequest, SolveQuery, author_payload, solve_payload
from steelyard.service.pages._csrf import check_csrf
from steelyard.service.pages._problems import languages
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router, redirect
from steelyard.solving import problem_of_text

router = page_router()
_Text = Annotated[str, Form()]
_FurtherCases = Annotated[int, Field(ge=0, le=20_000)]


@router.get("/new/{kind}")
def form(
    kind: Literal["profile", "compare", "solve", "author"],
    request: Request,
    _: Caller = Depends(allow("judge", "author")),
) -> Response:
    """Show the form for a run."""
    return page(request, f"new-{kind}.html", languages=languages())


@router.post("/new/profile", dependencies=[Depends(check_csrf)])
async def new_profile(
    request: Request,
    program: _Text,
    generator: _Text,
    language: Annotated[str, Form(max_length=100)] = "python",
    max_n: Annotated[int, Form(ge=1, le=10**12)] = 100_000,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Measure how a program grows."""
    body = ProfileRequest(
        program=_lines(program), generator=_lines(generator), language=language, max_n=max_n
    )
    body.check(services_of(request).settings.service)
    return await _start(request, caller, "profile", body.model_dump(exclude_unset=True))


@router.post("/new/compare", dependencies=[Depends(check_csrf)])
async def new_compare(
    request: Request,
    original: _Text,
    program: _Text,
    tests: _Text,
    function: Annotated[str, Form(min_length=1, max_length=200)],
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Compare a rewritten function with its original."""
    body = CompareRequest(
        program=_lines(program),
        function=f"original:{function}",
        files={"original.py": _lines(original), "test_original.py": _lines(tests)},
    )
    body.check(services_of(request).settings.service)
    return await _start(request, caller, "compare", body.model_dump(exclude_unset=True))


@router.post("/new/solve", dependencies=[Depends(check_csrf)])
async def new_solve(
    request: Request,
    text: _Text,
    language: Annotated[SolutionLanguage, Form()] = "cpp",
    max_iter: Annotated[int, Form(ge=1, le=50)] = 3,
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Drive models to a program."""
    query = SolveQuery(language=language, max_iter=max_iter)
    settings = services_of(request).settings
    payload = solve_payload(settings, problem_of_text(_lines(text)), query)
    return await _start(request, caller, "solve", payload)


@router.post("/new/author", dependencies=[Depends(check_csrf)])
async def new_author(
    request: Request,
    text: Annotated[str, Form(min_length=1, max_length=20_000)],
    cases: Annotated[int, Form(ge=1, le=1_000)] = 60,
    small_cases: Annotated[_FurtherCases | Literal[""], Form()] = "",
    mutants: Annotated[int, Form(ge=0, le=10_000)] = 200,
    name: Annotated[ProblemName | Literal[""], Form()] = "",
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Author a problem."""
    body = AuthorRequest(
        request=_lines(text),
        cases=cases,
        mutants=mutants,
        name=name or None,
        small_cases=None if small_cases == "" else small_cases,
    )
    payload = author_payload(services_of(request).settings, body)
    return await _start(request, caller, "author", payload)


async def _start(
    request: Request, caller: Caller, kind: JobKind, payload: dict[str, Any]
) -> Response:
    job = await started(request, caller, kind, payload)
    return redirect(request, f"/pages/runs/{job.id}")


def _lines(text: str) -> str:
    """Return the text of a text area as it was written: browsers send CR LF for each line."""
    return text.replace("\r\n", "\n")
