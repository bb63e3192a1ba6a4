"""The forked copy of this process on its way to becoming the candidate."""

import errno
import mmap
import os
import resource
import signal
import struct
import time
from contextlib import suppress
from typing import NamedTuple

from steelyard.sandbox import _wire as wire
from steelyard.sandbox.pycell import _kernel as kernel
from steelyard.sandbox.pycell._messages import Request
from steelyard.sandbox.pycell._privilege import Landlock
from steelyard.sandbox.pycell._processes import resident_bytes

_DEFAULT_PATH = b"/usr/local/bin:/usr/bin:/bin"
_REPORT = struct.Struct("=iQQQ")


class Report(NamedTuple):
    """What the copy says of itself just before it is replaced by the program."""

    error: int
    """Why the program could not be executed, or 0."""
    cpu_ns: int
    resident_bytes: int
    clock_ns: int


class ReportPage:
    """A page that a forked copy writes and its parent reads; no program ever has it."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)

    def write(self, error: int, resident: int) -> None:
        """Notes how this process stands."""
        used = time.process_time_ns()
        _REPORT.pack_into(self._page, 0, error, used, resident, time.monotonic_ns())

    def read(self) -> Report:
        """What the last copy noted."""
        return Report._make(_REPORT.unpack_from(self._page))


class Start:
    """All that a copy needs, made ready before the fork."""

    def __init__(self, request: Request, streams: tuple[int, ...], executable: int | None) -> None:
        head = request.head
        self._streams = streams
        self._argv = kernel.strings(request.argv)
        self._environment = kernel.strings(request.environment)
        self._files: list[int] | list[bytes] = (
            _candidates_for(request) if executable is None else [executable]
        )
        self._fixes_addresses = bool(head.flags & wire.RequestFlag.FIXED_ADDRESSES)
        self._limits = (
            (resource.RLIMIT_STACK, head.stack_bytes),
            (resource.RLIMIT_FSIZE, head.file_bytes),
            (resource.RLIMIT_NPROC, head.processes),
            (resource.RLIMIT_CPU, head.cpu_ns // 1_000_000_000 + 2),
        )

    def become(self, uid: int | None, landlock: Landlock | None, report: ReportPage) -> None:
        """Turns this forked copy into the program; returns only by raising.

        Raises:
            OSError: where the program cannot be executed.
        """
        os.setsid()
        for number, stream in enumerate(self._streams):
            os.dup2(stream, number)
        _offer_to_the_oom_killer()
        for kind, value in self._limits:
            _limit(kind, value)
        if uid is not None:
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        kernel.set_capabilities(0)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        resident = resident_bytes("self")  # Landlock's rules leave no /proc
        if landlock:
            landlock.restrict()
        if self._fixes_addresses:
            kernel.fix_addresses()
        report.write(0, resident)
        reason: OSError = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        for file in self._files:
            try:
                kernel.execute(file, self._argv, self._environment)
            except (FileNotFoundError, NotADirectoryError):
                if len(self._files) == 1:
                    raise
            except OSError as error:
                reason = error
        raise reason


def _candidates_for(request: Request) -> list[bytes]:
    """The paths to try, in order."""
    program = request.argv[0]
    if b"/" in program:
        return [program]
    paths = (entry[5:] for entry in request.environment if entry.startswith(b"PATH="))
    folders = next(paths, _DEFAULT_PATH).split(b":")
    return [folder + b"/" + program for folder in folders if folder]


def _limit(kind: int, value: int) -> None:
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):  # a lower hard limit stands: take all that it allows
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (hard, hard))


def _offer_to_the_oom_killer() -> None:
    """The cell is larger here than a small candidate, and must not go in its place."""
    with suppress(OSError):
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
