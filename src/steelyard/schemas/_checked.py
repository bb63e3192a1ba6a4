"""Findings of the check of a data set."""

from typing import Literal, get_args

from pydantic import Field

from steelyard.schemas._base import Record

FaultKind = Literal[
    "broken",
    "unavailable",
    "unsolvable",
    "flaky",
    "vacuous",
    "indifferent",
    "duplicate",
    "contaminated",
]
"""What makes a task useless as evidence:

`broken`        its tests or its checker cannot be used
`unavailable`   it needs a compiler, a header or a package that is missing here
`unsolvable`    none of its own solutions passes
`flaky`         a solution gets different verdicts in two runs
`vacuous`       a program that does nothing, or gives the same answer always, passes
`indifferent`   all of its own wrong programs pass
`duplicate`     an earlier task has the same statement and the same tests
`contaminated`  another data set has the same statement or the same tests
"""
WarningKind = Literal["disputed", "lenient", "weak", "margin", "similar"]
"""What a task can be used in spite of:

`disputed`  some of its own solutions fail
`lenient`   some of its own wrong, slow or hungry programs pass
`weak`      a program that does nothing, or gives the same answer always, passes many cases
`margin`    a right solution takes over half of a limit
`similar`   an earlier task has the same statement, or the same tests
"""
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)
WARNINGS: tuple[WarningKind, ...] = get_args(WarningKind)


class TaskFinding(Record):
    """One finding about a task."""

    kind: FaultKind | WarningKind
    message: str
    """One line for people."""


class CheckedTask(Record):
    """One task, with what its check has found."""

    id: str
    file: str = ""
    row: int | None = None
    solved: int = Field(default=0, ge=0)
    """Number of its own solutions that passed. 0 without a finding: none could be run."""
    findings: tuple[TaskFinding, ...] = ()
    """Faults before warnings."""

    @property
    def faulty(self) -> bool:
        """True if a finding is a fault."""
        return any(each.kind in FAULTS for each in self.findings)
