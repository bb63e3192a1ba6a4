"""What is read of a `.gcda` file is what the program itself left, or nothing."""

import contextlib
import dataclasses
import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.profiling.counting._gcov import (
    MalformedError,
    Notes,
    counter_lines,
    read_counts,
    read_notes,
)
from steelyard.profiling.counting._outcome import read_heap

FUNCTION, BLOCKS, ARCS, LINES = 0x0100_0000, 0x0141_0000, 0x0143_0000, 0x0145_0000
COUNTS, SUMMARY = 0x01A1_0000, 0xA100_0000
STAMP, IDENT, CHECKSUMS = 0x1234_5678, 77, (11, 22)


@dataclasses.dataclass(frozen=True)
class Format:
    """How one compiler lays its files out."""

    version: str
    order: str = "<"

    @property
    def major(self) -> int:
        clang = self.version.startswith("4")
        return 4 if clang else (ord(self.version[0]) - 65) * 10 + int(self.version[1])

    def words(self, *values: int) -> bytes:
        return struct.pack(f"{self.order}{len(values)}I", *(value % (1 << 32) for value in values))

    def longs(self, *values: int) -> bytes:
        return b"".join(self.words(value & 0xFFFF_FFFF, value >> 32) for value in values)

    def text(self, text: str) -> bytes:
        data = text.encode() + b"\0"
        if self.major >= 12:
            return self.words(len(data)) + data
        data += bytes(-len(data) % 4)
        return self.words(len(data) // 4) + data

    def length(self, size: int) -> int:
        return size if self.major >= 12 else size // 4

    def record(self, tag: int, content: bytes) -> bytes:
        return self.words(tag, self.length(len(content))) + content

    def begin(self, magic: bytes) -> bytes:
        head = magic + self.version.encode()
        if self.order == "<":
            head = head[3::-1] + head[:3:-1]
        return head + self.words(STAMP) + (self.words(99) if self.major >= 12 else b"")

    def notes(self) -> bytes:
        """Of a function with a loop: 0 -> 2 -> 3 -> 2, 3 -> 1; 3 -> 2 and 0 -> 2 are counted."""
        place = self.words(0, 5) if self.major == 4 else self.words(5, 1, 9, 2)
        where = self.text("main.cpp") + place[4 if self.major == 4 else 0 :]
        artificial = b"" if self.major == 4 else self.words(0)
        head = self.words(IDENT, *CHECKSUMS) + self.text("main") + artificial + where
        folder = b"" if self.major == 4 else self.text("/w") + self.words(1)
        lines = [(2, "main.cpp", 6), (3, "/usr/include/vector", 700)]
        return (
            self.begin(b"gcno")
            + folder
            + self.record(FUNCTION, head)
            + self.record(BLOCKS, self.words(*[0] * 4) if self.major == 4 else self.words(4))
            + self.record(ARCS, self.words(0, 2, 4))
            + self.record(ARCS, self.words(2, 3, 5))
            + self.record(ARCS, self.words(3, 2, 0, 1, 1))
            + b"".join(
                self.record(
                    LINES,
                    self.words(block, 0) + self.text(file) + self.words(line, 0, 0),
                )
                for block, file, line in lines
            )
        )

    def data(
        self,
        counts: Sequence[int] = (1, 1000),
        *,
        runs: int = 1,
        ident: int = IDENT,
        checksums: Sequence[int] = CHECKSUMS,
    ) -> bytes:
        clang = self.words(0, 0, runs, 0, 0, 0, 0, 0, 0)
        summary = self.record(SUMMARY, clang if self.major == 4 else self.words(runs, 1000))
        function = self.record(FUNCTION, self.words(ident, *checksums))
        counted = self.record(COUNTS, self.longs(*counts)) if counts else b""
        return self.begin(b"gcda") + summary + function + counted + self.words(0)


FORMATS = [
    Format(version, order)
    for version in ("A94*", "B03*", "B14*", "B24*", "B32*", "B41*", "B51*", "408*")
    for order in "<>"
]
each_format = pytest.mark.parametrize("made", FORMATS, ids=lambda each: each.version + each.order)
GCC_12 = Format("B22*")


def notes_of(made: Format) -> Notes:
    return read_notes(made.notes(), "main.cpp")


@each_format
def test_counts_come_out_as_they_went_in(made: Format) -> None:
    counts = read_counts(made.data((3, 5_000_000_000)), notes_of(made))
    assert counts == {"main:0": 3, "main:1": 5_000_000_000}


@each_format
def test_counters_have_the_lines_of_the_main_source(made: Format) -> None:
    assert counter_lines(notes_of(made)) == {"main:0": 6, "main:1": 6}


@each_format
def test_counts_that_are_all_zero_are_left_out_of_the_file(made: Format) -> None:
    begun = made.begin(b"gcda") + made.record(FUNCTION, made.words(IDENT, *CHECKSUMS))
    assert read_counts(begun + made.words(COUNTS, -made.length(16)), notes_of(made)) == {}


@each_format
def test_a_file_cut_anywhere_is_refused_or_has_fewer_counts(made: Format) -> None:
    notes, data = notes_of(made), made.data()
    whole = read_counts(data, notes)
    for size in range(len(data) - 4):
        try:
            counts = read_counts(data[:size], notes)
        except MalformedError:
            continue
        assert counts.items() < whole.items(), size


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "its header"),
        (b"\x7fELF" + bytes(60), "its header"),
        (GCC_12.data((1,)), "the number of counters"),
        (GCC_12.data((1, 2, 3)), "the number of counters"),
        (GCC_12.data((1, -1 % (1 << 64))), "larger than any"),
        (GCC_12.data((1 << 62, 1 << 62)), "larger than any"),
        (GCC_12.data(ident=78), "not"),
        (GCC_12.data(checksums=(11, 23)), "not"),
        (GCC_12.data(runs=2), "2 runs"),
        (GCC_12.data()[:-4] + GCC_12.data()[32:], "twice"),
        (Format("B32*").data(), "another compiler"),
        (Format("B90*").data(), "not supported"),
        (GCC_12.begin(b"gcda"), "no function"),
        (GCC_12.begin(b"gcda") + GCC_12.words(FUNCTION, 0x7FFF_FFFF), "a length in it is wrong"),
        (GCC_12.begin(b"gcda") + GCC_12.words(COUNTS, -(1 << 31)), "no function"),
        (GCC_12.data() + bytes(1 << 20), "larger than the program's"),
    ],
)
def test_what_the_program_did_not_leave_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        read_counts(data, notes_of(GCC_12))


def test_another_compile_is_told_by_its_stamp() -> None:
    notes = dataclasses.replace(notes_of(GCC_12), stamp=STAMP + 1)
    with pytest.raises(MalformedError, match="another program"):
        read_counts(GCC_12.data(), notes)


def test_processes_of_one_run_may_share_the_file() -> None:
    assert read_counts(GCC_12.data(runs=3), notes_of(GCC_12), forked=True)["main:1"] == 1000


@given(data=st.binary(max_size=400))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    for begun in (b"", GCC_12.begin(b"gcda"), GCC_12.data()[:-4]):
        with contextlib.suppress(MalformedError):
            read_counts(begun + data, notes_of(GCC_12))
    for begun in (b"", GCC_12.begin(b"gcno"), GCC_12.notes()):
        with contextlib.suppress(MalformedError):
            read_notes(begun + data, "main.cpp")


@given(page=st.binary(max_size=64))
def test_a_page_of_nonsense_tells_no_heap(page: bytes) -> None:
    assert read_heap(page) is None
    absurd = struct.pack("<QqqQQ", 0x3170616568797361, 0, 1 << 60, 0, 0)
    assert read_heap(absurd) is None
