"""Start one cell, pass commands to it, and end it."""

import dataclasses
import errno
import hashlib
import itertools
import math
import os
import resource
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from steelyard.errors import CellError, ForkServerError
from steelyard.sandbox import _wire as wire
from steelyard.sandbox._cgroups import MemoryKills, out_of_memory
from steelyard.sandbox._command import MIB, Blob, Command, ForkServer, View
from steelyard.sandbox._launch import CellPlan
from steelyard.sandbox._line import Answer, CellLine, CellLostError
from steelyard.sandbox._messages import (
    ENDS,
    execution_of,
    join_strings,
    not_prepared,
    pack_request,
    stop_reason,
)
from steelyard.schemas import Execution, Limits, StopReason

_SCRATCH_INODES = 65_536
_SERVER_RUNS = 10_000  # after so many a fork server is retired
_SERVER_LIMITS = Limits(stack_mib=1_024, cpu_ms=60_000, wall_ms=60_000, memory_mib=4_096)
_ORDINARY_ENDS = (StopReason.EXITED, StopReason.NOT_STARTED)
_MAX_SERIES_FDS = 4 * wire.MAX_SERIES

_runs = itertools.count(1)


_Strings = tuple[tuple[str, ...], Mapping[str, str], Mapping[str, bytes | Blob], tuple[str, ...]]
_Sent = tuple[Command, int, int]  # a command, its flags and its sequence number
_PLAIN = 0
# As plain integers: an operation on enum members costs microseconds, with every run.
_HAS_EXECUTABLE, _HAS_STDIN = int(wire.RequestFlag.HAS_EXECUTABLE), int(wire.RequestFlag.HAS_STDIN)
_HAS_CHANNEL, _FORKED = int(wire.RequestFlag.HAS_CHANNEL), int(wire.RequestFlag.FORKED)
_FIXED_ADDRESSES = int(wire.RequestFlag.FIXED_ADDRESSES)
_START_SERVER = int(wire.RequestFlag.START_SERVER)
_SERVER_GONE = int(wire.ReplyFlag.SERVER_GONE)
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
    if soft < MIB:
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
        self._work, self._group = home.work, home.group
        self._kills = MemoryKills(self._group)
        self.pid = home.pid
        try:
            self._line = CellLine(home.socket)
            ready = self._set_up(view, core)
        except OSError as error:
            home.socket.close()
            home.end()
            raise CellError(f"cannot start a cell: {error}; see `steelyard doctor`") from error
        if ready is None:
            self.close()
            raise CellError("a cell ended while it was starting; see `steelyard doctor`")
        if ready.error:
            stage = ready.stage.rstrip(b"\0").decode()
            self.close()
            if stage == "version":
                raise CellError(_OTHER_VERSION)
            raise CellRefusedError(f"{stage}: {os.strerror(ready.error)}")
        self.landlock_abi = ready.landlock_abi

    def _set_up(self, view: View, core: int | None) -> wire.Ready | None:
        plan = self.plan
        joins, counters = self._group.open_files() if self._group else ([], [])
        self.counts_peak = len(counters) == 5
        mounts = self._home.view
        strings = wire.join_strings([path for pair in mounts for path in pair], [self._work])
        flags = plan.flags | (wire.SetupFlag.PINNED if core is not None else 0)
        head = wire.SETUP.pack(
            _VERSION,
            flags,
            plan.namespaces,
            -1 if core is None else core,
            view.scratch_mib * MIB,
            _SCRATCH_INODES,
            # The first of two ids that no account and no other cell uses (almost certainly).
            0x6A00_0000 + int.from_bytes(os.urandom(3), "little") * 2,
            os.geteuid(),
            os.getegid(),
            len(mounts),
            len(plan.filter) // 8,
            len(joins),
            len(strings),
        )
        try:
            return self._line.set_up([head, plan.filter, strings], [*joins, *counters])
        finally:
            for fd in (*joins, *counters):
                os.close(fd)

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
        for sent in self._under_way[: self._line.replies_to(series)]:
            try:
                answer = self._receive(*sent)
                if executions and answer[0].stop == wire.RunEnd.NOT_PLACED:
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

    def call_off(self) -> None:
        """End the command that was begun as if its wall limit were met; `finish` must follow."""
        for _, _, sequence in self._under_way:
            self._line.call_off(sequence)

    def _conclude(self, command: Command, flags: int, _: int, answer: Answer) -> Execution:
        """Return what a run did. Raises the same errors as `run`."""
        reply, outputs, files = answer
        if flags & _FORKED:
            stop = stop_reason(reply, command.limits, signalled=os.WIFSIGNALED(reply.wait_status))
            if reply.flags & _SERVER_GONE or stop not in _ORDINARY_ENDS:
                self._server = None
            if reply.stop == wire.RunEnd.NOT_PLACED and reply.error == errno.ESRCH:
                raise _ServerLostError("the fork server was lost", began=False)
            if reply.stop == wire.RunEnd.NOT_PLACED and reply.error == errno.EPROTO:
                stderr = outputs[1].decode("utf-8", "backslashreplace").strip()
                raise ForkServerError(
                    stderr[-500:] or "cannot set up a run's process; see `steelyard doctor`"
                )
        if reply.stop == wire.RunEnd.NOT_PLACED:
            raise CellError(not_prepared(reply.error))
        forked = bool(flags & _FORKED)
        execution = execution_of(command, reply, outputs, files, self.plan.isolation, forked=forked)
        if execution.stop is StopReason.EXITED and execution.exit_code == 0:
            return execution
        killed, by_own_limit = self._kills.look()
        if not killed or execution.stop not in ENDS:
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
        if reply.stop != wire.RunEnd.ENDED:
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
        if max(command.limits.file_mib, command.limits.output_mib) * MIB > self._file_bound:
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
            self._line.send(parts, passed)
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

    def _receive(self, command: Command, _: int, sequence: int) -> Answer:
        """Return the reply to a request that was sent."""
        answer = self._line.receive(command, sequence)
        if answer is None:
            return self._after_loss(sequence, command.limits), (b"", b""), {}
        return answer

    def _after_loss(self, sequence: int, limits: Limits) -> wire.CellReply:
        """Return a memory-limit reply if a memory bomb killed the whole cell: a verdict too."""
        began, over = self._line.began(sequence), limits.memory_mib * MIB + 1
        group = self._group
        killed, by_own_limit = self._kills.look()
        self.broken = killed
        if began and group and killed and (by_own_limit or group.peak() >= over):
            return wire.CellReply(
                wire.MAGIC, sequence, 0, 0, wire.RunEnd.MEMORY_LIMIT, 9, 0, 0, 0, 0, over, 0, 0, 0
            )
        if killed:
            raise out_of_memory(limits)
        raise CellLostError("cell ended during the run", began=began)

    def move(self, core: int) -> bool:
        """Pin the idle cell to another core; return False if that is not possible.

        The cell's own filter forbids it to do that itself.
        """
        return bool(self.pid) and all(map(partial(_pin, core=core), _with_children(self.pid)))

    # -------------------------------------------------------------------------------- ending

    def forget(self) -> None:
        """Drop a cell that belongs to the parent of this forked process."""
        self._line.close()

    def abort(self) -> None:
        """End the cell from another thread; a run that waits for it raises `CellLostError`."""
        self._line.abort()

    def close(self) -> None:
        """End the cell and everything that runs in it, and remove what it had."""
        self._line.close()
        self._home.end()
        self.pid = 0
