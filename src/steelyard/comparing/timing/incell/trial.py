"""One estimate of how long two versions take: the loop of all transports.

1. Generated calls heat the code of both versions.
2. The calls of each case are made for the first time, and looked at.
3. Both versions learn how the calls must be repeated, and what an empty batch costs, which no
   batch is charged with.
4. Batches of the two take turns, in rounds over all cases; what they give is compared.

A side is a version in this process (`sides.Side`) or in one of its own, which takes its place
(`apart.Remote`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from steelyard.comparing.incell.told import OddResult, TimeCalls
from steelyard.comparing.recording.incell.sides import Side
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.task import Clocks

_EMPTY_BATCHES = 7
_LEAST_ROUNDS = 3
_AFFORDED_NS, _LEAST_HEATING = 50_000_000, 6
"""Generated calls are made for so long, and so many at the least."""
_HEATING_NS = 15_000_000
_WARMING = 3
"""So many generated calls go before a first call, so that the code has just run."""
_MOST_TIMES_LONGER = 32
"""The slower version's batches are no more times as long as both are meant to be: if the other
is faster by more than that, its batches become shorter."""
_PATIENCE = 4
"""A measurement takes at most so many times its CPU time on a loaded machine."""
_MOST_ODD_RESULTS = 4
_SEED_BYTES = 6


class Manner(NamedTuple):
    """The batches of a transport."""

    batch_ns: int
    keeps: bool
    """True if all results of a timed batch are kept."""
    one_in: int
    """Of so many batches one is looked at."""


class Trial:
    """Both versions, the original's first, and the calls."""

    def __init__(
        self,
        sides: Sequence[Side],
        asked: TimeCalls,
        clocks: Clocks,
        tell: Tell,
        manner: Manner,
        *,
        swapped: bool,
    ) -> None:
        self._sides, self._clocks, self._tell = sides, clocks, tell
        self._cases, self._manner = asked.cases, manner
        self._random = open("/dev/urandom", "rb", buffering=0)  # noqa: SIM115 - `os.urandom` is fixed
        self._order = (1, 0) if swapped else (0, 1)
        self._odd_left = _MOST_ODD_RESULTS
        self.heated: list[int] = []
        self._heat(asked.made_up)
        self.first_ns = [self._meet(case, calls) for case, calls in enumerate(self._cases)]
        traits = [side.traits() for side in sides]
        for index in self._order[::-1]:
            sides[index].agree(traits[1 - index])
        self._own_ns: dict[int, list[int]] = {}
        self._times: dict[int, int] = {}
        self.calibrate(range(len(self._cases)))

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

        A version finds what the other one left in files: a first result differs only if the
        original does not give it either when it is asked again.
        """
        seed = self._draw()  # not known before they were over
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

    def _draw(self) -> int:
        return int.from_bytes(self._random.read(_SEED_BYTES), "little")

    def _run(self, index: int, case: int, times: int) -> int:
        """One version's calls of a case, so many times: CPU time in ns, without the harness's."""
        taken = self._sides[index].run(case, times, keeps=self._manner.keeps)
        return max(1, taken - self._own_ns[case][index])

    def _times_of(self, case: int) -> int:
        """Return how often a case's calls must be made for a batch to be long enough."""
        times, batch_ns = 1, self._manner.batch_ns
        while True:
            # The lesser of two: a single disturbance is not to make batches short.
            both = [min(self._run(index, case, times) for _ in range(2)) for index in (0, 1)]
            taken = max(min(both), max(both) // _MOST_TIMES_LONGER)
            if taken >= batch_ns / 4:
                return max(1, round(times * batch_ns / taken))
            times *= 2 if taken > batch_ns / 20 else 8

    def calibrate(self, cases: Sequence[int]) -> None:
        """Learn what empty batches of these cases cost, and how long batches must be."""
        for case in cases:
            empty = [[side.run(case, 0) for _ in range(_EMPTY_BATCHES)] for side in self._sides]
            self._own_ns[case] = [round(statistics.median(each)) for each in empty]
            self._times[case] = self._times_of(case)

    def rounds_of(self, cases: Sequence[int], seconds: float) -> Rounds:
        """Take rounds over these cases; the two versions take turns in going first."""
        rows: list[list[tuple[float, float]]] = []
        wall, left_ns = self._clocks.wall_ns, int(seconds * 1e9)
        end = wall() + _PATIENCE * left_ns
        while (left_ns > 0 and wall() < end) or len(rows) < _LEAST_ROUNDS:
            row = []
            for case in cases:
                taken, times = [0, 0], self._times[case]
                for index in (0, 1) if (len(rows) + case) & 1 else (1, 0):
                    taken[index] = self._run(index, case, times)
                left_ns -= sum(taken)
                row.append((taken[0] / times, taken[1] / times))
                if self._draw() % self._manner.one_in == 0:
                    self._compare(case)
            rows.append(row)
        own = [len(rows) * sum(self._own_ns[case][index] for case in cases) for index in (0, 1)]
        return Rounds(rows, own)


class Rounds(NamedTuple):
    """In each round, by case, both versions' times of all of its calls in ns."""

    rows: list[list[tuple[float, float]]]
    own_ns: list[int]
    """The time of as many empty batches, by version."""

    @property
    def overall(self) -> float:
        """The logarithm of the ratio of all cases together: the median of the rounds."""
        sums = [[sum(pair[index] for pair in row) for index in (0, 1)] for row in self.rows]
        return statistics.median(math.log(one / two) for one, two in sums)

    @property
    def cases(self) -> list[tuple[float, float]]:
        """Each case by itself: the median of the rounds."""
        middle = statistics.median
        return [
            (middle(one for one, _ in column), middle(two for _, two in column))
            for column in zip(*self.rows, strict=True)
        ]
