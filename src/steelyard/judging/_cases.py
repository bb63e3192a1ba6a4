"""Turn one run into one case's verdict."""

import signal
from collections.abc import Callable
from typing import assert_never

from steelyard.judging.checkers._outcome import Outcome
from steelyard.schemas import CaseResult, Execution, Limits, StopReason, TestCase, Verdict

OnCase = Callable[[CaseResult], None]
"""Called with each case's result as it comes, in any order and from any thread."""

EARLIER_FAILED = "an earlier case failed"

_EXCERPT_BYTES = 2_048


def judge_case(
    case: TestCase,
    execution: Execution,
    limits: Limits,
    check: Callable[[], Outcome],
    *,
    stdout: bytes | None = None,
) -> CaseResult:
    """Return the verdict on one run; the checker sees only a run that ended well.

    Args:
        case: The case.
        execution: What the program did.
        limits: The limits of the run.
        check: Decides on the output.
        stdout: The output to show; None is the run's own.

    Raises:
        CheckerError: if a checker program failed.
    """
    verdict, message = _verdict_of_run(execution, limits)
    difference = points = None
    if verdict is Verdict.AC:
        outcome = check()
        verdict = verdict_of(outcome)
        message, difference, points = outcome.message, outcome.difference, outcome.points
    return CaseResult(
        name=case.name,
        verdict=verdict,
        category=case.category,
        cpu_ms=execution.cpu_ms,
        wall_ms=execution.wall_ms,
        memory_mib=execution.memory_mib,
        exit_code=execution.exit_code,
        signal=execution.signal,
        message=message,
        difference=difference,
        stdout=_excerpt(execution.stdout if stdout is None else stdout),
        stderr=_excerpt(execution.stderr),
        points=points,
    )


def skipped(case: TestCase, why: str) -> CaseResult:
    """Return the result of a case that was not run."""
    return CaseResult(name=case.name, verdict=Verdict.SK, category=case.category, message=why)


def verdict_of(outcome: Outcome) -> Verdict:
    """Return the verdict that follows from a checker's decision."""
    if outcome.passed:
        return Verdict.AC
    return outcome.verdict or (Verdict.RTE if outcome.crashed else Verdict.WA)


def _verdict_of_run(execution: Execution, limits: Limits) -> tuple[Verdict, str]:
    """Return the verdict of the run alone; AC means that the checker decides."""
    match execution.stop:
        case StopReason.EXITED:
            if execution.exit_code == 0:
                return Verdict.AC, ""
            return Verdict.RTE, f"exit status {execution.exit_code}"
        case StopReason.SIGNALED:
            return Verdict.RTE, f"ended by {_signal_name(execution.signal)}"
        case StopReason.CPU_LIMIT:
            return Verdict.TLE, f"used more than {limits.cpu_ms:,} ms of CPU time"
        case StopReason.WALL_LIMIT:
            return Verdict.TLE, (
                f"was not done after {limits.wall_ms:,} ms by the clock "
                f"({execution.cpu_ms:,.0f} ms of CPU time)"
            )
        case StopReason.MEMORY_LIMIT:
            return Verdict.MLE, execution.message or f"used more than {limits.memory_mib:,} MiB"
        case StopReason.OUTPUT_LIMIT:
            stream = "standard output" if execution.stdout_truncated else "standard error"
            return Verdict.OLE, f"wrote more than {limits.output_mib:,} MiB to {stream}"
        case StopReason.NOT_STARTED:
            return Verdict.RTE, f"could not be started: {execution.message}"
        case _:
            assert_never(execution.stop)


def _signal_name(number: int | None) -> str:
    try:
        return f"{signal.Signals(number or 0).name} (signal {number})"
    except ValueError:
        return f"signal {number}"


def _excerpt(output: bytes) -> str:
    text = output[:_EXCERPT_BYTES].decode("utf-8", "backslashreplace")
    return text + "…" if len(output) > _EXCERPT_BYTES else text
