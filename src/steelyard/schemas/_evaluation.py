"""Evaluations: a run's record line by line, its report, the comparison of two, engines' jobs."""

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, TypeAdapter

from steelyard.schemas._base import Day, Given, Record, Sha256, UtcTime, utc_now
from steelyard.schemas._execution import Isolation
from steelyard.schemas._report import Report
from steelyard.schemas._solve import Spending
from steelyard.schemas._verdict import CaseResult, ErrorResult, Verdict

RecordVersion = Literal["2"]
RECORD_VERSION: RecordVersion = "2"
"""Version of `run.json` and `record.jsonl`."""
SampleOrigin = Literal["samples", "model", "solve"]
"""The source of programs: a file, one request to a model each, or a whole run of solve each."""


class DateWindow(Record):
    """The days on which tasks were published that an evaluation takes; None leaves a side open."""

    after: Day | None = None
    """The first day."""
    before: Day | None = None
    """The first day that is too late."""


class EvaluationHead(Record):
    """`run.json`: what is evaluated. A run resumes only with the same."""

    record_version: RecordVersion = RECORD_VERSION
    steelyard: str
    """Version of Steelyard that began the run."""
    benchmark: str
    origin: SampleOrigin
    source: str
    """Digest of the samples file, or the model's name."""
    shard: str = ""
    """Such as `2/8`; empty for the whole."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Options that shape the samples and their verdicts."""
    begun: UtcTime = Field(default_factory=utc_now)


class EvaluatedTask(Record):
    """A line of the record: a task, as far as metrics need it."""

    kind: Literal["task"] = "task"
    task: str
    digest: Sha256
    """Of the whole task."""
    suite: Sha256
    """Of its tests as they are run."""
    cases: int
    statement: str = ""
    """The head of what is asked."""
    group: str = ""
    difficulty: str = ""
    time_complexity: str = ""
    published: Day | None = None
    time_limit_ms: float
    """CPU time of one case."""
    memory_limit_mib: float
    limits_stated: bool = True
    """False if the source states no time limit, and the default counts."""
    mutants: int | None = None
    """Mutants of the reference that were run; None if strength was not measured."""
    mutants_killed: int | None = None
    fault: str = ""
    """The reason why the task is left out; empty if it is evaluated."""


class CurvePoint(Record):
    """Time and memory of an accepted program at one size of the input."""

    size: float
    """Bytes of the input, or n of a profile."""
    cpu_ms: float
    memory_mib: float = 0.0


class EvaluatedSample(Record):
    """A line of the record: one program and its verdict, or the reason why it has none."""

    kind: Literal["sample"] = "sample"
    key: Sha256
    """Of task, suite, program, limits and judge version."""
    task: str
    seed: int = 0
    sample: int = 0
    """Position among the samples of this task and seed, from 0."""
    role: Literal["sample", "reference"] = "sample"
    """`reference`: a solution of the data set, which is timed for metrics of efficiency."""
    verdict: Verdict | None = None
    """AC, or the verdict of the first failing case; None if the infrastructure failed."""
    verdicts: dict[Verdict, int] = Field(default_factory=dict)
    """Number of cases by verdict."""
    reward: float = 0.0
    within_time: bool = False
    """True if every case ended within the task's own time limit."""
    within_memory: bool = False
    cpu_ms: float = 0.0
    """The slowest case."""
    memory_mib: float = 0.0
    """The largest case."""
    levels: dict[str, float | None] = Field(default_factory=dict)
    """CPU time of the slowest case of each category; None if a case of it exceeded the limit or was
    skipped."""
    curve: tuple[CurvePoint, ...] = ()
    failure: CaseResult | None = None
    """The first failing case."""
    failing_input: str = ""
    """The head of its input: standard input, a call, or assertions."""
    details: str = ""
    language: str = ""
    program: str = ""
    """Path of the program in the folder of the run."""
    cost_usd: float | None = 0.0
    """Cost of models; None if a price is unknown."""
    tokens_in: int = 0
    tokens_out: int = 0
    iterations: int | None = None
    """For solve, the iterations until the program was efficient, or until the end."""
    efficient: bool | None = None
    """For solve, True if the loop accepted the program as efficient."""
    seconds: float = 0.0
    node: str = ""
    isolation: Isolation | None = None
    error: ErrorResult | None = None
    """The infrastructure's error: the sample has no verdict, and is tried again on resuming."""

    @property
    def passed(self) -> bool:
        """True if every case was accepted."""
        return self.verdict is Verdict.AC

    @property
    def reason(self) -> str:
        """The message of the failing case, or the reason why there is no verdict."""
        if self.failure is not None and self.failure.verdict is not Verdict.CE:
            return f"case {self.failure.name}: {self.failure.message or self.details}"
        return self.error.message if self.error else self.details


class EvaluatedRun(Record):
    """A line of the record: the end of a run. Without one, no run has ended."""

    kind: Literal["run"] = "run"
    complete: bool
    """False if the run stopped early, for the reason in its notes."""
    selected: int = 0
    """Tasks of the selection, with and without samples; 0 in a record that does not count them."""
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    """The first rows of the benchmark and of the samples that were left out, one line each."""
    fault_count: int = 0
    """Number of all of them."""
    seconds: float = 0.0


EvaluationLine = Annotated[
    EvaluatedTask | EvaluatedSample | EvaluatedRun, Field(discriminator="kind")
]
EVALUATION_LINE: TypeAdapter[EvaluatedTask | EvaluatedSample | EvaluatedRun] = TypeAdapter(
    EvaluationLine
)
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

    @property
    def metric(self) -> MetricValue:
        """The same as a metric over the tasks of the month."""
        return MetricValue(name="pass@k", k=1, **self.model_dump(exclude={"month"}))


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


JobKind = Literal["judge", "solve", "suite"]
IsolationLevel = Literal["none", "partial", "full"]


class EngineJob(Given):
    """A piece of work that holds all that it needs, so that any node can do it."""

    key: str = Field(min_length=1, max_length=200)
    """Unique in a run. A result that comes twice is known by it."""
    kind: JobKind
    data: dict[str, JsonValue] = Field(default_factory=dict, repr=False)
    blobs: tuple[Sha256, ...] = ()
    """SHA-256 of the blobs that it reads, such as its task. A node receives each blob once."""
    max_cost_usd: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """The most that models may cost. The job itself must not exceed it."""


class EngineResult(Record):
    """Result of a job: either `value` or `error` is set."""

    key: str
    value: dict[str, JsonValue] | None = Field(default=None, repr=False)
    error: ErrorResult | None = None
    node: str
    """Name of the machine, or of the node of a cluster."""
    isolation: Isolation | None = None
    """The isolation of the node's cells."""
    seconds: float = 0.0
    """Wall time of the last try."""
    cost_usd: float = 0.0
    """Cost of models in all tries. A try that is lost counts as the job's `max_cost_usd`."""
    tries: int = 1


class EngineNode(Record):
    """A machine of an engine."""

    name: str
    workers: int
    """Jobs that it runs in parallel; 0 if it takes no work."""
    isolation: Isolation | None = None
    refused: str = ""
    """The reason why it takes no work, or does so no longer; empty if it takes work."""
