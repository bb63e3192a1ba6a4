"""The report of an evaluation, and the comparison of two."""

from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._evaluation import DateWindow, SampleOrigin
from steelyard.schemas._message import Day
from steelyard.schemas._messages import Spending
from steelyard.schemas._report import Report
from steelyard.schemas._verdict import Verdict

MetricName = Literal[
    "pass@k",
    "pass^k",
    "eff@k_runtime",
    "eff@k_memory",
    "enamel_eff@k",
    "beyond",
    "tle_rate",
    "mle_rate",
    "iterations",
    "cost_per_solved",
]


def _label(name: str, k: int | None) -> str:
    for sign in "@^":
        name = name if k is None else name.replace(f"{sign}k", f"{sign}{k}")
    return name


class MetricValue(Record):
    """One metric over all tasks on which it is defined."""

    name: MetricName
    k: int | None = None
    value: float | None = None
    """None if it is defined on no task."""
    standard_error: float | None = None
    """Clustered by the tasks' groups."""
    interval: tuple[float, float] | None = None
    """At a level of 95 %."""
    tasks: int = 0
    """Tasks on which it is defined."""
    unit: Literal["share", "score", "USD", "count"] = "share"
    basis: str = ""
    """What was counted, such as `412 executions`."""

    @property
    def label(self) -> str:
        """The name with its k, such as `pass@10`."""
        return _label(self.name, self.k)


class TaskScore(Record):
    """One task of a report."""

    task: str
    group: str = ""
    difficulty: str = ""
    time_complexity: str = ""
    published: Day | None = None
    cases: int = 0
    mutants: int | None = None
    mutants_killed: int | None = None
    samples: int = 0
    """Samples with a verdict."""
    passed: int = 0
    efficient_time: int = 0
    """Samples that passed within the task's time limit; of solve, those it found efficient."""
    efficient_memory: int = 0
    unjudged: int = 0
    verdicts: dict[Verdict, int] = Field(default_factory=dict)
    """Number of samples by verdict."""
    fastest_ms: float | None = None
    """Slowest case of the fastest sample that passed."""
    enamel: tuple[float, ...] | None = None
    """ENAMEL's score of each sample; None if it is undefined."""
    beyond: float | None = None
    cost_usd: float | None = 0.0


class MonthScore(Record):
    """pass@1 over the tasks that were published in one month."""

    month: str
    """Such as `2026-01`."""
    tasks: int
    value: float
    interval: tuple[float, float] | None = None
    """At a level of 95 %."""


class EvaluationReport(Report):
    """The figures of an evaluation, counted from its record alone."""

    derived = ("passed",)

    benchmark: str
    version: str = ""
    """SHA-256 over the ids and digests of the evaluated tasks."""
    origin: SampleOrigin
    source: str = ""
    folder: str = ""
    shard: str = ""
    selected: int = 0
    """Tasks of the selection: the benchmark's, or those that its options choose."""
    tasks: int = 0
    """Tasks with at least one verdict."""
    samples: int = 0
    """Samples with a verdict."""
    passes: int = 0
    unjudged: int = 0
    """Samples without a verdict, as the infrastructure failed."""
    tasks_left_out: int = 0
    faults: tuple[str, ...] = ()
    """Rows of the benchmark and of the samples that were left out, one line each."""
    fault_count: int = 0
    complete: bool = True
    """False if the run was stopped before its end."""
    verdicts: dict[Verdict, int] = Field(default_factory=dict)
    executions: int = 0
    """Cases that were run."""
    window: DateWindow = DateWindow()
    metrics: tuple[MetricValue, ...] = ()
    months: tuple[MonthScore, ...] = ()
    """In order; empty if no task has a date of publication."""
    scores: tuple[TaskScore, ...] = ()
    spending: Spending = Spending()

    @property
    def passed(self) -> bool:
        """True if every sample has a verdict; it does not depend on what the verdicts are."""
        return self.complete and self.unjudged == 0 and self.samples > 0

    @property
    def size(self) -> str:
        """The number of tasks, such as `164 tasks`, or `80 of 164 tasks` if some lack a verdict."""
        of = f" of {self.selected:,}" if self.tasks < self.selected else ""
        return f"{self.tasks:,}{of} task{'' if max(self.tasks, self.selected) == 1 else 's'}"

    def metric(self, name: MetricName, k: int | None = None) -> MetricValue:
        """Return one metric.

        Raises:
            KeyError: if the report does not have it.
        """
        for each in self.metrics:
            if (each.name, each.k) == (name, k):
                return each
        raise KeyError(name if k is None else f"{name} with k = {k}")

    def _summary(self) -> str:
        shown = ", ".join(
            f"{each.label} {each.value:.4g}" for each in self.metrics if each.value is not None
        )
        return f"{self.benchmark}: {self.size}, {self.samples:,} samples; {shown}"


_SIGNIFICANT = 0.05


class MetricDifference(Record):
    """One metric of two runs, on the tasks that both have."""

    name: MetricName
    k: int | None = None
    first: float
    second: float
    difference: float
    """Second less first."""
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    won: int = 0
    """Tasks on which the second run scores higher."""
    lost: int = 0
    tied: int = 0
    p_value: float | None = None
    """Of the exact sign-flip test over tasks: McNemar's, if each task has one sample."""
    smallest: float | None = None
    """Smallest difference that these tasks would have shown, with a power of 80 %."""

    @property
    def label(self) -> str:
        """The name with its k, such as `pass@10`."""
        return _label(self.name, self.k)

    @property
    def shown(self) -> bool:
        """True if the p-value is at most 5 %."""
        return self.p_value is not None and self.p_value <= _SIGNIFICANT


class EvaluationDiff(Report):
    """A paired comparison of two evaluations."""

    first: str
    second: str
    tasks: int
    """Tasks that both runs have."""
    only_first: int = 0
    only_second: int = 0
    differences: tuple[MetricDifference, ...] = ()
    won: tuple[str, ...] = ()
    """Tasks on which the second run has a higher pass@1."""
    lost: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True if the second run is not shown to be worse at pass@1."""
        return not any(each.shown and each.difference < 0 for each in self.differences[:1])

    def _summary(self) -> str:
        lines = (
            f"{each.label}: {each.first:.4g} and {each.second:.4g}, "
            f"difference {each.difference:+.4g}"
            for each in self.differences
        )
        return "\n".join(lines)
