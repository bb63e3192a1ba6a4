"""A command as the request that a cell is sent."""

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
    """All strings of a command, and how many there are of each kind.

    Args:
        argv: The program and its arguments.
        env: Its environment.
        files: What lies in the work folder, by name.
        collect: What is brought back, by name.
        work: The work folder's path where it must be told; empty where it is the usual one.

    Raises:
        CommandError: where no cell could run it as it is written.
    """
    environment = [f"{key}={value}" for key, value in env.items()]
    if work:
        environment.append(f"TMPDIR={work}")
    names = list(files)
    _check(argv, names, collect)
    try:
        strings = wire.join_strings(argv, environment, names, collect)
    except UnicodeEncodeError as error:
        raise CommandError(f"the command is not all UTF-8: {error}; fix it") from error
    counts = (len(argv), len(environment), len(names), len(collect))
    if strings.count(0) != sum(counts):
        raise CommandError("the command holds a NUL byte; take it out of argv, env or file names")
    if len(strings) > wire.MAX_STRING_BYTES or sum(counts) > wire.MAX_STRINGS:
        raise CommandError("argv and env are too long for a cell; pass the bulk in a file")
    return strings, counts


def pack_request(
    sequence: int,
    command: Command,
    flags: int,
    stdin: bytes,
    joined: tuple[bytes, tuple[int, ...]],
) -> bytes:
    """One request as it travels; `joined` is what `join_strings` gave."""
    limits, (strings, counts) = command.limits, joined
    output = limits.output_mib * _MIB
    return wire.REQUEST.pack(
        wire.MAGIC, flags, sequence, *counts, limits.processes,
        limits.cpu_ms * 1_000_000, limits.wall_ms * 1_000_000, limits.memory_mib * _MIB,
        2 * output + _MIB, limits.stack_mib * _MIB, max(limits.file_mib * _MIB, output) + 1,
        len(strings), len(stdin),
    ) + strings + stdin  # fmt: skip


def rights(fds: list[int]) -> list[tuple[int, int, "array[int]"]]:
    """Descriptors as they travel beside a message."""
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", fds))] if fds else []


def _check(argv: tuple[str, ...], names: list[str], collect: tuple[str, ...]) -> None:
    if not argv or not argv[0]:
        raise CommandError("the command is empty; give argv at least the program's name")
    if len(names) > wire.MAX_FILES or len(collect) > wire.MAX_COLLECTED:
        raise CommandError(
            f"a command takes at most {wire.MAX_FILES} files and collects at most "
            f"{wire.MAX_COLLECTED}; pack them into an archive"
        )
    for name in (*names, *collect):
        parts = name.split("/")
        if not all(parts) or "." in parts or ".." in parts:
            raise CommandError(f"{name!r} is not a path inside the work folder; make it relative")
