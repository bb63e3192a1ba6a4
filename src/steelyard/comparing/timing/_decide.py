"""Decide what estimates of a speedup allow to be claimed, and when there are enough of them.

Each estimate comes from processes of its own. The bounds are order statistics: no shape of the
noise is assumed, and one process in bad luck moves nothing (decision 0011).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from steelyard.comparing.incell.told import PairTimes
from steelyard.schemas import Interval

Claim = Literal["faster", "slower", "same", "undecided"]

LOOKS = {5: 0, 7: 0, 9: 1, 12: 2, 16: 3, 24: 6, 32: 9}
"""After how many estimates a claim may be made, and how many at either end are left out.

Source: simulated from measured A/A runs; no false claim of 1 % in 2,000 draws a look."""
_LEAST_OTHERS = 3


def interval_of(estimates: Sequence[float]) -> Interval:
    """The speedup with its interval.

    Args:
        estimates: Logarithms of the speedup, one a process; at least as many as the first look.
    """
    ordered = sorted(estimates)
    beyond = max((left for count, left in LOOKS.items() if count <= len(ordered)), default=0)
    middle = len(ordered) // 2
    mid = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Interval(
        low=math.exp(ordered[beyond]), mid=math.exp(mid), high=math.exp(ordered[-1 - beyond])
    )


def decide(speedup: Interval, threshold: float) -> Claim:
    """Return what may be claimed: only what the whole interval supports.

    Args:
        speedup: Time of the original over the candidate's.
        threshold: The gain that counts: 0.05 is 5 %.
    """
    least = 1 + threshold
    if speedup.low > least:
        return "faster"
    if speedup.high < 1 / least:
        return "slower"
    if 1 / least < speedup.low and speedup.high < least:
        return "same"
    return "undecided"


@dataclass(frozen=True, slots=True)
class PairedTimes:
    """All pairs, and their speedup."""

    pairs: tuple[PairTimes, ...]
    claim: Claim
    speedup: Interval
    threshold: float
    """The gain that counts with this interval."""

    @property
    def firsts(self) -> list[float]:
        """The ratio of each case's very first calls, all cases together, in each process."""
        return [
            math.log(_total(pair.first_ns, 0) / _total(pair.first_ns, 1)) for pair in self.pairs
        ]

    @property
    def others(self) -> list[float]:
        """The ratio on generated calls in each process: on all together, or on the best but one.

        A gain that hangs on the arguments is there for some of them; that of what recognises the
        tests' calls for none. Empty if too few cost about as much as the cases' calls.
        """
        like = [
            [(one, two) for _, one, two in pair.generated if one >= pair.call_ns / 2]
            for pair in self.pairs
        ]
        found = [_best_of(calls) for calls in like if len(calls) >= _LEAST_OTHERS]
        return found if 2 * len(found) > len(self.pairs) else []

    @property
    def wall_speedup(self) -> float | None:
        """By the clock on the wall, where the function waits for something."""
        told = [pair.wall for pair in self.pairs if pair.wall is not None]
        return math.exp(median(told)) if 2 * len(told) > len(self.pairs) else None


def _total(times: Sequence[tuple[float, float]], index: int) -> float:
    return max(1, sum(pair[index] for pair in times))


def _best_of(calls: Sequence[tuple[float, float]]) -> float:
    ratios = sorted(math.log(one / two) for one, two in calls)
    return max(math.log(_total(calls, 0) / _total(calls, 1)), ratios[-2])


def measure_in_pairs(
    more: Callable[[int, int], Sequence[PairTimes]],
    threshold: float,
    *,
    wide_for: Callable[[float], float] | None = None,
    wants_gain: bool | None = None,
) -> PairedTimes | None:
    """Takes processes until something can be claimed, or what was asked is answered.

    Args:
        more: Measures in so many more processes, the first of them with this index; fewer where
            one was lost.
        threshold: The gain that counts.
        wide_for: Gives, for the time of one call in ns, the gain that counts as long as the
            interval is wider than `threshold`; None for the same.
        wants_gain: What was asked: True if it is faster, False if it is not slower; None for both.

    Returns:
        None where processes were lost before the first look.
    """
    pairs: list[PairTimes] = []
    times: PairedTimes | None = None
    for look in sorted(LOOKS):
        pairs += more(len(pairs), look - len(pairs))
        if len(pairs) < look:
            return None
        speedup = interval_of([pair.overall for pair in pairs])
        is_narrow = speedup.high <= (1 + threshold) * speedup.low
        counts = threshold if is_narrow or wide_for is None else wide_for(pairs[0].call_ns)
        times = PairedTimes(tuple(pairs), decide(speedup, counts), speedup, counts)
        is_same = times.claim == "same"
        if decide(speedup, threshold) == "same" if is_same else times.claim != "undecided":
            break
        if wants_gain is True and speedup.high <= 1 + threshold:
            break
        if wants_gain is False and speedup.low >= 1 / (1 + threshold):
            break
    return times
