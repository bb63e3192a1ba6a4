"""The answers about stored records. A record's digest is not one of its own fields."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from steelyard.schemas import (
    AuthoredSuite,
    ChallengeHistory,
    ChallengeState,
    ChallengeStep,
    CompactInput,
    JudgedSubmission,
    ProblemSummary,
    Specification,
    SpecVersion,
    StoredChallenge,
    StoredSolution,
    StoredStrength,
    StoredSubmission,
    StoredTruth,
    SuiteVersion,
    VerifyResult,
)


class Answer(BaseModel):
    """An answer about a record."""

    model_config = ConfigDict(frozen=True, ser_json_bytes="utf8")


class Solution(Answer):
    """A stored program, without its text."""

    digest: str
    role: str
    language: str
    origin: str

    @classmethod
    def of(cls, stored: StoredSolution) -> Self:
        """Return the answer about a solution."""
        return cls(
            digest=stored.digest, role=stored.role, language=stored.language, origin=stored.origin
        )


class ProblemDetail(Answer):
    """A problem in its current version."""

    problem: ProblemSummary
    specification: Specification | None
    """None if none is stored."""
    suite: SuiteVersion | None
    """The current version of the suite, whose digest is `suite.suite`; None if none is stored."""
    solutions: tuple[Solution, ...]


class SpecDetail(Answer):
    """A version of a problem's specification."""

    version: SpecVersion
    specification: Specification


class SuiteDetail(Answer):
    """The content of a suite."""

    digest: str
    suite: AuthoredSuite


class SuiteStrength(Answer):
    """The certificates of a suite's strength, the oldest first."""

    items: tuple[StoredStrength, ...]


class Submission(Answer):
    """A submission with what its newest judgement found."""

    digest: str
    submission: StoredSubmission
    owner: str
    """The account that it belongs to; empty if it is the administrator's."""
    suite_version: int | None
    """The version of the suite that it was judged on; null if it was not judged."""
    tests_passed: int
    tests: int
    passed: bool
    outdated: bool
    """True if the current suite could change the judgement."""

    @classmethod
    def of(cls, judged: JudgedSubmission) -> Self:
        """Return the answer about a submission."""
        return cls(digest=judged.submission.digest, **dict(judged))


class SubmissionDetail(Submission):
    """A submission with its program and its newest judgement."""

    language: str
    program: str
    engine: str | None = None
    """What judged."""
    result: VerifyResult | None = None


class Challenge(Answer):
    """A challenge with its steps."""

    digest: str
    challenge: StoredChallenge
    steps: tuple[ChallengeStep, ...]
    state: ChallengeState

    @classmethod
    def of(cls, history: ChallengeHistory, **more: Any) -> Self:
        """Return the answer about a challenge."""
        own = history.challenge
        return cls(
            digest=own.digest, challenge=own, steps=history.steps, state=history.state, **more
        )


class ChallengeDetail(Challenge):
    """A challenge with its input, and the outputs that are stated for it."""

    input: CompactInput
    truths: tuple[StoredTruth, ...]
