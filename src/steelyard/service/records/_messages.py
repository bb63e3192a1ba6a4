"""The answers about stored records, and what they leave out.

1. Records are looked up by what a path names. A record's digest is not one of its own fields.
2. Hidden tests are left out: their inputs, their outputs, and whatever may quote them. A program
   chooses what it prints and raises, so all that it wrote on a hidden test may quote the test. Of
   such a test a reader without the right gets the name, the verdict and the figures.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Self, TypeVar

from fastapi import Path
from pydantic import BaseModel, ConfigDict

from steelyard.errors import UsageError
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CaseResult,
    ChallengeHistory,
    ChallengeReport,
    ChallengeState,
    ChallengeStep,
    CompactInput,
    JudgedSubmission,
    ProblemName,
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
from steelyard.service._auth import Caller, may_see
from steelyard.service._error_responses import Problem
from steelyard.storage import Reader

Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{4,64}$", examples=["9f86d081884c"])]
"""A digest, or its first characters."""
FullDigest = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[ProblemName, Path(examples=["widest-gap"])]
_HIDDEN = "the reason may quote hidden tests, which need the scope author"


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


def absent(kind: str, digest: str) -> UsageError:
    """Return the error for a record that a caller may not see: as if it were not stored."""
    return UsageError(f"the database has no {kind} {digest}; check its digest")


@contextmanager
def looked_up() -> Iterator[None]:
    """Answer 404 if what is looked up in the block is not stored.

    Raises:
        Problem: 404.
    """
    try:
        yield
    except UsageError as error:
        raise Problem(404, "not-stored", "The database has no such record", str(error)) from error


C = TypeVar("C", bound=Challenge)


def shown_names(
    cases: Sequence[AuthoredCase], specification: Specification, caller: Caller
) -> frozenset[str]:
    """Return the names of the tests that a caller may see: all, or the statement's examples.

    Args:
        cases: The suite's.
        specification: With the examples.
        caller: The reader.
    """
    if may_see(caller, "test"):
        return frozenset(each.name for each in cases)
    examples = [each.args for each in specification.examples]
    return frozenset(
        each.name for each in cases if each.input.args is not None and each.input.args in examples
    )


def shown_in(reader: Reader, caller: Caller, problem: str, version: int | None) -> frozenset[str]:
    """Return the names of the tests that a caller may see, in a version of a problem's suite."""
    if version is None:
        return frozenset()
    suite = reader.suite(reader.suite_versions(problem)[version - 1].suite)
    return shown_names(suite.cases, reader.spec(suite.spec_digest), caller)


def judgement_for(caller: Caller, result: VerifyResult, shown: Collection[str]) -> VerifyResult:
    """Return a judgement without what may quote the tests that are not shown."""
    if may_see(caller, "test"):
        return result
    cases = tuple(each if each.name in shown else _bare(each) for each in result.cases)
    details = result.details
    failed = next((each for each in cases if each.verdict != "AC"), None)
    if result.compile.ok and failed is not None and failed.name not in shown:
        # Its end quotes the first failure.
        passed = sum(each.verdict == "AC" for each in cases)
        details = (
            f"compiled; {passed} of {len(cases)} tests passed; "
            f"first: {failed.name} {failed.verdict}, a hidden test"
        )
    return result.model_copy(update={"cases": cases, "details": details})


def report_for(caller: Caller, report: ChallengeReport) -> ChallengeReport:
    """Return the report on a caller's own challenge without what quotes hidden tests."""
    if may_see(caller, "test"):
        return report
    return ChallengeReport(
        problem=report.problem,
        challenge=report.challenge,
        state=report.state,
        reason=report.reason if report.broken else _HIDDEN,
        broken=report.broken,
        call=report.call,
        suite_version=report.suite_version,
        cases_changed=report.cases_changed,
        reference=report.reference,
        seconds=report.seconds,
        isolation=report.isolation,
    )


def shown_challenge(caller: Caller, challenge: C) -> C:
    """Return a caller's own challenge without the answers to it, which may be hidden tests."""
    if may_see(caller, "test"):
        return challenge
    steps = tuple(
        each if each.state == "open" else each.model_copy(update={"reason": ""})
        for each in challenge.steps
    )
    changes: dict[str, object] = {"steps": steps}
    if isinstance(challenge, ChallengeDetail):
        changes["truths"] = ()
    return challenge.model_copy(update=changes)


def version_for(caller: Caller, version: SuiteVersion) -> SuiteVersion:
    """Return a version of a suite without its reason, which may be the words of a challenge."""
    return version if may_see(caller, "test") else version.model_copy(update={"reason": ""})


def _bare(case: CaseResult) -> CaseResult:
    return case.model_copy(
        update={
            "message": "",
            "difference": None,
            "stdout": "",
            "stderr": "",
            "points": None,
            "exit_code": None,
            "signal": None,
        }
    )
