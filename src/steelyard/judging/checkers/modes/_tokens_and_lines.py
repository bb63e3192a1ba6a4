"""`tokens`, `lines` and `unordered`: compare two texts item by item.

1. Both texts are equal up to their first mismatch, so items are read from there.
2. They are read in batches, so that memory stays bounded, and pairs of batches are compared.
3. In any order, lines are first put into buckets by a hash. One bucket at a time is counted.
"""

import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from steelyard.judging.checkers._outcome import (
    ACCEPTED,
    Checker,
    Outcome,
    content_end,
    difference_at,
    excerpt,
    first_mismatch,
    match_mode,
    word_start,
    wrong_at,
)
from steelyard.schemas import TestCase

_SPLIT_AT_ONCE = 1 << 12
_SHOWN = 1 << 12
_CHUNK_BYTES = 1 << 16
_PACKED_BYTES = 1 << 18
_BUCKET_BYTES = 1 << 22
"""Approximate bytes of the expected text that are counted at once; bounds the memory."""
_TOKEN = re.compile(rb"\S+")
Same = Callable[[bytes, bytes], bool]
"""Decides whether a printed item counts as the expected one: `same(expected, got)`."""


@match_mode("tokens", 1, ignore_case=True)
class TokensChecker(Checker):
    """Equal as tokens: white space may be of any kind and length, before and after too."""

    def __init__(self, ignore_case: bool = False) -> None:
        self._same: Same = equal_but_for_case if ignore_case else only_identical

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output with the expected tokens in the expected order."""
        return compare_tokens(output, case.expected, self._same)


def compare_tokens(output: bytes, expected: bytes, same: Same) -> Outcome:
    """Accept an output whose tokens are each the `same` as the expected one."""
    if output == expected:
        return ACCEPTED
    if len(output) < _SPLIT_AT_ONCE and output.split() == expected.split():
        return ACCEPTED
    start = word_start(output, first_mismatch(output, expected))
    return outcome_of(
        output, first_wrong_item(Tokens(output, start), Tokens(expected, start), same)
    )


def outcome_of(output: bytes, wrong: "Mismatch | None") -> Outcome:
    """Return the outcome of an output with this first wrong item; None is a right one."""
    if wrong is None:
        return ACCEPTED
    position = content_end(output) if wrong.position is None else wrong.position
    return wrong_at(output, position, got=wrong.got, expected=wrong.expected)


@match_mode("lines", 2, ignore_case=True)
class LinesChecker(Checker):
    """Equal as lines: white space at the end of each line, and blank lines at the end, are ignored.

    White space before the first word of a line and between its words counts, and so do blank lines
    between others.
    """

    def __init__(self, ignore_case: bool = False) -> None:
        self._same: Same = equal_but_for_case if ignore_case else only_identical

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output with the expected lines in the expected order."""
        if output == case.expected:
            return ACCEPTED
        expected = case.expected
        start = output.rfind(b"\n", 0, first_mismatch(output, expected)) + 1
        ends = content_end(output), content_end(expected)
        wrong = first_wrong_item(
            Lines(output, start, ends[0]), Lines(expected, start, ends[1]), self._same
        )
        if wrong is None:
            return ACCEPTED
        at = ends[0] if wrong.position is None else wrong.position
        wanted = ends[1] if wrong.expected_position is None else wrong.expected_position
        got = output[at : min(at + _SHOWN, ends[0])]
        expected = expected[wanted : min(wanted + _SHOWN, ends[1])]
        shared = word_start(got, self._shared(got, expected))
        return wrong_at(output, at + shared, got=got[shared:], expected=expected[shared:])

    def _shared(self, got: bytes, expected: bytes) -> int:
        """Return the length of the text that both start with."""
        if self._same is equal_but_for_case:
            got, expected = got.lower(), expected.lower()
        return first_mismatch(got, expected)


@match_mode("unordered", 7)
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
        ends = content_end(output), content_end(expected)
        parting = first_wrong_item(
            Lines(output, start, ends[0]), Lines(expected, start, ends[1]), only_identical
        )
        if parting is None:
            return ACCEPTED
        got_start = len(output) if parting.position is None else parting.position
        want_start = (
            len(expected) if parting.expected_position is None else parting.expected_position
        )
        buckets = 1 + (len(expected) - want_start) // _BUCKET_BYTES
        all_got = Lines(output, got_start, ends[0])
        all_want = Lines(expected, want_start, ends[1])
        if buckets == 1:
            return _compare_counts(all_got, all_want, output, got_start)
        for got, want in zip(
            _in_buckets(all_got, buckets), _in_buckets(all_want, buckets), strict=True
        ):
            outcome = _compare_counts(got, want, output, got_start)
            if not outcome.passed:
                return outcome
        return ACCEPTED


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
        cut = self._packed.find(b"\n", start + _PACKED_BYTES)
        if cut < 0:
            cut = len(self._packed) - 1
        self._next = cut + 1
        return bytes(self._packed[start:cut]).split(b"\n")


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


def _compare_counts(
    got: Lines | _Bucket, want: Lines | _Bucket, output: bytes, start: int
) -> Outcome:
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
        position = _offset_of(Lines(output, start, content_end(output)), extra, wanted[extra] + 1)
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


def _offset_of(lines: Lines, line: bytes, occurrence: int) -> int:
    """Return the offset of a line's n-th occurrence, from 1."""
    while batch := lines.batch():
        here = batch.count(line)
        if occurrence <= here:
            indices = (index for index, each in enumerate(batch) if each == line)
            return lines.offset(next(islice(indices, occurrence - 1, None)))
        occurrence -= here
    raise AssertionError("the line was read from this text")


def _in_buckets(lines: Lines, count: int) -> list[_Bucket]:
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


def only_identical(_expected: bytes, _got: bytes) -> bool:
    """Return False: the `Same` of items that must be identical."""
    return False


def equal_but_for_case(expected: bytes, got: bytes) -> bool:
    """Return whether two items are equal if `A` to `Z` count as `a` to `z`."""
    return expected.lower() == got.lower()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first item that is wrong, missing or superfluous."""

    position: int | None
    """Its offset in the output; None if the output has no item left."""
    expected_position: int | None
    """The same in the expected text."""
    got: bytes = b""
    expected: bytes = b""


class Splitter(Protocol):
    """The items of one text in order."""

    def batch(self) -> list[bytes]:
        """Return the next items; an empty list at the end of the text."""
        ...

    def offset(self, index: int) -> int:
        """Return the offset in the text of an item of the last batch, by its index."""
        ...


def first_wrong_item(output: Splitter, expected: Splitter, same: Same) -> Mismatch | None:
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
            self._chunk = whole_tokens(self._data, self._next)
            self._next += len(self._chunk)
            if tokens := self._chunk.split():
                return tokens
        return []

    def offset(self, index: int) -> int:
        """Return the offset of a token; searches the chunk again, once per difference."""
        match = next(islice(_TOKEN.finditer(self._chunk), index, None))
        return self._chunk_start + match.start()


def whole_tokens(data: bytes, start: int) -> bytes:
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
