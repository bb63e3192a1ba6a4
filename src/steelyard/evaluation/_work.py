"""Do one job of an engine. Every engine calls this function, so that results are equal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from steelyard.errors import InfrastructureError, UsageError
from steelyard.evaluation.metrics import hodges_lehmann
from steelyard.journal import exchanges_in
from steelyard.judging import (
    CaseIsolation,
    Checker,
    Convention,
    Judge,
    ProgramChecker,
    as_entry,
    entry_checker,
    load_tests,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    EngineJob,
    Event,
    Limits,
    ProblemInput,
    Record,
    RunResult,
    Task,
    TestSuite,
    VerifyResult,
    plain_json,
)
from steelyard.solving import SolveOptions, Solver
from steelyard.toolchains import CompileCache, find_toolchain

__all__ = [
    "Done", "JudgeData", "SolveData", "Solved", "StoppedError", "Worker",
    "paid_usd", "task_limits",
]  # fmt: skip

_SUITES_KEPT = 256
_NO_LIMIT = 1e12
"""Dollars or tokens that no run can spend."""


class StoppedError(Exception):
    """The run of jobs ended before this one; nobody waits for its result."""


@dataclass(frozen=True)
class Done:
    """Outcome of a finished job."""

    value: dict[str, JsonValue]
    cost_usd: float = 0.0
    """Cost of this try; replies that an earlier one paid for are free."""


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


class Solved(Record):
    """Result of a job of the kind `solve`."""

    run: RunResult
    judged: VerifyResult | None = None
    """The whole suite's verdict on the program; None if there is no program."""


class Worker:
    """Does jobs in the cells of one machine; threads share it.

    Args:
        pool: Where programs run.
    """

    def __init__(self, pool: CellPool) -> None:
        self.pool = pool
        # Samples of one task come together: reading its tests again would cost more than a run.
        self._prepared = lru_cache(_SUITES_KEPT)(self._prepare)

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
        forms: dict[str, type[JudgeData]] = {"judge": JudgeData, "solve": SolveData}
        if job.kind not in forms:
            raise UsageError(f"no engine does jobs of the kind {job.kind}; use judge or solve")
        try:
            data = forms[job.kind].model_validate(job.data)
        except ValidationError as error:
            raise UsageError(f"job {job.key}: {error.errors()[0]['msg']}; fix its data") from error
        if isinstance(data, SolveData):
            return self._solve(data, blobs, stopped)
        return Done(self._judge(data, blobs, stopped).model_dump(mode="json"))

    def _solve(
        self, data: SolveData, blobs: Mapping[str, bytes], stopped: Callable[[], bool]
    ) -> Done:
        problem = ProblemInput.model_validate(data.problem)

        def report(_: Event) -> None:
            if stopped():
                raise StoppedError

        options = SolveOptions.of(**data.options, pool=self.pool, on_event=report)
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
        solved = Solved(run=run, judged=judged)
        return Done(plain_json(solved), max(0.0, (run.spending.cost_usd or 0.0) - paid_before_usd))

    def _judge(
        self, data: JudgeData, blobs: Mapping[str, bytes], stopped: Callable[[], bool]
    ) -> VerifyResult:
        if data.task not in blobs:
            raise InfrastructureError(f"the blob {data.task} did not reach this node; try again")
        judge, suite = self._prepared(
            blobs[data.task], data.language, data.limits, data.fail_fast, data.isolation
        )

        def report(_: Event) -> None:
            if stopped():
                raise StoppedError

        source = data.program.encode("utf-8", "surrogateescape")
        result = judge.judge(source, suite, workers=1, on_event=report)
        if data.repeats == 1 or not result.success:
            return result
        again = (
            judge.judge(source, suite, workers=1, on_event=report) for _ in range(data.repeats - 1)
        )
        return _settled([result, *(each for each in again if each.success)])

    def _prepare(
        self,
        blob: bytes,
        language: str | None,
        limits: Limits | None,
        fail_fast: bool,
        isolation: CaseIsolation,
    ) -> tuple[Judge, TestSuite]:
        task = Task.model_validate_json(blob)
        entry = as_entry(task.entry)
        judge = Judge(
            toolchain=find_toolchain(language or task.language or "python"),
            checker=self._program_checker(task)
            or entry_checker(
                entry,
                task.match_mode,
                task.abs_tol,
                task.rel_tol,
                sequences_alike=task.sequences_alike,
            ),
            pool=self.pool,
            limits=limits or task_limits(task),
            cache=CompileCache(),
            fail_fast=fail_fast,
            entry=entry,
            isolation=isolation,
        )
        return judge, load_tests(task.tests, entry=entry)

    def _program_checker(self, task: Task) -> Checker | None:
        if task.checker is None:
            return None
        toolchain = find_toolchain(task.checker.language)
        compiled = toolchain.compile(task.checker.source.encode(), self.pool, cache=CompileCache())
        if compiled.artifact is None:
            first = next(iter(compiled.result.errors), "the compiler printed nothing")
            raise UsageError(f"task {task.id}: its checker does not compile: {first}")
        convention = cast("Convention", task.checker.convention)  # it refuses any other
        return ProgramChecker(compiled.artifact, self.pool, convention=convention)


def paid_usd(run: Path) -> float:
    """Return what a run of solve has cost so far, by its artefacts."""
    if not (run / "run.json").exists():
        return 0.0
    replies = (each.reply for each in exchanges_in(run))
    return sum(each.cost_usd or 0.0 for each in replies if not each.from_cache)


def task_limits(task: Task) -> Limits:
    """Return the limits of one case: the task's, or the judge's defaults."""
    given = {"cpu_ms": task.time_limit_ms, "memory_mib": task.memory_limit_mib}
    return Limits(**{name: value for name, value in given.items() if value is not None})


def _settled(results: Sequence[VerifyResult]) -> VerifyResult:
    """Return the first result, with each case's time as all results show it."""
    cases = tuple(
        case.model_copy(
            update={"cpu_ms": hodges_lehmann([each.cases[index].cpu_ms for each in results])}
        )
        for index, case in enumerate(results[0].cases)
    )
    return results[0].model_copy(update={"cases": cases})
