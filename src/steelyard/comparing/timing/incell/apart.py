"""Times both versions in processes of their own, by a clock that neither can reach.

The parent of both reads their CPU clocks from outside, before and after each batch. That is less
exact than pairs in one process (the two do not share what disturbs them), and nothing that a
candidate does in its own process can touch it: it confirms what the pairs say.

A candidate that takes its own process over may answer what it likes. So each process gets a case's
calls only when it is to make them, answers with digests of all that its calls gave, and has all of
its CPU time counted: what is not timed, too.
"""

from __future__ import annotations

import base64
import math
import os
import statistics
import time
from typing import Any, TypeVar

from steelyard.comparing.incell.told import ApartTimes, Lost, OddResult, TimeCalls
from steelyard.comparing.recording.incell.sides import (
    AFFORDED_NS,
    LEAST_MADE_UP,
    MOST_TIMES_LONGER,
)
from steelyard.comparing.recording.incell.versions import both
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.outside import GoneError, Others, Version
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.task import Clocks, Context

T = TypeVar("T")
_BATCH_NS = 400_000
_LEAST_ROUNDS = 3
_IDLE_S, _IDLE_CPU_NS = 0.02, 4_000_000
_HEATING_NS = 15_000_000
_SEED_BYTES = 6
_MOST_ODD_RESULTS = 4
_PATIENCE = 4
"""How much longer than its CPU time a measurement may take, with all that is done around it."""


def run_apart(asked: TimeCalls, context: Context) -> int:
    """So many pairs of processes; each pair is one estimate."""
    cases, made_up = asked.cases, [[call] for call in asked.made_up]
    descent = Descent()
    asked.made_up.clear()  # no version's process is to find the calls before they are due
    for index in range(asked.first, asked.first + asked.processes):
        sides: list[Version] = []
        try:
            for text in both(asked.versions):
                side = Version(context.function, text, [cases, made_up], context.clocks, descent)
                sides.append(side)  # each is ended
            if asked.counts_others:
                for side in sides:
                    side.others = Others({os.getpid(), *(each.pid for each in sides)})
            measured = _Measured(sides, cases, made_up, context.clocks, context.tell)
            measured.run(index, asked.seconds)
        except GoneError as error:
            context.tell(Lost(error.status, ""))
            return 1
        finally:
            for side in sides:
                side.end()
        descent.begin_anew()
    return 0


