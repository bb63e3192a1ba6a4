"""Start a process that ends with the one that started it, however that one ends."""

import os
import sys
from collections.abc import Sequence

_PROGRAM = """\
import ctypes, os, sys
parent, number, user = map(int, sys.argv[1:4])
if user != os.geteuid():
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, number, 0, 0, 0)  # PR_SET_PDEATHSIG, which exec keeps and setuid does not
if os.getppid() == parent:  # else the parent ended before
    os.execv(sys.argv[4], sys.argv[4:])
"""


def ending_with_this_process(
    argv: Sequence[str], number: int, user: int | None = None
) -> list[str]:
    """Return a command that runs `argv` until it gets a signal when this thread ends.

    Args:
        argv: The path of a program and its arguments.
        number: The signal.
        user: The id of the user and the group that it runs as, where this process is root.
    """
    user = os.geteuid() if user is None else user
    own = [sys.executable, "-I", "-S", "-c", _PROGRAM]
    return [*own, str(os.getpid()), str(number), str(user), *argv]
