"""The pages of runs: start one by a form, watch it, cancel it, read its report."""

import asyncio
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Form, Query, Request, Response
from markupsafe import Markup

from steelyard.equivalence import reporting as equivalence
from steelyard.profiling import reporting as profiling
from steelyard.schemas import (
    AuthorReport,
    Comparison,
    Event,
    ProfileReport,
    RunResult,
    SolutionLanguage,
    VerifyResult,
)
from steelyard.service._async import started
from steelyard.service._auth import Caller, allow
from steelyard.service._compare import CompareRequest
from steelyard.service._job import KINDS, Job, JobKind, Run
from steelyard.service._profile import ProfileRequest
from steelyard.service._state import services_of
from steelyard.service.jobs import (
    AuthorRequest,
    RunQuery,
    SolveQuery,
    author_payload,
    owned,
    queue_of,
    runs_on,
    solve_payload,
)
from steelyard.service.pages._assets import asset_url
from steelyard.service.pages._csrf import check_csrf
from steelyard.service.pages._problems import languages
from steelyard.service.pages._render import fragment, page
from steelyard.service.pages._route import page_router, redirect
from steelyard.solving import problem_of_text

__all__ = ["router"]

router = page_router()
_MOST_EVENTS = 300
_NO_MORE_S = 0.15
"""No event within this time: there is none yet."""
_Text = Annotated[str, Form()]


@router.get("/runs")
async def runs(
    query: Annotated[RunQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Response:
    """Show a page of the list of runs."""
    found = await runs_on(request, caller, query)
    kept = [("kind", kind) for kind in query.kind] + [("state", state) for state in query.state]
    after = urlencode([*kept, ("cursor", found.next or "")])
    return page(request, "runs.html", query=query, found=found, after=after, kinds=KINDS)


@router.get("/runs/{run_id}")
async def run(request: Request, job: Job = Depends(owned)) -> Response:
    """Show a run: its steps, and at its end its report."""
    whole = await asyncio.to_thread(queue_of(request).get, job.id)
    assert whole is not None
    return page(
        request, "run.html", widths=True, run=whole, events=await _events(request, job.id),
        report_style=asset_url("report.css"), **_report(whole),
    )  # fmt: skip


@router.get("/runs/{run_id}/steps")
async def steps(request: Request, job: Job = Depends(owned)) -> Response:
    """Show the steps of a run so far; the page asks again until the run ends."""
    if job.has_ended:
        return redirect(request, f"/pages/runs/{job.id}", replace=True)
    return fragment(request, "run-part.html", run=job, events=await _events(request, job.id))


@router.post("/runs/{run_id}/cancel", dependencies=[Depends(check_csrf)])
async def cancel(request: Request, job: Job = Depends(owned)) -> Response:
    """Cancel a run."""
    await asyncio.to_thread(queue_of(request).cancel, job.id)
    return redirect(request, f"/pages/runs/{job.id}")


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
        program=_lines(program), function=f"original:{function}",
        files={"original.py": _lines(original), "test_original.py": _lines(tests)},
    )  # fmt: skip
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
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Author a problem."""
    body = AuthorRequest(request=_lines(text), cases=cases)
    payload = author_payload(services_of(request).settings, body)
    return await _start(request, caller, "author", payload)


async def _start(
    request: Request, caller: Caller, kind: JobKind, payload: dict[str, Any]
) -> Response:
    job = await started(request, caller, kind, payload)
    return redirect(request, f"/pages/runs/{job.id}")


async def _events(request: Request, job_id: str) -> list[Event]:
    """Return the newest events of a run so far, the oldest of them first."""
    found: list[Event] = []
    batches = queue_of(request).events(job_id)
    try:
        while True:
            _, batch = await asyncio.wait_for(anext(batches), _NO_MORE_S)
            found = [*found, *map(Event.model_validate, batch)][-_MOST_EVENTS:]
    except (TimeoutError, StopAsyncIteration):
        return found
    finally:
        await batches.aclose()


def _report(run: Run) -> dict[str, Any]:
    """Return what a page shows of the result of a run: a report as HTML, or a record."""
    shown: dict[str, Any] = {"report": None, "solved": None, "authored": None, "judged": None}
    if run.state != "done":
        return shown
    if run.kind == "profile":
        profile = ProfileReport.model_validate(run.result)
        shown["report"] = Markup("\n".join(profiling.sections(profile)))  # noqa: S704  (escaped)
    elif run.kind == "compare":
        comparison = Comparison.model_validate(run.result)
        shown["report"] = Markup("\n".join(equivalence.sections(comparison)))  # noqa: S704
    elif run.kind == "solve":
        solved = RunResult.model_validate(run.result)
        shown["solved"] = solved
        if solved.profile is not None:
            shown["report"] = Markup("\n".join(profiling.sections(solved.profile)))  # noqa: S704
    elif run.kind == "author":
        shown["authored"] = AuthorReport.model_validate(run.result)
    else:
        shown["judged"] = VerifyResult.model_validate(run.result)
    return shown


def _lines(text: str) -> str:
    """Return the text of a text area as it was written: browsers send CR LF for each line."""
    return text.replace("\r\n", "\n")
