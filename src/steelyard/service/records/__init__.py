"""Offer what the database keeps: problems, suites, submissions and challenges."""

from fastapi import APIRouter

from steelyard.service.records import _challenges, _problems, _submissions
from steelyard.service.records._challenges import ChallengeQuery, challenge_detail, challenges_on
from steelyard.service.records._messages import (
    Digest,
    FullDigest,
    Name,
    Submission,
    looked_up,
    report_for,
    shown_names,
    version_for,
)
from steelyard.service.records._problems import ProblemQuery, problem_detail, problems_on
from steelyard.service.records._submissions import (
    SubmissionQuery,
    SubmissionRequest,
    submission_detail,
    submissions_on,
    submitted,
)

__all__ = [
    "ChallengeQuery",
    "Digest",
    "FullDigest",
    "Name",
    "ProblemQuery",
    "Submission",
    "SubmissionQuery",
    "SubmissionRequest",
    "challenge_detail",
    "challenges_on",
    "looked_up",
    "problem_detail",
    "problems_on",
    "report_for",
    "routers",
    "shown_names",
    "submission_detail",
    "submissions_on",
    "submitted",
    "version_for",
]


def routers() -> list[APIRouter]:
    """Return the routers of `/v1/problems`, `suites`, `submissions` and `challenges`."""
    return [_problems.router, _problems.suites_router, _submissions.router, _challenges.router]
