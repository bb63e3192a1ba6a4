"""Read the counts that a program writes when it exits: the `.gcda` file.

The program's own process writes it, so it is hostile. It is read against the notes of the compile:
what these do not list is refused. A program that knows the format can still forge counts that
agree with the notes, which misleads only the report on itself.

Source: `gcc/gcov-io.h` and `libgcc/libgcov-driver.c` of GCC 9 to 15.
"""

from steelyard.profiling.counting._gcno import NotedFunction, Notes
from steelyard.profiling.counting._gcov_words import MalformedError, Words

_MAGIC = b"gcda"
_FUNCTION, _ARC_COUNTS, _SUMMARY = 0x0100_0000, 0x01A1_0000, 0xA100_0000
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
    words, version = Words.begin(data, _MAGIC)
    if version != notes.version:
        raise MalformedError("a program of another compiler wrote it")
    if words.word() != notes.stamp:
        raise MalformedError("another program wrote it")
    if version.has_checksum:
        words.word()
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
