"""What a run tells the host: frames on a descriptor of their own, each sealed with the run's key.

A candidate shares this process, so that it could write to the descriptor too; without the key,
which only a closure holds, what it writes is no frame (see project_runs/_frames.py).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping

SEAL_BYTES = 16
_LEAST_FD = 200
_READ_BYTES = 1 << 20

Tell = Callable[..., None]
"""Tells one thing: its kind, blobs by name, and what else is to be said of it."""


def teller(channel: int, key: bytes) -> Tell:
    """Opens the channel to the host, out of the way of what a program opens for itself.

    Args:
        channel: A memory file of the host's; no program that is started gets it.
        key: The run's own.
    """
    fd = fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, _LEAST_FD)
    os.close(channel)
    lock, getpid, own = threading.Lock(), os.getpid, os.getpid()
    packed, write, sealed = _packed, _write, _sealed
    count = 0

    def tell(kind: str, blobs: dict[str, bytes] | None = None, /, **said: object) -> None:
        nonlocal count
        if getpid() != own:  # a child of the candidate's making has nothing to tell
            return
        body = packed(kind, blobs or {}, said)
        with lock:
            seal = sealed(count, body, key)
            count += 1
            write(fd, len(body).to_bytes(4, "little") + seal + body)

    return tell


def teller_to_parent(pipe: int, key: bytes) -> Tell:
    """For a child of the run's process: what it tells, `pass_on` tells in its parent."""
    packed, write, sealed = _packed, _write, _sealed
    count = 0

    def tell(kind: str, blobs: dict[str, bytes] | None = None, /, **said: object) -> None:
        nonlocal count
        body = packed(kind, blobs or {}, said)
        seal = sealed(count, body, key)
        count += 1
        write(pipe, len(body).to_bytes(4, "little") + seal + body)

    return tell


def pass_on(pipe: int, tell: Tell, key: bytes) -> bool:
    """Tells what a child tells, until it ends.

    Returns:
        Whether all that came was the child's teller's; what comes after the first that was not is
        left out.
    """
    parts = []
    while part := os.read(pipe, _READ_BYTES):
        parts.append(part)
    data, at, count = b"".join(parts), 0, 0
    while at < len(data):
        start = at + 4 + SEAL_BYTES
        end = start + int.from_bytes(data[at : at + 4], "little")
        body = data[start:end]
        if end > len(data) or _sealed(count, body, key) != data[at + 4 : start]:
            return False
        head, _, rest = body.partition(b"\n")
        try:
            said = json.loads(head)
            kind, sizes = said.pop("kind"), said.pop("blobs")
            tell(kind, cut_blobs(rest, sizes), **said)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False
        at, count = end, count + 1
    return True


def cut_blobs(data: bytes, sizes: Mapping[str, int]) -> dict[str, bytes]:
    """Blobs by name, out of where they stand one after the other."""
    blobs, at = {}, 0
    for name, size in sizes.items():
        blobs[name] = data[at : at + size]
        at += size
    return blobs


def _sealed(place: int, body: bytes, key: bytes) -> bytes:
    numbered = place.to_bytes(8, "little") + body
    return hashlib.blake2b(numbered, key=key, digest_size=SEAL_BYTES).digest()


def _packed(kind: str, blobs: dict[str, bytes], said: dict[str, object]) -> bytes:
    head = {**said, "kind": kind, "blobs": {name: len(blob) for name, blob in blobs.items()}}
    return json.dumps(head).encode() + b"\n" + b"".join(blobs.values())


def _write(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
