"""The result of timing both versions, in whichever way."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing.incell.told import OddResult
from steelyard.project_runs import Run
from steelyard.schemas import Reason, Speed

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


def lacks_gain(
    gain: float, new: Sequence[float], *, heated: bool
) -> Literal["", "perhaps", "certainly"]:
    """If new calls lack a gain that calls have which came before.

    Args:
        gain: The logarithm of the speedup.
        new: That of new calls, by process.
        heated: If the code had run before them.
    """
    middle = median(new)
    is_less = sum(ratio < gain / 2 for ratio in new) >= _MOSTLY * len(new)
    if not is_less or middle >= min(gain * _NEW, _COLD):
        return ""
    return "certainly" if heated or middle < gain - _COLD else "perhaps"


def odd_results(baseline: CompareBaseline, run: Run, cases: Sequence[Case]) -> list[str]:
    """Results that differed in a run that timed both versions, judged as everywhere else."""
    odd = []
    for result in run.told.of(OddResult):
        found = baseline.strictness.differences(result.original, result.candidate)
        if result.case < len(cases) and any(each.kind != "not-comparable" for each in found):
            odd.append(f"{found[0]} ({cases[result.case].name})")
    return odd


def skipping(odd: Sequence[str]) -> list[Reason]:
    """The reason for such results, if there are any."""
    if not odd:
        return []
    text = f"its results differ while it is timed: {odd[0]}"
    return [Reason(code="skips-timed-work", text=text)]
