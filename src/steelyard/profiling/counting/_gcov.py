"""Read what GCC, or Clang in its manner, leaves of a program with counters.

1. The compile leaves notes, the `.gcno` file: which arcs of each function have a counter, and their
   lines (`read_notes`).
2. The program writes the counts when it exits, the `.gcda` file (`read_counts`). Its own process
   writes it, so it is hostile: it is read against the notes, and what these do not list is refused.
   A program that knows the format can still forge counts that agree with the notes, which misleads
   only the report on itself.
3. Of compilers whose format is unknown here, gcov itself reads both, in a cell (`GcovJson`).

Since GCC 12 lengths are in bytes, and a checksum follows the stamp; before, they are in words of
four bytes. Clang writes the format of GCC 4.8, some of whose fields differ.

Source: `gcc/gcov-io.h`, `gcc/gcov-io.cc` and `libgcc/libgcov-driver.c` of GCC 9 to 15; gcov's
manual, `--json-format`, since GCC 9.
"""

import json
import os
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from steelyard.profiling.counting._outcome import HeapUse
from steelyard.sandbox import SYSTEM_VIEW, CellPool, Command
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import Toolchain

_WORD = 4
_OLDEST_MAJOR, _NEWEST_MAJOR = 9, 15
_BYTES_SINCE_MAJOR = 12
_CLANG, _CLANG_MAJOR = "408", 4
"""The version in Clang's files, whatever Clang's own."""


class MalformedError(ValueError):
    """A file is malformed; the message gives the reason."""


def _major(text: str) -> int:
    """Return the major version of a file, such as 12 for `B22*`: A is 0, B is 10."""
    if text.startswith(_CLANG):
        return _CLANG_MAJOR
    if re.fullmatch("[A-Z][0-9][0-9].", text):
        major = (ord(text[0]) - ord("A")) * 10 + int(text[1])
        if _OLDEST_MAJOR <= major <= _NEWEST_MAJOR:
            return major
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
    def begin(cls, data: bytes, magic: bytes) -> tuple[Self, int, int]:
        """Return the words after the header of a file, its major version, and its stamp."""
        order: Literal["little", "big"] = "big"
        if data[:_WORD] == magic[::-1]:
            order = "little"
        elif data[:_WORD] != magic:
            raise MalformedError("its header is not that of a gcov file")
        name = data[_WORD : 2 * _WORD]
        name = name[::-1] if order == "little" else name
        major = _major(name.decode("latin-1"))
        words = cls(memoryview(data), order, 1 if major >= _BYTES_SINCE_MAJOR else _WORD)
        words._at = 2 * _WORD
        stamp = words.word()
        if major >= _BYTES_SINCE_MAJOR:
            words.word()  # a checksum
        return words, major, stamp

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


_NOTES_MAGIC = b"gcno"
_FUNCTION, _ARCS, _LINES = 0x0100_0000, 0x0143_0000, 0x0145_0000
_ON_TREE = 1  # such an arc has no counter: its count follows from the flow


@dataclass(frozen=True)
class NotedFunction:
    """A function's identity, and its counters in the order of the data file."""

    name: str
    checksums: tuple[int, int]
    lines: tuple[int | None, ...]
    """The line of the main source for each counter; None if it is in a header."""


@dataclass(frozen=True)
class Notes:
    """The content of a `.gcno` file."""

    major: int
    """The major version of GCC; 4 for Clang."""
    stamp: int
    """Stamp of this compile, which its data files carry too."""
    functions: Mapping[int, NotedFunction]
    """By their ident."""


@dataclass
class _Function:
    """A function while its records are read."""

    ident: int
    name: str
    checksums: tuple[int, int]
    counted: list[tuple[int, int]]
    """Arcs with a counter: from block, to block."""
    lines: dict[int, list[int]]
    """The main source's lines of each block."""

    def finished(self) -> NotedFunction:
        lines = tuple(self._line(*arc) for arc in self.counted)
        return NotedFunction(self.name, self.checksums, lines)

    def _line(self, start: int, end: int) -> int | None:
        if entered := self.lines.get(end):
            return entered[0]
        left = self.lines.get(start)
        return left[-1] if left else None


