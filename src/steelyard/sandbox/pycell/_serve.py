"""Make the cell, then serve one request after another until the pool's socket closes."""

import errno
import gc
import mmap
import os
import resource
import select
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from steelyard.sandbox import _wire as wire
from steelyard.sandbox.pycell import _kernel as kernel
from steelyard.sandbox.pycell._counters import Group
from steelyard.sandbox.pycell._messages import (
    BUFFER_BYTES,
    MAX_FDS,
    OutOfStepError,
    Request,
    Setup,
    parse_requests,
    parse_setup,
)
from steelyard.sandbox.pycell._privilege import Landlock, drop_privilege
from steelyard.sandbox.pycell._processes import Processes
from steelyard.sandbox.pycell._runner import Outcome, Runner
from steelyard.sandbox.pycell._scratch import Scratch
from steelyard.sandbox.pycell._stage import StageError, stage
from steelyard.sandbox.pycell._streams import Streams
from steelyard.sandbox.pycell._view import make_view

_SOCKET_FD = 3
_INNER_UID, _CANDIDATE_UID = 1, 1000  # in a user namespace
_SERIES_S = 0.01  # a series ends after this time: its replies are not known before
_GROUP_FLAGS = wire.SetupFlag.CGROUP_V1 | wire.SetupFlag.CGROUP_V2


class _Pool:
    """The other end of the socket."""

    def __init__(self) -> None:
        os.set_inheritable(_SOCKET_FD, False)
        self.lifelines = [_SOCKET_FD]  # each is readable during a run if its other end has ended
        self._socket = socket.socket(fileno=_SOCKET_FD)
        self._buffer = bytearray(BUFFER_BYTES)
        self._view = memoryview(self._buffer)

    def receive(self) -> tuple[bytes, list[int]]:
        """Return one message and its descriptors; end this process if the pool has ended."""
        if len(self.lifelines) > 1 and _SOCKET_FD not in select.select(self.lifelines, [], [])[0]:
            os._exit(0)  # without its outer process
        room = socket.CMSG_SPACE(4 * MAX_FDS)
        size, ancillary, flags, _ = self._socket.recvmsg_into(
            [self._buffer], room, socket.MSG_CMSG_CLOEXEC
        )
        if not size:
            os._exit(0)
        if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            raise OutOfStepError
        fds = [fd for _, _, data in ancillary for (fd,) in struct.iter_unpack("@i", data)]
        return bytes(self._view[:size]), fds

    def send(self, message: bytes, fds: list[int], flags: int = 0) -> None:
        rights = struct.pack(f"@{len(fds)}i", *fds)
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)] if fds else []
        self._socket.sendmsg([message], ancillary, socket.MSG_NOSIGNAL | flags)

    def send_ready(
        self, *, error: int = 0, at: str = "", namespaces: int = 0, landlock_abi: int = 0
    ) -> None:
        self.send(wire.READY.pack(wire.MAGIC, error, namespaces, landlock_abi, at.encode()), [])


class _Descriptors:
    """The setup's descriptors: the progress page, the bell, groups to join, their counters."""

    def __init__(self, setup: Setup, fds: list[int]) -> None:
        counts = setup.head.flags & _GROUP_FLAGS
        joins_end = 2 + setup.head.n_join
        with stage("progress page"):
            if len(fds) < joins_end + (4 if counts else 0):
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            self.progress = mmap.mmap(fds[0], mmap.PAGESIZE)
            self.bell = socket.socket(fileno=fds[1])
        with stage("join cgroup"):
            for join in fds[2:joins_end]:
                os.write(join, b"0")
        self.group = Group(setup.head.flags, fds[joins_end:]) if counts else None


