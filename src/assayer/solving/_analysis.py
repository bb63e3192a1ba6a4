"""What follows from a program's tests and figures: done, or who changes what."""

from dataclasses import dataclass
from typing import Literal

from assayer.profiling import grows_faster
from assayer.rendering import count, mebibytes, milliseconds
from assayer.schemas import Constraints, PlanMessage, ProfileReport, StopReason, VerifyResult

__all__ = ["Cost", "Finding", "cost_of", "finding_of", "finding_of_tests", "gain_of"]

_LOCAL = 4.0
"""Up to so many times its limit a program may be brought within it by changes that keep its
algorithm."""
_SHOWN_CHARS, _SHOWN_ERRORS = 1_500, 8
_CRASHED = (StopReason.SIGNALED, StopReason.EXITED)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the tests or figures say; `efficient` None: they leave a doubt."""

    efficient: bool | None
    reason: str
    target: Literal["PLANNER", "CODER"] | None = None
    patch: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What the largest input takes, each as a share of its limit."""

    time: float | None
    memory: float | None

    @property
    def worst(self) -> float | None:
        """The one that is nearer to its limit, or further beyond; None: neither is known."""
        known = [each for each in (self.time, self.memory) if each is not None]
        return max(known, default=None)


def cost_of(report: ProfileReport, limits: Constraints) -> Cost:
    """The middle of what was predicted or measured for the largest input."""
    cpu, memory = report.prediction.cpu_ms, report.prediction.memory_mib
    return Cost(
        cpu.mid / limits.runtime_limit if cpu else None,
        memory.mid / limits.memory_limit if memory else None,
    )


def gain_of(cost: Cost | None, before: Cost | None) -> float:
    """By what share a program is cheaper than the one before; 0 where that is not known."""
    if cost is None or before is None or not before.worst or cost.worst is None:
        return 0.0
    return 1 - cost.worst / before.worst


# ---------------------------------------------------------------------------------------- tests


def finding_of_tests(result: VerifyResult) -> Finding | None:
    """What keeps a program from being right; None: it passes all tests that there are."""
    if not result.compile.ok:
        errors = "\n".join(str(each) for each in result.compile.errors[:_SHOWN_ERRORS])
        return Finding(
            False, "it does not compile", "CODER", f"It does not compile:\n{errors[:_SHOWN_CHARS]}"
        )
    failed = next((case for case in result.cases if case.verdict != "AC"), None)
    if failed is None:
        return None
    passed = sum(case.verdict == "AC" for case in result.cases)
    said = failed.message or failed.verdict.value
    what = f"test {failed.name}: {failed.verdict}, {said}"
    parts = [f"It passes {passed} of {len(result.cases)} tests. First failure, {what}."]
    if failed.difference is not None:
        parts.append(f"Expected from there: {failed.difference.expected!r}")
        parts.append(f"It printed: {failed.difference.got!r}")
    if failed.stderr:
        parts.append(f"It wrote to standard error: {failed.stderr!r}")
    return Finding(
        False,
        f"test {failed.name}: {failed.verdict}, {said}",
        "CODER",
        "\n".join(parts)[:_SHOWN_CHARS],
    )


# -------------------------------------------------------------------------------------- figures


def finding_of(
    report: ProfileReport, plan: PlanMessage, limits: Constraints, *, patched: bool
) -> Finding:
    """What the figures say.

    Args:
        report: The profile.
        plan: What the program follows.
        limits: What it may take.
        patched: Whether the coder was asked to make a program of this plan cheaper before: the
            second time another plan is asked for.
    """
    prediction = report.prediction
    where = f"at n = {count(prediction.n)}"
    crashed = _crash_in(report)
    if crashed is not None:
        return Finding(False, crashed, "CODER", f"On larger inputs it fails: {crashed}.")
    if prediction.meets_time_limit is False:
        return _too_much(
            report, plan,
            f"CPU time {_time_shown(report)} {where}, limit {milliseconds(limits.runtime_limit)}",
            cost_of(report, limits).time, patched=patched,
        )  # fmt: skip
    if prediction.meets_memory_limit is False:
        memory = prediction.memory_mib
        shown = mebibytes(memory.mid) if memory else "more"
        return _too_much(
            report, plan, f"memory {shown} {where}, limit {mebibytes(limits.memory_limit)}",
            cost_of(report, limits).memory, patched=patched, memory=True,
        )  # fmt: skip
    if prediction.meets_time_limit and prediction.meets_memory_limit:
        return Finding(True, f"{_time_shown(report)} {where}, within its limits")
    return Finding(None, f"the figures do not say whether it keeps its limits {where}")


def _too_much(
    report: ProfileReport, plan: PlanMessage, what: str, times: float | None, *,
    patched: bool, memory: bool = False,
) -> Finding:  # fmt: skip
    """Whose it is: the coder's, where the plan promises more or little is missing."""
    measured = (report.space if memory else report.time).complexity
    planned = plan.expected_complexity or ""
    spots = "; ".join(report.hotspots[:3])
    seen = f"It grows as {measured}" + (f" ({spots})." if spots else ".")
    worse = not memory and grows_faster(measured, planned) is True
    if worse and not patched:
        return Finding(
            False, what, "CODER",
            f"Too much: {what}. {seen} The plan promises {planned}: find what does more.",
        )  # fmt: skip
    if times is not None and times <= _LOCAL and not patched:
        return Finding(
            False, what, "CODER",
            f"Too much: {what}. {seen} Keep the algorithm and lower its cost: "
            + ("smaller types, fewer tables, rows that are used again." if memory
               else "faster input and output, less allocation, less work in the inner loop."),
        )  # fmt: skip
    return Finding(
        False, what, "PLANNER",
        f"Too much: {what}. {seen} Another algorithm is needed"
        + (", with less memory." if memory else ", of a lower complexity."),
    )  # fmt: skip


def _crash_in(report: ProfileReport) -> str | None:
    """How the program fails at a size that it should have done; None: it does not."""
    for size in report.measurements:
        if size.cpu_ms is None and size.repetitions and size.stop in _CRASHED:
            return next(
                (note for note in report.notes if f"n = {size.n}" in note),
                f"at n = {size.n} it fails",
            )
    return None


def _time_shown(report: ProfileReport) -> str:
    cpu = report.prediction.cpu_ms
    if cpu is None:
        return "above the limit" if report.prediction.meets_time_limit is False else "not known"
    how = (
        "measured" if report.prediction.measured else f"predicted, {cpu.low:.0f} to {cpu.high:.0f}"
    )
    return f"{cpu.mid:.0f} ms ({how})"