class _Measured:
    """One pair of processes, the original's first."""

    def __init__(
        self,
        sides: list[Version],
        cases: list[list[bytes]],
        made_up: list[list[bytes]],
        clocks: Clocks,
        tell: Tell,
    ) -> None:
        self._sides, self._clocks, self._tell = sides, clocks, tell
        self._cases, self._made_up = cases, made_up
        self._odd_left = _MOST_ODD_RESULTS

    def run(self, index: int, seconds: float) -> None:
        """Measures, and tells one estimate."""
        sides = self._sides
        self._heat()
        first = self._calls_come(odd=True)
        again = self._calls_come(odd=False)
        traits = [side.ask("traits") for side in sides]
        for place in (0, 1) if index & 1 else (1, 0):  # the pair's places in the machine change
            sides[place].ask("agree", traits[1 - place])
        for side in sides:
            side.learn_own_time()
        times = [self._times_of(case) for case in range(len(self._cases))]
        before = [side.cpu_ns() for side in sides]
        rounds, timed = self._rounds(times, seconds)
        untimed = [
            side.cpu_ns() - start - ns for side, start, ns in zip(sides, before, timed, strict=True)
        ]
        before = [side.cpu_ns() for side in sides]
        time.sleep(_IDLE_S)
        works_on = [
            side.cpu_ns() - start > _IDLE_CPU_NS for side, start in zip(sides, before, strict=True)
        ]
        elsewhere = [side.all_ns / max(side.thread_ns, 1) - 1 for side in sides]
        self._tell(
            ApartTimes(
                overall=statistics.median(rounds),
                works_on=_two(works_on),
                elsewhere=_two(elsewhere),
                first_ns=_two(first),
                again_ns=_two(again),
                timed_ns=_two(timed),
                untimed_ns=_two(untimed),
                heated=bool(self._made_up),
            )
        )

    def _heat(self) -> None:
        """Has both versions' code run for a while on other arguments than the cases'."""
        places = range(len(self._cases), len(self._cases) + len(self._made_up))
        afforded = self._clocks.wall_ns() + AFFORDED_NS
        for count, (place, blobs) in enumerate(zip(places, self._made_up, strict=True), start=1):
            self._first_of(place, blobs, odd=True)
            if count >= LEAST_MADE_UP and self._clocks.wall_ns() > afforded:
                places = places[:count]
                break
        for side in self._sides:
            end = self._clocks.wall_ns() + _HEATING_NS
            while self._made_up and self._clocks.wall_ns() < end:
                for place in places:
                    side.run(place, 1)

    def _calls_come(self, *, odd: bool) -> list[int]:
        """CPU time in which each version gets, makes and answers for all cases' calls once."""
        taken = [0, 0]
        for place, blobs in enumerate(self._cases):
            for side, ns in enumerate(self._first_of(place, blobs, odd=odd)):
                taken[side] += ns
        return taken

    def _first_of(self, case: int, blobs: list[bytes], *, odd: bool) -> list[int]:
        texts = [base64.b64encode(blob).decode() for blob in blobs]
        taken, given = [], []
        for side in self._sides:
            start = side.cpu_ns()
            side.ask("load", case, texts)
            given.append(side.ask("first", case))
            taken.append(side.cpu_ns() - start)
        if odd and given[0] != given[1]:
            again = self._sides[0].ask("first", case)  # as in pairs: what is left in files
            for place, (one, two, three) in enumerate(zip(*_lists(given), again, strict=False)):
                if two not in (one, three):
                    self._tell_odd(case, [side.ask("show first", place) for side in self._sides])
            self._sides[1].ask("first", case)  # as often as the other
        return taken

    def _times_of(self, case: int) -> int:
        """How often a case's calls must be made for a batch to be long enough."""
        count = 1
        while True:
            both = [side.run(case, count) for side in self._sides]
            taken = max(min(both), max(both) // MOST_TIMES_LONGER)
            if taken >= _BATCH_NS / 4:
                return max(1, round(count * _BATCH_NS / taken))
            count *= 2 if taken > _BATCH_NS / 20 else 8

    def _rounds(self, times: list[int], seconds: float) -> tuple[list[float], list[int]]:
        """The logarithm of each round's ratio; and all that was timed, by side."""
        rounds: list[float] = []
        timed = [0, 0]
        start, left_ns = self._clocks.wall_ns(), int(seconds * 1e9)
        end = start + _PATIENCE * left_ns
        while (left_ns > 0 and self._clocks.wall_ns() < end) or len(rounds) < _LEAST_ROUNDS:
            sums = [0.0, 0.0]
            for case, count in enumerate(times):
                for place in (0, 1) if (len(rounds) + case) & 1 else (1, 0):
                    taken = self._sides[place].run(case, count)
                    timed[place] += taken
                    left_ns -= taken
                    sums[place] += taken / count
                self._look(case)
            rounds.append(math.log(max(sums[0], 1) / max(sums[1], 1)))
        return rounds, timed

    def _look(self, case: int) -> None:
        """Whether all calls of the last batches gave the same."""
        seed = int.from_bytes(os.urandom(_SEED_BYTES), "little")  # not known before they were over
        given = [side.ask("digest", seed) for side in self._sides]
        if given[0] == given[1] or not self._odd_left:
            return
        listed = [side.ask("digests", seed) for side in self._sides]
        place = next(
            (i for i, (one, two) in enumerate(zip(*_lists(listed), strict=False)) if one != two), 0
        )
        self._tell_odd(case, [side.ask("show", place) for side in self._sides])

    def _tell_odd(self, case: int, shown: list[Any]) -> None:
        if self._odd_left:
            self._odd_left -= 1
            one, two = (_bytes(text) for text in shown)
            self._tell(OddResult(case, one, two))


def _two(figures: list[T]) -> tuple[T, T]:
    return figures[0], figures[1]


def _lists(answers: list[Any]) -> list[list[Any]]:
    """What each version answered, where it is a list as it should be."""
    return [answer if isinstance(answer, list) else [] for answer in answers]


def _bytes(answer: Any) -> bytes:
    try:
        return base64.b64decode(str(answer).encode())
    except ValueError:
        return b""
