"""Judge programs on the suites of stored problems, and keep them: `/v1/submissions`."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.authoring.challenges.submissions import submit
from steelyard.schemas import OnEvent, ProblemName, SubmissionReport, json_text
from steelyard.service._auth import Caller, allow, may_see, owner_seen
from steelyard.service._body import new_router
from steelyard.service._bounds import check_source
from steelyard.service._reads import Page, ProblemFilter, Text, fresh_or, page_of
from steelyard.service._replies import answered_once
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.records._messages import (
    Digest,
    Submission,
    SubmissionDetail,
    absent,
    judgement_for,
    looked_up,
    shown_in,
)
from steelyard.settings import ServiceSettings
from steelyard.storage import Reader, submission_page

router = new_router("/v1", tag="submissions")


class SubmissionRequest(BaseModel):
    """A program for a stored problem."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "problem": "widest-gap",
                    "program": "class Solution:\n    def solve(self, nums):\n"
                    "        nums = sorted(nums)\n"
                    "        return max((b - a for a, b in zip(nums, nums[1:])), default=0)\n",
                }
            ]
        },
    )

    problem: ProblemName
    program: str
    language: Annotated[str, Field(max_length=100)] = "python"
    """A name from `/v1/languages`. Programs in other languages than Python read the arguments as
    text."""

    def check(self, settings: ServiceSettings) -> None:
        """Refuse a program that is too large.

        Raises:
            Problem: 422.
        """
        check_source(self.program, settings)


class SubmissionQuery(ProblemFilter):
    """The part of the list of submissions."""

    by: Text | None = None
    """Only those that were sent under this name, of those that the caller may see."""


def submissions_on(reader: Reader, caller: Caller, query: SubmissionQuery) -> Page[Submission]:
    """Return a page of the submissions that a caller may see."""
    after = query.after(str, str)
    found = submission_page(
        reader,
        problem=query.problem,
        by=query.by,
        owner=owner_seen(caller, "submission"),
        after=after and (after[0], after[1]),
        most=query.limit + 1,
    )
    return page_of([*map(Submission.of, found)], query, _key)


def submission_detail(reader: Reader, caller: Caller, digest: str) -> SubmissionDetail:
    """Return a submission with its program and its newest judgement.

    Raises:
        Problem: 404 if it is not stored, or the caller may not see it.
    """
    with looked_up():
        own = reader.submission(digest)
        (judged,) = submission_page(reader, only=own.digest, most=1)
        if not may_see(caller, "submission", judged.owner):
            raise absent("submission", digest)
    solution = reader.solution(own.solution)
    found = reader.judgements(own.problem, solution=own.solution)
    current = [each for each in found if not each.outdated] or found
    newest = current[-1].judgement if current else None
    result = newest.result if newest else None
    if result is not None and not may_see(caller, "test"):
        shown = shown_in(reader, caller, own.problem, judged.suite_version)
        result = judgement_for(caller, result, shown)
    return SubmissionDetail(
        **dict(Submission.of(judged)),
        language=solution.language,
        program=solution.source,
        engine=newest.engine if newest else None,
        result=result,
    )


@router.get("/submissions", response_model=Page[Submission])
def submissions(
    query: Annotated[SubmissionQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Page[Submission]:
    """Return submissions, the newest first: the caller's own, or all for the scope `admin`."""
    with services_of(request).database.read() as reader:
        return submissions_on(reader, caller, query)


@router.get("/submissions/{digest}", response_model=SubmissionDetail)
def submission(
    digest: Digest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Return a submission with its program and its newest judgement."""
    with services_of(request).database.read() as reader:
        detail = submission_detail(reader, caller, digest)
    return fresh_or(request, json_text(detail))


@router.post(
    "/submissions",
    status_code=201,
    responses={201: {"model": SubmissionReport}},
    response_class=Response,
)
async def make_submission(
    body: SubmissionRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Judge a program on a problem's current suite, and keep it with its judgement.

    A program that was judged on this suite before is not run again.
    """
    body.check(services_of(request).settings.service)

    def work(services: Services, stop: Stop) -> SubmissionReport:
        return submitted(services, caller, body, stop.at_event)

    async def make() -> Response:
        report = await in_cells(request, caller, work)
        headers = {"Location": f"/v1/submissions/{report.submission}"}
        content = report.to_json_line()
        return Response(content, 201, headers, media_type="application/json")

    return await answered_once(request, caller, make)


def submitted(
    services: Services, caller: Caller, body: SubmissionRequest, on_event: OnEvent
) -> SubmissionReport:
    """Judge a program on a problem's current suite, and store both.

    Raises:
        Problem: 404 if there is no such problem.
        SteelyardError: as `submit`.
    """
    with services.database.read() as reader, looked_up():
        reader.problem(body.problem)
    report = submit(
        services.database,
        body.problem,
        body.program.encode("utf-8", "surrogatepass"),
        by=caller.name,
        owner=caller.owner,
        language=body.language,
        pool=services.pool,
        on_event=on_event,
    )
    services.metrics.count_verdicts(report.result)
    if may_see(caller, "test"):
        return report
    with services.database.read() as reader:
        shown = shown_in(reader, caller, report.problem, report.suite_version)
    return report.model_copy(update={"result": judgement_for(caller, report.result, shown)})


def _key(item: Submission) -> tuple[str, str]:
    own = item.submission.model_dump(mode="json", include={"created_utc"})
    return own["created_utc"], item.digest
