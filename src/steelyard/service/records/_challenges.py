"""Challenge stored problems, and decide challenges: `/v1/challenges`."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from steelyard.authoring.challenges import challenge, resolve
from steelyard.schemas import ChallengeReport, ChallengeState, ProblemName, json_text
from steelyard.service._auth import Caller, allow, may_see, owner_seen
from steelyard.service._body import new_router
from steelyard.service._reads import Page, ProblemFilter, fresh_or, page_of
from steelyard.service._replies import answered_once
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.records._messages import (
    Challenge,
    ChallengeDetail,
    Digest,
    absent,
    looked_up,
    report_for,
    shown_challenge,
)
from steelyard.storage import Reader, challenge_page

router = new_router("/v1", tag="challenges")
_Reason = Annotated[str, Field(min_length=1, max_length=2_000)]


class ChallengeRequest(BaseModel):
    """An input on which a problem's suite or reference solution is claimed to be wrong."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"problem": "widest-gap", "input": [[-3, 3]], "reason": "negative numbers"},
                {
                    "problem": "widest-gap",
                    "input": "[[0] * 1000]",
                    "output": 0,
                    "reason": "many equal numbers",
                },
            ]
        },
    )

    problem: ProblemName
    input: list[JsonValue] | str
    """The arguments of the call: a list, or an expression such as `[[0] * 100000, 5]`."""
    reason: _Reason
    output: JsonValue = None
    """The output that is claimed to be right. If it is left out, none is claimed; `null` is one."""


class DecisionRequest(BaseModel):
    """The decision of a person who is entitled to it."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [{"accept": True, "output": 6, "reason": "by hand"}]},
    )

    accept: bool
    """True: the claimed output is right. False: the challenge is rejected."""
    reason: Annotated[str, Field(max_length=2_000)] = ""
    output: JsonValue = None
    """The right output, if it is not the claimed one."""


class ChallengeQuery(ProblemFilter):
    """The part of the list of challenges."""

    state: ChallengeState | None = None
    """Only those in this state."""


def challenges_on(reader: Reader, caller: Caller, query: ChallengeQuery) -> Page[Challenge]:
    """Return a page of the challenges that a caller may see."""
    after = query.after(str, str)
    found = challenge_page(
        reader,
        problem=query.problem,
        state=query.state,
        owner=owner_seen(caller, "challenge"),
        after=after and (after[0], after[1]),
        most=query.limit + 1,
    )
    shown = [shown_challenge(caller, Challenge.of(each)) for each in found]
    return page_of(shown, query, _key)


def challenge_detail(reader: Reader, caller: Caller, digest: str) -> ChallengeDetail:
    """Return a challenge with its input, and the outputs that are stated for it.

    Outputs, and the reasons of decisions, are for readers of tests.

    Raises:
        Problem: 404 if it is not stored, or the caller may not see it.
    """
    with looked_up():
        history = reader.challenge(digest)
        own = history.challenge
        if not may_see(caller, "challenge", reader.owner_of(own.digest)):
            raise absent("challenge", digest)
    detail = ChallengeDetail.of(
        history, input=reader.input(own.input), truths=reader.truths(own.problem, own.input)
    )
    return shown_challenge(caller, detail)


@router.get("/challenges", response_model=Page[Challenge])
def challenges(
    query: Annotated[ChallengeQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Page[Challenge]:
    """Return challenges, the newest first: the caller's own, or all for the scope `author`."""
    with services_of(request).database.read() as reader:
        return challenges_on(reader, caller, query)


@router.get("/challenges/{digest}", response_model=ChallengeDetail)
def one_challenge(
    digest: Digest, request: Request, caller: Caller = Depends(allow("judge", "author"))
) -> Response:
    """Return a challenge with its input, and the outputs that are stated for it."""
    with services_of(request).database.read() as reader:
        return fresh_or(request, json_text(challenge_detail(reader, caller, digest)))


@router.post(
    "/challenges",
    responses={
        200: {"model": ChallengeReport, "description": "Refused at the gate, and not stored."},
        201: {"model": ChallengeReport, "description": "Stored, with its consequences."},
    },
    response_class=Response,
)
async def make_challenge(
    body: ChallengeRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Challenge a problem with an input, and store whatever it shows wrong as repaired."""

    def work(services: Services, stop: Stop) -> ChallengeReport:
        with services.database.read() as reader, looked_up():
            reader.problem(body.problem)
        return challenge(
            services.database,
            body.problem,
            body.input,
            reason=body.reason,
            by=caller.name,
            owner=caller.owner,
            claim=_stated(body),
            pool=services.pool,
            on_event=stop.at_event,
        )

    return await _answered(request, caller, work)


@router.post(
    "/challenges/{digest}/decision",
    responses={200: {"model": ChallengeReport}},
    response_class=Response,
)
async def decide(
    digest: Digest,
    body: DecisionRequest,
    request: Request,
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Decide a challenge as a person who knows the right output."""

    def work(services: Services, stop: Stop) -> ChallengeReport:
        with services.database.read() as reader, looked_up():
            reader.challenge(digest)
        return resolve(
            services.database,
            digest,
            accept=body.accept,
            by=caller.name,
            reason=body.reason,
            output=_stated(body),
            pool=services.pool,
            on_event=stop.at_event,
        )

    return await _answered(request, caller, work)


async def _answered(
    request: Request, caller: Caller, work: Callable[[Services, Stop], ChallengeReport]
) -> Response:
    async def make() -> Response:
        report = await in_cells(request, caller, work)
        content = report_for(caller, report).to_json_line()
        made = report.challenge and not request.path_params
        headers = {"Location": f"/v1/challenges/{report.challenge}"} if made else {}
        return Response(content, 201 if made else 200, headers, media_type="application/json")

    return await answered_once(request, caller, make)


def _stated(body: ChallengeRequest | DecisionRequest) -> tuple[JsonValue] | None:
    return (body.output,) if "output" in body.model_fields_set else None


def _key(item: Challenge) -> tuple[str, str]:
    own = item.challenge.model_dump(mode="json", include={"created_utc"})
    return own["created_utc"], item.digest
