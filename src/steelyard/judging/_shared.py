"""Run many calls in one process until a call fails."""

from collections.abc import Sequence

from steelyard.judging._cases import EARLIER_FAILED, OnCase, skipped, verdict_of
from steelyard.judging._runs import Runs, outcomes_in
from steelyard.schemas import CaseResult, StopReason, TestCase, Verdict

__all__ = ["run_shared"]

_MOST_CASES, _MOST_BYTES = 1_000, 1 << 20


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
        passed = _run_chunk(runs, chunk)
        size = min(2 * size, _MOST_CASES)
        if len(passed) < len(chunk):
            passed.append(runs.run(chunk[len(passed)]))
            if len(passed) < len(chunk):
                size = 1
        for result in passed:
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
    """Return the results of a chunk's first cases, up to the first that did not pass."""
    calls = b"\n".join(case.input for case in chunk)
    execution = runs.run_calls(calls, runs.limits_of(chunk[0]))
    outcomes = outcomes_in(execution.stdout, len(chunk))
    if len(outcomes) > len(chunk):  # the harness answers once: which of them are its own?
        whole = 0
    elif execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        whole = len(outcomes) - 1  # the last may have been cut short
    else:
        whole = len(chunk)
    results = []
    for case, (cpu_ms, wall_ms, outcome) in zip(chunk[: max(whole, 0)], outcomes, strict=False):
        if verdict_of(runs.checker.check(case, outcome)) is not Verdict.AC:
            break
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
    return results
