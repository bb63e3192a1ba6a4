"""Decide from a program's tests and figures: done, or which agent changes what."""

import math
from dataclasses import dataclass, field
from typing import Literal

from steelyard.profiling import grows_faster
from steelyard.reports import count, mebibytes, milliseconds
from steelyard.schemas import (
    Band,
    CodeMessage,
    ComplexityEstimate,
    Constraints,
    Evidence,
    Measurement,
    PlanMessage,
    ProfileReport,
    StopReason,
    VerdictMessage,
    VerifyResult,
)

_LOCAL = 4.0
"""A program up to this multiple of its limit may meet it by changes that keep its algorithm."""
_SHOWN_CHARS, _SHOWN_ERRORS = 1_500, 8
_MOST_MS = 1e9
"""Longer times are shown as more than this."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of tests or figures; `efficient` None: undecided."""

    efficient: bool | None
    reason: str
    target: Literal["PLANNER", "CODER"] | None = None
    patch: str | None = None
    is_of_cost: bool = True
    """Whether the finding concerns time and memory, not a wrong answer or a crash."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and memory of the largest input, each as a share of its limit.

    Infinite if a program never finished, or exceeded a limit by an unknown factor: its small
    inputs prove nothing then.
    """

    time: float | None
    memory: float | None

    @property
    def worst(self) -> float | None:
        """Return the larger share; None if one is unknown."""
        if math.inf in (self.time, self.memory):
            return math.inf
        if self.time is None or self.memory is None:
            return None
        return max(self.time, self.memory)

    @property
    def is_finite(self) -> bool:
        """Tell whether other programs can be compared with it."""
        return self.worst is not None and math.isfinite(self.worst)


def cost_of(report: ProfileReport, limits: Constraints) -> Cost:
    """Return the middle of what was predicted or measured for the largest input."""
    if _crash_in(report) is not None or _break_in(report, limits) is not None:
        return Cost(math.inf, math.inf)
    prediction = report.prediction
    return Cost(
        _share(prediction.cpu_ms, limits.runtime_limit, prediction.meets_time_limit),
        _share(prediction.memory_mib, limits.memory_limit, prediction.meets_memory_limit),
    )


def _share(band: Band | None, limit: float, meets: bool | None) -> float | None:
    """Return the used share of a limit; infinite if it is missed but the figure is below it."""
    if meets is False and (band is None or band.high <= limit):
        return math.inf
    if band is None:
        return None
    missed = meets is False and band.mid <= limit
    return (band.high if missed else band.mid) / limit


def gain_of(cost: Cost | None, before: Cost | None) -> float:
    """Return by what share a program is cheaper than the earlier one; 0 if unknown."""
    if cost is None or before is None or not cost.is_finite or not before.is_finite:
        return 0.0
    assert cost.worst is not None
    return 1 - cost.worst / before.worst if before.worst else 0.0


# ---------------------------------------------------------------------------------------- tests
def finding_of_tests(result: VerifyResult) -> Finding | None:
    """Return the first failure; None if the program passes all tests."""
    if not result.compile.ok:
        errors = "\n".join(str(each) for each in result.compile.errors[:_SHOWN_ERRORS])
        return Finding(
            False,
            "it does not compile",
            "CODER",
            f"It does not compile:\n{errors[:_SHOWN_CHARS]}",
            is_of_cost=False,
        )
    failed = next((case for case in result.cases if case.verdict != "AC"), None)
    if failed is None:
        return None
    passed = sum(case.verdict == "AC" for case in result.cases)
    message = failed.message or failed.verdict.value
    what = f"test {failed.name}: {failed.verdict}, {message}"
    parts = [f"It passes {passed} of {len(result.cases)} tests. First failure, {what}."]
    if failed.difference is not None:
        parts.append(f"Expected from there: {failed.difference.expected!r}")
        parts.append(f"It printed: {failed.difference.got!r}")
    if failed.stderr:
        parts.append(f"It wrote to standard error: {failed.stderr!r}")
    return Finding(
        False,
        f"test {failed.name}: {failed.verdict}, {message}",
        "CODER",
        "\n".join(parts)[:_SHOWN_CHARS],
        is_of_cost=False,
    )


