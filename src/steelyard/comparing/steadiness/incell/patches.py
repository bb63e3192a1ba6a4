"""Run in a cell: clocks, dates, identifiers and random numbers that are the same in each run.

Two runs of a function can only be compared where the world answers both alike. Each function that
is patched does its own work first, so that it costs what it costs; then it gives a fixed answer.
The patches take effect for whoever holds a function already: they change the functions, and not
the names (taken_over.py). They last for as long as the process lives.

Not patched: `os.getpid` and the like, which programs need to find themselves; the times of files;
what compiled packages ask the system for without Python, such as `numpy.datetime64("now")`; and
nothing is done for packages that set the clocks in C, such as `time_machine`.
The order of sets depends on `PYTHONHASHSEED`, which is set before an interpreter starts.
"""

from __future__ import annotations

import logging

from steelyard.comparing.steadiness.incell import (
    patches_clocks,
    patches_dates,
    patches_random,
    patches_worlds,
)
from steelyard.project_runs.incell import taken_over
from steelyard.values.incell import temporary

kept = taken_over.kept
"""A copy of a built-in function, which no later patch reaches: what a harness measures with."""


class _State:
    is_applied = False


def apply() -> None:
    """Patches this process for good; a second call only restarts.

    Raises:
        ImportError: if the interpreter has been built without `ctypes`.
        TypeError: if a built-in function is not laid out as in CPython 3.11 to 3.13.
    """
    if not _State.is_applied:
        _State.is_applied = True
        patches_clocks.apply()
        patches_dates.apply()
        patches_random.apply()
        temporary.note_names()
        # The start that log records count from is as old as the process.
        in_ns = isinstance(logging._startTime, int)  # type: ignore[attr-defined]
        start = patches_clocks.TIME * 10**9 if in_ns else patches_clocks.TIME
        logging._startTime = type(logging._startTime)(start)  # type: ignore[attr-defined]
    restart()


def draw_anew() -> None:
    """Gives a sequence in the usual world where constants would be drawn, from here on."""
    patches_worlds.here.draws_anew = True
    restart()


def restart(world: int = patches_worlds.USUAL) -> None:
    """Clocks and random states are as right after `apply`: so that a test does not see another's.

    Generators that a program made itself are not reached.

    Args:
        world: Which present and which random values are shown from here on (patches_worlds.py).
    """
    patches_worlds.enter(world)
    patches_clocks.restart()
    patches_random.restart()


def is_asked() -> bool:
    """Whether the program got, since the last `restart`, what another world would give otherwise.

    What only tells how long something took, such as `perf_counter`, is alike in all worlds.
    """
    return patches_worlds.here.is_asked or patches_random.is_drawn()
