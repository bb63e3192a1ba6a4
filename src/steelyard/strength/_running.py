"""Run every case of one program, whatever each gives: alone, or many in one process.

Cases that share a process cost a fraction, but a program may leave state behind. So they run twice,
in both orders, and the first failure runs again alone. A program whose results depend on the order
runs every case alone.
"""

from collections.abc import Sequence

from steelyard.judging import Runs, outcomes_in, skipped, verdict_of
from steelyard.schemas import CaseResult, Execution, Limits, StopReason, TestCase, Verdict

_COSTLY = (Verdict.TLE, Verdict.MLE, Verdict.OLE)
"""The cases after one that met a limit are not run: an endless loop would cost it in each."""
_UNSURE = (*_COSTLY, Verdict.SK)
"""Verdicts that may differ between two orders without any state."""
_MOST_SHARED, _MOST_BYTES = 1_000, 1 << 20
_SERIES = 16
_OUT_OF_TIME = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)
_NOT_RUN = "not run: an earlier case met a limit"


def alone(runs: Runs, cases: Sequence[TestCase]) -> list[CaseResult]:
    """Return the results of all cases, each in processes of its own.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    while len(results) < len(cases) and not _met_limit(results):
        # A series ends with a run that does not end well.
        results += runs.run_series(cases[len(results) : len(results) + _SERIES])
    return _filled(results, cases)


def together(runs: Runs, cases: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of all cases, in as few processes as these end.

    Args:
        runs: Runs the program, which is entered by a call.
        cases: The cases.
        extra_ms: Time of a shared process beyond the limit of one case.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    while len(results) < len(cases) and not _met_limit(results):
        chunk = _chunk(cases[len(results) :])
        results += _run_chunk(runs, chunk, extra_ms) or alone(runs, chunk[:1])
    return _filled(results, cases)


def in_both_orders(runs: Runs, cases: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of all cases, as if each had run alone; see `together`."""
    forward = together(runs, cases, extra_ms)
    if not _met_limit(forward):
        backward = together(runs, cases[::-1], extra_ms)[::-1]
        pairs = zip(forward, backward, strict=True)
        if any(
            one.verdict is not other.verdict and other.verdict not in _UNSURE
            for one, other in pairs
        ):
            return alone(runs, cases)
    failed = next((i for i, case in enumerate(forward) if case.verdict is not Verdict.AC), 0)
    # Nothing ran before the first case that could have left state.
    if failed and alone(runs, cases[failed : failed + 1])[0].verdict is Verdict.AC:
        return alone(runs, cases)
    return forward


def answered(runs: Runs, calls: Sequence[bytes], extra_ms: float) -> list[tuple[TestCase, float]]:
    """Return a case for each call that the program answers, with its CPU time in ms.

    The answer is the expected outcome.

    Args:
        runs: Runs the program.
        calls: One request each, as the harness reads it.
        extra_ms: As in `together`.

    Raises:
        InfrastructureError: if the machine failed.
    """
    left = [TestCase(name=str(number), input=call) for number, call in enumerate(calls, start=1)]
    cases: list[tuple[TestCase, float]] = []
    while left:
        chunk = _chunk(left)
        limits, outcomes, _ = _answers(runs, chunk, extra_ms)
        for case, (cpu_ms, wall_ms, outcome) in zip(chunk, outcomes, strict=False):
            in_time = cpu_ms <= limits.cpu_ms and wall_ms <= limits.wall_ms
            if in_time and outcome.startswith(b'["ok"'):
                cases.append((case.model_copy(update={"expected": outcome}), cpu_ms))
        left = left[max(1, len(outcomes)) :]  # one without an answer ended the process
    return cases


def _met_limit(results: Sequence[CaseResult]) -> bool:
    return any(case.verdict in _COSTLY for case in results)


def _filled(results: list[CaseResult], cases: Sequence[TestCase]) -> list[CaseResult]:
    return [*results, *(skipped(case, _NOT_RUN) for case in cases[len(results) :])]


def _chunk(cases: Sequence[TestCase]) -> Sequence[TestCase]:
    """Return the next cases that may share a process: one time limit, bounded input."""
    total = 0
    for count, case in enumerate(cases[:_MOST_SHARED]):
        total += len(case.input)
        if count and (total > _MOST_BYTES or case.timeout != cases[0].timeout):
            return cases[:count]
    return cases[:_MOST_SHARED]


def _run_chunk(runs: Runs, chunk: Sequence[TestCase], extra_ms: float) -> list[CaseResult]:
    """Return the results of the first cases of it: those that one process decided."""
    limits, outcomes, execution = _answers(runs, chunk, extra_ms)
    results: list[CaseResult] = []
    cpu_left, wall_left = execution.cpu_ms, execution.wall_ms
    for case, (cpu_ms, wall_ms, outcome) in zip(chunk, outcomes, strict=False):
        results.append(_result(runs, case, limits, cpu_ms, wall_ms, outcome))
        cpu_left, wall_left = cpu_left - cpu_ms, wall_left - wall_ms
    if outcomes and outcomes[-1][2].startswith(b'["failed"'):  # nothing to call, in any case
        last = outcomes[-1]
        results += [_result(runs, case, limits, *last) for case in chunk[len(results) :]]
    if len(results) < len(chunk) and execution.stop in _OUT_OF_TIME:
        case = chunk[len(results)]
        late = cpu_left > limits.cpu_ms or wall_left > limits.wall_ms
        results += [_result(runs, case, limits, cpu_left, wall_left, b"")] if late else []
    return results


def _answers(
    runs: Runs, chunk: Sequence[TestCase], extra_ms: float
) -> tuple[Limits, list[tuple[float, float, bytes]], Execution]:
    """Return the limits of each case, and the whole outcomes of one process; none if it forges."""
    limits, extra = runs.limits_of(chunk[0]), round(extra_ms)
    wider = limits.replace(cpu_ms=limits.cpu_ms + extra, wall_ms=limits.wall_ms + extra)
    calls = b"\n".join(case.input for case in chunk)
    execution = runs.run_calls(calls, wider, to_the_end=True)
    outcomes = outcomes_in(execution.stdout, len(chunk))
    if len(outcomes) > len(chunk):  # the harness answers once: which of them are its own?
        outcomes = []
    elif execution.stdout[-1:] != b"\n":  # the last was cut short
        outcomes = outcomes[:-1]
    return limits, outcomes, execution


def _result(
    runs: Runs, case: TestCase, limits: Limits, cpu_ms: float, wall_ms: float, outcome: bytes
) -> CaseResult:
    if cpu_ms > limits.cpu_ms or wall_ms > limits.wall_ms:
        verdict, message = Verdict.TLE, f"used more than {limits.cpu_ms:,} ms of CPU time"
        if cpu_ms <= limits.cpu_ms:
            message = f"was not done after {limits.wall_ms:,} ms by the clock"
    else:
        checked = runs.checker.check(case, outcome)
        verdict, message = verdict_of(checked), checked.message
    return CaseResult(
        name=case.name,
        verdict=verdict,
        category=case.category,
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        message=message,
    )
