"""Do one job of an engine. Every engine calls this worker, so that results are equal."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from steelyard.errors import InfrastructureError, UsageError
from steelyard.evaluation.metrics import hodges_lehmann
from steelyard.judging import (
    CaseIsolation,
    Judges,
    RunningOptions,
    loaded,
    task_limits,
)
from steelyard.runs import exchanges_in
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import (
    EngineJob,
    Event,
    JobKind,
    Limits,
    OnEvent,
    ProblemInput,
    Record,
    RunResult,
    Task,
    VerifyResult,
    plain_json,
)
from steelyard.solving import SolveOptions, Solver
from steelyard.strength import measure_strength

_SUITES_KEPT = 256
_NO_LIMIT = 1e12
"""Dollars or tokens that no run can spend."""
Done = tuple[dict[str, JsonValue], float]
"""The value of a finished job, and the cost of this try in US dollars; replies that an earlier try
paid for are free."""


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
    """The `data` of a job of the kind `solve`; its value is a `SolveResult` as JSON."""

    program: str = ""
    problem: dict[str, JsonValue]
    """The `ProblemInput` that models are shown."""
    options: dict[str, JsonValue]
    """The `SolveOptions`."""
    logs: str
    """The folder for the run's artefacts. A run that is there is resumed."""


class SuiteData(BaseModel):
    """The `data` of a job of the kind `suite`; its value is a `SuiteResult` as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    """SHA-256 of the blob that holds the `Task` as JSON."""
    reference: str
    """A right program in Python, which is mutated."""
    mutants: int = Field(ge=1, le=10_000)
    limits: Limits | None = None
    """Limits of each case; None is the task's, or the judge's defaults."""


class SuiteResult(Record):
    """Result of a job of the kind `suite`: the mutants of a reference that its tests kill."""

    mutants: int
    killed: int


class SolveResult(Record):
    """Result of a job of the kind `solve`."""

    run: RunResult
    judged: VerifyResult | None = None
    """The whole suite's verdict on the program; None if there is no program."""


_FORMS: dict[JobKind, type[JudgeData | SuiteData]] = {
    "judge": JudgeData,
    "solve": SolveData,
    "suite": SuiteData,
}


class JudgingWorker:
    """Does jobs in the cells of one machine; threads share it.

    Args:
        pool: Where programs run.
    """

    def __init__(self, pool: CellPool) -> None:
        self.pool = pool
        # Samples of one task come together: reading its tests again would cost more than a run.
        self._loaded = lru_cache(_SUITES_KEPT)(lambda blob: loaded(Task.model_validate_json(blob)))
        self._judges = lru_cache(_SUITES_KEPT)(self._make_judges)

    def do(self, job: EngineJob, blobs: Mapping[str, bytes], stopped: Callable[[], bool]) -> Done:
        """Do one job.

        Args:
            job: The job.
            blobs: The blobs that it names, by SHA-256.
            stopped: True ends the job early, with `StoppedError`.

        Raises:
            UsageError: if the job cannot be done: its tests are wrong, or its data.
            InfrastructureError: if the machine failed.
            StoppedError: if `stopped` returned True.
        """
        try:
            data = _FORMS[job.kind].model_validate(job.data)
        except ValidationError as error:
            raise UsageError(f"job {job.key}: {error.errors()[0]['msg']}; fix its data") from error
        if data.task not in blobs:
            raise InfrastructureError(f"the blob {data.task} did not reach this node; try again")
        if isinstance(data, SuiteData):
            return plain_json(self._measure(data, blobs[data.task], stopped)), 0.0
        if isinstance(data, SolveData):
            return self._solve(data, blobs, stopped)
        return self._judge(data, blobs, stopped).model_dump(mode="json"), 0.0

    def _measure(self, data: SuiteData, blob: bytes, stopped: Callable[[], bool]) -> SuiteResult:
        row = self._loaded(blob)
        task = row.task
        report = measure_strength(
            row.suite,
            data.reference,
            entry=task.entry,
            mutants=data.mutants,
            match_mode=task.match_mode,
            abs_tol=task.abs_tol,
            rel_tol=task.rel_tol,
            sequences_alike=task.sequences_alike,
            ignore_case=task.ignore_case,
            limits=data.limits or task_limits(task),
            pool=self.pool,
            on_event=_until(stopped),
        )
        score = report.mutation
        if score is None:
            raise UsageError("its reference offers no mutant")
        return SuiteResult(mutants=score.mutants, killed=score.killed)

    def _solve(
        self, data: SolveData, blobs: Mapping[str, bytes], stopped: Callable[[], bool]
    ) -> Done:
        problem = ProblemInput.model_validate(data.problem)

        options = SolveOptions.of(**data.options, pool=self.pool, on_event=_until(stopped))
        logs = Path(data.logs)
        solver = Solver(options, logs=logs)
        folder = logs / problem.task_id
        paid_before_usd = paid_usd(folder)
        if (folder / "run.json").exists():
            run = solver.resume(
                folder,
                # None would keep the limit that the run began with.
                max_cost_usd=_NO_LIMIT if options.max_cost_usd is None else options.max_cost_usd,
                max_tokens=int(_NO_LIMIT) if options.max_tokens is None else options.max_tokens,
            )
        else:
            run = solver.solve(problem)
        judged = None
        if run.code is not None:
            program = {"program": run.code.code_cpp, "language": run.code.language}
            judged = self._judge(data.model_copy(update=program), blobs, stopped)
        cost_usd = max(0.0, (run.spending.cost_usd or 0.0) - paid_before_usd)
        return plain_json(SolveResult(run=run, judged=judged)), cost_usd

    def _judge(
        self, data: JudgeData, blobs: Mapping[str, bytes], stopped: Callable[[], bool]
    ) -> VerifyResult:
        judges = self._judges(data.limits, data.fail_fast, data.isolation)
        judge = judges.of(self._loaded(blobs[data.task]), data.language)
        report = _until(stopped)
        source = data.program.encode("utf-8", "surrogateescape")
        result = judge.judge(source, workers=1, on_event=report)
        if data.repeats == 1 or not result.success:
            return result
        again = (judge.judge(source, workers=1, on_event=report) for _ in range(data.repeats - 1))
        return _settled([result, *(each for each in again if each.success)])

    def _make_judges(
        self, limits: Limits | None, fail_fast: bool, isolation: CaseIsolation
    ) -> Judges:
        return Judges(
            RunningOptions.of(
                limits=limits, fail_fast=fail_fast, isolation=isolation, pool=self.pool
            )
        )


def _until(stopped: Callable[[], bool]) -> OnEvent:
    """Return a callback that ends the work at its next event once `stopped` returns True."""

    def receive(_: Event) -> None:
        if stopped():
            raise StoppedError

    return receive


def paid_usd(run: Path) -> float:
    """Return what a run of solve has cost so far, by its artefacts."""
    if not (run / "run.json").exists():
        return 0.0
    replies = (each.reply for each in exchanges_in(run))
    return sum(each.cost_usd or 0.0 for each in replies if not each.from_cache)


def _settled(results: Sequence[VerifyResult]) -> VerifyResult:
    """Return the first result, with each case's time as all results show it."""
    cases = tuple(
        case.model_copy(
            update={"cpu_ms": hodges_lehmann([each.cases[index].cpu_ms for each in results])}
        )
        for index, case in enumerate(results[0].cases)
    )
    return results[0].model_copy(update={"cases": cases})
