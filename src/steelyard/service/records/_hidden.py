"""Leave hidden tests out of answers: their inputs, their outputs, and whatever may quote them.

A program chooses what it prints and raises, so all that it wrote on a hidden test may quote the
test. Of such a test a reader without the right gets the name, the verdict and the figures.
"""

from collections.abc import Collection, Sequence
from typing import TypeVar

from steelyard.schemas import (
    AuthoredCase,
    CaseResult,
    ChallengeReport,
    Specification,
    SuiteVersion,
    VerifyResult,
)
from steelyard.service._auth import Caller
from steelyard.service._rights import may_see
from steelyard.service.records._messages import Challenge, ChallengeDetail
from steelyard.storage import Reader

C = TypeVar("C", bound=Challenge)
_HIDDEN = "the reason may quote hidden tests, which need the scope author"


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
