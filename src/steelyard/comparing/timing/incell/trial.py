"""One estimate of how long two versions take: the loop of all transports.

1. Generated calls heat the code of both versions.
2. The calls of each case are made for the first time, and looked at.
3. Both versions learn how the calls must be repeated, and what an empty batch costs, which no
   batch is charged with.
4. Batches of the two take turns, in rounds over all cases; what they give is compared.

A side is a version in this process (`sides.Side`) or in one of its own (`apart.Remote`).
"""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from steelyard.comparing.incell.told import CaseTimes, OddResult, TimeCalls
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.task import Clocks

if TYPE_CHECKING:
    from steelyard.comparing.recording.incell.sides import Side
    from steelyard.comparing.timing.incell.apart import Remote

_EMPTY_BATCHES = 5
_LEAST_ROUNDS = 3
_AFFORDED_NS, _LEAST_HEATING = 50_000_000, 6
"""Generated calls are made for so long, and so many at the least."""
_HEATING_NS = 15_000_000
_WARMING = 3
"""So many generated calls go before a first call, which is to come to code that has just run."""
_MOST_TIMES_LONGER = 32
"""The slower version's batches are no more times as long as both are meant to be: if the other
is faster by more than that, its batches become shorter."""
_PATIENCE = 4
"""How much longer than its CPU time a measurement may take on a loaded machine."""
_MOST_ODD_RESULTS = 4
_SEED_BYTES = 6


class Manner(NamedTuple):
    """How a transport takes its batches."""

    batch_ns: int
    keeps: bool
    """Whether all results of a timed batch are kept."""
    looked_at: float
    """Share of the batches that are looked at."""


