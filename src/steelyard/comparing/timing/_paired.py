"""Times both versions by the sequential procedure: in pairs, on recorded calls (decision 0011)."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import PAIRS
from steelyard.comparing.incell.told import Lost, PairTimes, TimeCalls
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.comparing.timing._apart import objections_apart
from steelyard.comparing.timing._sequential import Pair, PairedTimes, measure_in_pairs
from steelyard.comparing.timing._timed import (
    ALLOWED_S,
    COLD,
    ONLY_AGAIN,
    SECONDS_A_PROCESS,
    Case,
    Timed,
    mostly,
    not_measured,
    odd_results,
    skipping,
)
from steelyard.schemas import Reason, Speed, SpeedCase, TestType

_MOST_CASES, _MOST_CALLS = 24, 8
_MOST_MADE_UP = 30
_MOST_NEEDY = 0.1
"""Share of the calls that may end otherwise by themselves than in their tests."""
_MOST_AT_FIRST = 2.0
"""Where first calls have less than this share of the gain, and are less than so many times as fast,
it comes of remembering."""
_PLAIN, _PLAIN_S = math.log(1.5), 0.05
"""A ratio that leaves no doubt, and the CPU time that processes take from there on."""
_MOST_LIKELY = 1e15
"""No ratio's logarithm and no time in ns is as large."""


def cases_of(baseline: CompareBaseline) -> list[Case]:
    """The recorded calls by test; without tests around them, each by itself.

    No cases if many of them need what their tests set up: to time them alone would tell nothing.
    """
    by_test: dict[str, list[bytes]] = {}
    needy, count = 0, 0
    for place, call in enumerate(baseline.calls):
        if call.test_type in RECORDED and place not in baseline.dropped_calls:
            count += 1
            if baseline.gives_as_recorded(place):
                by_test.setdefault(call.test or call.name, []).append(call.pickled)
            else:
                needy += 1
    if needy > _MOST_NEEDY * count:
        return []
    cases = [Case(name, tuple(calls[:_MOST_CALLS])) for name, calls in by_test.items()]
    return cases[:_MOST_CASES]


def in_pairs(baseline: CompareBaseline, candidate: Version, cases: Sequence[Case]) -> Timed:
    """Times both on these cases until something can be claimed, and has a gain confirmed.

    Raises:
        InfrastructureError: where the machine failed.
    """
    return _Pairs(baseline, candidate, cases).timed()


