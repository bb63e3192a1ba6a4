"""Times both versions by the sequential procedure: in pairs, on recorded calls (decision 0011).

A gain is confirmed in processes of their own, timed from outside.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import APART, PAIRS
from steelyard.comparing.incell.told import ApartTimes, Lost, OddResult, PairTimes, TimeCalls
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.comparing.timing._decide import PairedTimes, measure_in_pairs
from steelyard.comparing.timing._timed import (
    ALLOWED_S,
    ELSEWHERE,
    SECONDS_A_PROCESS,
    WORKS_ELSEWHERE,
    Timed,
    lacks_gain,
    not_measured,
    only_again,
    skipping,
    speed_case,
)
from steelyard.project_runs import Kind, Run
from steelyard.schemas import Reason, Speed, SpeedCase, TestType

_MOST_CASES, _MOST_CALLS = 24, 8
_MOST_MADE_UP = 30
_MOST_NEEDY = 0.1
"""Share of the calls that may end otherwise by themselves than in their tests."""
_PLAIN, _PLAIN_S = math.log(1.5), 0.05
"""A ratio that leaves no doubt, and the CPU time that processes take from there on."""
_MOST_LIKELY = 1e15
"""No ratio and no time in ns is as large."""
_PAIRS_APART = (3, 4, 5)
"""So many pairs of separate processes more, until they confirm what was measured in one."""
_ELSEWHEN = 0.5
"""Share of what the original needs there that a version may work more while it is not timed."""


def cases_of(baseline: CompareBaseline) -> dict[str, list[bytes]]:
    """The recorded calls, pickled, by test; without tests around them, each by itself.

    No cases if many of them need what their tests set up: to time them alone would tell nothing.
    """
    by_test: dict[str, list[bytes]] = {}
    needy, count = 0, 0
    for index, call in enumerate(baseline.calls):
        if call.test_type in RECORDED and index not in baseline.dropped_calls:
            count += 1
            if baseline.gives_as_recorded(index):
                by_test.setdefault(call.test or call.name, []).append(call.pickled)
            else:
                needy += 1
    if needy > _MOST_NEEDY * count:
        return {}
    return {name: by_test[name][:_MOST_CALLS] for name in [*by_test][:_MOST_CASES]}


class Pairs:
    """The sequential procedure on one candidate, on these cases."""

    def __init__(
        self, baseline: CompareBaseline, candidate: Version, cases: Mapping[str, list[bytes]]
    ) -> None:
        self._baseline, self._names = baseline, [*cases]
        made_up = [
            call.pickled
            for index, call in enumerate(baseline.calls)
            if call.test_type is TestType.GENERATED_REGRESSION
            and index not in baseline.dropped_calls
        ]
        self._asked = TimeCalls(
            versions=baseline.stand.both(candidate),
            cases=[*cases.values()],
            made_up=made_up[:_MOST_MADE_UP],
            first=0,
            processes=0,
            seconds=SECONDS_A_PROCESS,
            counts_others="pid" in baseline.stand.isolation.namespaces,
        )
        self._odd: list[Reason] = []
        self._lost = ""

    def timed(self) -> Timed:
        """Measures until what is asked is answered, and has a gain confirmed.

        Raises:
            InfrastructureError: where the machine failed.
        """
        options = self._baseline.options
        times = measure_in_pairs(
            self._more,
            options.threshold,
            wide_for=options.wide_threshold_for,
            wants_gain=options.accept == "faster",
        )
        if times is None:
            return self._no_pairs()
        claim, reasons = times.claim, list[Reason]()
        if claim == "faster":
            reasons = self._objections_apart(times)
            claim = "undecided" if reasons or self._odd else claim
            reasons += _only_known(times, heated=bool(self._asked.made_up))
        return Timed(self._speed(times, claim), (*self._odd, *reasons))

    def _speed(self, times: PairedTimes, claim: str) -> Speed:
        pairs, threshold = times.pairs, times.threshold
        cases = [
            speed_case(name, [pair.cases[index] for pair in pairs])
            for index, name in enumerate(self._names)
        ]
        notes = []
        if threshold > self._baseline.options.threshold:
            notes.append(
                "calls take less than 10 microseconds and the interval is wide: only a gain of "
                f"{threshold:.0%} counts"
            )
        if any(pair.forgetting for pair in pairs):
            notes.append("both versions cache results: their caches were cleared each time")
        return Speed.model_validate(
            {
                "verdict": claim,
                "threshold": threshold,
                "speedup": times.speedup,
                "cases": tuple(cases),
                "kinds": _by_kind(pairs),
                "estimates": tuple(math.exp(pair.overall) for pair in pairs),
                "method": "paired",
                "processes": len(pairs),
                "rounds": sum(pair.rounds for pair in pairs),
                "import_ms": _import_ms(pairs),
                "wall_speedup": times.wall_speedup,
                "notes": tuple(notes),
            }
        )

    def _more(self, first: int, count: int) -> list[PairTimes]:
        """So many processes more; fewer where one was lost."""
        asked = replace(self._asked, first=first, processes=count if first else 1)
        run = self._run(PAIRS, asked)
        lost = run.told.last(Lost)
        if lost is not None:
            self._lost = lost.how
        elif run.told.forged:
            self._lost = "the candidate wrote to the harness's result channel"
        pairs = [each for each in run.told.of(PairTimes) if _is_sound(each, len(self._names))]
        if first == 0 and pairs:
            if abs(pairs[0].overall) > _PLAIN:
                self._asked = replace(self._asked, seconds=_PLAIN_S)
            pairs += self._more(1, count - 1)
        return pairs

    def _run(self, kind: Kind, asked: TimeCalls) -> Run:
        run = self._baseline.stand.run(kind, asked, ORIGINAL, seconds=ALLOWED_S)
        odd = (
            (self._names[each.case], each.original, each.candidate)
            for each in run.told.of(OddResult)
            if each.case < len(self._names)
        )
        self._odd = self._odd or skipping(self._baseline, odd)
        return run

    def _no_pairs(self) -> Timed:
        why = f"a process that timed both versions was lost ({self._lost or 'no result'})"
        reason = Reason(code="crashed", text=f"{why}; one with the original alone was not")
        return not_measured(self._baseline, why, reason, *self._odd)

    def _objections_apart(self, times: PairedTimes) -> list[Reason]:
        """Return what processes of their own, timed from outside, show against a gain.

        Results that differ there count as any that do.
        """
        apart: list[ApartTimes] = []
        least = math.log(times.speedup.mid) / 2  # a part of the gain alone may be true
        for count in _PAIRS_APART:
            asked = replace(
                self._asked, first=len(apart), processes=count, seconds=SECONDS_A_PROCESS
            )
            run = self._run(APART, asked)
            if self._odd:
                return []
            apart += run.told.of(ApartTimes)
            if not apart or run.told.last(Lost) is not None:
                return [Reason(code="crashed", text="a separate process that timed it was lost")]
            if works_elsewhere(apart):
                return [WORKS_ELSEWHERE]
            seen = median(each.overall for each in apart)
            if seen >= least:
                return []
        text = (
            f"it is {times.speedup.mid:.3g} times as fast if both share a process, "
            f"{math.exp(seen):.3g} times if each is timed in its own"
        )
        return [Reason(code="tampers", text=text)]


def _only_known(times: PairedTimes, *, heated: bool) -> list[Reason]:
    """Why the gain does not count, if only calls that came before have it, or only the tests'."""
    gain, others = math.log(times.speedup.mid), times.others
    again = only_again(gain, times.firsts, heated=heated)
    if any(each.code == "remembers-calls" for each in again):
        return again
    if not others or not lacks_gain(gain, others):
        return []
    text = (
        f"the tests' calls are {times.speedup.mid:.3g} times as fast if repeated, but similar "
        f"calls at most {math.exp(median(others)):.3g} times"
    )
    return [Reason(code="not-faster", text=text)]


