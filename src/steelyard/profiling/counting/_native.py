"""Count the work of C and C++ programs: how often each arc between basic blocks is taken.

GCC, and Clang in GCC's manner, add a counter to every arc whose count does not follow from
others, so to at least one of every loop. The counts are the same in every run of the same input.

Blocks of a library, such as a template's in a header, count for the line of the program that calls
it, which a second compile finds (`calling_lines`).

Source: GCC's manual, `-fcallgraph-info` (since GCC 10): one edge for each call, with its position.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import re2

from steelyard.errors import LanguageError
from steelyard.profiling._records import CountedRun, Input
from steelyard.profiling.counting._gcov import (
    GcovJson,
    MalformedError,
    Notes,
    counter_functions,
    counter_lines,
    read_counts,
    read_notes,
)
from steelyard.profiling.counting._outcome import (
    HEAP_FILE,
    HeapUse,
    outcome_of,
    read_heap,
    with_heap_watched,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Execution, Limits, StopReason
from steelyard.toolchains import Artifact, CompileCache, Toolchain

_COMPILERS = ("gcc", "clang")
_REPLACED = (
    "-O",
    "-static",
    "-flto",
    "-fprofile",
    "-ftest-coverage",
    "--coverage",
    "-Werror",
    "-pg",
)
"""Flags with these prefixes, and `-s`, are replaced by the flags for counting."""
_COUNTING = (
    "-O1",
    "-fprofile-arcs",
    "-ftest-coverage",
    # The runtime's own function to write the counts, under a name that heap.c can find.
    "-Wl,-u,__gcov_dump",
    "-Wl,--defsym=steelyard_leave_counts=__gcov_dump",
    "-Wl,--export-dynamic-symbol=steelyard_leave_counts",
)


@dataclass(frozen=True)
class CountingUnavailable:
    """The reason why the work of a program cannot be counted, though it compiles and runs."""

    reason: str


class _CountReader(Protocol):
    """Reads the files of a counted run."""

    lines: Mapping[str, int]
    """Lines of the blocks in the main source."""
    functions: Mapping[str, str]
    """The function of each block, by its mangled name."""

    def read(self, data: bytes, heap: HeapUse | None) -> Mapping[str, int]:
        """Return the counts, or raise MalformedError."""
        ...


class _Raw:
    """Reads the data files of compilers whose format is known."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self.lines: Mapping[str, int] = counter_lines(notes)
        self.functions: Mapping[str, str] = counter_functions(notes)

    def read(self, data: bytes, heap: HeapUse | None) -> Mapping[str, int]:
        # Without the library it is unknown if there were forks.
        return read_counts(data, self._notes, forked=heap is None or heap.forks > 0)


@dataclass(frozen=True)
class _Form:
    """A program compiled to count its work."""

    artifact: Artifact
    reader: _CountReader


class NativeCounter:
    """Counts the work of one C or C++ program; see `native_counter`."""

    enough_work, enough_bytes = 1e8, 1e7
    """Measured: 0.1 to 0.4 s of CPU time. Larger runs name no other class; those of a tenth as much
    take n log n for n sqrt(n)."""

    def __init__(
        self,
        toolchain: Toolchain,
        source: bytes,
        pool: CellPool,
        cache: CompileCache | None,
        form: _Form,
    ) -> None:
        self._toolchain, self._source, self._pool, self._cache = toolchain, source, pool, cache
        self._form = form
        self._threads = False
        self.method = f"arc counters of basic blocks ({toolchain.version}, -O1)"

    @property
    def lines(self) -> Mapping[str, int]:
        """The source line of each block; of a library's, the line that calls it.

        The calls are found by compiling the program once more.
        """
        reader = self._form.reader
        called = self._calling_lines
        indirect = {
            key: called[function]
            for key, function in reader.functions.items()
            if function in called
        }
        return {**indirect, **reader.lines}

    @cached_property
    def _calling_lines(self) -> Mapping[str, int]:
        if self._toolchain.compiler != "gcc":
            return {}
        compiler = _with_flags(self._toolchain, _CALLS_FLAGS, "ci")
        extras = compiler.compile(self._source, self._pool, cache=self._cache).extras
        return calling_lines(
            _first(extras, self._toolchain, "ci") or b"", self._toolchain.row.source
        )

    def run(self, given: Input, limits: Limits) -> CountedRun:
        """Run once with counters, under the program's own limits.

        If the program starts threads, it is compiled again, with counters that threads can share,
        and run again.

        Raises:
            CellError: if a cell was lost and the program did not cause it.
        """
        run = self._run(given, limits)
        if run.threads and not self._threads:
            self._threads = True
            form = _compile(self._toolchain, self._source, self._pool, self._cache, "atomic")
            if isinstance(form, CountingUnavailable):
                return dataclasses.replace(run, work=None, note=form.reason)
            self._form = form
            run = self._run(given, limits)
        return run

    def _run(self, given: Input, limits: Limits) -> CountedRun:
        limits = self._toolchain.run_limits(limits)
        command = self._form.artifact.command(stdin=given.content, limits=limits)
        env = dict(command.env)
        if self._pool.isolation.filesystem != "view":
            # By default the program writes to the compile's work folder, which is not the run's.
            env |= {"GCOV_PREFIX": ".", "GCOV_PREFIX_STRIP": "99"}
        command = dataclasses.replace(
            command, env=env, collect=_files(self._toolchain, "gcda"), fixed_addresses=True
        )
        execution = self._pool.run(with_heap_watched(command, self._pool))
        heap = read_heap(execution.files.get(HEAP_FILE))
        work, note = self._counts(execution, heap)
        return outcome_of(given, execution, work, heap, note)

    def _counts(
        self, execution: Execution, heap: HeapUse | None
    ) -> tuple[Mapping[str, int] | None, str]:
        """Return the counts, or None with the reason."""
        if execution.stop is not StopReason.EXITED:
            how = execution.stop.value.replace("_", " ")
            return None, f"the program did not exit by itself ({how})"
        data = _first(execution.files, self._toolchain, "gcda")
        if data is None:
            return None, "the program exited without writing its counts"
        try:
            return self._form.reader.read(data, heap), ""
        except MalformedError as error:
            return None, f"the counts that the program wrote are not valid: {error}"


