"""Verdicts on a case and on a whole program, and the progress of a job towards its result."""

from collections.abc import Callable
from enum import StrEnum

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._program import CompileResult
from steelyard.schemas._report import Report


class Verdict(StrEnum):
    """Result of a case. A judge's own failure is an exception, never a verdict."""

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

    @property
    def position(self) -> str:
        """Such as `line 3, column 7`."""
        return f"line {self.line}, column {self.column}"


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


class VerifyResult(Report):
    """A program's judgement: every case, and what it has earned."""

    derived = ("passed", "pass_rate", "categories")

    success: bool
    """Compiled, at least one case was run, and every case passed."""
    reward: float
    details: str
    """One line for people."""
    compile: CompileResult
    cases: tuple[CaseResult, ...] = ()
    compile_only: bool = False
    """True if the caller asked to judge compiling alone."""
    form: str = ""
    """The task's form, such as `apps`; empty for the conventions of the entry alone."""

    @property
    def passed(self) -> bool:
        """The same fact as `success`; with `compile_only`, True if the program compiled."""
        return self.compile.ok if self.compile_only else self.success

    @property
    def pass_rate(self) -> float:
        """Accepted cases over all cases, in 0..1; 0 if there are none."""
        if not self.cases:
            return 0.0
        return sum(case.verdict is Verdict.AC for case in self.cases) / len(self.cases)

    @property
    def categories(self) -> dict[str, dict[str, int]]:
        """Counts of `passed` and `total` cases by category, as JSON holds them."""
        return {
            name: {"passed": passed, "total": total}
            for name, (passed, total) in self.by_category().items()
        }

    def by_category(self) -> dict[str, tuple[int, int]]:
        """Return accepted cases and all cases of each category, in the order of the cases.

        A program that passes the `visible` cases and few of the others has learned them by heart.
        """
        counts: dict[str, tuple[int, int]] = {}
        for case in self.cases:
            passed, total = counts.get(case.category, (0, 0))
            counts[case.category] = passed + (case.verdict is Verdict.AC), total + 1
        return counts

    def _summary(self) -> str:
        """Return the verdict, the reward and what happened, in one line."""
        verdict = "passed" if self.passed else "failed"
        return f"{verdict}, reward {self.reward:g}: {self.details}"


class ErrorResult(Record):
    """An error in a batch, in its program's position: never a verdict and never a reward."""

    index: int
    """The program's position in the batch, from 0."""
    type: str
    """The error's class, such as `TestsError`."""
    message: str
    """One line: what is wrong and what to do."""
    exit_status: int
    """2 if the call was wrong, 3 if the machine failed."""


class Event(Record):
    """One step of a running job."""

    job: str
    """The name of the job, or of the command, such as `evaluate`."""
    stage: str
    """A short text for people, such as `timing at n = 1,024`."""
    share: float | None = Field(default=None, ge=0, le=1)
    """The finished share of the job; None if unknown."""
    message: str = ""
    """The step's finding in one line; empty if there is none."""
    iteration: int = Field(default=0, ge=0)
    """For solve, the loop's iteration, from 0."""
    case: CaseResult | None = None
    """For judge, the latest judged case."""


OnEvent = Callable[[Event], None]
"""A callback that receives each event, from any thread."""
