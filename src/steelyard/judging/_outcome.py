"""What a checker is, and what it answers."""

from dataclasses import dataclass
from typing import Protocol

from steelyard.schemas import Difference, TestCase, Verdict

__all__ = ["ACCEPTED", "Checker", "Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether an output answers a case, and what tells the reader why not."""

    passed: bool
    message: str = ""
    """One bounded line of printable text; empty where there is nothing to say."""
    difference: Difference | None = None
    points: float | None = None
    """What a checker program awarded, in 0..1, where it awards points."""
    crashed: bool = False
    """The output tells of a failure to give any answer, not of a wrong one."""
    verdict: Verdict | None = None
    """The verdict, where it is neither accepted, wrong nor crashed."""


ACCEPTED = Outcome(True)
"""The outcome of nearly every right answer."""


class Checker(Protocol):
    """Decides whether an output answers a case. One checker serves many threads at once.

    A class that derives from this one inherits a `validate` that finds nothing wrong.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """The outcome for what a candidate printed.

        Raises:
            TestsError: where the case itself cannot be checked against (see `validate`).
            CheckerError: where a checker program failed.
        """
        ...

    def validate(self, case: TestCase) -> None:  # noqa: ARG002 - nothing to find wrong here
        """Refuse a case that no output could be checked against, before anything is run.

        Raises:
            TestsError: the message names the case and says what to fix.
        """
        return