def native_counter(
    toolchain: Toolchain, source: bytes, pool: CellPool, cache: CompileCache | None = None
) -> NativeCounter | CountingUnavailable:
    """Return a counter for a C or C++ program that the toolchain compiles.

    Args:
        toolchain: The program's toolchain; its `-std` and other flags are kept, except those
            that counting replaces.
        source: The program; hostile.
        pool: It is compiled and run in these cells.
        cache: Cache of the compile.

    Raises:
        ToolchainError, CellError: if the compile fails so.
    """
    if toolchain.compiler not in _COMPILERS:
        return CountingUnavailable(f"{toolchain.compiler} cannot add counters to programs")
    form = _compile(toolchain, source, pool, cache, "single")
    if isinstance(form, CountingUnavailable):
        return form
    return NativeCounter(toolchain, source, pool, cache, form)


def _compile(
    toolchain: Toolchain, source: bytes, pool: CellPool, cache: CompileCache | None, update: str
) -> _Form | CountingUnavailable:
    counting = _with_flags(toolchain, (*_COUNTING, f"-fprofile-update={update}"), "gcno")
    try:
        compilation = counting.compile(source, pool, cache=cache)
    except LanguageError as error:  # Clang without its profile runtime
        return CountingUnavailable(f"{toolchain.compiler} cannot add counters here: {error}")
    if compilation.artifact is None:
        return CountingUnavailable(
            f"it does not compile with counters: {compilation.result.errors[0].message}"
        )
    data = _first(compilation.extras, toolchain, "gcno")
    if data is None:
        return CountingUnavailable("the compiler wrote no notes on its counters")
    try:
        reader: _CountReader = _Raw(read_notes(data, toolchain.row.source))
    except MalformedError as error:
        gcov = GcovJson.of(toolchain, data, source, pool)
        if gcov is None:
            return CountingUnavailable(
                f"the compiler's notes on its counters cannot be read: {error}"
            )
        reader = gcov
    return _Form(compilation.artifact, reader)


def _with_flags(toolchain: Toolchain, flags: tuple[str, ...], leaves: str) -> Toolchain:
    """Return the toolchain with other flags for code generation and this kind of output."""
    kept = (flag for flag in toolchain.flags if flag != "-s" and not flag.startswith(_REPLACED))
    return dataclasses.replace(
        toolchain, flags=(*kept, *flags), extra_outputs=_files(toolchain, leaves)
    )


def _files(toolchain: Toolchain, kind: str) -> tuple[str, ...]:
    """Return the file's names: newer compilers add the program's name."""
    stem = toolchain.row.source.partition(".")[0]
    return f"{stem}.{kind}", f"{toolchain.row.output}-{stem}.{kind}"


def _first(files: Mapping[str, bytes], toolchain: Toolchain, kind: str) -> bytes | None:
    return next((files[name] for name in _files(toolchain, kind) if name in files), None)


_CALLS_FLAGS = ("-O0", "-fcallgraph-info")
"""Without inlining each call is still where it was written."""
_MOST_BYTES = 64 << 20
_EDGE = re2.compile(
    r'^edge: \{ sourcename: "([^"\n]*)" targetname: "([^"\n]*)" label: "([^"\n]*):(\d+):\d+"'
)
_WHOLE_OBJECT = re2.compile(r"([CD])1E")


def calling_lines(graph: bytes, source: str) -> dict[str, int]:
    """Return the main source's line that calls a function, itself or through others.

    Of several lines, the one with the fewest calls between; none if several are equally near.

    Args:
        graph: The `.ci` file that the compiler left.
        source: The main source's name, as passed to the compiler.

    Returns:
        The line of each function, by mangled name.
    """
    begun: dict[str, set[int]] = defaultdict(set)
    calls: dict[str, set[str]] = defaultdict(set)
    text = graph[:_MOST_BYTES].decode("utf-8", "replace")
    for edge in filter(None, map(_EDGE.match, text.splitlines())):
        caller, called, file, line = edge.groups()
        if file == source:
            begun[_name(called, source)].add(int(line))
        else:
            calls[_name(caller, source)].add(_name(called, source))
    near: dict[str, set[int]] = {}
    layer = begun
    while layer:
        near |= layer
        further: dict[str, set[int]] = defaultdict(set)
        for caller, lines in layer.items():
            for called in calls[caller] - near.keys():
                further[called] |= lines
        layer = further
    return {name: min(lines) for name, lines in near.items() if len(lines) == 1}


def _name(name: str, source: str) -> str:
    """Return the name as in the notes, which merge a complete constructor with the base's."""
    return str(_WHOLE_OBJECT.sub(r"\g<1>2E", name.removeprefix(f"{source}:")))
