"""A gain is confirmed in processes of their own, timed from outside (decision 0011)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import APART
from steelyard.comparing.incell.told import ApartTimes, Lost, TimeCalls
from steelyard.comparing.recording._versions import ORIGINAL
from steelyard.comparing.timing._sequential import PairedTimes
from steelyard.comparing.timing._timed import (
    ALLOWED_S,
    COLD,
    ELSEWHERE,
    ONLY_AGAIN,
    SECONDS_A_PROCESS,
    Case,
    mostly,
    odd_results,
    skipping,
)
from steelyard.schemas import Reason

_PAIRS = (3, 4, 5)
"""So many pairs of separate processes more, until they confirm what was measured in one."""
_LEAST_GAIN = 0.2
"""Of the time of calls with all that is around them: what is less can be by chance."""
_ELSEWHEN = 0.5
"""Share of the gain, and of what the original needs there, that may be worked while not timed."""


def objections_apart(
    baseline: CompareBaseline,
    cases: Sequence[Case],
    asked: TimeCalls,
    times: PairedTimes,
) -> list[Reason]:
    """What processes of their own, timed from outside, say against a gain.

    Raises:
        InfrastructureError: where the machine failed.
    """
    apart: list[ApartTimes] = []
    least = math.log(times.speedup.mid) / 2  # a part of the gain alone may be true
    for count in _PAIRS:
        asked = replace(asked, first=len(apart), processes=count, seconds=SECONDS_A_PROCESS)
        run = baseline.stand.run(APART, asked, ORIGINAL, seconds=ALLOWED_S)
        odd = skipping(odd_results(baseline, run, cases))
        if odd:
            return odd
        apart += run.told.of(ApartTimes)
        if not apart or run.told.last(Lost) is not None:
            return [Reason(code="crashed", text="a separate process that timed it was lost")]
        if _works_elsewhere(apart):
            text = (
                "it works in threads or processes other than its caller's, or continues "
                "after it returns"
            )
            return [Reason(code="works-elsewhere", text=text)]
        if _only_again(apart):
            text = "timed from outside, it is faster only for repeated calls: it caches its results"
            return [Reason(code="remembers-calls", text=text)]
        seen = median(each.overall for each in apart)
        if seen >= least:
            return []
    text = (
        f"it is {times.speedup.mid:.3g} times as fast if both share a process, "
        f"{math.exp(seen):.3g} times if each is timed in its own"
    )
    return [Reason(code="tampers", text=text)]


def _works_elsewhere(apart: Sequence[ApartTimes]) -> bool:
    """Whether most processes show work in other threads or processes, or while not timed."""
    busy = 0
    for each in apart:
        timed, untimed = each.timed_ns, each.untimed_ns
        more = untimed[1] - untimed[0]
        busy += (
            each.works_on == (False, True)
            or each.elsewhere[1] - max(each.elsewhere[0], 0) > ELSEWHERE
            or more > _ELSEWHEN * max(timed[0] - timed[1], untimed[0])
        )
    return busy * 2 > len(apart)


def _only_again(apart: Sequence[ApartTimes]) -> bool:
    """Whether the gain is there only when the same calls come for a second time."""
    gains = []
    for each in apart:
        first, again = each.first_ns, each.again_ns
        gain = again[0] - again[1]
        if gain < _LEAST_GAIN * again[0]:
            return False
        cold = 1.0 if each.heated else COLD
        gains.append((first[0] - first[1] / cold) / gain)
    return mostly(gains, ONLY_AGAIN)