class _Bell:
    """Reports to the pool, which sleeps during a series, how many replies there are."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self.replies = 0
        self.is_unheard = False

    def expect(self, requests: int) -> None:
        self.replies, self.is_unheard = 0, requests > 1

    def ring(self) -> None:
        if self.is_unheard:
            self.is_unheard = False
            self._end.send(bytes([self.replies]), socket.MSG_NOSIGNAL)


class _Cell:
    """A cell that has been made."""

    def __init__(self, pool: _Pool, setup: Setup, given: _Descriptors) -> None:
        head = setup.head
        inner, candidate = _ids(setup)
        own_files = bool(head.namespaces & wire.Namespace.MOUNT)
        if head.namespaces & wire.Namespace.UTS:
            with stage("name"):
                socket.sethostname("cell")
        landlock = None
        if own_files:
            folders = make_view(setup)
            os.chdir("/w")
        else:
            if head.flags & wire.SetupFlag.LANDLOCK:
                landlock = Landlock(setup)
            with stage("work folder"):
                folders = [os.open(setup.work, os.O_RDONLY | os.O_DIRECTORY)]
                os.fchdir(folders[0])
                kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        drop_privilege(setup, inner)
        own_uid = candidate if candidate != inner else None
        with stage("streams"):
            self._streams = Streams(shared_uid=own_uid is None)
        if head.namespaces:  # end with the outer process, which waits for this one
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        self._pool = pool
        self._progress = given.progress
        self._bell = _Bell(given.bell)
        self._group = given.group
        self._scratch = Scratch(folders, own_mount=own_files, shared_uid=own_uid is None)
        self._runner = Runner(setup, own_uid, landlock, given.group, pool.lifelines)
        pool.send_ready(namespaces=head.namespaces, landlock_abi=landlock.abi if landlock else 0)

    def serve(self) -> NoReturn:
        """Answer requests until the pool ends."""
        while True:
            message, fds = self._pool.receive()
            try:
                self._answer_all(parse_requests(message), iter(fds))
            finally:
                for fd in fds:
                    os.close(fd)

    def _answer_all(self, requests: list[Request], fds: Iterator[int]) -> None:
        """Serve the requests of one message; the first that does not end well ends a series."""
        end_s = time.monotonic() + _SERIES_S
        self._bell.expect(len(requests))
        for request in requests:
            well = self._answer(request, fds)
            goes_on = well and self._bell.is_unheard and time.monotonic() < end_s
            if not goes_on or request is requests[-1]:
                self._bell.ring()
            # Meanwhile the pool reads the replies.
            self._streams.reset()
            self._scratch.remove(request.files)
            self._scratch.wipe()
            if not goes_on:
                return

    def _answer(self, request: Request, fds: Iterator[int]) -> bool:
        """Run a request's program and send the reply; return True if the program ended well."""
        head = request.head
        try:
            passed = next(fds) if head.flags & wire.RequestFlag.HAS_STDIN else None
            executable = next(fds) if head.flags & wire.RequestFlag.HAS_EXECUTABLE else None
            channel = [next(fds)] if head.flags & wire.RequestFlag.HAS_CHANNEL else []
            sources = [next(fds) for _ in range(head.n_files)]
        except StopIteration as error:
            raise OutOfStepError from error
        streams = self._streams.fill(request.stdin, passed)
        if self._group:
            self._group.settle()
        try:
            self._scratch.place(request.files, sources)
            pid = self._runner.start(
                request, (*streams, *channel), executable, lambda: self._note_begin(head.sequence)
            )
        except OSError as error:
            outcome = Outcome(wire.Stop.NOT_PLACED, error=error.errno or errno.EIO)
        else:
            outcome = self._runner.finish(request, pid, streams[1])
        if self._group and (
            outcome.memory_bytes + (1 << 20) > head.memory_bytes or not self._scratch.is_pristine()
        ):
            self._group.lift_limit()
        placed = outcome.stop is not wire.Stop.NOT_PLACED
        found = [self._scratch.collect(name) for name in request.collect] if placed else []
        self._reply(head.sequence, outcome, found)
        return outcome.stop is wire.Stop.ENDED and not outcome.wait_status

    def _note_begin(self, sequence: int) -> None:
        struct.pack_into("=I", self._progress, 0, sequence)

    def _reply(self, sequence: int, outcome: Outcome, found: list[int | None]) -> None:
        inline = self._streams.inline()
        files = [file for file in found if file is not None]
        fds = files if inline is not None else [*self._streams.outputs, *files]
        flags = wire.ReplyFlag.OUTPUTS_PASSED if inline is None else 0
        collected = sum(1 << i for i, file in enumerate(found) if file is not None)
        reply = wire.REPLY.pack(
            wire.MAGIC,
            sequence,
            flags,
            outcome.waited_ms,
            outcome.stop,
            outcome.wait_status,
            outcome.error,
            collected,
            outcome.wall_ns,
            outcome.cpu_ns,
            outcome.memory_bytes,
            outcome.max_rss_bytes,
            *self._streams.sizes(),
        )
        self._bell.replies += 1
        try:
            flags = socket.MSG_DONTWAIT if self._bell.is_unheard else 0
            self._pool.send(reply + (inline or b""), fds, flags)
        except BlockingIOError:  # the socket is full of replies that nobody reads before the bell
            self._bell.ring()
            self._pool.send(reply + (inline or b""), fds)
        for file in files:
            os.close(file)
        if inline is None:
            self._streams.renew()


