"""The fork server: load modules once, and make the process of each run.

The processes are children of the cell, not of the server: the cell waits for them, measures them
and ends them like any program. No candidate's code, input or output is ever in the
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

from steelyard.toolchains.incell import leetcode, program

CONTROL_FD = 3
MAX_MESSAGE = 160 * 1024
SETUP_FAILED = 121

Enter = Callable[[list[str]], None]


def serve(enter: Enter, library: str, seed: int) -> NoReturn:
    """Answer the cell's requests until the cell ends.

    Args:
        enter: Called with a run's argv, in its new process; it must not return.
        library: The path of the compiled fork_server.c.
        seed: The seed of `random` in each process.
    """
    loop = ctypes.PyDLL(library).steelyard_serve  # keeps the interpreter's lock, as a fork must
    loop.restype = ctypes.c_uint64
    message = bytearray(MAX_MESSAGE)
    buffer = (ctypes.c_char * MAX_MESSAGE).from_buffer(message)
    room = ctypes.c_size_t(MAX_MESSAGE)
    program.prepare()
    leetcode.usual_names()
    seed_all(seed)
    gc.collect()
    gc.freeze()  # a collection in a child must not write to, and so copy, shared pages
    span = loop(CONTROL_FD, buffer, room)
    # The rest runs in a new process, once for each run.
    try:
        argv = message[span & 0xFFFF_FFFF : (span >> 32) - 1]
        enter(argv.decode("utf-8", "surrogateescape").split("\0"))
    except BaseException as error:
        os.write(2, f"cannot set up the run: {error!r}\n".encode())
    os._exit(SETUP_FAILED)


def seed_all(seed: int | None) -> None:
    """Seed `random` and numpy for one run; None picks a new seed."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed if seed is None else seed % (1 << 32))
