"""The fork server: it loads modules once, and makes the process of each run.

The processes are children of the cell, not of the server: the cell waits for them, measures them
and ends them as it does with any program. No candidate's code, input or output is ever in the
server's own memory, so nothing passes from one run to the next through it.
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
import sys
from collections.abc import Callable
from typing import NoReturn

from steelyard.toolchains.incell import program

CONTROL_FD = 3
MAX_MESSAGE = 160 * 1024
SETUP_FAILED = 121

Enter = Callable[[list[str]], None]


def serve(enter: Enter, library: str, seed: int) -> NoReturn:
    """Answers the cell's requests until the cell is gone.

    Args:
        enter: Given a run's argv, in its new process; must not return.
        library: fork_server.c, built.
        seed: For the random states of each process.
    """
    loop = ctypes.PyDLL(library).steelyard_serve  # keeps the interpreter's lock, as a fork must
    loop.restype = ctypes.c_uint64
    message = bytearray(MAX_MESSAGE)
    buffer = (ctypes.c_char * MAX_MESSAGE).from_buffer(message)
    room = ctypes.c_size_t(MAX_MESSAGE)
    program.prepare()
    seed_all(seed)
    gc.collect()
    gc.freeze()  # a collection in a child must not touch, and so copy, what all share
    place = loop(CONTROL_FD, buffer, room)
    # From here on this is a new process, once for each run.
    try:
        argv = message[place & 0xFFFF_FFFF : (place >> 32) - 1]
        enter(argv.decode("utf-8", "surrogateescape").split("\0"))
    except BaseException as error:
        os.write(2, f"the run cannot be set up: {error!r}\n".encode())
    os._exit(SETUP_FAILED)


def seed_all(seed: int | None) -> None:
    """The same start for every run, which nobody uses up before it; or one of its own."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed if seed is None else seed % (1 << 32))