def _ids(setup: Setup) -> tuple[int, int]:
    """Return the user ids of the cell and of the candidate, as seen inside."""
    head = setup.head
    own_users = head.namespaces & wire.Namespace.USER
    if head.flags & wire.SetupFlag.ROOT_MAP:
        if own_users:
            return _INNER_UID, _CANDIDATE_UID
        return head.outer_uid, head.outer_uid + 1
    uid = _CANDIDATE_UID if own_users else head.own_uid
    return uid, uid


def _map_ids(setup: Setup, child: int) -> None:
    head = setup.head
    for kind, own in (("uid", head.own_uid), ("gid", head.own_gid)):
        if head.flags & wire.SetupFlag.ROOT_MAP:
            ids = (
                f"0 0 1\n{_INNER_UID} {head.outer_uid} 1\n{_CANDIDATE_UID} {head.outer_uid + 1} 1\n"
            )
        else:
            ids = f"{_CANDIDATE_UID} {own} 1\n"
            if kind == "gid":
                _write(f"/proc/{child}/setgroups", "deny")
        _write(f"/proc/{child}/{kind}_map", ids)


def _write(path: str, text: str) -> None:
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def _clear_signals() -> None:
    """Reset the signals that Python and its parent changed: a candidate inherits them."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)


def _serve(pool: _Pool, setup: Setup, given: _Descriptors) -> NoReturn:
    cell = _Cell(pool, setup, given)
    gc.collect()
    gc.freeze()  # a collection in a forked copy would copy every page
    gc.disable()
    cell.serve()


def _start_inside(pool: _Pool, setup: Setup, given: _Descriptors) -> int:
    """Make the cell in its namespaces, wait outside for it, and return its exit status.

    Without a process namespace, what outlives the cell becomes this process's child and is ended,
    and the cell ends its run if this process ends.
    """
    own_pids = bool(setup.head.namespaces & wire.Namespace.PID)
    with stage("namespaces"):
        hold, gate = os.pipe()
        if not own_pids:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # the candidate may have its id
        child = kernel.clone(setup.head.namespaces)
    if child == 0:
        os.close(gate)
        if os.read(hold, 1) != b"x":
            os._exit(1)
        if own_pids:
            os.close(hold)
        else:
            pool.lifelines.append(hold)
        _serve(pool, setup, given)
    with stage("id map"):
        if setup.head.namespaces & wire.Namespace.USER:
            _map_ids(setup, child)
        os.write(gate, b"x")
    os.closerange(0, gate)  # this process only waits
    os.closerange(gate + 1, 256)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not own_pids:
        Processes(own_pids=False).sweep()
    return status


def main() -> int:
    """Serve until the pool has ended; return the exit status."""
    _clear_signals()
    os.umask(0o022)
    os.closerange(_SOCKET_FD + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    pool = _Pool()
    try:
        message, fds = pool.receive()
        setup = parse_setup(message)
        given = _Descriptors(setup, fds)
        if setup.head.cpu >= 0:
            with stage("pin"):
                os.sched_setaffinity(0, {setup.head.cpu})
        with suppress(OSError):  # if memory runs out, the kernel kills candidates before others
            _write("/proc/self/oom_score_adj", "500")
        return _start_inside(pool, setup, given)
    except OutOfStepError:
        return 7
    except StageError as refusal:
        pool.send_ready(error=refusal.error or errno.EIO, at=refusal.name)
        return 1
    except OSError:  # it cannot clean up, or answer: the pool makes a new one
        return 8
