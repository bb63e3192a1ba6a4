"""The pages of challenges: a form, the list, one with its steps, and the decision of a person."""

from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import Depends, Form, Query, Request, Response

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.challenges import challenge, read_output, resolve
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.schemas import ChallengeReport, ChallengeState
from steelyard.service._auth import Caller, allow
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.pages._render import check_csrf, page
from steelyard.service.pages._route import page_router, redirect
from steelyard.service.records import (
    ChallengeQuery,
    Digest,
    Name,
    challenge_detail,
    challenges_on,
    looked_up,
    report_for,
)

router = page_router()
_Text = Annotated[str, Form(max_length=4_000_000)]


@router.get("/challenges")
def challenges(
    query: Annotated[ChallengeQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Response:
    """Show a page of the list of challenges."""
    with services_of(request).database.read() as reader:
        found = challenges_on(reader, caller, query)
    kept = (("problem", query.problem), ("state", query.state), ("cursor", found.next))
    after = urlencode([each for each in kept if each[1]])
    return page(
        request,
        "challenges.html",
        query=query,
        found=found,
        after=after,
        states=get_args(ChallengeState),
    )


@router.get("/challenges/{digest}")
def one_challenge(
    digest: Digest, request: Request, caller: Caller = Depends(allow("judge", "author"))
) -> Response:
    """Show a challenge."""
    with services_of(request).database.read() as reader:
        own = challenge_detail(reader, caller, digest)
    return page(
        request,
        "challenge.html",
        own=own,
        call=shown_call(args_of(own.input)),
        shown_value=shown_value,
    )


@router.get("/problems/{name}/challenge")
def form(name: Name, request: Request, _: Caller = Depends(allow("judge"))) -> Response:
    """Show the form of a challenge."""
    with services_of(request).database.read() as reader, looked_up():
        reader.problem(name)
    return _form(request, name)


@router.post("/problems/{name}/challenge", dependencies=[Depends(check_csrf)])
async def make_challenge(
    name: Name,
    request: Request,
    input: _Text = "",  # noqa: A002  (the field's name)
    output: _Text = "",
    reason: _Text = "",
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Challenge a problem."""
    given = {"input": input, "output": output, "reason": reason}

    def work(services: Services, stop: Stop) -> ChallengeReport:
        return challenge(
            services.database,
            name,
            input,
            reason=reason,
            by=caller.name,
            owner=caller.owner,
            claim=(read_output(output),) if output.strip() else None,
            pool=services.pool,
            on_event=stop.at_event,
        )

    try:
        report = report_for(caller, await in_cells(request, caller, work))
    except UsageError as error:
        return _form(request, name, status=422, fault=str(error), given=given)
    if not report.challenge:
        return _form(request, name, status=422, report=report, given=given)
    return redirect(request, f"/pages/challenges/{report.challenge}")


@router.post("/challenges/{digest}/decision", dependencies=[Depends(check_csrf)])
async def decide(
    digest: Digest,
    request: Request,
    accept: Annotated[Literal["yes", "no"], Form()],
    output: _Text = "",
    reason: _Text = "",
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Decide a challenge."""

    def work(services: Services, stop: Stop) -> ChallengeReport:
        return resolve(
            services.database,
            digest,
            accept=accept == "yes",
            by=caller.name,
            reason=reason,
            output=(read_output(output),) if output.strip() else None,
            pool=services.pool,
            on_event=stop.at_event,
        )

    report = await in_cells(request, caller, work)
    return redirect(request, f"/pages/challenges/{report.challenge}")


def _form(
    request: Request,
    name: str,
    *,
    status: int = 200,
    fault: str = "",
    report: ChallengeReport | None = None,
    given: dict[str, str] | None = None,
) -> Response:
    empty = {"input": "", "output": "", "reason": ""}
    return page(
        request,
        "challenge-form.html",
        status=status,
        name=name,
        fault=fault,
        report=report,
        given=given or empty,
    )
