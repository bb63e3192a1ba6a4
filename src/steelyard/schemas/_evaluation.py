"""An evaluation's record, line by line."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from steelyard.schemas._authored import Sha256
from steelyard.schemas._base import Record
from steelyard.schemas._execution import Isolation
from steelyard.schemas._message import Day, UtcTime, utc_now
from steelyard.schemas._verdict import CaseResult, ErrorResult, Verdict

RECORD_VERSION = "2"
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

    record_version: str = RECORD_VERSION
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
