"""Two texts compared item by item, a batch at a time: memory stays bounded at any length."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

__all__ = ["Items", "Matches", "Mismatch", "Same", "Tokens", "first_wrong_item", "only_identical"]

_CHUNK_BYTES = 1 << 16
_MATCHES = 1 << 12

_TOKEN = re.compile(rb"\S+")

Same = Callable[[bytes, bytes], bool]
"""Whether an item that was printed stands for the expected one: `same(expected, got)`."""


class Items(Protocol):
    """The items of one text in order."""

    def batch(self) -> list[bytes]:
        """The next items; an empty list at the end of the text."""
        ...

    def place(self, index: int) -> int:
        """Where the item of that index in the last batch begins in the text."""
        ...


class Tokens:
    """What white space separates. Each batch is split off a chunk of whole tokens."""

    def __init__(self, data: bytes, start: int = 0) -> None:
        self._data = data
        self._next = start
        self._chunk_start = start
        self._chunk = b""

    def batch(self) -> list[bytes]:
        """The tokens of the next chunk that has any."""
        while self._next < len(self._data):
            self._chunk_start = self._next
            self._chunk = _whole_tokens(self._data, self._next)
            self._next += len(self._chunk)
            if tokens := self._chunk.split():
                return tokens
        return []

    def place(self, index: int) -> int:
        """Found by a second look at the chunk; done once for a difference."""
        match = next(islice(_TOKEN.finditer(self._chunk), index, None))
        return self._chunk_start + match.start()


class Matches:
    """What a pattern finds that takes no white space, nor looks beyond any.

    Args:
        pattern: What an item is.
        data: The text.
        start: Where to begin: the start of a token.
        may_hold: Whether a chunk is worth a search; it spares noise the price of the pattern.
    """

    def __init__(
        self,
        pattern: re.Pattern[bytes],
        data: bytes,
        start: int = 0,
        *,
        may_hold: Callable[[bytes], bool],
    ) -> None:
        self._pattern = pattern
        self._data = data
        self._next = start
        self._may_hold = may_hold
        self._found: Iterator[re.Match[bytes]] = iter(())
        self._batch: list[re.Match[bytes]] = []

    def batch(self) -> list[bytes]:
        """The next matches, a few thousand at most: one chunk may be all of the text."""
        while True:
            self._batch = list(islice(self._found, _MATCHES))
            if self._batch or self._next >= len(self._data):
                return [match[0] for match in self._batch]
            chunk = _whole_tokens(self._data, self._next)
            start, self._next = self._next, self._next + len(chunk)
            if self._may_hold(chunk):
                self._found = self._pattern.finditer(self._data, start, self._next)

    def place(self, index: int) -> int:
        """The start of that match."""
        return self._batch[index].start()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first item that is wrong, missing or too many."""

    position: int | None
    """Where it begins in the output; None where the output has no item left."""
    expected_position: int | None
    """The same in the expected text."""
    got: bytes = b""
    expected: bytes = b""


def first_wrong_item(output: Items, expected: Items, same: Same) -> Mismatch | None:
    """The first pair of items that differ and are not the `same`; None where all pairs agree.

    Both texts must have as many items.
    """
    got: list[bytes] = []
    want: list[bytes] = []
    at = wanted = 0
    while True:
        if at == len(got):
            got, at = output.batch(), 0
        if wanted == len(want):
            want, wanted = expected.batch(), 0
        pairs = min(len(got) - at, len(want) - wanted)
        if pairs == 0:
            break
        left, right = got[at : at + pairs], want[wanted : wanted + pairs]
        if left != right:
            for index, (printed, wished) in enumerate(zip(left, right, strict=True)):
                if printed != wished and not same(wished, printed):
                    return Mismatch(
                        output.place(at + index), expected.place(wanted + index), printed, wished
                    )
        at += pairs
        wanted += pairs
    if got:
        return Mismatch(output.place(at), None, got=got[at])
    if want:
        return Mismatch(None, expected.place(wanted), expected=want[wanted])
    return None


def only_identical(_expected: bytes, _got: bytes) -> bool:
    """The `Same` of items that stand for nothing but themselves."""
    return False


def _whole_tokens(data: bytes, start: int) -> bytes:
    """A chunk that ends behind white space, or with the text."""
    size = _CHUNK_BYTES
    while start + size < len(data):
        chunk = data[start : start + size]
        cut = max(chunk.rfind(b"\n"), chunk.rfind(b" "))
        if cut < 0:
            cut = max(chunk.rfind(space) for space in (b"\t", b"\r", b"\v", b"\f"))
        if cut >= 0:
            return chunk[: cut + 1]
        size *= 2
    return data[start:]
