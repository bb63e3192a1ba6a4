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

from assayer.equivalence.incell.running.records import Tell, pass_on, teller_to_parent
from assayer.equivalence.incell.running.sides import Side
from assayer.equivalence.incell.running.task import Clocks, Task
from assayer.equivalence.incell.running.versions import cases_of, texts_of

_BATCH_NS, _SHORT_BATCH_NS = 100_000, 20_000
_EMPTY_BATCHES = 15
_LEAST_ROUNDS = 3
_HEATING_NS = 15_000_000
_TURNS = 4
_PATIENCE = 4.0
"""How much longer than its CPU time a measurement may take on a loaded machine."""
_MOST_ODD_RESULTS = 4
_JUNK_BLOCKS, _JUNK_BYTES = 2_000, 1_000


def run_pairs(task: Task, tell: Tell, clocks: Clocks) -> int:
    """As many processes as are asked for, one after the other; each is one estimate."""
    for index in range(task.said["first"], task.said["first"] + task.said["processes"]):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.close(reading)
                _Pair(task, index, clocks).run(teller_to_parent(writing))
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writing)
        pass_on(reading, tell)
        os.close(reading)
        _, status = os.waitpid(pid, 0)
        if status:
            how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else ""
            tell("lost", index=index, status=status, signal=how)
            return 1
    return 0


class _Pair:
    """Both versions in this process."""

    def __init__(self, task: Task, index: int, clocks: Clocks) -> None:
        self._index, self._clocks = index, clocks
        self._seconds = task.said["seconds"]
        rng = random.Random(index)  # noqa: S311 - lays memory out
        blocks = rng.randrange(_JUNK_BLOCKS)
        self._junk = [bytes(rng.randrange(_JUNK_BYTES)) for _ in range(blocks)]
        cases, texts = cases_of(task), texts_of(task)
        made_up = [[blob] for name, blob in task.blobs.items() if name.startswith("made:")]
        self._swapped = bool(index & 1)
        order = (1, 0) if self._swapped else (0, 1)
        sides = {i: Side(task.said, texts[i], [*cases, *made_up], clocks.cpu_ns) for i in order}
        self._sides = sides[0], sides[1]
        for case in range(len(cases) + len(made_up)):  # whose lie first in memory must not decide
            for place in (0, 1) if rng.random() < 1 / 2 else (1, 0):
                self._sides[place].load_calls(case)
        self._cases, self._count = cases, len(cases)
        self._made_up = range(len(cases), len(cases) + len(made_up))

    def run(self, tell: Tell) -> None:
        """Measures, and tells one estimate for each case and one for all."""
        one, two = self._sides
        self._heat()
        first = self._first_calls()
        one.agree(two)
        times = [self._times_of(case) for case in range(self._count)]
        gc.collect()
        gc.freeze()
        gc.disable()
        start = self._clocks.wall_ns()
        rounds = self._rounds(tell, times)
        elapsed = self._clocks.wall_ns() - start
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
        alike, others = self._on_others(sum(original for original, _ in ns) / calls)
        tell(
            "pair", index=self._index, swapped=self._swapped, rounds=len(rounds),
            elapsed_ns=elapsed, overall=statistics.median(sums),
            import_ns=[side.import_ns for side in self._sides], first_ns=first,
            others=[alike, others],
            cases=[
                {"ratio": statistics.median(column), "ns": figures}
                for column, figures in zip(ratios, ns, strict=True)
            ],
        )  # fmt: skip

    def _heat(self) -> None:
        """Has the code of both versions run for a while on other arguments than the cases'."""
        for case in self._made_up:
            for side in self._sides:
                side.choose(case)
        end = self._clocks.wall_ns() + _HEATING_NS
        while self._made_up and self._clocks.wall_ns() < end:
            for case in self._made_up:
                for side in self._sides:
                    side.run(case, 1)

    def _on_others(self, call_ns: float) -> tuple[int, float]:
        """The ratio on made-up calls that cost about what the cases' do, and how many there are."""
        times = [self._times_of(case, _SHORT_BATCH_NS) for case in self._made_up]
        taken = [[math.inf, math.inf] for _ in self._made_up]
        for turn in range(_TURNS):
            for place, case in enumerate(self._made_up):
                for side in (0, 1) if (turn + place) & 1 else (1, 0):
                    ns = self._sides[side].run(case, times[place]) / times[place]
                    taken[place][side] = min(ns, taken[place][side])
        # What is raised costs the same, however fast a version comes to it.
        alike = [
            (a, b)
            for case, (a, b) in zip(self._made_up, taken, strict=True)
            if a >= call_ns / 2 and not self._sides[0].fails(case)
        ]
        if not alike:
            return 0, 0.0
        return len(alike), math.log(sum(a for a, _ in alike) / max(1.0, sum(b for _, b in alike)))

    def _first_calls(self) -> list[list[int]]:
        """CPU time of each case's calls when they come for the first time, in ns."""
        first = []
        nothing = [self._sides[0].run(0, 0) for _ in range(_EMPTY_BATCHES)]
        own_ns = round(statistics.median(nothing))
        for case in range(self._count):
            taken = [0, 0]
            for place in (1, 0) if self._swapped ^ bool(case & 1) else (0, 1):
                taken[place] = max(1, self._sides[place].run(case, 1) - own_ns)
            first.append(taken)
            for side in self._sides:
                side.choose(case)
        return first

    def _times_of(self, case: int, batch_ns: int = _BATCH_NS) -> int:
        """How often a case's calls must be made for a batch to be long enough."""
        times = 1
        while True:
            taken = min(side.run(case, times) for side in self._sides)
            if taken >= batch_ns / 4:
                return max(1, round(times * batch_ns / taken))
            times *= 2 if taken > batch_ns / 20 else 8

    def _rounds(self, tell: Tell, times: Sequence[int]) -> list[list[tuple[int, int]]]:
        """Rounds over all cases; the two versions take turns in going first."""
        rounds: list[list[tuple[int, int]]] = []
        one, two = self._sides
        wall = self._clocks.wall_ns
        left_ns, end = int(self._seconds * 1e9), wall() + int(_PATIENCE * self._seconds * 1e9)
        odd = 0
        while (left_ns > 0 and wall() < end) or len(rounds) < _LEAST_ROUNDS:
            row = []
            for case, n in enumerate(times):
                if (len(rounds) + case) & 1:
                    b, a = two.run(case, n), one.run(case, n)
                else:
                    a, b = one.run(case, n), two.run(case, n)
                row.append((max(a, 1), max(b, 1)))
                if (len(rounds) + case) % 7 == 0 and odd < _MOST_ODD_RESULTS:
                    results = one.last(), two.last()
                    if results[0] != results[1]:
                        odd += 1
                        blobs = {"original": results[0], "candidate": results[1]}
                        tell("odd", blobs, case=case)
            rounds.append(row)
            left_ns -= sum(a + b for a, b in row)
        return rounds
