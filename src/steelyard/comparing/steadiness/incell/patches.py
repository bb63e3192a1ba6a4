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

from steelyard.comparing.steadiness.incell import patches_clocks, patches_random, patches_worlds
from steelyard.values.incell import temporary

_applied: list[bool] = []


def apply() -> None:
    """Patch this process for good; a second call only restarts.

    Raises:
        ImportError: if the interpreter has been built without `ctypes`.
        TypeError: if a built-in function is not laid out as in CPython 3.11 to 3.13.
    """
    if not _applied:
        _applied.append(True)
        patches_clocks.apply()
        patches_random.apply()
        temporary.note_names()
        # The start that log records count from is as old as the process.
        kind = type(logging._startTime)  # type: ignore[attr-defined]
        unit = 10**9 if kind is int else 1
        logging._startTime = kind(patches_clocks.TIME * unit)  # type: ignore[attr-defined]
    restart()


def draw_anew() -> None:
    """Give a sequence in the usual world where constants would be drawn, from here on."""
    patches_worlds.here.draws_anew = True
    restart()


def restart(world: int = patches_worlds.USUAL) -> None:
    """Set clocks and random states as right after `apply`: no test sees another's.

    Generators that a program made itself are not reached.

    Args:
        world: Which present and which random values are shown from here on (patches_worlds.py).
    """
    patches_worlds.here.enter(world)
    patches_random.restart()


def is_asked() -> bool:
    """Return if the program got, since the last `restart`, what another world would give otherwise.

    What only tells how long something took, such as `perf_counter`, is alike in all worlds.
    """
    return patches_worlds.here.is_asked or patches_random.is_drawn()
