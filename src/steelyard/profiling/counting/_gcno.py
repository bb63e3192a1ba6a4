"""Read a compiler's notes on the counters that it adds to a program: the `.gcno` file.

Source: `gcc/gcov-io.h`, the comment on the file format, of GCC 9 to 15. Clang writes the format of
GCC 4.8, some of whose fields differ.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from steelyard.profiling.counting._gcov_words import MalformedError, Version, Words

_MAGIC = b"gcno"
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

    version: Version
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
    words, version = Words.begin(data, _MAGIC)
    stamp = words.word()
    if version.has_checksum:
        words.word()
    if version.notes_folder:
        words.text()
        words.word()  # whether blocks may be unexecuted
    functions: dict[int, NotedFunction] = {}
    for function in _functions(words, source):
        if function.ident in functions:
            raise MalformedError("two functions have one ident")
        functions[function.ident] = function.finished()
    return Notes(version, stamp, functions)


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
