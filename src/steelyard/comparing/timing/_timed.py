"""What timing both versions came to, whichever way it was done."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.incell.told import OddResult
from steelyard.project_runs import Run
from steelyard.schemas import Reason, Speed

ALLOWED_S = 240.0
"""For one run."""
SECONDS_A_PROCESS = 0.15
"""CPU time of the calls themselves; as much again goes into what is around them."""
ONLY_AGAIN = 0.25
"""A gain of which first calls have less than this share comes of remembering."""
COLD = 2.0
"""What code that has not run before may cost at its first call, where nothing could heat it."""
_MOSTLY = 0.8
"""So many of the processes must show it."""
ELSEWHERE = 0.5
"""CPU time of other threads, as a share of the calls' own, that is no measurement error."""
WORKS_ELSEWHERE = Reason(
    code="works-elsewhere", text="it works in threads other than its caller's, or after it returns"
)


@dataclass(frozen=True, slots=True)
class Case:
    """Calls that are timed together."""

    name: str
    calls: tuple[bytes, ...]
    """Pickled."""


@dataclass(frozen=True, slots=True)
class Timed:
    """The speed, and what else the timing showed."""

    speed: Speed
    reasons: tuple[Reason, ...] = ()


def not_measured(baseline: CompareBaseline, why: str, *reasons: Reason) -> Timed:
    """No speed, and why."""
    speed = Speed(verdict="not-measured", threshold=baseline.options.threshold, notes=(why,))
    return Timed(speed, reasons)


def mostly(ratios: Sequence[float], below: float) -> bool:
    """Whether nearly all of them are below."""
    return sum(ratio < below for ratio in ratios) >= _MOSTLY * len(ratios)


def odd_results(baseline: CompareBaseline, run: Run, cases: Sequence[Case]) -> list[str]:
    """Results that differed in a run that timed both versions, judged as everywhere else."""
    odd = []
    for result in run.told.of(OddResult):
        found = baseline.strictness.differences(result.original, result.candidate)
        if any(each.kind != "not-comparable" for each in found):
            place = result.case
            case = cases[place].name if place < len(cases) else "a generated call"
            odd.append(f"{found[0]} ({case})")
    return odd


def skipping(odd: Sequence[str]) -> list[Reason]:
    """The reason for such results, if there are any."""
    if not odd:
        return []
    text = f"its results differ while it is timed: {odd[0]}"
    return [Reason(code="skips-timed-work", text=text)]
