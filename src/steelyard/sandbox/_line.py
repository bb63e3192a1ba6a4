"""The caller's end of a cell: what is sent to it, and what comes back, and when it is lost.

A cell has two sockets. Requests and replies use one of them; the other, the bell, wakes the caller
at the end of a series, and ends a run early. A page of shared memory has the number of the last
run that began.
"""

import mmap
import os
import socket
import struct
from array import array
from collections.abc import Sequence
from contextlib import suppress

from steelyard.sandbox import _wire as wire
from steelyard.sandbox._command import MIB, Command
from steelyard.sandbox._messages import read_whole, rights

_START_TIMEOUT_S = 20.0
_GRACE_S = 10.0  # until a silent cell counts as lost
_MAX_WALL_FACTOR = 10  # a loaded machine can stretch a run's wall limit by this factor
_ROOM_FOR_FDS = socket.CMSG_SPACE(4 * (2 + wire.MAX_COLLECTED))
# As a plain integer: an operation on enum members costs microseconds, with every run.
_OUTPUTS_PASSED = int(wire.ReplyFlag.OUTPUTS_PASSED)

Answer = tuple[wire.CellReply, tuple[bytes, bytes], dict[str, bytes]]
"""A reply with both outputs and the collected files, by name."""


class CellLostError(Exception):
    """A cell ended or stopped answering; `began` is True if the candidate had started."""

    def __init__(self, why: str, *, began: bool) -> None:
        super().__init__(why)
        self.began = began


class CellLine:
    """The connection to one cell.

    Args:
        requests: This process's end of the socket that the cell was started with.

    Raises:
        OSError: if this process may not open more files.
    """

    def __init__(self, requests: socket.socket) -> None:
        self._socket = requests
        self._socket.setblocking(True)
        self._bell, self._cells_bell = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._patience_s = dict.fromkeys((self._socket, self._bell), 0.0)
        self._page = os.memfd_create("progress", os.MFD_CLOEXEC)
        os.ftruncate(self._page, mmap.PAGESIZE)
        self._progress = mmap.mmap(self._page, mmap.PAGESIZE)
        self._buffer = memoryview(bytearray(wire.REPLY.size + wire.MAX_INLINE_BYTES))

    def set_up(self, message: Sequence[bytes], fds: Sequence[int]) -> wire.Ready | None:
        """Send the setup with its descriptors; return the answer, or None if the cell has ended.

        Raises:
            OSError: if it cannot be sent.
        """
        try:
            own = [self._page, self._cells_bell.fileno()]
            self._socket.sendmsg(message, rights([*own, *fds]))
        finally:
            self._cells_bell.close()
            os.close(self._page)
        self._wait_at_most(self._socket, _START_TIMEOUT_S)
        try:
            answer = self._socket.recv(wire.READY.size)
        except BlockingIOError:
            return None
        return wire.Ready(*wire.READY.unpack(answer)) if len(answer) == wire.READY.size else None

    def send(self, requests: Sequence[bytes], fds: list[int]) -> None:
        """Send requests in one message.

        Raises:
            CellLostError: if the cell has ended.
        """
        try:
            self._socket.sendmsg(requests, rights(fds))
        except OSError as error:
            raise CellLostError(f"cell ended: {error}", began=False) from error

    def call_off(self, sequence: int) -> None:
        """End a run early, if it still runs."""
        with suppress(OSError):  # the cell has ended, or does not listen
            self._bell.send(wire.CALL_OFF.pack(sequence), socket.MSG_DONTWAIT)

    def replies_to(self, series: Sequence[Command]) -> int:
        """Wait until the cell is done with a series; return the number of its replies.

        Raises:
            CellLostError: if the cell stopped answering.
        """
        wall_s = sum(command.limits.wall_ms for command in series) / 1000
        self._wait_at_most(self._bell, wall_s * _MAX_WALL_FACTOR + _GRACE_S)
        try:
            count = self._bell.recv(1)
        except OSError as error:
            raise CellLostError("cell stopped answering", began=True) from error
        return count[0] if count else len(series)  # a lost cell's replies are still there

    def receive(self, command: Command, sequence: int) -> Answer | None:
        """Return the next reply; None if the cell has ended.

        Raises:
            CellLostError: if the cell stopped answering, or is out of step.
        """
        wall_s = command.limits.wall_ms / 1000
        self._wait_at_most(self._socket, wall_s * _MAX_WALL_FACTOR + _GRACE_S)
        try:
            size, ancillary, _, _ = self._socket.recvmsg_into([self._buffer], _ROOM_FOR_FDS)
        except BlockingIOError as error:
            raise CellLostError("cell stopped answering", began=self.began(sequence)) from error
        except OSError as error:
            raise CellLostError(f"cell ended: {error}", began=self.began(sequence)) from error
        fds = [fd for _, _, data in ancillary for fd in array("i", data)] if ancillary else []
        try:
            if size < wire.REPLY.size:
                return None
            reply = wire.CellReply._make(wire.REPLY.unpack_from(self._buffer))
            if reply.magic != wire.MAGIC or reply.sequence != sequence:
                raise CellLostError("cell out of step", began=True)
            if reply.flags & _OUTPUTS_PASSED:
                bound = command.limits.output_mib * MIB
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

    def began(self, sequence: int) -> bool:
        """Return True if this is the last run that began."""
        return bool(struct.unpack_from("<I", self._progress)[0] == sequence)

    def abort(self) -> None:
        """End both sockets from another thread; the cell then ends."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
            self._bell.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close this end; the cell then ends, unless another process has the same end."""
        self._socket.close()
        self._bell.close()
        self._progress.close()
