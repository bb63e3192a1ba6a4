"""The data of each kind of job, and of its result."""

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from steelyard.judging import CaseIsolation
from steelyard.schemas import Limits, Record, RunResult, VerifyResult


class JudgeData(BaseModel):
    """The `data` of a job of the kind `judge`; its value is a `VerifyResult` as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    """SHA-256 of the blob that holds the `Task` as JSON."""
    program: str
    language: str | None = None
    """None is the task's language, or Python."""
    limits: Limits | None = None
    """Limits of each case; None is the task's, or the judge's defaults."""
    fail_fast: bool = False
    isolation: CaseIsolation = "per_case"
    repeats: int = Field(default=1, ge=1, le=100)
    """Runs of a program that passes. Each case's time is the Hodges-Lehmann estimate over them."""


class SolveData(JudgeData):
    """The `data` of a job of the kind `solve`; its value is a `Solved` as JSON."""

    program: str = ""
    problem: dict[str, JsonValue]
    """The `ProblemInput` that models are shown."""
    options: dict[str, JsonValue]
    """The `SolveOptions`."""
    logs: str
    """The folder for the run's artefacts. A run that is there is resumed."""


class SuiteData(BaseModel):
    """The `data` of a job of the kind `suite`; its value is a `SuiteStrength` as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    """SHA-256 of the blob that holds the `Task` as JSON."""
    reference: str
    """A right program in Python, which is mutated."""
    mutants: int = Field(ge=1, le=10_000)
    limits: Limits | None = None
    """Limits of each case; None is the task's, or the judge's defaults."""


class SuiteStrength(Record):
    """Result of a job of the kind `suite`: the mutants of a reference that its tests kill."""

    mutants: int | None = None
    killed: int | None = None
    unknown: str = ""
    """The reason why there are no figures; empty if there are."""


class Solved(Record):
    """Result of a job of the kind `solve`."""

    run: RunResult
    judged: VerifyResult | None = None
    """The whole suite's verdict on the program; None if there is no program."""
