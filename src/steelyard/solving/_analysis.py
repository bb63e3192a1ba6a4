"""Decide from a program's tests and figures: done, or which agent changes what."""

import math
from dataclasses import dataclass
from typing import Literal

from steelyard.profiling import grows_faster
from steelyard.rendering import count, mebibytes, milliseconds
from steelyard.schemas import (
    Band,
    Constraints,
    Measurement,
    PlanMessage,
    ProfileReport,
    StopReason,
    VerifyResult,
)
from steelyard.solving._breaks import break_in, crash_in, done_before, fault_at

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
    if crash_in(report) is not None or break_in(report, limits) is not None:
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
    crashed = crash_in(report)
    if crashed is not None:
        return Finding(
            False, crashed, "CODER", f"On larger inputs it fails: {crashed}.", is_of_cost=False
        )
    misses = False in (prediction.meets_time_limit, prediction.meets_memory_limit)
    broken_at = break_in(report, limits)
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
    what = f"at n = {count(hit.n)} it {fault_at(report, hit)}, limit {limit}"
    done = max((size.n for size in done_before(report, hit)), default=0)
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
