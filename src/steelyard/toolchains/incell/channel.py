"""Messages between the assertions' process and the candidate's: eight bytes of length, and text."""

from __future__ import annotations

import builtins
import os
import select
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

from steelyard.toolchains.incell import calls

CHANNEL_FD = 3
SHOWN_CHARS = 300
"""Limit on the length of a message's parts for people."""

_LENGTH = struct.Struct("<Q")
_MOST_BYTES = 1 << 30  # in a message; the harness never sends longer ones

_ENDS_LOOPS = ("StopIteration", "StopAsyncIteration", "GeneratorExit")


def send(text: str) -> None:
    """Send one message.

    Raises:
        OSError: if the other side has ended.
    """
    data = text.encode()
    calls.write_all(CHANNEL_FD, _LENGTH.pack(len(data)) + data)


def receive(deadline: float | None = None) -> bytes | None:
    """Return the next message; None if the other side has ended, empty if the length is invalid.

    Raises:
        TimeoutError: if it is not complete by the deadline.
    """
    head = _exactly(_LENGTH.size, deadline)
    if head is None:
        return None
    (size,) = _LENGTH.unpack(head)
    return _exactly(size, deadline) if size <= _MOST_BYTES else b""


def _exactly(size: int, deadline: float | None) -> bytes | None:
    parts = []
    while size:
        if deadline is not None:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([CHANNEL_FD], [], [], left_s)[0]:
                raise TimeoutError
        part = os.read(CHANNEL_FD, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class RaisedElsewhereError(Exception):
    """An exception of a class that only the other process has."""


Classes = Mapping[str, "type[Exception]"]


def exception_of(name: str, kinds: list[str], message: str, known: Classes) -> BaseException:
    """Return the exception that is closest to one of the other process.

    Args:
        name: Who raised it, for a message.
        kinds: The names of its classes.
        message: Its text.
        known: Classes that are preferred to built-in ones of the same name.
    """
    for kind in exception_classes(kinds, known):
        with suppress(Exception):  # UnicodeDecodeError and similar need more arguments
            return kind(message)
    message = message[:SHOWN_CHARS]
    return RaisedElsewhereError(f"{name} raised {kinds[0][:SHOWN_CHARS]}: {message}")


def exception_classes(kinds: list[str], known: Classes) -> Iterator[type[Exception]]:
    """Yield the known and built-in classes of these names, the closest first.

    An exception that would end the assertions' own loops is left out: with `StopIteration`,
    `all(map(candidate, ...))` would hold without a single answer.
    """
    for kind in kinds:
        if kind in _ENDS_LOOPS:
            return
        found = known.get(kind) or getattr(builtins, kind, None)
        if isinstance(found, type) and issubclass(found, Exception):
            yield found
