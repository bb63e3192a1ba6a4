"""`unordered`: compare lines in any order."""

import zlib
from collections import Counter
from itertools import islice

from steelyard.judging._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._compare import content_end, first_mismatch
from steelyard.judging.checkers._difference import difference_at, excerpt
from steelyard.judging.checkers._items import first_wrong_item, only_identical
from steelyard.schemas import TestCase

_CHUNK_BYTES = 1 << 18
_BUCKET_BYTES = 1 << 22
"""Approximate bytes of the expected text that are counted at once; bounds the memory."""


class UnorderedChecker(Checker):
    """Equal as a multiset of lines.

    White space at the end of each line, and empty lines at the end of the output, are dropped;
    all else counts: white space before a line, empty lines between others, and the number of times
    that a line appears.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output with the expected lines, each the expected number of times."""
        expected = case.expected
        if output == expected:
            return ACCEPTED
        start = output.rfind(b"\n", 0, first_mismatch(output, expected)) + 1
        parting = first_wrong_item(_Lines(output, start), _Lines(expected, start), only_identical)
        if parting is None:
            return ACCEPTED
        got_start = len(output) if parting.position is None else parting.position
        want_start = (
            len(expected) if parting.expected_position is None else parting.expected_position
        )
        buckets = 1 + (len(expected) - want_start) // _BUCKET_BYTES
        all_got, all_want = _Lines(output, got_start), _Lines(expected, want_start)
        if buckets == 1:
            return _compare(all_got, all_want, output, got_start)
        for got, want in zip(_split(all_got, buckets), _split(all_want, buckets), strict=True):
            outcome = _compare(got, want, output, got_start)
            if not outcome.passed:
                return outcome
        return ACCEPTED


class _Lines:
    """The lines of a text from an offset on, without trailing white space."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._next = start
        self._end = content_end(data)
        self._chunk_start = start
        self._chunk: list[bytes] = []

    def batch(self) -> list[bytes]:
        """Return the lines of the next chunk."""
        start, end = self._next, self._end
        if start >= end:
            return []
        cut, size = end, _CHUNK_BYTES
        while start + size < end:
            found = self._data.rfind(b"\n", start, start + size)
            if found >= 0:
                cut = found
                break
            size *= 2
        self._chunk_start, self._next = start, cut + 1
        self._chunk = self._data[start:cut].split(b"\n")
        return [line.rstrip() for line in self._chunk]

    def offset(self, index: int) -> int:
        """Return the offset in the text of a line of the last batch, by its index."""
        return self._chunk_start + sum(map(len, self._chunk[:index])) + index

    def offset_of(self, line: bytes, occurrence: int) -> int:
        """Return the offset of a line's n-th occurrence, from 1."""
        while lines := self.batch():
            here = lines.count(line)
            if occurrence <= here:
                indices = (index for index, each in enumerate(lines) if each == line)
                return self.offset(next(islice(indices, occurrence - 1, None)))
            occurrence -= here
        raise AssertionError("the line was read from this text")


class _Bucket:
    """Some lines of a text, packed."""

    def __init__(self) -> None:
        self._packed = bytearray()
        self._next = 0

    def add(self, lines: list[bytes]) -> None:
        self._packed += b"\n".join(lines) + b"\n"

    def batch(self) -> list[bytes]:
        """Return the next lines; an empty list at the end."""
        start = self._next
        if start >= len(self._packed):
            return []
        cut = self._packed.find(b"\n", start + _CHUNK_BYTES)
        if cut < 0:
            cut = len(self._packed) - 1
        self._next = cut + 1
        return bytes(self._packed[start:cut]).split(b"\n")


def _split(lines: _Lines, count: int) -> list[_Bucket]:
    """Put equal lines into the same bucket, by a hash that is the same in every process."""
    buckets = [_Bucket() for _ in range(count)]
    crc32 = zlib.crc32
    while batch := lines.batch():
        parts: list[list[bytes]] = [[] for _ in range(count)]
        for line in batch:
            parts[crc32(line) % count].append(line)
        for bucket, part in zip(buckets, parts, strict=True):
            if part:
                bucket.add(part)
    return buckets


def _compare(got: _Lines | _Bucket, want: _Lines | _Bucket, output: bytes, start: int) -> Outcome:
    """Return the outcome; wrong with the first line that `got` holds too often."""
    wanted: Counter[bytes] = Counter()
    while batch := want.batch():
        wanted.update(batch)
    left = wanted.copy()
    extra: bytes | None = None
    while batch := got.batch():
        for line in batch:
            count = left[line]
            if count:
                left[line] = count - 1
            elif extra is None:
                extra = line
    missing = next((line for line, count in left.items() if count), None)
    if extra is not None:
        position = _Lines(output, start).offset_of(extra, wanted[extra] + 1)
        fault = "appears too often" if extra in wanted else "is not expected"
        message = f"the line '{excerpt(extra)}' {fault}"
        if missing is not None:
            message += f", and '{excerpt(missing)}' is missing"
    elif missing is not None:
        position = content_end(output)
        message = f"the line '{excerpt(missing)}' is missing"
    else:
        return ACCEPTED
    difference = difference_at(output, position, got=extra or b"", expected=missing or b"")
    return Outcome(False, f"line {difference.line}: {message}", difference)
