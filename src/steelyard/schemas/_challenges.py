"""Results of challenges and of submissions, with the suite's version that judged them."""

from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from steelyard.schemas._author import Reading
from steelyard.schemas._base import Record, Sha256
from steelyard.schemas._report import Report
from steelyard.schemas._solve import Spending
from steelyard.schemas._stored import ChallengeState, StoredSubmission
from steelyard.schemas._verdict import VerifyResult


class ReferenceChange(Record):
    """A reference solution that a challenge shows wrong."""

    solution: str
    """The digest of the solution that was the reference."""
    state: Literal["replaced", "disputed"]
    """`disputed`: no stored solution can take its place."""
    by: str = ""
    """The digest of the solution that takes its place."""
    healed: bool = False
    """True if a model repaired the solution; otherwise a stored one takes its place."""


class Rejudged(Record):
    """A program that was judged again on the new suite."""

    solution: str
    """`StoredSolution.digest`."""
    passed_before: bool
    passed: bool


class ChallengeReport(Report):
    """The state of a challenge and its consequences."""

    problem: str
    challenge: str = ""
    """The digest of the stored challenge; empty if it was refused at the gate."""
    state: ChallengeState
    reason: str
    """The reason for the state, in one line."""
    broken: tuple[str, ...] = ()
    """Constraints that the input breaks."""
    call: str
    """The challenged call, shortened."""
    shrunk: str = ""
    """The smaller call that shows the same; empty if there is none."""
    expected: JsonValue = None
    """The output that the suite now expects for the challenged input."""
    has_expected: bool = False
    readings: tuple[Reading, ...] = ()
    """The outputs of stored solutions, with the solutions that give each."""
    suite_version: int | None = None
    """The new version of the suite; None if it did not change."""
    cases_changed: int = 0
    """Other cases with another expected output, or none any more."""
    reference: ReferenceChange | None = None
    rejudged: tuple[Rejudged, ...] = ()
    spending: Spending = Spending()
    """The cost of the model that repairs, if one was asked."""

    @property
    def passed(self) -> bool:
        """True if the challenge is accepted."""
        return self.state == "accepted"

    def _summary(self) -> str:
        lines = [f"{self.state}: {self.call}: {self.reason}"]
        if self.suite_version is not None:
            lines.append(f"suite {self.suite_version} of {self.problem}")
        if self.cases_changed:
            many = (
                "1 other case has"
                if self.cases_changed == 1
                else f"{self.cases_changed} other cases have"
            )
            lines.append(f"{many} another expected output, or none any more")
        if self.shrunk:
            lines.append(f"smaller input: {self.shrunk}")
        if self.reference is not None:
            how = "a repaired version, " if self.reference.healed else ""
            new = f" by {how}{self.reference.by[:12]}" if self.reference.by else ""
            lines.append(
                f"reference solution {self.reference.solution[:12]}: {self.reference.state}{new}"
            )
        return "\n".join(lines)


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
