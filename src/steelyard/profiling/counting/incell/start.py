"""Prepare a counted run: make the counters, and write them at exit."""

from __future__ import annotations

import builtins
import marshal
import os
import random
import sys
import types
from itertools import compress, repeat
from operator import length_hint
from typing import Any, NoReturn

from steelyard.profiling.counting.incell.charged import PREFIX
from steelyard.profiling.counting.incell.costs import Charge
from steelyard.profiling.counting.incell.passes import (
    growth,
    moves,
    numbers,
    orders,
    passes,
    searches,
    weighing,
)
from steelyard.toolchains.incell import ending, program

_LIVE_AT, _PEAK_AT, _BASE_AT = 8, 16, 40  # in the page that the heap library keeps (heap.c)

_exit, _getpid = os._exit, os.getpid
_open, _write, _close = os.open, os.write, os.close
_show_error = ending.show_error
_MAX_COUNT = (1 << 63) - 1
_STEPS = 1 << 62


def begin(seed: str, code: str, places: str, counts: str) -> None:
    """Make all ready for a counted program.

    Args:
        seed: For random states; empty leaves the run one of its own.
        code: The file of the work folder with its counting form (blocks.py).
        places: How many places it has.
        counts: The file of the work folder that the counts are written to, eight bytes each.
    """
    if sys.path and not sys.path[0]:
        del sys.path[0]  # the work folder, which is a candidate's
    for name in [name for name in sys.modules if name.partition(".")[0] == "steelyard"]:
        del sys.modules[name]
    random.seed(int(seed) if seed else None)
    with open(code, "rb") as file:
        # By the same interpreter, in a process that only compiled; and it is run right here.
        compiled = marshal.load(file)  # noqa: S302
    counts_made = Counts(int(places))
    vars(builtins).update(counts_made.names())
    _leave_at_exit(counts_made, f"{os.getcwd()}/{counts}")
    _replace_in_program(compiled)
    _forget_start_up()


class Counts:
    """The counters of one program: one of each kind for every place.

    Args:
        places: How many places there are.
    """

    def __init__(self, places: int) -> None:
        # Taking a step from a `repeat` makes no object, so it costs less than counting up.
        self._entered = [repeat(True, _STEPS) for _ in range(places)]
        self._charged = [0] * places

    def names(self) -> dict[str, object]:
        """Return what the transformed program looks up."""
        found: dict[str, object] = {f"c{place}": each for place, each in enumerate(self._entered)}
        found.update(next=next, compress=compress)
        found.update(_charges(self._charged, self._entered))
        return {PREFIX + name: value for name, value in found.items()}

    def take(self) -> list[int]:
        """Return the counts by place."""
        return [
            min(_STEPS - length_hint(entered) + charged, _MAX_COUNT)
            for entered, charged in zip(self._entered, self._charged, strict=True)
        ]


def _charges(charged: list[int], entered: list[Any]) -> dict[str, Charge]:
    """Return the functions that charge, by name."""
    weigh = weighing(charged)
    every = (
        weigh,
        *passes(charged, entered),
        *orders(charged),
        *searches(charged),
        *moves(charged),
        *growth(charged, weigh),
        *numbers(charged, weigh),
    )
    return {each.__name__: each for each in every}


def _forget_start_up() -> None:
    """The peak of the heap shall be the program's, without what the interpreter has by now."""
    path = os.environ.get("STEELYARD_HEAP_FILE")
    if path is None:
        return
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:  # the library did not come up
        return
    live = os.pread(file, 8, _LIVE_AT)
    os.pwrite(file, live, _PEAK_AT)
    os.pwrite(file, live, _BASE_AT)
    os.close(file)


def _leave_at_exit(counts: Counts, path: str) -> None:
    """However this process ends by itself, the last that it does is to write the counts."""
    owner = _getpid()

    def leave(status: int) -> NoReturn:
        if _getpid() == owner:  # a child's counts are not this run's
            data = b"".join(each.to_bytes(8, "little") for each in counts.take())
            try:
                file = _open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                while data:
                    data = data[_write(file, data) :]
                _close(file)
            except OSError:  # a full disk: the host sees that they are not whole
                pass
        _exit(status)

    os._exit = leave
    vars(ending)["_exit"] = leave


def _replace_in_program(code: types.CodeType) -> None:
    """Make the candidates' runner use this code, and show errors as if it were the text's own."""
    vars(program)["code_of"] = lambda _path: code
    vars(ending)["show_error"] = _show_without_charges


def _show_without_charges(error: BaseException) -> int | None:
    """Frames of charges are taken out of a traceback; those before the program's are, too."""
    trace = error.__traceback__
    while trace is not None:
        following = trace.tb_next
        while following is not None and _is_own(following):
            following = following.tb_next
        trace.tb_next = following
        trace = following
    return _show_error(error)


def _is_own(trace: types.TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith("<steelyard.profiling")
