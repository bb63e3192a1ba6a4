"""From one run to one case's verdict."""

import signal
from collections.abc import Callable
from typing import assert_never

from steelyard.judging._outcome import Outcome
from steelyard.schemas import CaseResult, Execution, Limits, StopReason, TestCase, Verdict

__all__ = ["EARLIER_FAILED", "OnCase", "judge_case", "skipped", "verdict_of"]

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
    """The verdict on one run; only a run that ended well is shown to the checker.

    Args:
        case: What was asked.
        execution: What the program did.
        limits: What it was held to.
        check: Decides on what the run gave.
        stdout: What to show as its output; the run's own where it is None.

    Raises:
        CheckerError: where a checker program failed.
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
    """The result of a case that was not run."""
    return CaseResult(name=case.name, verdict=Verdict.SK, category=case.category, message=why)


def verdict_of(outcome: Outcome) -> Verdict:
    """What a checker's decision amounts to."""
    if outcome.passed:
        return Verdict.AC
    return outcome.verdict or (Verdict.RTE if outcome.crashed else Verdict.WA)


def _verdict_of_run(execution: Execution, limits: Limits) -> tuple[Verdict, str]:
    """The verdict as far as the run alone decides it; AC stands for 'show it to the checker'."""
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
            return Verdict.MLE, f"used more than {limits.memory_mib:,} MiB"
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