def read_notes(data: bytes, source: str) -> Notes:
    """Return the notes of one compile.

    Args:
        data: The `.gcno` file.
        source: The main source's name, as passed to the compiler.

    Raises:
        MalformedError: if it is not such a file, or its version is unknown.
    """
    words, major, stamp = Words.begin(data, _NOTES_MAGIC)
    if major != _CLANG_MAJOR:
        words.text()  # the folder of the compile
        words.word()  # whether blocks may be unexecuted
    functions: dict[int, NotedFunction] = {}
    for function in _functions(words, source):
        if function.ident in functions:
            raise MalformedError("two functions have one ident")
        functions[function.ident] = function.finished()
    return Notes(major, stamp, functions)


def _functions(words: Words, source: str) -> Iterator[_Function]:
    function = None
    for tag, record in words.records():
        if tag == _FUNCTION:
            if function:
                yield function
            ident, checksums = record.word(), (record.word(), record.word())
            function = _Function(ident, record.text(), checksums, [], {})
        elif function and tag == _ARCS:
            start = record.word()
            while record.left:
                end, flags = record.word(), record.word()
                if not flags & _ON_TREE:
                    function.counted.append((start, end))
        elif function and tag == _LINES:
            block = record.word()
            function.lines[block] = list(_lines(record, source))
    if function:
        yield function


def _lines(record: Words, source: str) -> Iterator[int]:
    in_source = False
    while record.left:
        line = record.word()
        if line:
            if in_source:
                yield line
        elif file := record.text():
            in_source = file == source
        else:
            return


_COUNTS_MAGIC = b"gcda"
_ARC_COUNTS, _SUMMARY = 0x01A1_0000, 0xA100_0000
_COUNT_BYTES = 8
_MOST = 1 << 62  # more than any run can reach
_PER_RECORD_BYTES = 64
_CLANG_SUMMARY_BYTES = 36  # there the number of runs is its third word


def read_counts(data: bytes, notes: Notes, *, forked: bool = False) -> dict[str, int]:
    """Return how often each counted arc was taken, by `function:counter`, without zeros.

    Args:
        data: The `.gcda` file; hostile.
        notes: What the compiler noted about the program.
        forked: Whether the program made processes, which add their counts to the file.

    Raises:
        MalformedError: if it is not a file that the program itself writes.
    """
    if len(data) > _most_bytes(notes):
        raise MalformedError("it is larger than the program's counters")
    words, major, stamp = Words.begin(data, _COUNTS_MAGIC)
    if major != notes.major:
        raise MalformedError("a program of another compiler wrote it")
    if stamp != notes.stamp:
        raise MalformedError("another program wrote it")
    keys = counter_keys(notes)
    counts: dict[str, int] = {}
    seen: set[int] = set()
    ident: int | None = None
    for tag, length in words.headers():
        if tag == _ARC_COUNTS and ident is not None:
            values = _values(words, length, len(keys[ident]))
            counts.update((key, n) for key, n in zip(keys[ident], values, strict=True) if n)
            ident = None
            continue
        record = words.part(max(length, 0))
        if tag == _FUNCTION:
            ident = _function(record, notes, seen)
        elif tag == _SUMMARY:
            runs = _runs(record, length)
            if runs != 1 and not forked:
                raise MalformedError(f"it holds the counts of {runs} runs")
    if not seen:
        raise MalformedError("it names no function")
    if sum(counts.values()) > _MOST:
        raise MalformedError("its counts are larger than any run's")
    return counts


def counter_keys(notes: Notes) -> dict[int, tuple[str, ...]]:
    """Return the keys of each function's counters, by its ident."""
    names: dict[str, int] = {}
    keys = {}
    for ident, function in notes.functions.items():
        nth = names[function.name] = names.get(function.name, 0) + 1
        name = function.name if nth == 1 else f"{function.name}~{nth}"
        keys[ident] = tuple(f"{name}:{i}" for i in range(len(function.lines)))
    return keys


def counter_functions(notes: Notes) -> dict[str, str]:
    """Return the mangled name of the function that each counter is in, by its key."""
    keys = counter_keys(notes)
    return {key: each.name for ident, each in notes.functions.items() for key in keys[ident]}


def counter_lines(notes: Notes) -> dict[str, int]:
    """Return the source line of each counter of the main source, by its key."""
    keys = counter_keys(notes)
    return {
        key: line
        for ident, function in notes.functions.items()
        for key, line in zip(keys[ident], function.lines, strict=True)
        if line is not None
    }


def _most_bytes(notes: Notes) -> int:
    counters = sum(len(function.lines) for function in notes.functions.values())
    return _COUNT_BYTES * counters + _PER_RECORD_BYTES * (len(notes.functions) + 2)


