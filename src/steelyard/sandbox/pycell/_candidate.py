"""Turn a forked copy of this process into the candidate."""

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
_OPEN_FILES = 768  # see CANDIDATE_FILES of the compiled cell
_REPORT = struct.Struct("=iQQQ")


class Report(NamedTuple):
    """The copy's report just before the program replaces it."""

    error: int
    """The errno of the failed execution, or 0."""
    cpu_ns: int
    resident_bytes: int
    clock_ns: int


class ReportPage:
    """A page that a forked copy writes and its parent reads; no program can access it."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)

    def write(self, error: int, resident: int) -> None:
        """Write this process's figures."""
        used = time.process_time_ns()
        _REPORT.pack_into(self._page, 0, error, used, resident, time.monotonic_ns())

    def read(self) -> Report:
        """Return what the last copy wrote."""
        return Report._make(_REPORT.unpack_from(self._page))


class Start:
    """Everything that a copy needs, prepared before the fork."""

    def __init__(self, request: Request, streams: tuple[int, ...], executable: int | None) -> None:
        head = request.head
        self._streams = streams
        self._argv = kernel.strings(request.argv)
        self._environment = kernel.strings(request.environment)
        self._files: list[int] | list[bytes] = (
            _program_paths(request) if executable is None else [executable]
        )
        self._fixes_addresses = bool(head.flags & wire.RequestFlag.FIXED_ADDRESSES)
        self._limits = (
            (resource.RLIMIT_STACK, head.stack_bytes),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
            (resource.RLIMIT_FSIZE, head.file_bytes),
            (resource.RLIMIT_NPROC, head.processes),
            (resource.RLIMIT_CPU, head.cpu_ns // 250_000_000 + 2),  # as cell/starting.h
        )

    def become(self, uid: int | None, landlock: Landlock | None, report: ReportPage) -> None:
        """Turn this forked copy into the program; return only by raising.

        Raises:
            OSError: if the program cannot be executed.
        """
        os.setsid()
        for number, stream in enumerate(self._streams):
            os.dup2(stream, number)
        _prefer_for_oom_killer()
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


def _program_paths(request: Request) -> list[bytes]:
    """Return the paths to try, in order."""
    program = request.argv[0]
    if b"/" in program:
        return [program]
    paths = (entry[5:] for entry in request.environment if entry.startswith(b"PATH="))
    folders = next(paths, _DEFAULT_PATH).split(b":")
    return [folder + b"/" + program for folder in folders if folder]


def _limit(kind: int, value: int) -> None:
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):  # a lower hard limit is set: take all that it allows
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (hard, hard))


def _prefer_for_oom_killer() -> None:
    """Make the kernel kill the candidate first: the cell can be larger than a small candidate."""
    with suppress(OSError):
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
