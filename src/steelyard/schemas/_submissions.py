"""The results of submissions, with the version of the suite that they were judged on."""

from typing import ClassVar

from pydantic import Field

from steelyard.schemas._authored import Sha256
from steelyard.schemas._base import Record
from steelyard.schemas._report import Report
from steelyard.schemas._stored import StoredSubmission
from steelyard.schemas._verdict import VerifyResult


class JudgedSubmission(Record):
    """A submission with its newest judgement."""

    submission: StoredSubmission
    owner: str = ""
    """Its account; empty if it is the administrator's."""
    suite_version: int | None = None
    """The version of the suite that it was judged on; None if it was not judged."""
    tests_passed: int = 0
    tests: int = 0
    passed: bool = False
    outdated: bool = False
    """True if the current suite could change the judgement."""


class SubmissionReport(Report):
    """The judgement of a submission on a problem's current suite."""

    derived: ClassVar[tuple[str, ...]] = ("passed", "categories")

    problem: str
    submission: Sha256
    """`StoredSubmission.digest`."""
    solution: Sha256
    """`StoredSolution.digest`: equal programs have equal ones."""
    suite_version: int
    engine: str
    """What judged, as in the key of the judgement."""
    outdated: bool = False
    """True if the suite has changed since the judgement."""
    result: VerifyResult = Field(repr=False)

    @property
    def passed(self) -> bool:
        """True if the program passed every test."""
        return self.result.passed

    @property
    def categories(self) -> dict[str, dict[str, int]]:
        """Counts of `passed` and `total` cases by category."""
        return self.result.categories

    def _summary(self) -> str:
        verdict = "passed" if self.passed else "failed"
        old = ", outdated" if self.outdated else ""
        return f"{self.problem}: {verdict} (suite {self.suite_version}{old}): {self.result.details}"
