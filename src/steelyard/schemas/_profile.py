"""The growth of a program: measurements, complexity classes and predictions."""

import json
from typing import Any, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from steelyard.schemas._base import Message, Record
from steelyard.schemas._execution import StopReason
from steelyard.schemas._report import Report

Flag = Literal[
    "memory-bound",
    "hidden-library-work",
    "limited-by-time-out",
    "limited-by-memory",
    "too-few-sizes",
    "cut-short",
    "counts-differ",
    "threads",
    "no-counts",
    "slower-than-work",
]
"""Reasons to doubt the class; `ProfileReport.notes` has each of them in words.

`memory-bound`: time grows faster than work and instructions, because caches overflow.
`hidden-library-work`: time and instructions grow faster than the counted work.
`limited-by-time-out`, `limited-by-memory`: larger sizes met a limit.
`cut-short`: a bound on time ended the sizes that were counted or timed; a note names them.
`counts-differ`: the same input gave different counts.
`no-counts`: the class is based on times (no counter for the language, or no counts were left).
`slower-than-work`: time grows slower than the counted work.
"""


class Term(Record):
    """A part of the work with one complexity class."""

    complexity: str = Field(alias="class")
    share: float
    """Share of all work at the largest counted size, from 0 to 1."""
    lines: tuple[int, ...] = ()
    """Source lines that do most of it, the heaviest first; empty if unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class LineWork(Record):
    """The work of one source line."""

    line: int
    share: float
    """Share of all work at the largest counted size, from 0 to 1."""
    classes: tuple[tuple[str, float], ...] = ()
    """The classes of its parts, each with its share of all work, the heaviest first."""


class ComplexityEstimate(Record):
    """A complexity class with its confidence."""

    complexity: str = Field(default="unsure", alias="class")
    """Such as `O(n log n)`; `unsure` if it cannot be decided; then `candidates` has the options."""
    confidence: float = 0.0
    """Probability of the most likely class, from 0 to 1."""
    candidates: tuple[tuple[str, float], ...] = ()
    """The most likely classes with their probabilities, the most likely first."""
    runner_up: str | None = None
    terms: tuple[Term, ...] = ()
    """For time: the parts of the work, the heaviest first."""
    basis: Literal["work", "instructions", "time", "heap", "resident", "none"] = "none"
    """The figures on which the class is based."""
    reason: str = ""
    """The reason if it is unsure."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @property
    def unsure(self) -> bool:
        """True if no class is named."""
        return self.complexity == "unsure"

    def __str__(self) -> str:
        if not self.unsure:
            return f"{self.complexity} ({self.confidence:.0%})"
        either = " or ".join(name for name, _ in self.candidates[:2])
        return f"unsure: {either}" if either else "unsure"


class Band(Record):
    """An interval with its middle."""

    low: float
    mid: float
    high: float


class Prediction(Record):
    """Time and memory at the largest input."""

    n: int = 0
    """The main size; 0 if nothing was predicted."""
    m: int | None = None
    cpu_ms: Band | None = None
    """None if no run took long enough."""
    wall_ms: Band | None = None
    memory_mib: Band | None = None
    measured: bool = False
    """True if the largest input itself was run, so that the figures are measurements."""
    meets_time_limit: bool | None = None
    """None if there is no limit, or it cannot be decided."""
    meets_memory_limit: bool | None = None


class Measurement(Record):
    """All measurements at one size."""

    n: int
    m: int | None = None
    input_bytes: int = 0
    work: int | None = None
    """Executions of basic blocks, with a charge for the work of built-ins; None: not counted."""
    cpu_ms: float | None = None
    """Minimum over the repetitions, user and system; None: not timed."""
    cpu_ms_max: float | None = None
    """Maximum over the repetitions."""
    wall_ms: float | None = None
    """Minimum over the repetitions."""
    memory_mib: float | None = None
    """Peak memory, counted as for limits."""
    heap_bytes: int | None = None
    """Peak of live heap memory, from the counted run; None: unknown."""
    resident_bytes: int | None = None
    """Peak resident set, from the counted run."""
    instructions: int | None = None
    """Instructions of the whole process; None: not counted."""
    repetitions: int = 0
    """Number of timed runs."""
    stop: StopReason = StopReason.EXITED
    """The end of the longest run."""


