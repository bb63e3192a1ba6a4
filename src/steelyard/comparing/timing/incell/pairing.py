"""Times both versions in pairs: in one process, in short batches that take turns.

Decision 0011 says why: what the machine does beside it hits both alike, and many processes, each
with its own layout of memory, tell a gain from luck.
"""

from __future__ import annotations

import gc
import math
import os
import random
import signal
import statistics
import traceback
from collections.abc import Sequence

from steelyard.comparing.incell.told import CaseTimes, Lost, OddResult, PairTimes, TimeCalls
from steelyard.comparing.recording.incell.sides import (
    AFFORDED_NS,
    LEAST_MADE_UP,
    MOST_TIMES_LONGER,
    Side,
)
from steelyard.comparing.recording.incell.versions import both
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.sharing import Constants
from steelyard.project_runs.incell.channel import Tell, pass_on, teller_to_parent
from steelyard.project_runs.incell.task import Context

_BATCH_NS, _SHORT_BATCH_NS = 100_000, 20_000
_EMPTY_BATCHES = 15
_LEAST_ROUNDS = 3
_WARMING = 3
"""So many made-up calls go before a first call, which is to come to code that has just run."""
_HEATING_NS = 15_000_000
_TURNS = 4
_WAITS = 2.0
"""What takes so many times its CPU time waits for something: a run that is not disturbed is what
counts."""
_LEAST_WAIT_NS = 50_000
"""A case waits for so long at the least: to ask the clocks takes time, too."""
_PATIENCE = 4.0
"""How much longer than its CPU time a measurement may take on a loaded machine."""
_MOST_ODD_RESULTS = 4
"""In each part of a measurement."""
_LOOKED_AT = 1 / 7
"""Share of the timed batches whose last result is compared."""
_JUNK_BLOCKS, _JUNK_BYTES = 2_000, 1_000
_KEY_BYTES = 32


def run_pairs(asked: TimeCalls, context: Context) -> int:
    """As many processes as are asked for, one after the other; each is one estimate."""
    descent = Descent()
    for index in range(asked.first, asked.first + asked.processes):
        reading, writing = os.pipe()
        key = _new_key()
        pid = descent.fork(writing)
        if pid == 0:
            status = 1
            try:
                told = teller_to_parent(writing, key)
                del key  # no frame is to hold it
                _Pair(asked, index, context).run(told)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writing)
        is_genuine = pass_on(reading, context.tell, key)
        os.close(reading)
        _, status = os.waitpid(pid, 0)
        descent.begin_anew()
        if status or not is_genuine:
            how = "" if status else "the candidate wrote to the harness's pipe"
            if os.WIFSIGNALED(status):
                how = signal.Signals(os.WTERMSIG(status)).name
            context.tell(Lost(status, how))
            return 1
    return 0


def _new_key() -> bytes:
    with open("/dev/urandom", "rb", buffering=0) as source:  # `os.urandom` stands still
        return source.read(_KEY_BYTES)