class Trial:
    """Both versions, the original's first, and the calls."""

    def __init__(
        self,
        sides: Sequence[Side | Remote],
        asked: TimeCalls,
        clocks: Clocks,
        tell: Tell,
        manner: Manner,
        *,
        swapped: bool,
    ) -> None:
        self._sides, self._clocks, self._tell = sides, clocks, tell
        self._cases, self._seconds, self._manner = asked.cases, asked.seconds, manner
        self._order = (1, 0) if swapped else (0, 1)
        self._odd_left = _MOST_ODD_RESULTS
        self.heated: list[int] = []
        self._heat(asked.made_up)
        self.first_ns = [self._meet(case, calls) for case, calls in enumerate(self._cases)]
        traits = [side.traits() for side in sides]
        for index in self._order[::-1]:
            sides[index].agree(traits[1 - index])
        self._own_ns = {
            case: self._empty(case) for case in (*range(len(self._cases)), *self.heated)
        }
        self._times = [self.times_of(case, manner.batch_ns) for case in range(len(self._cases))]
        self._rows: list[list[tuple[float, float]]] = []

    def _heat(self, made_up: Sequence[bytes]) -> None:
        """Have both versions' code run for a while on other arguments than the cases'."""
        afforded = self._clocks.wall_ns() + _AFFORDED_NS
        for case, call in enumerate(made_up, start=len(self._cases)):
            for side in self._sides:
                side.load(case, [call])
                side.learn(case)
            self.heated.append(case)
            if len(self.heated) >= _LEAST_HEATING and self._clocks.wall_ns() > afforded:
                break
        end = self._clocks.wall_ns() + _HEATING_NS
        while self.heated and self._clocks.wall_ns() < end:
            for case in self.heated:
                for side in self._sides:
                    side.run(case, 1)

    def _meet(self, case: int, calls: Sequence[bytes]) -> tuple[int, int]:
        """CPU time of a case's calls when they come for the first time."""
        taken = [0, 0]
        order = self._order[:: -1 if case & 1 else 1]
        for index in order:
            side = self._sides[index]
            side.load(case, calls)
            for other in self.heated[:_WARMING]:
                side.run(other, 1)
            own_ns = min(side.run(case, 0) for _ in range(_EMPTY_BATCHES))
            taken[index] = max(1, side.run(case, 1, keeps=True, anew=True) - own_ns)
        if order[0] == 0:  # what the original finds left is not for it to answer for
            self._compare(case, is_first=True)
        for index in order:
            self._sides[index].learn(case)
        return taken[0], taken[1]

    def _compare(self, case: int, *, is_first: bool = False) -> None:
        """Tell the first result of the last batches that is not alike.

        What a function leaves in files, the other version finds there: what came first is odd if
        the original does not give it either when it is asked again.
        """
        seed = int.from_bytes(os.urandom(_SEED_BYTES), "little")  # not known before they were over
        one, two = (side.look(seed) for side in self._sides)
        if one == two or not self._odd_left:
            return
        pairs = zip(one, two, strict=False)
        index = next((i for i, (first, second) in enumerate(pairs) if first != second), 0)
        shown = [side.show(index) for side in self._sides]
        if is_first:
            for side in self._sides:  # one as often as the other
                side.run(case, 1, keeps=True, anew=True)
            if self._sides[0].look(seed)[index : index + 1] == two[index : index + 1]:
                return
        self._odd_left -= 1
        self._tell(OddResult(case, *shown))

    def _empty(self, case: int) -> tuple[int, int]:
        """What an empty batch of a case costs each version."""
        one, two = (
            round(statistics.median(side.run(case, 0) for _ in range(_EMPTY_BATCHES)))
            for side in self._sides
        )
        return one, two

    def run(self, index: int, case: int, times: int, *, keeps: bool = False) -> int:
        """One version's calls of a case, so many times: CPU time in ns, without the harness's."""
        taken = self._sides[index].run(case, times, keeps=keeps)
        return max(1, taken - self._own_ns[case][index])

    def times_of(self, case: int, batch_ns: int) -> int:
        """How often a case's calls must be made for a batch to be long enough."""
        times = 1
        while True:
            both = [self.run(index, case, times, keeps=self._manner.keeps) for index in (0, 1)]
            taken = max(min(both), max(both) // _MOST_TIMES_LONGER)
            if taken >= batch_ns / 4:
                return max(1, round(times * batch_ns / taken))
            times *= 2 if taken > batch_ns / 20 else 8

    def take_rounds(self) -> None:
        """Take rounds over all cases; the two versions take turns in going first."""
        wall, manner = self._clocks.wall_ns, self._manner
        left_ns = int(self._seconds * 1e9)
        end = wall() + _PATIENCE * left_ns
        while (left_ns > 0 and wall() < end) or len(self._rows) < _LEAST_ROUNDS:
            row = []
            for case, times in enumerate(self._times):
                taken = [0, 0]
                for index in (0, 1) if (len(self._rows) + case) & 1 else (1, 0):
                    taken[index] = self.run(index, case, times, keeps=manner.keeps)
                left_ns -= sum(taken)
                row.append((taken[0] / times, taken[1] / times))
                if int.from_bytes(os.urandom(1), "little") < 256 * manner.looked_at:
                    self._compare(case)
            self._rows.append(row)

    def harness_ns(self, index: int) -> int:
        """What all empty batches would have cost a version in these rounds."""
        return self.rounds * sum(self._own_ns[case][index] for case in range(len(self._cases)))

    @property
    def rounds(self) -> int:
        """How many rounds were taken."""
        return len(self._rows)

    @property
    def overall(self) -> float:
        """The logarithm of the ratio of all cases together: the median of the rounds."""
        sums = [[sum(pair[index] for pair in row) for index in (0, 1)] for row in self._rows]
        return statistics.median(math.log(one / two) for one, two in sums)

    @property
    def call_ns(self) -> float:
        """The original's time of one call of the cases, in ns."""
        calls = sum(map(len, self._cases))
        return sum(case.original_ns for case in self.by_case()) / calls

    def by_case(self) -> list[CaseTimes]:
        """Each case by itself."""
        return [
            CaseTimes(
                statistics.median(math.log(one / two) for one, two in column),
                statistics.median(one for one, _ in column),
                statistics.median(two for _, two in column),
            )
            for column in zip(*self._rows, strict=True)
        ]
