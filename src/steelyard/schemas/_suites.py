"""A pytest suite that a model writes, what is known about it, and how it was improved."""

from typing import Annotated, Literal, get_args

from pydantic import Field, RootModel, StringConstraints

from steelyard.schemas._base import Record
from steelyard.schemas._comparison import VersionCoverage
from steelyard.schemas._solve import RunReport

SuiteCategory = Literal["normal", "edge", "boundary", "exception"]
"""What a test is for; its name begins with `test_` and the category."""
SuiteCriterion = Literal[
    "loads", "green", "independent", "can-fail", "minima", "coverage", "mutation", "bug"
]
"""Criteria of a perfect suite, in the order in which it is looked at.

`green`: every test passes in three runs in different orders. `independent`: every test passes alone
too. `can-fail`: every test fails on some changed version of the module. `minima`: enough tests of
each category. `bug`: some test fails on the known bug.
"""
CATEGORIES: tuple[SuiteCategory, ...] = get_args(SuiteCategory)
SuiteStop = Literal["perfect", "rounds", "budget", "models", "sandbox", "logs"]

_Code = Annotated[str, StringConstraints(min_length=1, max_length=400_000)]
_Lines = Annotated[
    tuple[Annotated[str, StringConstraints(max_length=4_000)], ...], Field(max_length=200)
]


class SuiteReply(Record):
    """A suite as a model writes it first."""

    test_code: _Code
    """Its first line is the file's name, such as `test_shapes.py`."""


class PerfectReply(Record):
    """A model's opinion that nothing needs to be changed."""

    status: Literal["perfect"]
    message: Annotated[str, StringConstraints(max_length=20_000)]


class UpdatedReply(Record):
    """A changed suite."""

    status: Literal["updated"]
    issues_found: _Lines
    improvements_made: _Lines
    test_code: _Code
    """The whole suite; its first line is the file's name."""


class ReviewReply(RootModel[Annotated[PerfectReply | UpdatedReply, Field(discriminator="status")]]):
    """A model's review of a suite, in one of two forms."""


class TestFault(Record):
    """A test, and what is wrong with it."""

    __test__ = False  # the name makes pytest take it for a test class

    test: str
    """The function's name, or pytest's node id."""
    why: str

    def __str__(self) -> str:
        return f"{self.test}: {self.why}"


class LiveMutant(Record):
    """A changed version of the module that no test notices."""

    name: str
    """Such as `line 4: a < b -> a <= b`."""
    diff: str


class SuiteEvidence(Record):
    """The measurements of a suite."""

    fault: str = ""
    """Why it cannot be run; then nothing else is measured."""
    tests: int = 0
    """Tests that passed in every run."""
    counts: dict[SuiteCategory, int] = Field(default_factory=dict)
    """Tests that hold what their category asks for, and passed."""
    uncounted: tuple[TestFault, ...] = ()
    """Tests that are not counted for the category in their name."""
    red: tuple[TestFault, ...] = ()
    """Tests that fail, are skipped, or pass in some runs only."""
    dependent: tuple[TestFault, ...] = ()
    """Tests that pass in some orders, or with others, only."""
    cannot_fail: tuple[str, ...] = ()
    """Tests that passed with every changed version of the module."""
    coverage: VersionCoverage | None = None
    missing_branches: tuple[tuple[int, int], ...] = ()
    """Line numbers from and to; a negative one is the end of a function."""
    mutants: int = 0
    killed: int = 0
    survivors: tuple[LiveMutant, ...] = ()
    bug_found_by: tuple[str, ...] | None = None
    """Tests that fail on the known bug; None without one."""
    unmet: tuple[SuiteCriterion, ...] = ()

    @property
    def perfect(self) -> bool:
        """True if the suite meets every criterion."""
        return not self.unmet and not self.fault

    @property
    def mutation_score(self) -> float | None:
        """Share of mutants that some test notices; None if the module has none."""
        return self.killed / self.mutants if self.mutants else None

    @property
    def covered(self) -> float:
        """Share of the module's lines and branches that the tests reach, from 0 to 1."""
        return self.coverage.share if self.coverage else 0.0


class SuiteRound(Record):
    """One review of a suite, and what it changed."""

    number: int = Field(ge=1)
    reply: Literal["perfect", "updated", "unreadable"]
    message: str = ""
    """The model's own word."""
    issues_found: tuple[str, ...] = ()
    improvements_made: tuple[str, ...] = ()
    changed: bool = False
    """True if the reply had another suite, which was measured."""
    best: bool = False
    """True if that suite is the best one by its evidence."""
    evidence: SuiteEvidence | None = None
    """Of the changed suite."""


class SuiteFigures(Record):
    """The figures of one run, for statistics over all runs."""

    run: str
    """The run's own id; one that is resumed keeps it."""
    module: str
    at: str
    """When it ended, in UTC."""
    stop: SuiteStop
    rounds: int = Field(ge=0)
    replies: int = Field(ge=0)
    """Replies of the reviewer."""
    read: int = Field(ge=0)
    """Those of them that had one of the two forms."""
    perfect_after: int | None = Field(default=None, ge=0)
    """Number of reviews before there was a perfect suite; None if there was none."""
    coverage_first: float = Field(default=0.0, ge=0, le=1)
    coverage_best: float = Field(default=0.0, ge=0, le=1)
    cost_usd: float | None = None


class SuiteReport(RunReport):
    """A pytest suite, what was measured of it, and its history."""

    module: str
    """The module's file."""
    file_name: str = ""
    code: str = ""
    """The best suite by its evidence; empty if no model wrote one."""
    evidence: SuiteEvidence = SuiteEvidence(fault="there is no suite")
    first: SuiteEvidence | None = None
    """Of the suite that was written first."""
    rounds: tuple[SuiteRound, ...] = ()
    stop: SuiteStop
    figures: SuiteFigures | None = None

    @property
    def passed(self) -> bool:
        """True if the suite is perfect by its evidence."""
        return self.evidence.perfect

    def _summary(self) -> str:
        found = self.evidence
        counts = ", ".join(f"{found.counts.get(each, 0)} {each}" for each in CATEGORIES)
        score = f"{found.killed} of {found.mutants}"
        return (
            f"{self.file_name or 'no suite'} for {self.module}: {self.reason}\n"
            f"{found.tests} tests ({counts}); {found.covered:.0%} of lines and branches; "
            f"{score} mutants"
        )


class SuiteStatistic(Record):
    """One figure over all runs, with its target."""

    name: str
    unit: str
    value: float | None
    """None without a run."""
    target_low: float
    target_high: float | None = None
    fewer: bool = False
    """True if a smaller figure is better."""

    @property
    def met(self) -> bool | None:
        """True if the figure is as good as its target or better; None without a figure."""
        if self.value is None:
            return None
        if self.fewer and self.target_high is not None:
            return self.value <= self.target_high
        return self.value >= self.target_low


class SuiteStatistics(Record):
    """The figures of all runs that wrote suites."""

    runs: int
    counted: int
    """Runs that ended with a perfect suite, or after their last review."""
    unreadable_lines: int = 0
    by_reviews: dict[int, int] = Field(default_factory=dict)
    """Number of runs by their number of reviews."""
    figures: tuple[SuiteStatistic, ...] = ()