def works_elsewhere(apart: Sequence[ApartTimes]) -> bool:
    """Return whether most processes show work in other threads or processes, or while not timed."""
    busy = 0
    for each in apart:
        timed, untimed = each.timed_ns, each.untimed_ns
        more = untimed[1] - untimed[0]
        busy += each.elsewhere[1] - max(each.elsewhere[0], 0) > ELSEWHERE or (
            more > _ELSEWHEN * untimed[0]  # with it, less than half of the gain is left
            and math.log(max(1, timed[0]) / max(1, timed[1] + more)) < each.overall / 2
        )
    return busy * 2 > len(apart)


def _is_sound(told: PairTimes, cases: int) -> bool:
    """Return whether the figures of a process are possible."""
    generated = (each[1:] for each in told.generated)
    times = [told.call_ns, *itertools.chain(*told.cases, *generated)]
    return (
        len(told.cases) == len(told.first_ns) == cases
        and told.rounds > 0
        and all(0 < ns < _MOST_LIKELY for ns in times)
        and max(abs(told.overall), abs(told.wall or 0.0)) < math.log(_MOST_LIKELY)
    )


def _by_kind(pairs: Sequence[PairTimes]) -> tuple[SpeedCase, ...]:
    """The generated calls, by the types of their arguments."""
    sums: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for pair in pairs:
        for kind in dict.fromkeys(kind for kind, _, _ in pair.generated):
            same = [(one, two) for name, one, two in pair.generated if name == kind]
            sums[kind].append((sum(one for one, _ in same), sum(two for _, two in same)))
    return tuple(speed_case(kind, each) for kind, each in sums.items() if len(each) == len(pairs))


def _import_ms(pairs: Sequence[PairTimes]) -> tuple[float, float] | None:
    """Each version where it was the first to be imported: what both import costs only once."""
    original, candidate = (
        [pair.import_ns[index] / 1e6 for pair in pairs if pair.swapped is bool(index)]
        for index in (0, 1)
    )
    return (median(original), median(candidate)) if original and candidate else None
