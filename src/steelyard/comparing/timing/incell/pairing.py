"""Times both versions in pairs: in one process, in short batches that take turns.

Decision 0011 explains why: what else the machine does hits both alike, and many processes, each
with its own layout of memory, tell a gain from luck.
"""

from __future__ import annotations

import gc
import math
import os
import random
from contextlib import suppress

from steelyard.comparing.incell.told import Lost, PairTimes, TimeCalls
from steelyard.comparing.recording.incell.sides import Side, both
from steelyard.comparing.timing.incell.descent import Descent
from steelyard.comparing.timing.incell.sharing import Constants
from steelyard.comparing.timing.incell.trial import Manner, Trial
from steelyard.project_runs.incell.channel import Tell, pass_on, teller_to_parent
from steelyard.project_runs.incell.task import Clocks, Context

_MANNER = Manner(batch_ns=100_000, keeps=False, one_in=7)
_TURNS = 4
_WAITS = 2.0
"""A call that takes so many times its CPU time waits for something, even if nothing disturbs it."""
_LEAST_WAIT_NS = 50_000
"""A case waits for so long at the least: to ask the clocks takes time, too."""
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
            with suppress(BaseException):
                told = teller_to_parent(writing, key)
                del key  # no frame is to hold it
                _measure(asked, index, context, told)
                status = 0
            os._exit(status)
        os.close(writing)
        is_genuine = pass_on(reading, context.tell, key)
        os.close(reading)
        _, status = os.waitpid(pid, 0)
        descent.begin_anew()
        if status or not is_genuine:
            how = f"status {os.waitstatus_to_exitcode(status)}"
            context.tell(Lost(how if is_genuine else "it wrote to the harness's pipe"))
            return 1
    return 0


def _new_key() -> bytes:
    with open("/dev/urandom", "rb", buffering=0) as source:  # `os.urandom` stands still
        return source.read(_KEY_BYTES)


def _measure(asked: TimeCalls, index: int, context: Context, tell: Tell) -> None:
    """Load both versions, and tell one estimate for each case and one for all."""
    rng = random.Random(index)  # noqa: S311 - lays memory out
    junk = [bytes(rng.randrange(_JUNK_BYTES)) for _ in range(rng.randrange(_JUNK_BLOCKS))]
    texts, swapped = both(asked.versions), bool(index & 1)
    constants = Constants()
    loaded = {
        int(i): Side(context.function, texts[i], context.clocks.cpu_ns)
        for i in (swapped, not swapped)
    }
    for side in loaded.values():
        constants.share_globals(side.modules.values())
    sides = loaded[0], loaded[1]
    gc.set_threshold(0)  # from here on nothing is collected, and no callback hears of it
    trial = Trial(sides, asked, context.clocks, tell, _MANNER, swapped=swapped)
    rounds = trial.rounds_of(range(len(asked.cases)), asked.seconds)
    cases = rounds.cases
    tell(
        PairTimes(
            swapped=swapped,
            rounds=len(rounds.rows),
            forgetting=sides[0].is_forgetting,
            overall=rounds.overall,
            wall=_wall(sides, len(cases), context.clocks),
            import_ns=(sides[0].import_ns, sides[1].import_ns),
            first_ns=trial.first_ns,
            generated=_generated(sides[0], trial),
            cases=cases,
            call_ns=sum(one for one, _ in cases) / sum(map(len, asked.cases)),
        )
    )
    del junk


def _generated(original: Side, trial: Trial) -> list[tuple[str, float, float]]:
    """The types of each generated call's arguments, and both versions' times of it in ns."""
    found = []
    trial.calibrate(trial.heated)
    for case, (one, two) in zip(trial.heated, trial.rounds_of(trial.heated, 0).cases, strict=True):
        original.run(case, 1)
        if not original.failed():  # what is raised costs the same, however fast a version is there
            found.append((original.types_of(case), one, two))
    return found


def _wall(sides: tuple[Side, Side], cases: int, clocks: Clocks) -> float | None:
    """The ratio by the clock on the wall; None where neither version waits for anything."""

    def turn(side: Side, case: int) -> tuple[int, int]:
        side.prepare(case, 1)
        start = clocks.wall_ns()
        own_ns = side.run_prepared()
        return clocks.wall_ns() - start, own_ns

    waits, taken = False, []
    for side in sides:
        least = [min(turn(side, case) for _ in range(_TURNS)) for case in range(cases)]
        all_ns, own_ns = sum(wall for wall, _ in least), sum(own for _, own in least)
        waits |= all_ns > max(_WAITS * own_ns, own_ns + cases * _LEAST_WAIT_NS)
        taken.append(max(1, all_ns))
    return math.log(taken[0] / taken[1]) if waits else None
