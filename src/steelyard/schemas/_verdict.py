"""Verdicts on a case and on a whole program."""

from enum import StrEnum

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._execution import Isolation
from steelyard.schemas._program import CompileResult


class Verdict(StrEnum):
    """What a case came to. A judge's own failure is an exception, never a verdict."""

    AC = "AC"
    """Accepted."""
    WA = "WA"
    """Wrong answer."""
    TLE = "TLE"
    """CPU or wall time limit exceeded."""
    MLE = "MLE"
    """Memory limit exceeded."""
    OLE = "OLE"
    """Output limit exceeded."""
    RTE = "RTE"
    """Ended by a signal, or with an exit status other than 0."""
    CE = "CE"
    """The program did not compile."""
    SK = "SK"
    """Skipped: an earlier case failed, or the program cannot run on this machine."""


class Difference(Record):
    """The first place where an output parts from what was expected."""

    line: int
    """From 1, in the candidate's output."""
    column: int
    """From 1, in bytes."""
    expected: str
    """A bounded excerpt from that place on; bytes that are not UTF-8 shown as escapes."""
    got: str


class CaseResult(Record):
    """One case's verdict with its figures."""

    name: str
    verdict: Verdict
    category: str = ""
    """The case's own, such as `visible` or `hidden`."""
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    memory_mib: float = 0.0
    exit_code: int | None = None
    signal: int | None = None
    message: str = ""
    """One line for people: what went wrong."""
    difference: Difference | None = None
    stdout: str = Field(default="", repr=False)
    """A bounded excerpt."""
    stderr: str = Field(default="", repr=False)
    points: float | None = None
    """What a checker program awarded, in 0..1, where it awards points."""


class VerifyResult(Record):
    """A program's judgement: every case, and what it has earned."""

    success: bool
    """Compiled, at least one case was run, and every case passed."""
    reward: float
    details: str
    """One line for people."""
    compile: CompileResult
    cases: tuple[CaseResult, ...] = ()
    isolation: Isolation | None = None
    """None where nothing was run."""

    @property
    def pass_rate(self) -> float:
        """Accepted cases over all cases, in 0..1; 0 where there are none."""
        if not self.cases:
            return 0.0
        return sum(case.verdict is Verdict.AC for case in self.cases) / len(self.cases)

    def by_category(self) -> dict[str, tuple[int, int]]:
        """Accepted cases and all cases of each category, in the order in which they come.

        A program that passes the `visible` cases and few of the others has learned them by heart.
        """
        counts: dict[str, tuple[int, int]] = {}
        for case in self.cases:
            passed, total = counts.get(case.category, (0, 0))
            counts[case.category] = passed + (case.verdict is Verdict.AC), total + 1
        return counts