class _Pairs:
    """The sequential procedure on one candidate."""

    def __init__(
        self, baseline: CompareBaseline, candidate: Version, cases: Sequence[Case]
    ) -> None:
        self._baseline, self._cases = baseline, cases
        made_up = [
            call.pickled
            for place, call in enumerate(baseline.calls)
            if call.test_type is TestType.GENERATED_REGRESSION
            and place not in baseline.dropped_calls
        ]
        self._asked = TimeCalls(
            versions=baseline.stand.both(candidate),
            cases=[list(case.calls) for case in cases],
            made_up=made_up[:_MOST_MADE_UP],
            first=0,
            processes=0,
            seconds=SECONDS_A_PROCESS,
            counts_others="pid" in baseline.stand.isolation.namespaces,
        )
        self._seconds = SECONDS_A_PROCESS
        self._odd: list[str] = []
        self._lost = ""

    def timed(self) -> Timed:
        """Measures until something can be claimed, and has a gain confirmed."""
        first = self._more(0, 1)
        if not first:
            return self._no_pairs()
        call_ns = sum(first[0].original_ns) / sum(len(case.calls) for case in self._cases)
        options = self._baseline.options
        if abs(first[0].overall) > _PLAIN:
            self._seconds = _PLAIN_S
        ready = list(first)

        def more(index: int, count: int) -> Sequence[Pair]:
            taken, ready[:] = ready[:count], ready[count:]
            return [*taken, *self._more(index + len(taken), count - len(taken))]

        wide = options.wide_threshold_for(call_ns)
        times = measure_in_pairs(more, options.threshold, wide=wide)
        if times is None:
            return self._no_pairs()
        reasons = [*self._odd_results()]
        claim = times.claim
        if claim == "faster":
            reasons += self._memories(times)
            objections = objections_apart(self._baseline, self._cases, self._asked, times)
            if objections:
                claim = "undecided"
                reasons += objections
        return Timed(self._speed(times, claim), tuple(reasons))

    def _speed(self, times: PairedTimes, claim: str) -> Speed:
        pairs, threshold = times.pairs, times.threshold
        cases = []
        for place, case in enumerate(self._cases):
            cases.append(
                SpeedCase(
                    name=case.name,
                    original_ns=median(pair.original_ns[place] for pair in pairs),
                    candidate_ns=median(pair.candidate_ns[place] for pair in pairs),
                    speedup=times.case(place),
                )
            )
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
                "estimates": tuple(math.exp(pair.overall) for pair in pairs),
                "method": "paired",
                "processes": len(pairs),
                "rounds": sum(pair.rounds for pair in pairs),
                "import_ms": _import_ms(pairs),
                "wall_speedup": times.wall_speedup,
                "notes": tuple(notes),
            }
        )

    def _more(self, first: int, count: int) -> list[Pair]:
        """So many processes more; fewer where one was lost."""
        if count <= 0:
            return []
        asked = replace(self._asked, first=first, processes=count, seconds=self._seconds)
        run = self._baseline.stand.run(PAIRS, asked, ORIGINAL, seconds=ALLOWED_S)
        self._odd += odd_results(self._baseline, run, self._cases)
        lost = run.told.last(Lost)
        if lost is not None:
            self._lost = lost.signal or f"status {lost.status}"
        elif run.told.forged:
            self._lost = "the candidate wrote to the harness's result channel"
        told = (_pair_of(each, len(self._cases)) for each in run.told.of(PairTimes))
        return [pair for pair in told if pair is not None]

    def _odd_results(self) -> list[Reason]:
        return skipping(self._odd)

    def _no_pairs(self) -> Timed:
        why = f"a process that timed both versions was lost ({self._lost or 'no result'})"
        reason = Reason(code="crashed", text=f"{why}; one with the original alone was not")
        return not_measured(self._baseline, why, reason, *self._odd_results())

    @staticmethod
    def _memories(times: PairedTimes) -> list[Reason]:
        """Whether the gain comes of knowing arguments: those that came before, or the tests'."""
        gain = math.log(times.speedup.mid)
        most = min(gain * ONLY_AGAIN, math.log(_MOST_AT_FIRST))
        again = f"the tests' calls are {times.speedup.mid:.3g} times as fast if repeated"
        firsts = [pair.first for pair in times.pairs]
        cold = 0.0 if times.other_calls is not None else math.log(COLD)
        if median(firsts) < min(most, gain - cold) and mostly(firsts, gain / 2):
            first = math.exp(median(firsts))
            text = f"{again}, but {first:.3g} times the first time: it caches its results"
            return [Reason(code="remembers-calls", text=text)]
        others = times.other_calls
        if others is not None and median(others) < most and mostly(others, gain / 2):
            like = math.exp(median(others))
            text = (
                f"{again}, but similar calls at most {like:.3g} times: it recognises the tests' "
                "calls"
            )
            return [Reason(code="remembers-calls", text=text)]
        return []


def _pair_of(told: PairTimes, cases_told: int) -> Pair | None:
    """The estimate of a process; None if its figures cannot be."""
    times = [
        *(case.original_ns for case in told.cases),
        *(case.candidate_ns for case in told.cases),
        *itertools.chain(*told.others),
    ]
    ratios = [told.overall, told.wall or 0.0, *(case.ratio for case in told.cases)]
    one, two = (sum(pair[side] for pair in told.first_ns) for side in (0, 1))
    is_whole = len(told.cases) == len(told.first_ns) == cases_told and told.rounds and one and two
    if not is_whole or not all(0 < ns < _MOST_LIKELY for ns in times):
        return None
    if not all(abs(ratio) < _MOST_LIKELY for ratio in ratios):
        return None
    return Pair(
        overall=told.overall,
        cases=tuple(case.ratio for case in told.cases),
        original_ns=tuple(case.original_ns for case in told.cases),
        candidate_ns=tuple(case.candidate_ns for case in told.cases),
        first=math.log(one / two),
        others=tuple(told.others),
        import_ms=(told.import_ns[0] / 1e6, told.import_ns[1] / 1e6),
        wall=told.wall,
        candidate_first=told.swapped,
        rounds=told.rounds,
        forgetting=told.forgetting,
    )


def _import_ms(pairs: Sequence[Pair]) -> tuple[float, float] | None:
    """Each version where it was the first to be imported: what both import costs only once."""
    original = [pair.import_ms[0] for pair in pairs if not pair.candidate_first]
    candidate = [pair.import_ms[1] for pair in pairs if pair.candidate_first]
    return (median(original), median(candidate)) if original and candidate else None