class Method(Record):
    """The methods by which the figures were measured."""

    work: str = ""
    """The counter of work; empty if work was not counted."""
    timing: str = ""
    memory: str = ""
    instructions: str = ""
    inputs: str = ""
    seeds: tuple[int, ...] = ()
    isolation: str = ""
    compiler: str = ""


class ProfileReport(Report, Message):
    """The growth of a program, with the evidence; a message of the solve loop.

    The four lists are for readers who want only the telemetry.
    """

    derived: ClassVar[tuple[str, ...]] = ("passed", "meets_limits")

    type: Literal["profile"] = "profile"
    input_sizes: tuple[int, ...] = ()
    """The sizes at which the program was timed, in ascending order."""
    runtime_ms: tuple[float, ...] = ()
    """CPU time at each of them."""
    peak_memory_mb: tuple[float, ...] = ()
    """MiB at each of them."""
    hotspots: tuple[str, ...] = ()
    """The lines with most work, the heaviest first: `lines 12, 13: 99 % of the work, O(n^2)`."""
    time: ComplexityEstimate = ComplexityEstimate()
    space: ComplexityEstimate = ComplexityEstimate()
    prediction: Prediction = Prediction()
    measurements: tuple[Measurement, ...] = ()
    """Measurements in ascending order of size."""
    flags: tuple[Flag, ...] = ()
    work_by_line: tuple[LineWork, ...] = ()
    """The lines that do at least 0.5 % of the work, the heaviest first; empty if unknown."""
    method: Method = Method()
    parameters: tuple[str, ...] = ("n",)
    time_limit_ms: float | None = None
    memory_limit_mib: float | None = None
    base_cpu_ms: float = 0.0
    """CPU time of the smallest run: the start of the process."""
    base_memory_mib: float = 0.0

    @model_validator(mode="after")
    def _lists_agree(self) -> Self:
        if not len(self.input_sizes) == len(self.runtime_ms) == len(self.peak_memory_mb):
            raise ValueError(
                "input_sizes, runtime_ms and peak_memory_mb must have one entry per size"
            )
        return self

    @property
    def measured(self) -> bool:
        """True if the program was timed at any size."""
        return any(size.cpu_ms is not None for size in self.measurements)

    @property
    def meets_limits(self) -> bool:
        """True if the program is known to meet every given limit."""
        outcomes = (
            (self.time_limit_ms, self.prediction.meets_time_limit),
            (self.memory_limit_mib, self.prediction.meets_memory_limit),
        )
        return all(meets is True for limit, meets in outcomes if limit is not None)

    @property
    def passed(self) -> bool:
        """True if the program was measured and meets every given limit."""
        return self.measured and self.meets_limits

    def _summary(self) -> str:
        lines = [f"time    {self.time}", f"memory  {self.space}"]
        if self.prediction.cpu_ms is not None:
            how = "measured" if self.prediction.measured else "predicted"
            n, cpu_ms = self.prediction.n, self.prediction.cpu_ms.mid
            lines.append(f"at n = {n:,}, {how}: {cpu_ms:.4g} ms")
        return "\n".join(lines)


class GrowthComparison(Report):
    """Two programs, compared on the same inputs."""

    first: ProfileReport
    second: ProfileReport
    ratio: Band | None = None
    """Time of the first divided by time of the second, at the largest size timed for both."""
    ratio_at_n: int | None = None
    growth: str = ""
    """One line: the program that grows faster, and by how much for each doubling of n."""
    growth_ratio: float | None = None
    """The factor on the ratio of their times (or work) when n doubles; 1: equal growth."""
    crossover_n: int | None = None
    """The size from which the other program is faster; None if there is none up to n_max."""

    @property
    def passed(self) -> bool:
        """True if the first program was measured and meets every given limit."""
        return self.first.passed

    def _summary(self) -> str:
        return self.growth

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; `first` and `second` are the results of their own `to_dict`."""
        both = {"first": self.first.to_dict(), "second": self.second.to_dict()}
        return super().to_dict() | both

    def to_json_line(self) -> str:
        """Return the same JSON object on one line."""
        return json.dumps(self.to_dict(), separators=(",", ":"))