# -------------------------------------------------------------------------------------- figures
def finding_of(
    report: ProfileReport, plan: PlanMessage, limits: Constraints, *, patched: bool
) -> Finding:
    """Return the finding of the measurements.

    Args:
        report: The profile.
        plan: The program's plan.
        limits: The problem's limits.
        patched: Whether the coder was asked to make a program of this plan cheaper before: the
            second time another plan is asked for.
    """
    prediction, cost = report.prediction, cost_of(report, limits)
    where = f"at n = {count(prediction.n)}"
    crashed = _crash_in(report)
    if crashed is not None:
        return Finding(
            False, crashed, "CODER", f"On larger inputs it fails: {crashed}.", is_of_cost=False
        )
    misses = False in (prediction.meets_time_limit, prediction.meets_memory_limit)
    broken_at = _break_in(report, limits)
    if broken_at is not None and misses:
        return _broken_off(report, broken_at, limits)
    if prediction.meets_time_limit is False:
        known = cost.time is not None and math.isfinite(cost.time)
        what = f"CPU time {_time_shown(report, limits)}" if known else "it did not finish in time"
        return _too_much(
            report,
            plan,
            f"{what} {where}, limit {milliseconds(limits.runtime_limit)}",
            cost.time,
            patched=patched,
        )
    if prediction.meets_memory_limit is False:
        memory = prediction.memory_mib
        known = memory is not None and memory.mid > limits.memory_limit
        shown = mebibytes(memory.mid) if memory and known else "above the limit"
        return _too_much(
            report,
            plan,
            f"memory {shown} {where}, limit {mebibytes(limits.memory_limit)}",
            cost.memory,
            patched=patched,
            memory=True,
        )
    if prediction.meets_time_limit and prediction.meets_memory_limit:
        return Finding(True, f"{_time_shown(report, limits)} {where}, within its limits")
    return Finding(None, f"the measurements do not show if it meets its limits {where}")


def _broken_off(report: ProfileReport, hit: Measurement, limits: Constraints) -> Finding:
    """Return the finding for a limit that the curve does not explain: a bug of the code."""
    memory = hit.stop is StopReason.MEMORY_LIMIT
    limit = mebibytes(limits.memory_limit) if memory else milliseconds(limits.runtime_limit)
    what = f"at n = {count(hit.n)} it {_fault_at(report, hit)}, limit {limit}"
    done = max((size.n for size in _done_before(report, hit)), default=0)
    return Finding(
        False,
        what,
        "CODER",
        f"Too much: {what}. "
        + (f"Up to n = {count(done)} its growth does not explain this: find" if done else "Find")
        + (
            " what uses memory without bound."
            if memory
            else " what loops forever, waits, or uses memory without bound."
        ),
        is_of_cost=False,
    )


def _too_much(
    report: ProfileReport,
    plan: PlanMessage,
    what: str,
    times: float | None,
    *,
    patched: bool,
    memory: bool = False,
) -> Finding:
    """Return the finding: for the coder if the plan promises more or little is missing."""
    measured = (report.space if memory else report.time).complexity
    planned = plan.expected_complexity or ""
    spots = "; ".join(report.hotspots[:3])
    seen = f"It grows as {measured}" + (f" ({spots})." if spots else ".")
    worse = not memory and grows_faster(measured, planned) is True
    if worse and not patched:
        return Finding(
            False,
            what,
            "CODER",
            f"Too much: {what}. {seen} The plan promises {planned}: "
            "find the part that does more work.",
        )
    if times is not None and times <= _LOCAL and not patched:
        return Finding(
            False,
            what,
            "CODER",
            f"Too much: {what}. {seen} Keep the algorithm and lower its cost: "
            + (
                "smaller types, fewer tables, reused rows."
                if memory
                else "faster input and output, less allocation, less work in the inner loop."
            ),
        )
    return Finding(
        False,
        what,
        "PLANNER",
        f"Too much: {what}. {seen} Another algorithm is needed"
        + (", with less memory." if memory else ", of a lower complexity."),
    )


def _time_shown(report: ProfileReport, limits: Constraints) -> str:
    """Return the predicted or measured CPU time, in the units of the limit that follows."""
    cpu = report.prediction.cpu_ms
    if cpu is None:
        return "CPU time unknown"
    if report.prediction.measured:
        return f"{milliseconds(cpu.mid)} (measured)"
    if cpu.mid > _MOST_MS:
        return f"more than {milliseconds(_MOST_MS)} (predicted)"
    high = milliseconds(cpu.high) if cpu.high <= _MOST_MS else "far more"
    band = f"predicted, {milliseconds(cpu.low)} to {high}"
    if report.prediction.meets_time_limit is False and cpu.mid <= limits.runtime_limit:
        return f"above the limit ({band})"
    return f"{milliseconds(cpu.mid)} ({band})"


_CRASHED = (StopReason.SIGNALED, StopReason.EXITED, StopReason.OUTPUT_LIMIT)
_LIMITED = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT, StopReason.MEMORY_LIMIT)
_STEEPEST = 3
"""Steepest power of n by which a curve may lead from the last finished size to the next."""
_FEWEST_COUNTS = 3
"""Fewer counted sizes do not show how the work grows."""


def _crash_in(report: ProfileReport) -> str | None:
    """Return how the program crashes at a size that it should finish; None if it does not."""
    hit = _first_stopped(report, _CRASHED)
    return None if hit is None else f"at n = {count(hit.n)} it {_fault_at(report, hit)}"