class _Pair:
    """Both versions in this process."""

    def __init__(self, asked: TimeCalls, index: int, context: Context) -> None:
        self._clocks = context.clocks
        self._looks = random.Random(os.urandom(8))  # noqa: S311 - not from a known seed
        self._seconds = asked.seconds
        rng = random.Random(index)  # noqa: S311 - lays memory out
        blocks = rng.randrange(_JUNK_BLOCKS)
        self._junk = [bytes(rng.randrange(_JUNK_BYTES)) for _ in range(blocks)]
        cases, texts = asked.cases, both(asked.versions)
        made_up = [[call] for call in asked.made_up]
        self._swapped = bool(index & 1)
        order = (1, 0) if self._swapped else (0, 1)
        constants = Constants()
        function, clock = context.function, context.clocks.cpu_ns
        sides = {i: Side(function, texts[i], [*cases, *made_up], clock) for i in order}
        for side in sides.values():
            constants.share_globals(side.modules.values())
        self._sides = sides[0], sides[1]
        for case in range(len(cases) + len(made_up)):  # whose lie first in memory must not decide
            for place in (0, 1) if rng.random() < 1 / 2 else (1, 0):
                self._sides[place].load_calls(case)
        self._cases, self._count = cases, len(cases)
        self._made_up = range(len(cases), len(cases) + len(made_up))

    def run(self, tell: Tell) -> None:
        """Measures, and tells one estimate for each case and one for all."""
        one, two = self._sides
        gc.set_threshold(0)  # from here on nothing is collected, nor is it ever said to be so
        self._heat(_Odd(tell))
        first = self._first_calls(_Odd(tell))
        one.agree(two)
        times = [self._times_of(case) for case in range(self._count)]
        gc.collect()
        gc.freeze()
        rounds = self._rounds(tell, times)
        ratios = [[math.log(a / b) for a, b in column] for column in zip(*rounds, strict=True)]
        sums = [
            math.log(
                sum(a / n for (a, _), n in zip(row, times, strict=True))
                / sum(b / n for (_, b), n in zip(row, times, strict=True))
            )
            for row in rounds
        ]
        calls = sum(len(case) for case in self._cases)
        ns = [
            [statistics.median(row[case][side] for row in rounds) / n for side in (0, 1)]
            for case, n in enumerate(times)
        ]
        call_ns = sum(original for original, _ in ns) / calls
        others = self._on_others(call_ns, _Odd(tell))
        tell(
            PairTimes(
                swapped=self._swapped,
                rounds=len(rounds),
                forgetting=one.is_forgetting,
                overall=statistics.median(sums),
                wall=self._wall(),
                import_ns=(one.import_ns, two.import_ns),
                first_ns=first,
                others=others,
                cases=[
                    CaseTimes(statistics.median(column), *figures)
                    for column, figures in zip(ratios, ns, strict=True)
                ],
            )
        )

    def _heat(self, odd: _Odd) -> None:
        """Has the code of both versions run for a while on other arguments than the cases'.

        Of calls that take long a few are enough, and are kept for later.
        """
        afforded = self._clocks.wall_ns() + AFFORDED_NS
        for count, case in enumerate(self._made_up, start=1):
            self._learn(case, odd)
            if count >= LEAST_MADE_UP and self._clocks.wall_ns() > afforded:
                self._made_up = self._made_up[:count]
                break
        end = self._clocks.wall_ns() + _HEATING_NS
        looked_at = False
        while self._made_up and self._clocks.wall_ns() < end:
            for case in self._made_up:
                self._run_both(case, 1)
                if not looked_at:
                    odd.compare(case, [side.last() for side in self._sides])
            looked_at = True

    def _learn(self, case: int, odd: _Odd) -> None:
        """Learns how a case's calls must be repeated, and looks at what they give."""
        one, two = (side.choose(case) for side in self._sides)
        self._compare_first(case, one, two, odd)

    def _compare_first(
        self, case: int, original: list[bytes], candidate: list[bytes], odd: _Odd
    ) -> None:
        """What came first is odd if the original does not give it either when it is asked again.

        What a function leaves in files, the other version finds there.
        """
        if original != candidate:
            again = self._sides[0].choose(case)
            for given in zip(original, candidate, again, strict=True):
                if given[1] != given[2]:
                    odd.compare(case, given[:2])

    def _run_both(self, case: int, times: int) -> None:
        for side in self._sides:
            side.run(case, times)

    def _on_others(self, call_ns: float, odd: _Odd) -> list[tuple[float, float]]:
        """Both versions' times of each made-up call that costs about what the cases' do."""
        times = [self._times_of(case, _SHORT_BATCH_NS) for case in self._made_up]
        taken = [[math.inf, math.inf] for _ in self._made_up]
        fails = [False for _ in self._made_up]
        looked_at = [self._looks.randrange(_TURNS) for _ in self._made_up]
        for turn in range(_TURNS):
            for place, case in enumerate(self._made_up):
                for side in (0, 1) if (turn + place) & 1 else (1, 0):
                    ns = self._sides[side].run(case, times[place]) / times[place]
                    taken[place][side] = min(ns, taken[place][side])
                if looked_at[place] == turn:
                    odd.compare(case, [side.last() for side in self._sides])
                    fails[place] = self._sides[0].failed()
        # What is raised costs the same, however fast a version comes to it.
        return [
            (a, max(1.0, b))
            for (a, b), fails in zip(taken, fails, strict=True)
            if a >= call_ns / 2 and not fails
        ]

    def _wall(self) -> float | None:
        """The ratio by the clock on the wall; None where neither version waits for anything."""
        wall = self._clocks.wall_ns
        taken, cpu = [0, 0], [0, 0]
        for case in range(self._count):
            for place, side in enumerate(self._sides):
                both = []
                for _ in range(_TURNS):
                    side.prepare(case, 1)
                    start = wall()
                    own_ns = side.run_prepared()
                    both.append((wall() - start, own_ns))
                least, own_ns = min(both)
                taken[place] += least
                cpu[place] += own_ns
        least_ns = self._count * _LEAST_WAIT_NS
        waits = any(
            all_ns > _WAITS * own_ns and all_ns - own_ns > least_ns
            for all_ns, own_ns in zip(taken, cpu, strict=True)
        )
        return math.log(max(1, taken[0]) / max(1, taken[1])) if waits else None

    def _first_calls(self, odd: _Odd) -> list[tuple[int, int]]:
        """CPU time of each case's calls when they come for the first time, in ns."""
        first = []
        nothing = [self._sides[0].run(0, 0) for _ in range(_EMPTY_BATCHES)]
        own_ns = round(statistics.median(nothing))
        for case in range(self._count):
            taken = [0, 0]
            order = (1, 0) if self._swapped ^ bool(case & 1) else (0, 1)
            for place in order:
                for other in self._made_up[:_WARMING]:
                    self._sides[place].run(other, 1)
                ns = self._sides[place].run_anew(case)
                taken[place] = max(1, ns - own_ns)
            first.append((taken[0], taken[1]))
            if order[0] == 0:  # what the original finds left is not for it to answer for
                one, two = (side.given() for side in self._sides)
                self._compare_first(case, one, two, odd)
            self._learn(case, odd)
        return first

    def _times_of(self, case: int, batch_ns: int = _BATCH_NS) -> int:
        """How often a case's calls must be made for a batch to be long enough."""
        times = 1
        while True:
            both = [side.run(case, times) for side in self._sides]
            taken = max(min(both), max(both) // MOST_TIMES_LONGER)
            if taken >= batch_ns / 4:
                return max(1, round(times * batch_ns / taken))
            times *= 2 if taken > batch_ns / 20 else 8

    def _rounds(self, tell: Tell, times: Sequence[int]) -> list[list[tuple[int, int]]]:
        """Rounds over all cases; the two versions take turns in going first."""
        rounds: list[list[tuple[int, int]]] = []
        one, two = self._sides
        wall = self._clocks.wall_ns
        left_ns, end = int(self._seconds * 1e9), wall() + int(_PATIENCE * self._seconds * 1e9)
        odd = _Odd(tell)
        while (left_ns > 0 and wall() < end) or len(rounds) < _LEAST_ROUNDS:
            row = []
            for case, n in enumerate(times):
                if (len(rounds) + case) & 1:
                    b, a = two.run(case, n), one.run(case, n)
                else:
                    a, b = one.run(case, n), two.run(case, n)
                row.append((max(a, 1), max(b, 1)))
                if self._looks.random() < _LOOKED_AT:
                    odd.compare(case, [one.last(), two.last()])
            rounds.append(row)
            left_ns -= sum(a + b for a, b in row)
        return rounds


class _Odd:
    """Tells results that are not alike, as long as they are few."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._left = tell, _MOST_ODD_RESULTS

    def compare(self, case: int, given: Sequence[bytes]) -> None:
        """What the original gave, and what the candidate did."""
        if self._left and given[0] != given[1]:
            self._left -= 1
            self._tell(OddResult(case, given[0], given[1]))
