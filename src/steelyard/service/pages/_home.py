"""The first page: judge a program, the latest work, and what the other pages are for."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse

from steelyard.service._auth import Caller, allow
from steelyard.service._job import Job
from steelyard.service._state import Services, services_of
from steelyard.service.jobs import RunQuery, runs_on, tests_in_words
from steelyard.service.pages._judge import JudgeForm
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router
from steelyard.service.records import Submission, SubmissionQuery, submissions_on

router = page_router("")
_LATEST = 8


@dataclass(frozen=True)
class _Work:
    """A run or a submission, in one line."""

    path: str
    kind: str
    subject: str
    status: str
    passed: bool | None
    created_utc: datetime

    @classmethod
    def of_run(cls, job: Job) -> Self:
        """Return the line of a run."""
        passed = job.passed if job.has_outcome else None
        subject = job.subject or job.kind
        return cls(f"runs/{job.id}", job.kind, subject, job.status, passed, job.created_utc)

    @classmethod
    def of_submission(cls, own: Submission) -> Self:
        """Return the line of a submission."""
        sent = own.submission
        passed = None if own.suite_version is None else own.passed
        status = "not judged"
        if passed is not None:
            status = tests_in_words(own.tests - own.tests_passed, own.tests)
        path = f"submissions/{own.digest}"
        return cls(path, "submission", sent.problem, status, passed, sent.created_utc)


@router.get("/")
async def home(request: Request, caller: Caller = Depends(allow("judge", "author"))) -> Response:
    """Show the first page."""
    runs = await runs_on(request, caller, RunQuery(limit=_LATEST))
    latest = [*map(_Work.of_run, runs.items)]
    shown: dict[str, Any] = {}
    if caller.scopes & {"judge", "admin"}:
        latest += await asyncio.to_thread(_submissions, services_of(request), caller)
        shown = JudgeForm.example().shown()
    latest.sort(key=lambda each: each.created_utc, reverse=True)
    return page(request, "home.html", latest=latest[:_LATEST], **shown)


@router.get("/pages")
@router.get("/pages/")
def start() -> Response:
    """Send a browser to the first page."""
    return RedirectResponse("/", 303)


def _submissions(services: Services, caller: Caller) -> Sequence[_Work]:
    with services.database.read() as reader:
        found = submissions_on(reader, caller, SubmissionQuery(limit=_LATEST))
    return [*map(_Work.of_submission, found.items)]
