"""Prepare a counted run: make the counters, and write them at exit."""

from __future__ import annotations

import marshal
import os
import random
import sys
import types
from typing import NoReturn

from steelyard.profiling.counting.incell import counters
from steelyard.toolchains.incell import ending, program

_LIVE_AT, _PEAK_AT, _BASE_AT = 8, 16, 40  # in the page that the heap library keeps (heap.c)

_exit, _getpid = os._exit, os.getpid
_open, _write, _close = os.open, os.write, os.close
_show_error = ending.show_error


def begin(seed: str, code: str, places: str, counts: str) -> None:
    """Make all ready for a counted program.

    Args:
        seed: For random states; empty leaves the run one of its own.
        code: The file of the work folder with its counting form (prepare.py).
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
    counts_made = counters.Counts(int(places))
    counters.publish(counts_made.names())
    _leave_at_exit(counts_made, f"{os.getcwd()}/{counts}")
    _replace_in_program(compiled)
    _forget_start_up()


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


def _leave_at_exit(counts: counters.Counts, path: str) -> None:
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