def _break_in(report: ProfileReport, limits: Constraints) -> Measurement | None:
    """Return the size that met a limit though the smaller sizes do not predict it."""
    hit, prediction = _first_stopped(report, _LIMITED), report.prediction
    if hit is None or prediction.measured:
        return None
    done = _done_before(report, hit)
    predicted: Band | None
    if hit.stop is StopReason.MEMORY_LIMIT:
        took = [(size.n, size.memory_mib or 0.0) for size in done]
        growth, predicted, limit = report.space, prediction.memory_mib, limits.memory_limit
        power = float(_STEEPEST)
    else:
        took = [(size.n, size.cpu_ms or 0.0) for size in done]
        growth, predicted, limit = report.time, prediction.cpu_ms, limits.runtime_limit
        power = _power_of_work(report)
    is_largest = hit.n == prediction.n
    if is_largest and predicted is None:
        waited = hit.stop is StopReason.WALL_LIMIT  # its CPU time stayed below the limit
        led = not waited and _may_lead_to(hit.n, took, power, limit)
    else:
        reached = None if predicted is None else predicted.high if is_largest else predicted.mid
        led = _leads_to(hit.n, took, growth, reached, limit)
    return None if led else hit


def _leads_to(
    n: int,
    done: list[tuple[int, float]],
    growth: ComplexityEstimate,
    reached: float | None,
    limit: float,
) -> bool:
    """Return whether a curve through the finished sizes reaches the limit by this n.

    Args:
        n: The size that met the limit.
        done: The finished sizes, each with its time or memory.
        growth: The class of the curve.
        reached: The prediction for the largest size; None if there is none.
        limit: The limit.
    """
    if reached is None or reached <= limit or not done:
        return False
    if grows_faster(growth.complexity, f"O(n^{_STEEPEST})") is True:
        return True
    last, figure = max(done)
    return figure * (n / last) ** _STEEPEST >= limit


def _may_lead_to(n: int, done: list[tuple[int, float]], power: float, limit: float) -> bool:
    """Return whether the largest size may need so much though no finished size shows a growth.

    The finished sizes differ by chance then, and their own need is at most that difference.
    """
    if not done:
        return True
    figures = [figure for _, figure in done]
    difference = max(figures) - min(figures)
    return difference > 0 and power * math.log(n / max(done)[0]) >= math.log(limit / difference)


def _power_of_work(report: ProfileReport) -> float:
    """Return the power of n by which the counted work grows at last; the steepest if unknown."""
    counts = [(size.n, size.work) for size in report.measurements if size.work and size.m is None]
    if len(counts) < _FEWEST_COUNTS:
        return _STEEPEST
    (n, work), (last_n, last_work) = counts[-2:]
    return math.log(last_work / work) / math.log(last_n / n)


def _first_stopped(report: ProfileReport, stops: tuple[StopReason, ...]) -> Measurement | None:
    """Return the smallest size whose timed run ended in one of these ways."""
    hits = (
        size
        for size in report.measurements
        if size.cpu_ms is None and size.repetitions and size.stop in stops
    )
    return min(hits, key=lambda size: size.n, default=None)


def _done_before(report: ProfileReport, hit: Measurement) -> list[Measurement]:
    """Return the smaller sizes that were timed to their end."""
    return [size for size in report.measurements if size.cpu_ms is not None and size.n < hit.n]


def _fault_at(report: ProfileReport, hit: Measurement) -> str:
    """Return what the profile notes of this size, as the end of the sentence `it ...`."""
    begins = f"at n = {count(hit.n)} the program "
    faults = (
        note.removeprefix(begins)
        for note in report.notes
        if note.startswith(begins) and not note.startswith(f"{begins}with counters ")
    )
    other = "failed"
    if hit.stop.out_of_time:
        other = "did not finish in time"
    if hit.stop is StopReason.MEMORY_LIMIT:
        other = "ran out of memory"
    return next(faults, other)


@dataclass(slots=True)
class Attempt:
    """One program with its findings."""

    code: CodeMessage
    plan: PlanMessage
    passed: int
    right: bool
    compiles: bool = True
    profile: ProfileReport | None = None
    cost: Cost | None = None
    verdict: VerdictMessage | None = None
    evidence: list[Evidence] = field(default_factory=list)
    is_of_cost: bool = False
    """Tell whether the verdict concerns time and memory."""

    @property
    def rank(self) -> tuple[bool, bool, int, bool, bool, float]:
        """Return the rank: larger is better.

        In this order: a program compiles, is right, passes more tests, is not slow, finished on
        all inputs without a crash or a limit, costs less. An unknown cost counts as the highest
        of the programs that finished.

        Of two equal programs the later one is better: it was written with the findings on the
        earlier one, so it may have fixed a fault that no rank shows.
        """
        worst = self.cost.worst if self.cost else None
        finished = worst != math.inf
        return (
            self.compiles,
            self.right,
            self.passed,
            bool(self.verdict and self.verdict.efficient is not False),
            finished,
            -math.inf if worst is None else -worst,
        )
