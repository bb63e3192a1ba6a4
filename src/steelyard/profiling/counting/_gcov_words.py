"""Read the words and records of `.gcno` and `.gcda` files.

Source: `gcc/gcov-io.h` and `gcc/gcov-io.cc` of GCC 9 to 15. Since GCC 12 lengths are in bytes, and
a checksum follows the stamp; before, they are in words of four bytes.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

_WORD = 4
_OLDEST_MAJOR, _NEWEST_MAJOR = 9, 15
_BYTES_SINCE_MAJOR = 12
_CLANG = "408"
"""The version in Clang's files, whatever Clang's own."""


class MalformedError(ValueError):
    """A file is malformed; the message gives the reason."""


@dataclass(frozen=True)
class Version:
    """The version of a file, which decides how it is read."""

    major: int
    """Of GCC; 4 for Clang."""

    @property
    def has_checksum(self) -> bool:
        """Tell whether a checksum follows the stamp."""
        return self.major >= _BYTES_SINCE_MAJOR

    @property
    def notes_folder(self) -> bool:
        """Tell whether notes begin with the folder of the compile."""
        return self.major >= _OLDEST_MAJOR

    @property
    def unit(self) -> int:
        """Unit of lengths, in bytes."""
        return 1 if self.major >= _BYTES_SINCE_MAJOR else _WORD


def _version(text: str) -> Version:
    """Return the version of a file, such as `B22*` for GCC 12.2: A is 0, B is 10."""
    if text.startswith(_CLANG):
        return Version(4)
    if re.fullmatch("[A-Z][0-9][0-9].", text):
        major = (ord(text[0]) - ord("A")) * 10 + int(text[1])
        if _OLDEST_MAJOR <= major <= _NEWEST_MAJOR:
            return Version(major)
    raise MalformedError(f"version {text!r} is not supported")


class Words:
    """A position in the bytes of a file, moved by each read.

    Raises:
        MalformedError: by every read that goes past the end.
    """

    def __init__(self, data: memoryview, order: Literal["little", "big"], unit: int) -> None:
        self._data, self._order, self._unit = data, order, unit
        self._sign = "<" if order == "little" else ">"
        self._at = 0

    @classmethod
    def begin(cls, data: bytes, magic: bytes) -> tuple[Self, Version]:
        """Return the words after the header of a file with this `magic`, and the version."""
        order: Literal["little", "big"] = "big"
        if data[:_WORD] == magic[::-1]:
            order = "little"
        elif data[:_WORD] != magic:
            raise MalformedError("its header is not that of a gcov file")
        name = data[_WORD : 2 * _WORD]
        name = name[::-1] if order == "little" else name
        version = _version(name.decode("latin-1"))
        words = cls(memoryview(data), order, version.unit)
        words._at = 2 * _WORD
        return words, version

    @property
    def left(self) -> int:
        """Number of bytes left."""
        return len(self._data) - self._at

    def word(self) -> int:
        """Return the next number of 32 bits."""
        return int.from_bytes(self._take(_WORD), self._order)

    def longs(self, count: int) -> tuple[int, ...]:
        """Return the next numbers of 64 bits; the low half comes first in any byte order."""
        halves = struct.unpack(f"{self._sign}{2 * count}I", self._take(2 * count * _WORD))
        return tuple(low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True))

    def text(self) -> str:
        """Return the next string."""
        length = self.word() * self._unit
        return bytes(self._take(length)).rstrip(b"\0").decode("utf-8", "replace")

    def records(self) -> Iterator[tuple[int, "Words"]]:
        """Yield each record's tag and content, to the end of the file."""
        for tag, length in self.headers():
            yield tag, self.part(length)

    def headers(self) -> Iterator[tuple[int, int]]:
        """Yield each record's tag and length in bytes, as it is written: it may be negative.

        The caller reads the content before it asks for the next record.
        """
        while self.left:
            tag = self.word()
            if not tag:  # the end, where it is marked
                return
            length = self.word()
            yield tag, (length - ((length & 0x8000_0000) << 1)) * self._unit

    def part(self, length: int) -> "Words":
        """Return the next `length` bytes as words of their own."""
        return Words(self._take(length), self._order, self._unit)

    def _take(self, length: int) -> memoryview:
        if not 0 <= length <= self.left:
            raise MalformedError("it is truncated, or a length in it is wrong")
        self._at += length
        return self._data[self._at - length : self._at]
