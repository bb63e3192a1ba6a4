"""The sequential procedure: pairs of both versions in one process, in as many as it takes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from steelyard.comparing.timing._decide import LOOKS, Claim, decide, interval_of
from steelyard.schemas import Interval

_LEAST_OTHERS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """What one process measured. Ratios are logarithms of original over candidate."""

    overall: float
    cases: tuple[float, ...]
    original_ns: tuple[float, ...]
    """CPU time of each case's calls, one after the other."""
    candidate_ns: tuple[float, ...]
    first: float
    """The ratio of each case's very first calls, all cases together."""
    others: tuple[tuple[float, float], ...]
    """Time in ns of both versions on each made-up call that costs about what the cases' do."""
    import_ms: tuple[float, float]
    wall: float | None
    """The ratio by the clock on the wall; None where neither version waits."""
    candidate_first: bool
    """Whether the candidate's module was the first to be imported."""
    rounds: int
    forgetting: bool = False
    """Whether both versions' caches were emptied before each call."""


@dataclass(frozen=True, slots=True)
class PairedTimes:
    """All pairs, and what they come to."""

    pairs: tuple[Pair, ...]
    claim: Claim
    speedup: Interval
    threshold: float
    """The gain that counts with this interval."""

    @property
    def other_calls(self) -> tuple[float, ...] | None:
        """The ratio on made-up calls in each process: on all together, or on the best but one.

        A gain that hangs on the arguments is there for some of them; that of what recognises the
        tests' calls for none. None where too few are like the cases'.
        """
        told = [_best_of(pair.others) for pair in self.pairs if len(pair.others) >= _LEAST_OTHERS]
        return tuple(told) if 2 * len(told) > len(self.pairs) else None

    @property
    def wall_speedup(self) -> float | None:
        """By the clock on the wall, where the function waits for something."""
        told = [pair.wall for pair in self.pairs if pair.wall is not None]
        return math.exp(median(told)) if 2 * len(told) > len(self.pairs) else None

    def case(self, place: int) -> Interval:
        """One case's speedup."""
        return interval_of([pair.cases[place] for pair in self.pairs])


def _best_of(others: Sequence[tuple[float, float]]) -> float:
    ratios = sorted(math.log(original / candidate) for original, candidate in others)
    original, candidate = (sum(times) for times in zip(*others, strict=True))
    return max(math.log(original / candidate), ratios[-2])


def measure_in_pairs(
    more: Callable[[int, int], Sequence[Pair]],
    threshold: float,
    *,
    wide: float | None = None,
    most: int = max(LOOKS),
) -> PairedTimes | None:
    """Takes processes until something can be claimed.

    Args:
        more: Measures in so many more processes, the first of them with this index; fewer where
            one was lost.
        threshold: The gain that counts.
        wide: The gain that counts as long as the interval is wider than `threshold`, if not the
            same.
        most: No more processes than these.

    Returns:
        None where processes were lost before the first look.
    """
    pairs: list[Pair] = []
    times: PairedTimes | None = None
    for look in sorted(LOOKS):
        if look > most:
            break
        pairs += more(len(pairs), look - len(pairs))
        if len(pairs) < look:
            return None
        speedup = interval_of([pair.overall for pair in pairs])
        is_narrow = speedup.high <= (1 + threshold) * speedup.low
        counts = threshold if is_narrow or wide is None else wide
        times = PairedTimes(tuple(pairs), decide(speedup, counts), speedup, counts)
        is_same = times.claim == "same"
        if decide(speedup, threshold) == "same" if is_same else times.claim != "undecided":
            break
    return times
