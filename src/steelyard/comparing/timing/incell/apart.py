"""Times both versions in processes of their own, by a clock that neither can reach.

The parent of both reads their CPU clocks from outside, before and after each batch. That is less
exact than pairs in one process (the two do not share what disturbs them), and nothing that a
candidate does in its own process can touch it: it confirms what the pairs say.

A candidate that takes its own process over may answer what it likes. So each process gets a case's
calls only when it is to make them, answers with digests of all that its calls gave, and has all of
its CPU time counted: what is not timed, too.
"""

from __future__ import annotations

import os
import time
from typing import TypeVar

from steelyard.comparing.incell.told import ApartTimes, Lost, TimeCalls
from steelyard.comparing.recording.incell.sides import both
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.remote import GoneError, Others, Remote
from steelyard.comparing.timing.incell.trial import Manner, Trial
from steelyard.project_runs.incell.task import Context

T = TypeVar("T")
_MANNER = Manner(batch_ns=400_000, keeps=True, one_in=1)
_IDLE_S, _IDLE_CPU_NS = 0.02, 4_000_000


def run_apart(asked: TimeCalls, context: Context) -> int:
    """So many pairs of processes; each pair is one estimate."""
    descent = Descent()
    for index in range(asked.first, asked.first + asked.processes):
        sides: list[Remote] = []
        try:
            sides.extend(  # one by one: each is ended
                Remote(files, asked, context, descent) for files in both(asked.versions)
            )
            if asked.counts_others:
                for side in sides:
                    side.others = Others({os.getpid(), *(each.pid for each in sides)})
            _measure(sides, asked, context, index)
        except GoneError as error:
            context.tell(Lost(error.status, ""))
            return 1
        finally:
            for side in sides:
                side.end()
        descent.begin_anew()
    return 0


def _measure(sides: list[Remote], asked: TimeCalls, context: Context, index: int) -> None:
    swapped = not index & 1  # the pair's places in the machine change
    trial = Trial(sides, asked, context.clocks, context.tell, _MANNER, swapped=swapped)
    for side in sides:
        side.count_anew()
    rounds = trial.rounds_of(range(len(asked.cases)), asked.seconds)
    for side, own_ns in zip(sides, rounds.own_ns, strict=True):
        side.timed_ns = max(0, side.timed_ns - own_ns)
    untimed = [side.cpu_ns() - side.begun_ns - side.timed_ns for side in sides]
    before = [side.cpu_ns() for side in sides]
    time.sleep(_IDLE_S)
    works_on = [
        side.cpu_ns() - start > _IDLE_CPU_NS for side, start in zip(sides, before, strict=True)
    ]
    context.tell(
        ApartTimes(
            overall=rounds.overall,
            works_on=_two(works_on),
            elsewhere=_two(
                [(side.timed_ns + side.helped_ns) / max(side.thread_ns, 1) - 1 for side in sides]
            ),
            timed_ns=_two([side.timed_ns for side in sides]),
            untimed_ns=_two(untimed),
        )
    )


def _two(figures: list[T]) -> tuple[T, T]:
    return figures[0], figures[1]
