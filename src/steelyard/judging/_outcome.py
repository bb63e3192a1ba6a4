"""The interface of a checker, and its answer."""

from dataclasses import dataclass
from typing import Protocol

from steelyard.schemas import Difference, TestCase, Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision on an output, with the reason for a rejection."""

    passed: bool
    message: str = ""
    """One bounded line of printable text; empty if there is no reason to give."""
    difference: Difference | None = None
    points: float | None = None
    """Points in 0..1, if a checker program awards points."""
    crashed: bool = False
    """The program failed before it answered, as opposed to a wrong answer."""
    verdict: Verdict | None = None
    """The verdict, if it is neither accepted, wrong nor crashed."""


ACCEPTED = Outcome(True)
"""The outcome of a right answer without points."""


class Checker(Protocol):
    """Decides whether an output answers a case. One checker serves many threads at once.

    A class that derives from this one inherits a `validate` that finds nothing wrong.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Return the outcome for a candidate's output.

        Raises:
            TestsError: if the case itself cannot be checked (see `validate`).
            CheckerError: if a checker program failed.
        """
        ...

    def validate(self, case: TestCase) -> None:  # noqa: ARG002 - every case is valid here
        """Refuse a case that cannot be checked, before anything is run.

        Raises:
            TestsError: with the case's name and what to fix.
        """
        return