def _function(record: Words, notes: Notes, seen: set[int]) -> int | None:
    if not record.left:  # another file of the program has it
        return None
    ident, checksums = record.word(), (record.word(), record.word())
    function: NotedFunction | None = notes.functions.get(ident)
    if function is None or function.checksums != checksums:
        raise MalformedError("it names a function that is not in the program")
    if ident in seen:
        raise MalformedError("it names a function twice")
    seen.add(ident)
    return ident


def _values(words: Words, length: int, expected: int) -> tuple[int, ...]:
    if abs(length) != expected * _COUNT_BYTES:
        raise MalformedError("the number of counters of a function differs from the program's")
    if length < 0:  # all are zero, and left out
        return (0,) * expected
    values = words.longs(expected)
    if max(values, default=0) > _MOST:
        raise MalformedError("its counts are larger than any run's")
    return values


def _runs(record: Words, length: int) -> int:
    first = record.word()
    if length != _CLANG_SUMMARY_BYTES:
        return first
    record.word()
    return record.word()


_LIMITS = Limits(cpu_ms=10_000, wall_ms=40_000, memory_mib=512, output_mib=32)


class GcovJson:
    """Runs gcov, in a cell, on the files of a counted run."""

    def __init__(
        self, gcov: str, notes: bytes, source: bytes, names: tuple[str, str], pool: CellPool
    ) -> None:
        self._gcov, self._notes, self._source, self._pool = gcov, notes, source, pool
        self._source_name, self._stem = names
        self._lines: dict[str, int] = {}
        self.lines: Mapping[str, int] = self._lines
        """Filled in by each read."""
        self.functions: Mapping[str, str] = {}

    @classmethod
    def of(cls, toolchain: Toolchain, notes: bytes, source: bytes, pool: CellPool) -> Self | None:
        """Return the gcov of the toolchain's compiler; None if it is not installed.

        Args:
            toolchain: GCC.
            notes: What its compile of the source noted.
            source: The program's text.
            pool: Where gcov runs.
        """
        gcov = _gcov_of(toolchain.tool.executable)
        if gcov is None or toolchain.compiler != "gcc":
            return None
        name = toolchain.row.source
        return cls(gcov, notes, source, (name, name.partition(".")[0]), pool)

    def read(self, data: bytes, _heap: HeapUse | None = None) -> Mapping[str, int]:
        """Return how often each line was executed, by `function:line`, without zeros.

        Args:
            data: The `.gcda` file; hostile.

        Raises:
            MalformedError: if gcov cannot read it, or it belongs to another program.
        """
        execution = self._pool.run(
            Command(
                argv=(self._gcov, "--json-format", "--stdout", f"{self._stem}.gcda"),
                limits=_LIMITS,
                files={
                    f"{self._stem}.gcno": self._notes,
                    f"{self._stem}.gcda": data,
                    self._source_name: self._source,
                },
                view=SYSTEM_VIEW,
            )
        )
        if execution.stop is not StopReason.EXITED or execution.exit_code:
            raise MalformedError("gcov cannot read it")
        if b"mismatch" in execution.stderr or b"not a gcov data file" in execution.stderr:
            raise MalformedError("gcov reports that it belongs to another program")
        try:
            return self._counts(json.loads(execution.stdout))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise MalformedError("gcov's output cannot be parsed") from error

    def _counts(self, report: Mapping[str, list[Mapping[str, object]]]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for file in report["files"]:
            lines = file["lines"]
            assert isinstance(lines, list)
            for line in lines:
                number, count = int(line["line_number"]), int(line["count"])
                key = f"{line.get('function_name') or file['file']}:{number}"
                if not 0 <= count <= _MOST:
                    raise ValueError(key)
                if count:
                    counts[key] = counts.get(key, 0) + count
                if file["file"] == self._source_name:
                    self._lines[key] = number
        return counts


def _gcov_of(compiler: str) -> str | None:
    """Return the gcov that came with a GCC: both have the same prefix and version."""
    for path in (compiler, os.path.realpath(compiler)):
        folder, name = os.path.split(path)
        for driver in ("g++", "gcc"):
            head, found, tail = name.rpartition(driver)
            gcov = os.path.join(folder, f"{head}gcov{tail}")
            if found and os.access(gcov, os.X_OK):
                return gcov
    return None
