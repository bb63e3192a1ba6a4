"""The result of timing both versions, in whichever way."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.timing._decide import interval_of
from steelyard.schemas import Reason, Speed, SpeedCase

ALLOWED_S = 240.0
"""For one run."""
SECONDS_A_PROCESS = 0.15
"""CPU time of the calls themselves; as much again goes into what is around them."""
_NEW = 0.25
"""A gain of which new calls have less than this share comes of knowing the others."""
_COLD = math.log(2)
"""The logarithm of the gain of new calls that is enough; and of how much slower a first call may be
if nothing could heat the code."""
_MOSTLY = 0.8
"""So many of the processes must show it."""
ELSEWHERE = 0.5
"""CPU time of other threads, as a share of the calls' own, beyond measurement errors."""
WORKS_ELSEWHERE = Reason(
    code="works-elsewhere",
    text="it works in threads or processes other than its caller's, or after it returns",
)


@dataclass(frozen=True, slots=True)
class Timed:
    """The speed, and what else the timing showed."""

    speed: Speed
    reasons: tuple[Reason, ...] = ()


def not_measured(baseline: CompareBaseline, why: str, *reasons: Reason) -> Timed:
    """No speed, and why."""
    speed = Speed(verdict="not-measured", threshold=baseline.options.threshold, notes=(why,))
    return Timed(speed, reasons)


def lacks_gain(gain: float, new: Sequence[float]) -> bool:
    """If new calls lack a gain that calls have which came before.

    Args:
        gain: The logarithm of the speedup.
        new: That of new calls, by process.
    """
    is_less = sum(ratio < gain / 2 for ratio in new) >= _MOSTLY * len(new)
    return is_less and median(new) < min(gain * _NEW, _COLD)


def only_again(gain: float, firsts: Sequence[float], *, heated: bool) -> list[Reason]:
    """Why a gain does not count, or may not, that calls lack when they come for the first time.

    Args:
        gain: The logarithm of the speedup.
        firsts: That of first calls, by process.
        heated: If the code had run before them.
    """
    if not lacks_gain(gain, firsts):
        return []
    middle = median(firsts)
    text = (
        f"the tests' calls are {math.exp(gain):.3g} times as fast if repeated, but "
        f"{math.exp(middle):.3g} times the first time"
    )
    if heated or middle < gain - _COLD:
        return [Reason(code="remembers-calls", text=f"{text}: it caches its results")]
    return [Reason(code="undecided", text=f"{text}: it may cache its results")]


def skipping(baseline: CompareBaseline, odd: Iterable[tuple[str, bytes, bytes]]) -> list[Reason]:
    """The reason for results that differed while they were timed, judged as everywhere else.

    Args:
        baseline: The original.
        odd: What gave them, and what both versions gave, as snapshots.
    """
    for name, original, candidate in odd:
        found = baseline.strictness.differences(original, candidate)
        if any(each.kind != "not-comparable" for each in found):
            text = f"its results differ while it is timed: {found[0]} ({name})"
            return [Reason(code="skips-timed-work", text=text)]
    return []


def speed_case(name: str, times: Sequence[tuple[float, float]]) -> SpeedCase:
    """Calls that were timed together: both versions' times of them in ns, by process."""
    return SpeedCase(
        name=name,
        original_ns=median(one for one, _ in times),
        candidate_ns=median(two for _, two in times),
        speedup=interval_of([math.log(one / two) for one, two in times]),
    )
