"""Start one cell, pass commands to it, and end it."""

import dataclasses
import errno
import hashlib
import itertools
import math
import mmap
import os
import resource
import signal
import socket
import struct
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from steelyard.errors import CellError, ForkServerError
from steelyard.sandbox import _wire as wire
from steelyard.sandbox._blob import Blob
from steelyard.sandbox._command import Command, ForkServer, View
from steelyard.sandbox._launch import CellPlan
from steelyard.sandbox._memory_kills import MemoryKills, out_of_memory
from steelyard.sandbox._reply import execution_of, not_prepared, read_whole, stop_reason
from steelyard.sandbox._request import join_strings, pack_request, rights
from steelyard.schemas import Execution, Isolation, Limits, StopReason

_MIB = 1024 * 1024
_START_TIMEOUT_S = 20.0
_GRACE_S = 10.0  # until a silent cell counts as lost
_MAX_WALL_FACTOR = 10  # a loaded machine can stretch a run's wall limit by this factor
_SCRATCH_INODES = 65_536
_SERVER_RUNS = 10_000  # after so many a fork server is retired
_SERVER_LIMITS = Limits(stack_mib=1_024, cpu_ms=60_000, wall_ms=60_000, memory_mib=4_096)
_ORDINARY_ENDS = (StopReason.EXITED, StopReason.NOT_STARTED)
_ENDS = (StopReason.EXITED, StopReason.SIGNALED)
_ROOM_FOR_FDS = socket.CMSG_SPACE(4 * (2 + wire.MAX_COLLECTED))
_MAX_SERIES_FDS = 4 * wire.MAX_SERIES

_runs = itertools.count(1)


_Strings = tuple[tuple[str, ...], Mapping[str, str], Mapping[str, bytes | Blob], tuple[str, ...]]
_Answer = tuple[wire.Reply, tuple[bytes, bytes], dict[str, bytes]]
_Sent = tuple[Command, int, int]  # a command, its flags and its sequence number
_PLAIN = 0
# As plain integers: an operation on enum members costs microseconds, with every run.
_HAS_EXECUTABLE, _HAS_STDIN = int(wire.RequestFlag.HAS_EXECUTABLE), int(wire.RequestFlag.HAS_STDIN)
_HAS_CHANNEL, _FORKED = int(wire.RequestFlag.HAS_CHANNEL), int(wire.RequestFlag.FORKED)
_FIXED_ADDRESSES = int(wire.RequestFlag.FIXED_ADDRESSES)
_START_SERVER = int(wire.RequestFlag.START_SERVER)
_OUTPUTS_PASSED, _SERVER_GONE = int(wire.ReplyFlag.OUTPUTS_PASSED), int(wire.ReplyFlag.SERVER_GONE)
_BOUNDED_FILES = (
    "this process may not write files as large as the limits of a run allow (ulimit -f); "
    "set it with `ulimit -f unlimited`, or lower file_mib and output_mib"
)
_VERSION = int.from_bytes(hashlib.sha256(Path(wire.__file__).read_bytes()).digest()[:4], "big")
_OTHER_VERSION = (
    "the native cell was built from another version of Steelyard; build it with `make setup`, or "
    "reinstall the package"
)
_NO_ENV: Mapping[str, str] = {}


class CellRefusedError(CellError):
    """The kernel refused the requested isolation; a weaker plan may work."""


class CellLostError(Exception):
    """A cell ended or stopped answering; `began` is True if the candidate had started."""

    def __init__(self, why: str, *, began: bool) -> None:
        super().__init__(why)
        self.began = began


class _ServerLostError(CellLostError):
    """The fork server made no process; the cell itself works."""


