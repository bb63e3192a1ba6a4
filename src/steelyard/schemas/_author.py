"""The result of authoring: a specification, a suite with evidence, solutions, open questions."""

from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from steelyard.schemas._authored import AuthoredSuite, CaseCategory, Trust
from steelyard.schemas._base import Record
from steelyard.schemas._messages import Spending
from steelyard.schemas._report import Report
from steelyard.schemas._specification import Specification
from steelyard.schemas._strength import Share, StrengthReport, StressSize

AuthorStatus = Literal["done", "open", "failed", "sandbox_error"]
AuthorStop = Literal[
    "complete", "disputed", "no-outputs", "no-specification", "budget", "models", "sandbox", "logs"
]
"""The reason why authoring ended.

`complete`: every case has an output, and none is disputed. `disputed`: independent solutions
give different outputs, and nothing decides between them. `no-outputs`: no solution is known, so
only examples have outputs. `no-specification`: no reply was a usable specification. `models`: a
model could not be reached. `sandbox`: the machine failed. `logs`: artefacts could not be written.
"""
ReferenceRole = Literal["optimised", "brute-force", "alternative", "given"]


class OracleAttempt(Record):
    """One program of the oracle, and the reason why it was not used."""

    temperature: float
    fault: str = ""
    """Empty if it was used."""
    inputs: int = 0
    """Inputs that it generated."""
    valid: int = 0
    """Inputs that satisfy the specification, without duplicates."""


class OracleDifference(Record):
    """An input on which the oracle's validator and the specification's differ."""

    args: tuple[JsonValue, ...]
    broken: tuple[str, ...] = ()
    """Constraints that the input breaks; empty if it is valid."""
    accepted: bool | None = None
    """The decision of the oracle's validator; None if it failed."""


class OracleReport(Record):
    """The model's generator of inputs and its validator."""

    attempts: tuple[OracleAttempt, ...] = ()
    program: str = Field(default="", repr=False)
    """The program that was used; empty if none was."""
    valid_accepted: Share | None = None
    """Valid inputs that its validator accepts."""
    invalid_refused: Share | None = None
    """Inputs that break one constraint, and that its validator refuses."""
    differences: tuple[OracleDifference, ...] = ()
    only_kills: int = 0
    """Mutants that only the oracle's inputs kill."""


class ReferenceSolution(Record):
    """A reference solution, with what speaks for it."""

    name: str
    role: ReferenceRole
    source: str = Field(repr=False)
    examples: Share | None = None
    """Examples of the specification that it answers rightly."""
    agrees: Share | None = None
    """Cases with an output that it answers, and gives that output."""
    healed: int = 0
    """Times that it was repaired."""
    fault: str = ""
    """The reason why it has no vote; empty if it has one."""


class Reading(Record):
    """One of several answers to an input."""

    answer: JsonValue = None
    how: str = "answer"
    """`answer`, or the reason why there is none, such as `raised`."""
    solutions: tuple[str, ...]
    """The solutions that give it."""


class OpenQuestion(Record):
    """Something that the request leaves open."""

    text: str
    args: tuple[JsonValue, ...] | None = None
    """An input on which independent solutions differ."""
    readings: tuple[Reading, ...] = ()


class AuthorRound(Record):
    """One round over the suite: what was made, and why another round followed."""

    number: int
    cases: int = 0
    contradicted: Share | None = None
    """Cases on which the optimised solution contradicts the others."""
    why_again: str = ""
    """The reason for another suite; empty if there was none."""


class AuthorReport(Report):
    """The result of authoring a problem."""

    derived: ClassVar[tuple[str, ...]] = ("passed",)

    task_id: str
    status: AuthorStatus
    stop: AuthorStop
    reason: str = ""
    specification: Specification | None = None
    suite: AuthoredSuite | None = Field(default=None, repr=False)
    questions: tuple[OpenQuestion, ...] = ()
    oracle: OracleReport | None = None
    solutions: tuple[ReferenceSolution, ...] = ()
    solution: str = ""
    """The name of the solution that gives every expected output; empty if there is none."""
    rounds: tuple[AuthorRound, ...] = ()
    strength: StrengthReport | None = None
    stress: StressSize | None = None
    spending: Spending = Spending()
    folder: str = ""
    """The folder of the results; empty if none were written."""
    logs: str = ""
    """The folder of the run's artefacts; empty if none were written."""

    @property
    def passed(self) -> bool:
        """True if every case has an output, and none is disputed."""
        return self.status == "done"

    def by_category(self) -> dict[CaseCategory, int]:
        """Return the number of cases of each category."""
        cases = self.suite.cases if self.suite else ()
        categories = [case.category for case in cases]
        return {each: categories.count(each) for each in dict.fromkeys(categories)}

    def by_trust(self) -> dict[Trust, int]:
        """Return the number of cases with an output, or a disputed one, by trust."""
        cases = self.suite.cases if self.suite else ()
        found = [each.trust for each in cases if each.has_expected or each.trust == "disputed"]
        return {each: found.count(each) for each in dict.fromkeys(found)}

    def _summary(self) -> str:
        title = self.specification.title if self.specification else self.task_id
        lines = [f"{self.status} ({self.stop}): {title}: {self.reason}".removesuffix(": ")]
        if self.suite is not None:
            trust = ", ".join(f"{count:,} {each}" for each, count in self.by_trust().items())
            lines.append(f"{len(self.suite.cases):,} cases: {trust or 'no outputs'}")
        lines += [f"open: {each.text}" for each in self.questions]
        return "\n".join(lines)
