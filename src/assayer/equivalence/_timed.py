"""What timing both versions came to, whichever way it was done."""

from dataclasses import dataclass

from assayer.equivalence._baseline import Baseline
from assayer.schemas import Reason, Speed

__all__ = ["ALLOWED_S", "ELSEWHERE", "WORKS_ELSEWHERE", "Timed", "not_measured"]

ALLOWED_S = 240.0
"""For one run."""
ELSEWHERE = 0.5
"""CPU time of other threads, as a share of the calls' own, that is no measurement error."""
WORKS_ELSEWHERE = Reason(
    code="works-elsewhere", text="it works in other threads than its caller's, or when it returned"
)


@dataclass(frozen=True, slots=True)
class Timed:
    """The speed, and what else the timing showed."""

    speed: Speed
    reasons: tuple[Reason, ...] = ()


def not_measured(baseline: Baseline, why: str, *reasons: Reason) -> Timed:
    """No speed, and why."""
    speed = Speed(verdict="not-measured", threshold=baseline.options.threshold, notes=(why,))
    return Timed(speed, reasons)
