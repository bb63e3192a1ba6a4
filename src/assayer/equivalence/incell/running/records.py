"""What a run tells the host: frames on a descriptor of their own, each sealed with the run's key.

A candidate shares this process, so that it could write to the descriptor too; without the key,
which only a closure holds, what it writes is no frame (see running/_frames.py).
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
    seal_of, lock, getpid, own = hashlib.blake2b, threading.Lock(), os.getpid, os.getpid()
    packed, write = _packed, _write
    count = 0

    def tell(kind: str, blobs: dict[str, bytes] | None = None, /, **said: object) -> None:
        nonlocal count
        if getpid() != own:  # a child of the candidate's making has nothing to tell
            return
        body = packed(kind, blobs or {}, said)
        with lock:
            numbered = count.to_bytes(8, "little") + body
            seal = seal_of(numbered, key=key, digest_size=SEAL_BYTES).digest()
            count += 1
            write(fd, len(body).to_bytes(4, "little") + seal + body)

    return tell


def teller_to_parent(pipe: int) -> Tell:
    """For a child of the run's process: what it tells, `pass_on` tells in its parent."""
    packed, write = _packed, _write

    def tell(kind: str, blobs: dict[str, bytes] | None = None, /, **said: object) -> None:
        body = packed(kind, blobs or {}, said)
        write(pipe, len(body).to_bytes(4, "little") + body)

    return tell


def pass_on(pipe: int, tell: Tell) -> None:
    """Tells what a child tells, until it ends; what is no frame is left out."""
    parts = []
    while part := os.read(pipe, _READ_BYTES):
        parts.append(part)
    data, at = b"".join(parts), 0
    while at + 4 <= len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "little")
        head, _, rest = data[at + 4 : end].partition(b"\n")
        try:
            said = json.loads(head)
            kind, sizes = said.pop("kind"), said.pop("blobs")
            tell(kind, cut_blobs(rest, sizes), **said)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return
        at = end


def cut_blobs(data: bytes, sizes: Mapping[str, int]) -> dict[str, bytes]:
    """Blobs by name, out of where they stand one after the other."""
    blobs, at = {}, 0
    for name, size in sizes.items():
        blobs[name] = data[at : at + size]
        at += size
    return blobs


def _packed(kind: str, blobs: dict[str, bytes], said: dict[str, object]) -> bytes:
    head = {**said, "kind": kind, "blobs": {name: len(blob) for name, blob in blobs.items()}}
    return json.dumps(head).encode() + b"\n" + b"".join(blobs.values())


def _write(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
