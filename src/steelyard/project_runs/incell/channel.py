"""The channel on which a run tells the host records, each sealed with the run's key.

A candidate shares this process, so that it could write to the descriptor too; without the key,
which only a closure holds, what it writes is no frame (see project_runs/_frames.py).
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import threading
from collections.abc import Callable, Iterator

from steelyard.project_runs.incell.records import packed

SEAL_BYTES = 16
LENGTH_BYTES = 4
_LEAST_FD = 200
_READ_BYTES = 1 << 20

Tell = Callable[[object], None]
"""Tells one record, or the body of a frame that was told before."""


def teller(channel: int, key: bytes) -> Tell:
    """Open the channel to the host, out of the way of what a program opens for itself.

    Args:
        channel: A memory file of the host's; no program that is started gets it.
        key: The run's own.
    """
    fd = fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, _LEAST_FD)
    os.close(channel)
    return teller_to_parent(fd, key)


def teller_to_parent(fd: int, key: bytes) -> Tell:
    """Return a teller for a process whose parent reads a pipe, with `pass_on`."""
    lock, getpid, own = threading.Lock(), os.getpid, os.getpid()
    body_of, write, sealed = _body_of, _write, _sealed
    count = 0

    def tell(record: object) -> None:
        nonlocal count
        if getpid() != own:  # a child of the candidate's making has nothing to tell
            return
        body = record if isinstance(record, bytes) else body_of(record)
        with lock:
            seal = sealed(count, body, key)
            count += 1
            write(fd, len(body).to_bytes(LENGTH_BYTES, "little") + seal + body)

    return tell


def pass_on(pipe: int, tell: Tell, key: bytes) -> bool:
    """Tell what a child tells, until it ends.

    Returns:
        Whether all that came was the child's teller's; what comes after the first that was not is
        left out.
    """
    parts = []
    while part := os.read(pipe, _READ_BYTES):
        parts.append(part)
    data = b"".join(parts)
    at = 0
    for body, is_sealed in sealed_frames(data, key):
        if not is_sealed:
            return False
        tell(body)
        at += LENGTH_BYTES + SEAL_BYTES + len(body)
    return at == len(data)


def sealed_frames(data: bytes, key: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the frames' bodies, each with whether its seal is right; not of one that breaks off.

    After a wrong seal nothing follows.
    """
    at, count = 0, 0
    while at + LENGTH_BYTES + SEAL_BYTES <= len(data):
        start = at + LENGTH_BYTES + SEAL_BYTES
        end = start + int.from_bytes(data[at : at + LENGTH_BYTES], "little")
        if end > len(data):
            return
        body = data[start:end]
        is_sealed = hmac.compare_digest(_sealed(count, body, key), data[start - SEAL_BYTES : start])
        yield body, is_sealed
        if not is_sealed:
            return
        at, count = end, count + 1


def _sealed(place: int, body: bytes, key: bytes) -> bytes:
    numbered = place.to_bytes(8, "little") + body
    return hashlib.blake2b(numbered, key=key, digest_size=SEAL_BYTES).digest()


def _body_of(record: object) -> bytes:
    return type(record).__name__.encode() + b"\n" + packed(record)


def _write(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
