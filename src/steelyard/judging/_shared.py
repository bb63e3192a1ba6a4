"""Run many calls in one process until a call fails."""

from collections.abc import Sequence

from steelyard.judging._cases import EARLIER_FAILED, OnCase, judge_case, skipped, verdict_of
from steelyard.judging._runs import Runs, outcomes_in
from steelyard.judging.checkers._outcome import ACCEPTED
from steelyard.schemas import CaseResult, Execution, StopReason, TestCase, Verdict

_MOST_CASES, _MOST_BYTES = 1_000, 1 << 20
_OUT_OF_TIME = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)
_SHARED_TIME = 1.25
"""Time limit of a shared process, in limits of one case: a case that exceeds its own limit after
cheap ones is then known to, and need not run again."""


def run_shared(
    runs: Runs, cases: Sequence[TestCase], *, fail_fast: bool, on_case: OnCase | None
) -> tuple[CaseResult, ...]:
    """Return the results of all cases, in order.

    A case may pass in a shared process; a failure counts only if the case fails in a process of
    its own too. Results after a failure in the same process are dropped, and their cases run
    again. A process takes few cases after a failure, and more while cases pass: a program that
    fails every case costs at most one and a half processes a case.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    size = _MOST_CASES
    while len(results) < len(cases):
        chunk = _chunk(cases[len(results) :], size)
        done = _run_chunk(runs, chunk) if len(chunk) > 1 else []
        size = min(2 * size, _MOST_CASES)
        if len(done) < len(chunk) and (not done or done[-1].verdict is Verdict.AC):
            done.append(runs.run(chunk[len(done)]))
        if len(done) < len(chunk) or done[-1].verdict is not Verdict.AC:
            size = 1
        for result in done:
            results.append(result)
            if on_case:
                on_case(result)
        if fail_fast and results[-1].verdict is not Verdict.AC:
            break
    results += [skipped(case, EARLIER_FAILED) for case in cases[len(results) :]]
    return tuple(results)


def _chunk(cases: Sequence[TestCase], size: int) -> Sequence[TestCase]:
    """Return the next cases that may share a process: one time limit, bounded input."""
    total = 0
    for count, case in enumerate(cases[:size]):
        total += len(case.input)
        if count and (total > _MOST_BYTES or case.timeout != cases[0].timeout):
            return cases[:count]
    return cases[:size]


def _run_chunk(runs: Runs, chunk: Sequence[TestCase]) -> list[CaseResult]:
    """The results of the first cases of it: those that passed, and one that exceeded its limit."""
    calls = b"\n".join(case.input for case in chunk)
    limits = runs.limits_of(chunk[0])
    execution = runs.run_calls(
        calls,
        limits.replace(
            cpu_ms=round(limits.cpu_ms * _SHARED_TIME), wall_ms=round(limits.wall_ms * _SHARED_TIME)
        ),
    )
    outcomes = outcomes_in(execution.stdout, len(chunk))
    out_of_time = execution.stop in _OUT_OF_TIME
    if len(outcomes) > len(chunk):  # the harness answers once: which of them are its own?
        whole = 0
    elif out_of_time and execution.stdout[-1:] == b"\n":
        whole = len(outcomes)
    elif execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        whole = len(outcomes) - 1  # the last may have been cut short
    else:
        whole = len(chunk)
    results: list[CaseResult] = []
    for case, (cpu_ms, wall_ms, outcome) in zip(chunk[: max(whole, 0)], outcomes, strict=False):
        if cpu_ms > limits.cpu_ms or wall_ms > limits.wall_ms:
            return results
        if verdict_of(runs.checker.check(case, outcome)) is not Verdict.AC:
            return results
        results.append(
            CaseResult(
                name=case.name,
                verdict=Verdict.AC,
                category=case.category,
                cpu_ms=cpu_ms,
                wall_ms=wall_ms,
                memory_mib=execution.memory_mib,
                exit_code=0,
            )
        )
    if out_of_time and len(results) == len(outcomes) < len(chunk):
        own = _own_part(execution, results)
        if own.cpu_ms > limits.cpu_ms or own.wall_ms > limits.wall_ms:
            case = chunk[len(results)]
            results.append(judge_case(case, own, limits, lambda: ACCEPTED, stdout=b""))
    return results


def _own_part(execution: Execution, earlier: Sequence[CaseResult]) -> Execution:
    """Return what a process did without the calls before its last one."""
    cpu_ms = execution.cpu_ms - sum(case.cpu_ms or 0 for case in earlier)
    wall_ms = execution.wall_ms - sum(case.wall_ms or 0 for case in earlier)
    return execution.model_copy(update={"cpu_ms": cpu_ms, "wall_ms": wall_ms})
