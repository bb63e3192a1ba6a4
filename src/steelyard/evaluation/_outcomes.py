"""Turn a program's judgement into a line of the record."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import log2

from steelyard.errors import BudgetError, InfrastructureError, SteelyardError
from steelyard.evaluation._tasks import ReadyTask
from steelyard.schemas import (
    CaseResult,
    CurvePoint,
    ErrorResult,
    EvaluatedSample,
    RunResult,
    Spending,
    TestCase,
    Verdict,
    VerifyResult,
    values,
)

SKIPPED = (Verdict.SK, Verdict.CE)
"""Verdicts of cases that were not run."""
_FROM_OUTSIDE = ("models", "sandbox", "logs")
"""Ends of a run of solve that say nothing about what it would have written."""
_SHOWN = 500
"""Characters of each text of a failure that the record keeps."""
_SHOWN_INPUT = 2_000
"""Characters of the input of a failure that the record keeps."""
_MOST_READ = 100_000
"""Bytes of an input up to which a call is shown as a call."""


def judged(stub: EvaluatedSample, prepared: ReadyTask, result: VerifyResult) -> EvaluatedSample:
    """Return a sample's line with its verdict.

    Args:
        stub: The sample as it was sent.
        prepared: Its task, with the limits that count.
        result: Its judgement.
    """
    task, tests, cases = prepared.line, prepared.suite.cases, result.cases
    failed = (index for index, case in enumerate(cases) if case.verdict is not Verdict.AC)
    index = next(failed, None)
    failure = None if index is None else cases[index]
    verdict = Verdict.AC if result.success else failure.verdict if failure else Verdict.CE
    run = [case for case in cases if case.verdict not in SKIPPED]
    return stub.model_copy(
        update={
            "verdict": verdict,
            "verdicts": dict(Counter(case.verdict for case in cases)),
            "reward": result.reward,
            "within_time": _within(run, "cpu_ms", task.time_limit_ms, Verdict.TLE),
            "within_memory": _within(run, "memory_mib", task.memory_limit_mib, Verdict.MLE),
            "cpu_ms": max((case.cpu_ms for case in run), default=0.0),
            "memory_mib": max((case.memory_mib for case in run), default=0.0),
            "levels": _levels(cases),
            "curve": _curve(cases, tests) if verdict is Verdict.AC else (),
            "failure": _short(failure) if failure else None,
            "failing_input": _input(prepared.task.entry, tests[index])
            if index is not None and verdict not in SKIPPED
            else "",
            "details": result.details[:_SHOWN],
            "seconds": result.seconds,
            "isolation": result.isolation,
        }
    )


def solved(line: EvaluatedSample, run: RunResult) -> EvaluatedSample:
    """Return a line with the figures of the run of solve that made the program."""
    points: tuple[CurvePoint, ...] = ()
    if run.profile is not None and line.passed:
        points = tuple(
            CurvePoint(size=each.n, cpu_ms=each.cpu_ms, memory_mib=each.memory_mib or 0.0)
            for each in run.profile.measurements
            if each.cpu_ms is not None
        )
    return paid_for(line, run.spending).model_copy(
        update={
            "efficient": run.status == "success",
            "iterations": run.iterations,
            "curve": points or line.curve,
            "details": f"{line.details}; {run.status}: {run.reason}"[:_SHOWN].strip("; "),
        }
    )


def paid_for(line: EvaluatedSample, spending: Spending) -> EvaluatedSample:
    """Return a line with what its sample has cost."""
    return line.model_copy(
        update=spending.model_dump(include={"cost_usd", "tokens_in", "tokens_out"})
    )


def broken_off(run: RunResult) -> SteelyardError | None:
    """Return the reason why a run of solve earned no verdict yet; None if it earned one."""
    if run.stop in _FROM_OUTSIDE:
        return InfrastructureError(run.reason)
    if run.stop == "budget" and run.code is None:
        return BudgetError(run.reason)
    return None


def without_program(stub: EvaluatedSample, cases: int, why: str) -> EvaluatedSample:
    """Return the line of a sample that holds no program: that is the model's failure."""
    return stub.model_copy(
        update={"verdict": Verdict.CE, "verdicts": {Verdict.CE: cases}, "details": why[:_SHOWN]}
    )


def unjudged(stub: EvaluatedSample, error: ErrorResult, seconds: float = 0.0) -> EvaluatedSample:
    """Return the line of a sample that the infrastructure failed to judge."""
    return stub.model_copy(update={"error": error, "seconds": seconds})


def error_of(error: SteelyardError) -> ErrorResult:
    """Return an error as the record holds it."""
    return ErrorResult(
        index=0, type=type(error).__name__, message=str(error), exit_status=error.exit_status
    )


def _within(run: Sequence[CaseResult], name: str, limit: float, over: Verdict) -> bool:
    return bool(run) and all(
        getattr(case, name) <= limit and case.verdict is not over for case in run
    )


def _levels(cases: Sequence[CaseResult]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for case in cases:
        slowest = found.get(case.category, 0.0)
        if slowest is not None:
            unknown = case.verdict in (Verdict.TLE, *SKIPPED)
            found[case.category] = None if unknown else max(slowest, case.cpu_ms)
    return found


def _curve(cases: Sequence[CaseResult], tests: Sequence[TestCase]) -> tuple[CurvePoint, ...]:
    """Return the slowest case of each power of two of the input's size."""
    slowest: dict[int, CurvePoint] = {}
    for case, test in zip(cases, tests, strict=True):
        size = len(test.input)
        power = int(log2(max(size, 1)))
        if power not in slowest or slowest[power].cpu_ms < case.cpu_ms:
            slowest[power] = CurvePoint(
                size=size, cpu_ms=case.cpu_ms, memory_mib=round(case.memory_mib, 3)
            )
    return tuple(slowest[power] for power in sorted(slowest))


def _short(case: CaseResult) -> CaseResult:
    return case.model_copy(
        update={name: getattr(case, name)[:_SHOWN] for name in ("message", "stdout", "stderr")}
    )


def _input(entry: str, test: TestCase) -> str:
    """Return the head of a case's input as a reader writes it."""
    text = test.input[:_MOST_READ].decode("utf-8", "replace")
    kind, _, name = entry.partition(":")
    # A longer text is not taken apart, and neither is an integer that Python does not write.
    with suppress(ValueError, values.UnreadableError):
        if kind == "asserts":
            text = json.loads(text)["code"]
        elif kind != "stdio":
            args, named, _ = values.decode(text)
            by_name = (f"{key}={value!r}" for key, value in (named or {}).items())
            text = f"{name}({', '.join([*map(repr, args), *by_name])})"
    return text if len(text) <= _SHOWN_INPUT else f"{text[:_SHOWN_INPUT]}..."