def _file_bound() -> float:
    """Return the largest file that this process, and so a cell, may write.

    Raises:
        CellError: if that is too little for any cell.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if soft == resource.RLIM_INFINITY:
        return math.inf
    if soft < _MIB:
        raise CellError(_BOUNDED_FILES)
    return soft


def _with_children(pid: int) -> list[int]:
    with suppress(OSError):
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        children = [int(child) for child in text.split()]
        return [pid, *children, *(each for child in children for each in _with_children(child)[1:])]
    return [0]  # unknown


def _pin(pid: int, core: int) -> bool:
    with suppress(OSError):
        if pid:
            os.sched_setaffinity(pid, {core})
            return True
    return False


def _outer_uid() -> int:
    """Return the first of two ids that no account and no other cell uses (almost certainly)."""
    return 0x6A00_0000 + int.from_bytes(os.urandom(3), "little") * 2


class Cell:
    """A running cell. Not thread-safe: one command at a time.

    Raises:
        CellRefusedError: if the kernel refuses the plan's isolation.
        CellError: if the cell cannot be started at all.
    """

    def __init__(self, plan: CellPlan, view: View, core: int | None) -> None:
        self._file_bound = _file_bound()
        self.plan = plan
        self.broken = False  # True if a run's outcome is known but the cell has ended
        self._packed_key: _Strings | None = None
        self._server: ForkServer | None = None
        self._server_runs = 0
        self._under_way: list[_Sent] = []
        self._shares_id = not plan.isolation.separate_user
        self._home = home = plan.launch(plan, view, core)
        self._socket, self._work, self._group = home.socket, home.work, home.group
        self._kills = MemoryKills(self._group)
        self._socket.setblocking(True)
        self._bell, bell = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._patience_s = dict.fromkeys((self._socket, self._bell), 0.0)
        self.pid = home.pid
        page = os.memfd_create("progress", os.MFD_CLOEXEC)
        os.ftruncate(page, mmap.PAGESIZE)
        self._progress = mmap.mmap(page, mmap.PAGESIZE)
        self._buffer = memoryview(bytearray(wire.REPLY.size + wire.MAX_INLINE_BYTES))
        try:
            ready = self._set_up(view, core, page, bell.fileno())
        except OSError as error:
            self.close()
            raise CellError(f"cannot start a cell: {error}; see `steelyard doctor`") from error
        finally:
            bell.close()
            os.close(page)
        if ready.error:
            stage = ready.stage.rstrip(b"\0").decode()
            self.close()
            if stage == "version":
                raise CellError(_OTHER_VERSION)
            raise CellRefusedError(f"{stage}: {os.strerror(ready.error)}")
        self.landlock_abi = ready.landlock_abi

    def _set_up(self, view: View, core: int | None, page: int, bell: int) -> wire.Ready:
        plan = self.plan
        joins, counters = self._group.open_files() if self._group else ([], [])
        self.counts_peak = len(counters) == 5
        mounts = self._home.view
        strings = wire.join_strings([path for pair in mounts for path in pair], [self._work])
        flags = plan.flags | (wire.SetupFlag.PINNED if core is not None else 0)
        head = wire.SETUP.pack(
            _VERSION, flags, plan.namespaces, -1 if core is None else core,
            view.scratch_mib * _MIB, _SCRATCH_INODES, _outer_uid(), os.geteuid(), os.getegid(),
            len(mounts), len(plan.filter) // 8, len(joins), len(strings),
        )  # fmt: skip
        try:
            socket.send_fds(
                self._socket, [head, plan.filter, strings], [page, bell, *joins, *counters]
            )
        finally:
            for fd in (*joins, *counters):
                os.close(fd)
        self._wait_at_most(self._socket, _START_TIMEOUT_S)
        try:
            answer = self._socket.recv(wire.READY.size)
        except BlockingIOError:
            answer = b""
        if len(answer) != wire.READY.size:
            self.close()
            raise CellError("a cell ended while it was starting; see `steelyard doctor`")
        return wire.Ready(*wire.READY.unpack(answer))

    # ------------------------------------------------------------------------------- running

    def run(self, command: Command) -> Execution:
        """Run one command.

        If the fork server shares the candidate's user id, a candidate can kill it. That must
        neither fail the judge nor save the candidate its run: after two tries the command runs
        without the server.

        Raises:
            CommandError: if no cell can run it.
            ForkServerError: if its fork server does not start.
            CellError: if the cell could not prepare the run.
            CellLostError: if the cell ended or stopped answering; it cannot be used again.
        """
        for _ in range(2):
            self.begin(command)
            try:
                return self.finish()
            except _ServerLostError:
                continue
        self.begin(dataclasses.replace(command, server=None))
        return self.finish()

    def run_series(self, commands: Sequence[Command]) -> list[Execution]:
        """Run the first command, and those after it while they end well and little time passes.

        The cell does not wait for this process between them, which halves what a short run costs.

        Returns:
            One execution or more, in order; the other commands were not run.

        Raises:
            CommandError, ForkServerError, CellError, CellLostError: as `run`.
        """
        series = self._series(commands)
        if len(series) == 1:
            return [self.run(series[0])]
        self._send(series)
        executions: list[Execution] = []
        for sent in self._under_way[: self._answered()]:
            try:
                answer = self._receive(*sent)
                if executions and answer[0].stop == wire.Stop.NOT_PLACED:
                    self._server = None  # the cause, if it has one; the next call tells
                    break
                executions.append(self._conclude(*sent, answer))
            except _ServerLostError:
                return [self.run(series[0])]
            except CellLostError as lost:
                if lost.began or not executions:
                    raise
                self.broken = True
            if self.broken:
                break
        return executions

    def begin(self, command: Command) -> None:
        """Send one command; `finish` must follow. Raises the same errors as `run`."""
        self._send((command,))

    def finish(self) -> Execution:
        """Wait for the command that was begun. Raises the same errors as `run`."""
        (sent,) = self._under_way
        return self._conclude(*sent, self._receive(*sent))

    def _conclude(self, command: Command, flags: int, _: int, answer: _Answer) -> Execution:
        """Return what a run did. Raises the same errors as `run`."""
        reply, outputs, files = answer
        if flags & _FORKED:
            stop = stop_reason(reply, command.limits, signalled=os.WIFSIGNALED(reply.wait_status))
            if reply.flags & _SERVER_GONE or stop not in _ORDINARY_ENDS:
                self._server = None
            if reply.stop == wire.Stop.NOT_PLACED and reply.error == errno.ESRCH:
                raise _ServerLostError("the fork server was lost", began=False)
            if reply.stop == wire.Stop.NOT_PLACED and reply.error == errno.EPROTO:
                stderr = outputs[1].decode("utf-8", "backslashreplace").strip()
                raise ForkServerError(
                    stderr[-500:] or "cannot set up a run's process; see `steelyard doctor`"
                )
        if reply.stop == wire.Stop.NOT_PLACED:
            raise CellError(not_prepared(reply.error))
        forked = bool(flags & _FORKED)
        execution = execution_of(command, reply, outputs, files, self.isolation, forked=forked)
        if execution.stop is StopReason.EXITED and execution.exit_code == 0:
            return execution
        killed, by_own_limit = self._kills.look()
        if not killed or execution.stop not in _ENDS:
            return execution
        if self._kills.include_strangers and execution.signal != signal.SIGKILL:
            return execution  # it failed by itself while the kernel killed somebody else's
        if by_own_limit:  # the largest process alone was below it
            return execution.model_copy(update={"stop": StopReason.MEMORY_LIMIT})
        raise out_of_memory(command.limits)

    def _start_server(self, server: ForkServer, command: Command) -> None:
        """Start this fork server, which replaces the current one.

        Raises:
            ForkServerError: if it does not start; the message ends with its last line.
        """
        self._server, self._server_runs = None, 0
        start = Command(server.argv, env=dict(server.env), limits=_SERVER_LIMITS, view=command.view)
        self._send((start,), _START_SERVER)
        reply, outputs, _ = self._receive(*self._under_way[0])
        if reply.stop != wire.Stop.ENDED:
            lines = outputs[1].decode("utf-8", "backslashreplace").strip().splitlines()
            why = lines[-1] if lines else os.strerror(reply.error)
            raise ForkServerError(f"the fork server {server.argv[0]} did not start: {why[:500]}")
        self._server = server

    def _series(self, commands: Sequence[Command]) -> Sequence[Command]:
        """Return as many of the first commands as fit into one message: at least one."""
        room, fds = wire.MAX_INLINE_BYTES, _MAX_SERIES_FDS
        for count, command in enumerate(commands[: wire.MAX_SERIES]):
            stdin, executable = command.stdin, command.executable
            if command.channel is not None or not isinstance(stdin, bytes):
                return commands[: count or 1]
            if executable and (self._shares_id or not executable.keeps_times):
                return commands[: count or 1]  # a run would leave its traces on it for the next
            strings, _ = self._strings(command, forked=self._forks(command))
            room -= wire.REQUEST.size + len(strings) + len(stdin)
            fds -= len(command.files) + 1
            first = commands[0]
            alike = command.server == first.server and command.view == first.view
            if room < 0 or fds < 0 or not alike or command.cell != first.cell:
                return commands[: count or 1]
        return commands[: wire.MAX_SERIES]

    def _forks(self, command: Command) -> bool:
        return command.server is not None and self.plan.serves_forks

    def _prepare(self, command: Command) -> int:
        """Make what a command needs around its run; return its flags."""
        if max(command.limits.file_mib, command.limits.output_mib) * _MIB > self._file_bound:
            raise CellError(_BOUNDED_FILES)
        self._home.make_room(command.limits)
        if command.server is None or not self.plan.serves_forks:
            return _PLAIN
        if self._server != command.server or self._server_runs >= _SERVER_RUNS:
            self._start_server(command.server, command)
        self._server_runs += 1
        return _FORKED

    def _send(self, commands: Sequence[Command], flags: int = _PLAIN) -> None:
        """Send commands in one message, and close short-lived descriptors once they are sent."""
        each = [(command, flags or self._prepare(command)) for command in commands]
        own: list[int] = []
        passed: list[int] = []
        parts: list[bytes] = []
        self._under_way = []
        try:
            for command, command_flags in each:
                sequence = next(_runs) & 0xFFFF_FFFF
                parts.append(self._request(sequence, command, command_flags, own, passed))
                self._under_way.append((command, command_flags, sequence))
            try:
                self._socket.sendmsg(parts, rights(passed))
            except OSError as error:
                raise CellLostError(f"cell ended: {error}", began=False) from error
        finally:
            for fd in own:
                os.close(fd)

    def _request(
        self, sequence: int, command: Command, flags: int, own: list[int], passed: list[int]
    ) -> bytes:
        """Return one request; add its descriptors to `passed`, and short-lived ones to `own`."""
        inlined = b""
        stdin = command.stdin
        strings = self._strings(command, forked=bool(flags & _FORKED))  # refuses too many files
        if isinstance(stdin, bytes) and len(stdin) <= wire.MAX_INLINE_BYTES:
            inlined = stdin
        else:
            blob = Blob(stdin) if isinstance(stdin, bytes) else stdin
            own.append(blob.reader())
            passed.append(own[-1])
            flags |= _HAS_STDIN
        if command.executable is not None:
            command.executable.restore(owned=self._shares_id)
            passed.append(command.executable.fd)
            flags |= _HAS_EXECUTABLE
        if command.channel is not None:
            passed.append(command.channel)
            flags |= _HAS_CHANNEL
        if command.fixed_addresses:
            flags |= _FIXED_ADDRESSES
        for content in command.files.values():
            if isinstance(content, bytes):
                own.append(Blob(content).detach())
                passed.append(own[-1])
            else:
                passed.append(content.fd)
        return pack_request(sequence, command, flags, inlined, strings)

    def _strings(self, command: Command, *, forked: bool) -> tuple[bytes, tuple[int, ...]]:
        """Return the command's encoded strings; the last result is kept for the next run."""
        argv = command.forked_argv if forked else command.argv
        env = _NO_ENV if forked else command.env  # the server's environment applies
        key = (argv, env, command.files, command.collect)
        if not (
            self._packed_key
            and self._packed_key[0] == key[0]
            and self._packed_key[1] is key[1]
            and self._packed_key[2] is key[2]
            and self._packed_key[3] == key[3]
        ):
            self._packed = join_strings(*key, work="" if forked else self._work)
            self._packed_key = key
        return self._packed

    def _answered(self) -> int:
        """Wait until the cell is done with a series; return how many commands have a reply."""
        wall_ms = sum(command.limits.wall_ms for command, _, _ in self._under_way)
        self._wait_at_most(self._bell, wall_ms / 1000 * _MAX_WALL_FACTOR + _GRACE_S)
        try:
            said = self._bell.recv(1)
        except OSError as error:
            raise CellLostError("cell stopped answering", began=True) from error
        if said:
            return said[0]
        return len(self._under_way)  # the cell is lost; what it has sent is still there

    def _receive(self, command: Command, _: int, sequence: int) -> _Answer:
        """Return one reply with both outputs and the collected files, by name."""
        wall_s = command.limits.wall_ms / 1000
        self._wait_at_most(self._socket, wall_s * _MAX_WALL_FACTOR + _GRACE_S)
        try:
            size, ancillary, _, _ = self._socket.recvmsg_into([self._buffer], _ROOM_FOR_FDS)
        except BlockingIOError as error:
            raise CellLostError("cell stopped answering", began=self._began(sequence)) from error
        except OSError as error:
            raise CellLostError(f"cell ended: {error}", began=self._began(sequence)) from error
        fds = [fd for _, _, data in ancillary for fd in array("i", data)] if ancillary else []
        try:
            if size < wire.REPLY.size:
                return self._after_loss(sequence, command.limits), (b"", b""), {}
            reply = wire.Reply._make(wire.REPLY.unpack_from(self._buffer))
            if reply.magic != wire.MAGIC or reply.sequence != sequence:
                raise CellLostError("cell out of step", began=True)
            if reply.flags & _OUTPUTS_PASSED:
                bound = command.limits.output_mib * _MIB
                outputs = (
                    read_whole(fds[0], min(reply.stdout_bytes, bound)),
                    read_whole(fds[1], min(reply.stderr_bytes, bound)),
                )
                files = fds[2:]
            else:
                start, middle = wire.REPLY.size, wire.REPLY.size + reply.stdout_bytes
                outputs = (bytes(self._buffer[start:middle]), bytes(self._buffer[middle:size]))
                files = fds
            if not command.collect:
                return reply, outputs, {}
            names = [n for i, n in enumerate(command.collect) if reply.collected >> i & 1]
            collected = {
                name: read_whole(fd, os.fstat(fd).st_size)
                for name, fd in zip(names, files, strict=True)
            }
        finally:
            for fd in fds:
                os.close(fd)
        return reply, outputs, collected

    def _wait_at_most(self, end: socket.socket, seconds: float) -> None:
        """Set the kernel's timeout for the next receive: Python's costs a `poll` each time."""
        if seconds != self._patience_s[end]:
            timeval = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6))
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeval)
            self._patience_s[end] = seconds

    def _began(self, sequence: int) -> bool:
        return bool(struct.unpack_from("<I", self._progress)[0] == sequence)

    def _after_loss(self, sequence: int, limits: Limits) -> wire.Reply:
        """Return a memory-limit reply if a memory bomb killed the whole cell: a verdict too."""
        began, over = self._began(sequence), limits.memory_mib * _MIB + 1
        group = self._group
        killed, by_own_limit = self._kills.look()
        self.broken = killed
        if began and group and killed and (by_own_limit or group.peak() >= over):
            return wire.Reply(
                wire.MAGIC, sequence, 0, 0, wire.Stop.MEMORY_LIMIT, 9, 0, 0, 0, 0, over, 0, 0, 0
            )
        if killed:
            raise out_of_memory(limits)
        raise CellLostError("cell ended during the run", began=began)

    @property
    def isolation(self) -> Isolation:
        """The isolation of each run."""
        return self.plan.isolation

    def move(self, core: int) -> bool:
        """Pin the idle cell to another core; return False if that is not possible.

        The cell's own filter forbids it to do that itself.
        """
        return bool(self.pid) and all(map(partial(_pin, core=core), _with_children(self.pid)))

    # -------------------------------------------------------------------------------- ending

    def forget(self) -> None:
        """Drop a cell that belongs to the parent of this forked process."""
        self._socket.close()
        self._bell.close()
        self._progress.close()

    def abort(self) -> None:
        """End the cell from another thread; a run that waits for it raises `CellLostError`."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
            self._bell.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the cell and everything that runs in it, and remove what it had."""
        self._socket.close()
        self._bell.close()
        self._progress.close()
        self._home.end()
        self.pid = 0
