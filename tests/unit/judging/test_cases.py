"""A run's end decides the verdict before any output is looked at."""

import pytest

from steelyard.judging import Outcome
from steelyard.judging._runs import judge_case
from steelyard.schemas import Execution, Isolation, Limits, StopReason, TestCase, Verdict

ISOLATION = Isolation(backend="cell", level="full")
LIMITS = Limits(cpu_ms=1_000, memory_mib=64, output_mib=1)


def execution(stop: StopReason, **changes: object) -> Execution:
    fields: dict[str, object] = {
        "stop": stop,
        "exit_code": 0,
        "signal": None,
        "cpu_ms": 1.0,
        "wall_ms": 2.0,
        "memory_mib": 3.0,
        "max_rss_mib": 3.0,
        "stdout": b"25\n",
        "stderr": b"",
        "isolation": ISOLATION,
    }
    return Execution.model_validate(fields | changes)


class AcceptAll:
    """Accepts anything, so that only the run can spoil a verdict."""

    asked = 0

    def __call__(self) -> Outcome:
        self.asked += 1
        return Outcome(True)


@pytest.mark.parametrize(
    ("stop", "changes", "verdict", "says"),
    [
        (StopReason.EXITED, {}, Verdict.AC, ""),
        (StopReason.EXITED, {"exit_code": 1}, Verdict.RTE, "exit status 1"),
        (StopReason.SIGNALED, {"exit_code": None, "signal": 11}, Verdict.RTE, "SIGSEGV"),
        (StopReason.SIGNALED, {"exit_code": None, "signal": 40}, Verdict.RTE, "signal 40"),
        (StopReason.CPU_LIMIT, {"signal": 9}, Verdict.TLE, "1,000 ms of CPU"),
        (StopReason.WALL_LIMIT, {"signal": 9}, Verdict.TLE, "1,250 ms by the clock"),
        (StopReason.MEMORY_LIMIT, {"signal": 9}, Verdict.MLE, "64 MiB"),
        (StopReason.OUTPUT_LIMIT, {"stdout_truncated": True}, Verdict.OLE, "standard output"),
        (StopReason.OUTPUT_LIMIT, {"stderr_truncated": True}, Verdict.OLE, "standard error"),
        (StopReason.NOT_STARTED, {"message": "main: Exec format error"}, Verdict.RTE, "Exec"),
    ],
)
def test_only_a_run_that_ended_well_is_checked(
    stop: StopReason, changes: dict[str, object], verdict: Verdict, says: str
) -> None:
    checker = AcceptAll()
    result = judge_case(TestCase(name="a"), execution(stop, **changes), LIMITS, checker)
    assert result.verdict is verdict
    assert says in result.message
    assert checker.asked == (verdict is Verdict.AC)


def test_excerpts_are_bounded_and_always_text() -> None:
    run = execution(StopReason.EXITED, stdout=b"\xff\x00" * 50_000)
    result = judge_case(TestCase(name="a"), run, LIMITS, AcceptAll())
    assert len(result.stdout) < 20_000
    assert result.stdout.startswith("\\xff\x00")
    result.model_dump_json()
