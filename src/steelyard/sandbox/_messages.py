"""Encode a command as a cell's request, and its reply as an `Execution` or as advice."""

import errno
import os
import socket
from array import array
from collections.abc import Mapping

from steelyard.errors import CommandError
from steelyard.sandbox import _wire as wire
from steelyard.sandbox._command import MIB, Blob, Command
from steelyard.schemas import Execution, Isolation, Limits, StopReason


def join_strings(
    argv: tuple[str, ...],
    env: Mapping[str, str],
    files: Mapping[str, bytes | Blob],
    collect: tuple[str, ...],
    *,
    work: str,
) -> tuple[bytes, tuple[int, ...]]:
    """Return all strings of a command, and the number of each kind.

    Args:
        argv: The program and its arguments.
        env: Its environment.
        files: The files to put into the work folder, by name.
        collect: The names of the files to bring back.
        work: The work folder's path; empty if it is the usual one.

    Raises:
        CommandError: if no cell can run the command.
    """
    environment = [f"{key}={value}" for key, value in env.items()]
    if work:
        environment.append(f"TMPDIR={work}")
    names = list(files)
    _check(argv, names, collect)
    try:
        strings = wire.join_strings(argv, environment, names, collect)
    except UnicodeEncodeError as error:
        raise CommandError(
            f"the command is not valid UTF-8: {error}; remove these characters"
        ) from error
    counts = (len(argv), len(environment), len(names), len(collect))
    if strings.count(0) != sum(counts):
        raise CommandError("the command holds a NUL byte; remove it from argv, env or file names")
    if len(strings) > wire.MAX_STRING_BYTES or sum(counts) > wire.MAX_STRINGS:
        raise CommandError("argv and env are too long for a cell; pass the data in a file")
    return strings, counts


def pack_request(
    sequence: int,
    command: Command,
    flags: int,
    stdin: bytes,
    joined: tuple[bytes, tuple[int, ...]],
) -> bytes:
    """Return the bytes of one request; `joined` is the result of `join_strings`."""
    limits, (strings, counts) = command.limits, joined
    output = limits.output_mib * MIB
    return (
        wire.REQUEST.pack(
            wire.MAGIC,
            flags,
            sequence,
            *counts,
            limits.processes,
            limits.cpu_ms * 1_000_000,
            limits.wall_ms * 1_000_000,
            limits.memory_mib * MIB,
            2 * output + MIB,
            limits.stack_mib * MIB,
            max(limits.file_mib * MIB, output) + 1,
            len(strings),
            len(stdin),
        )
        + strings
        + stdin
    )


def rights(fds: list[int]) -> list[tuple[int, int, "array[int]"]]:
    """Return descriptors as ancillary data of a message."""
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", fds))] if fds else []


def _check(argv: tuple[str, ...], names: list[str], collect: tuple[str, ...]) -> None:
    if not argv or not argv[0]:
        raise CommandError("the command is empty; put at least the program's name into argv")
    if len(names) > wire.MAX_FILES or len(collect) > wire.MAX_COLLECTED:
        raise CommandError(
            f"a command takes at most {wire.MAX_FILES} files and collects at most "
            f"{wire.MAX_COLLECTED}; pack them into an archive"
        )
    for name in (*names, *collect):
        parts = name.split("/")
        if not all(parts) or "." in parts or ".." in parts:
            raise CommandError(f"{name!r} is not a path inside the work folder; make it relative")


ENDS = (StopReason.EXITED, StopReason.SIGNALED)
# As plain integers: to look up and compare enum members costs microseconds, with every run.
_NOT_STARTED, _MEMORY_LIMIT = int(wire.RunEnd.NOT_STARTED), int(wire.RunEnd.MEMORY_LIMIT)
_CPU_LIMIT, _WALL_LIMIT = int(wire.RunEnd.CPU_LIMIT), int(wire.RunEnd.WALL_LIMIT)


def stop_reason(reply: wire.CellReply, limits: Limits, *, signalled: bool) -> StopReason:
    """Return how the run ended, from the cell's reply and from the limits that it exceeds."""
    if reply.stop == _NOT_STARTED:
        return StopReason.NOT_STARTED
    if reply.stop == _MEMORY_LIMIT or reply.memory_bytes > limits.memory_mib * MIB:
        return StopReason.MEMORY_LIMIT
    if reply.stop == _CPU_LIMIT or reply.cpu_ns > limits.cpu_ms * 1_000_000:
        return StopReason.CPU_LIMIT
    if reply.stop == _WALL_LIMIT:
        return StopReason.WALL_LIMIT
    if max(reply.stdout_bytes, reply.stderr_bytes) > limits.output_mib * MIB:
        return StopReason.OUTPUT_LIMIT
    return StopReason.SIGNALED if signalled else StopReason.EXITED


def execution_of(
    command: Command,
    reply: wire.CellReply,
    outputs: tuple[bytes, bytes],
    files: dict[str, bytes],
    isolation: Isolation,
    *,
    forked: bool,
) -> Execution:
    """Return what one run did, from the cell's reply."""
    status = reply.wait_status
    signalled = os.WIFSIGNALED(status)
    stop = stop_reason(reply, command.limits, signalled=signalled)
    not_started = stop is StopReason.NOT_STARTED
    message = f"{command.argv[0]}: {os.strerror(reply.error)}" if not_started else ""
    heap = command.heap
    if heap and stop in ENDS and status and heap.is_full(outputs[1], reply.memory_bytes / MIB):
        stop = StopReason.MEMORY_LIMIT
    if heap and stop is StopReason.MEMORY_LIMIT:
        message = heap.message
    bound = command.limits.output_mib * MIB
    return Execution.of_valid(
        stop=stop,
        exit_code=None if signalled or not_started else os.WEXITSTATUS(status),
        signal=os.WTERMSIG(status) if signalled else None,
        cpu_ms=reply.cpu_ns / 1e6,
        wall_ms=reply.wall_ns / 1e6,
        waited_ms=reply.waited_ms,
        memory_mib=reply.memory_bytes / MIB,
        max_rss_mib=reply.max_rss_bytes / MIB,
        stdout=outputs[0],
        stderr=outputs[1],
        stdout_truncated=reply.stdout_bytes > bound,
        stderr_truncated=reply.stderr_bytes > bound,
        files=files,
        message=message,
        forked=forked,
        isolation=isolation,
    )


def read_whole(fd: int, size: int) -> bytes:
    """Return the first `size` bytes of a file; fewer if it is shorter."""
    if not size:
        return b""
    data = os.pread(fd, size, 0)
    while len(data) < size:  # a single read ends at 2 GiB, and a file may have shrunk
        more = os.pread(fd, size - len(data), len(data))
        if not more:
            break
        data += more
    return data


def not_prepared(error: int) -> str:
    """Return a message: why the cell could not prepare a run, and what to do about it."""
    match error:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            advice = "make the files smaller or fewer, or the view's scratch_mib larger"
        case errno.EEXIST | errno.ENOTDIR | errno.EISDIR | errno.ENAMETOOLONG:
            advice = "give each file a short, unique name that is not the folder of another file"
        case errno.EAGAIN:
            advice = "end other processes, or raise the limit of processes (ulimit -u, pids.max)"
        case errno.ENOMEM:
            advice = "free memory on the machine or in this container, or use fewer cells"
        case errno.EMFILE | errno.ENFILE:
            advice = "close other files, or raise the limit of open files (ulimit -n, fs.file-max)"
        case _:
            advice = "see `steelyard doctor`"
    return f"a cell could not prepare the run: {os.strerror(error)}; {advice}"
