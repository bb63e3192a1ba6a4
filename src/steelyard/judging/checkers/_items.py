"""Compare two texts item by item, in batches, so that memory stays bounded."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

_CHUNK_BYTES = 1 << 16
_MATCHES = 1 << 12

_TOKEN = re.compile(rb"\S+")

Same = Callable[[bytes, bytes], bool]
"""Decides whether a printed item counts as the expected one: `same(expected, got)`."""


class Items(Protocol):
    """The items of one text in order."""

    def batch(self) -> list[bytes]:
        """Return the next items; an empty list at the end of the text."""
        ...

    def offset(self, index: int) -> int:
        """Return the offset in the text of an item of the last batch, by its index."""
        ...


class Tokens:
    """The words of a text. Each batch is a chunk of whole tokens."""

    def __init__(self, data: bytes, start: int = 0) -> None:
        self._data = data
        self._next = start
        self._chunk_start = start
        self._chunk = b""

    def batch(self) -> list[bytes]:
        """Return the tokens of the next chunk that is not blank."""
        while self._next < len(self._data):
            self._chunk_start = self._next
            self._chunk = _whole_tokens(self._data, self._next)
            self._next += len(self._chunk)
            if tokens := self._chunk.split():
                return tokens
        return []

    def offset(self, index: int) -> int:
        """Return the offset of a token; searches the chunk again, once per difference."""
        match = next(islice(_TOKEN.finditer(self._chunk), index, None))
        return self._chunk_start + match.start()


class Lines:
    """The lines of a text without white space at their ends. Each batch is a chunk of lines.

    Args:
        data: The text.
        start: Offset of the first line.
        end: Offset at which the text ends.
    """

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data, self._next, self._end = data, start, end
        self._chunk_start = start
        self._chunk: list[bytes] = []

    def batch(self) -> list[bytes]:
        """Return the lines of the next chunk."""
        self._chunk_start = self._next
        if self._next >= self._end:
            return []
        end = self._data.find(b"\n", self._next + _CHUNK_BYTES, self._end)
        end = self._end if end < 0 else end
        self._chunk = self._data[self._next : end].split(b"\n")
        self._next = end + 1
        return [line.rstrip() for line in self._chunk]

    def offset(self, index: int) -> int:
        """Return the offset of a line of the last batch."""
        return self._chunk_start + index + sum(map(len, self._chunk[:index]))


class Matches:
    """The matches of a pattern that neither takes white space nor looks beyond it.

    Args:
        pattern: The pattern of an item.
        data: The text.
        start: Offset of the first token to search.
        may_hold: Cheap test that a chunk may hold a match; false skips the search.
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
        """Return the next matches, at most a few thousand: one chunk may be the whole text."""
        while True:
            self._batch = list(islice(self._found, _MATCHES))
            if self._batch or self._next >= len(self._data):
                return [match[0] for match in self._batch]
            chunk = _whole_tokens(self._data, self._next)
            start, self._next = self._next, self._next + len(chunk)
            if self._may_hold(chunk):
                self._found = self._pattern.finditer(self._data, start, self._next)

    def offset(self, index: int) -> int:
        """Return the start of a match of the last batch."""
        return self._batch[index].start()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first item that is wrong, missing or superfluous."""

    position: int | None
    """Its offset in the output; None if the output has no item left."""
    expected_position: int | None
    """The same in the expected text."""
    got: bytes = b""
    expected: bytes = b""


def first_wrong_item(output: Items, expected: Items, same: Same) -> Mismatch | None:
    """Return the first pair of items that are not the `same`; None if all pairs are.

    Both texts must have the same number of items.
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
                        output.offset(at + index), expected.offset(wanted + index), printed, wished
                    )
        at += pairs
        wanted += pairs
    if got:
        return Mismatch(output.offset(at), None, got=got[at])
    if want:
        return Mismatch(None, expected.offset(wanted), expected=want[wanted])
    return None


def only_identical(_expected: bytes, _got: bytes) -> bool:
    """Return False: the `Same` of items that must be identical."""
    return False


def equal_but_for_case(expected: bytes, got: bytes) -> bool:
    """Return whether two items are equal if `A` to `Z` count as `a` to `z`."""
    return expected.lower() == got.lower()


def _whole_tokens(data: bytes, start: int) -> bytes:
    """Return a chunk that ends after white space, or with the text."""
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
