"""Messages between the assertions' process and the candidate's: eight bytes of length, and text."""

from __future__ import annotations

import builtins
import os
import select
import struct
import time
from contextlib import suppress

from steelyard.toolchains.incell import calls

CHANNEL_FD = 3
SHOWN_CHARS = 300
"""Limit on the length of a message's parts for people."""

_LENGTH = struct.Struct("<Q")
_MOST_BYTES = 1 << 30  # in a message; the harness never sends longer ones

_MOST_BASES = 50
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


def exception_of(
    name: str, kinds: list[str], message: str, known: dict[str, type[Exception]]
) -> BaseException:
    """Return an exception for one of the other process.

    Args:
        name: Who raised it, for a message.
        kinds: The names of its classes.
        message: Its text.
        known: As for `exception_class`.
    """
    made = exception_class(kinds, known)
    for kind in made.__mro__ if made else ():
        with suppress(Exception):  # UnicodeDecodeError and similar need more arguments
            return kind(message)  # type: ignore[no-any-return]  # `object` takes no message
    message = message[:SHOWN_CHARS]
    return RaisedElsewhereError(f"{name} raised {kinds[0][:SHOWN_CHARS]}: {message}")


def exception_class(kinds: list[str], known: dict[str, type[Exception]]) -> type[Exception] | None:
    """Return the class for one of the other process: built-in ones, and others of the same name.

    An exception that would end the assertions' own loops has another class of its name: with
    `StopIteration`, `all(map(candidate, ...))` would hold without a single answer.

    Args:
        kinds: The names of the class and its bases.
        known: The classes that were made; new ones are added.
    """
    made: type[Exception] | None = None
    for kind in reversed(kinds[:_MOST_BASES]):
        found = known.get(kind) or (kind not in _ENDS_LOOPS and getattr(builtins, kind, None))
        if not (isinstance(found, type) and issubclass(found, Exception)):
            if not (made and kind.isidentifier()):
                continue
            found = known[kind] = type(kind, (made,), {})
        made = found
    return made
