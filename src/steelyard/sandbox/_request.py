"""Encode a command as the request that is sent to a cell."""

import socket
from array import array
from collections.abc import Mapping

from steelyard.errors import CommandError
from steelyard.sandbox import _wire as wire
from steelyard.sandbox._blob import Blob
from steelyard.sandbox._command import Command

_MIB = 1024 * 1024


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
    output = limits.output_mib * _MIB
    return (
        wire.REQUEST.pack(
            wire.MAGIC,
            flags,
            sequence,
            *counts,
            limits.processes,
            limits.cpu_ms * 1_000_000,
            limits.wall_ms * 1_000_000,
            limits.memory_mib * _MIB,
            2 * output + _MIB,
            limits.stack_mib * _MIB,
            max(limits.file_mib * _MIB, output) + 1,
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
