"""Count the work of Python programs: each block has a counter, each built-in a charge.

The program is transformed and run inside the cell. Its output and exit status stay the same;
the counts are the same in every run of the same input.
"""

import dataclasses
import json
import struct
from collections.abc import Mapping

from steelyard.errors import ToolchainError
from steelyard.profiling._records import CountedRun, Input
from steelyard.profiling.counting._native import CountingUnavailable
from steelyard.profiling.counting._outcome import (
    HEAP_FILE,
    outcome_of,
    read_heap,
    with_heap_watched,
)
from steelyard.sandbox import Blob, CellPool, Command
from steelyard.schemas import Entry, Limits, StopReason
from steelyard.toolchains import Artifact, Harness, Toolchain, text_of_modules

_COUNTS_FILE = ".steelyard-counts"
_COUNT_BYTES = 8
_MAX_PLACES = 1 << 22
_CODE_FILE = ".steelyard-code"
_IN_CELL = "steelyard.toolchains.incell"
_COUNTING = "steelyard.profiling.counting.incell"
_PREPARE = tuple(
    f"{_COUNTING}.{name}"
    for name in (
        "bindings",
        "charged",
        "scopes",
        "places",
        "operators",
        "builtin_calls",
        "blocks",
        "prepare",
    )
)
_COUNTERS = tuple(
    f"{_COUNTING}.{name}"
    for name in ("charged", "kinds", "costs", "passes", "growth", "counters", "start")
)
_SCRIPT = (f"{_IN_CELL}.ending", f"{_IN_CELL}.program", *_COUNTERS, f"{_COUNTING}.script")
_CALLED = (
    "steelyard.schemas.values",
    *(f"{_IN_CELL}.{name}" for name in ("nodes", "leetcode", "ending", "program", "calls")),
    *_COUNTERS,
    f"{_COUNTING}.called",
)
"""The modules of each of the three programs, each after those that it needs."""


class PythonCounter:
    """Counts the work of one Python program; see `python_counter`."""

    enough_work, enough_bytes = 1e6, 4e6
    """Measured: 0.1 to 0.6 s of CPU time. Larger runs name no other class."""

    def __init__(
        self,
        artifact: Artifact,
        harness: Harness,
        entry: Entry,
        pool: CellPool,
        places: tuple[tuple[str, int], ...],
        code: Blob,
    ) -> None:
        self._artifact, self._harness, self._entry, self._pool = artifact, harness, entry, pool
        self._files = {**artifact.files, _CODE_FILE: code}
        self._names = tuple(f"{line}:{kind}:{i}" for i, (kind, line) in enumerate(places))
        self.method = "counters of blocks, and estimated work of built-ins"
        self.lines: Mapping[str, int] = {
            name: line for name, (_, line) in zip(self._names, places, strict=True)
        }

    def run(self, given: Input, limits: Limits) -> CountedRun:
        """Run once with counters, under the program's own limits.

        Args:
            given: Its content is standard input; for a call, a request as sources of inputs for
                calls give it.
            limits: As `Toolchain.run_limits` gives them.

        Raises:
            CellError: if a cell was lost and the program did not cause it.
        """
        seed = "" if self._harness.seed is None else str(self._harness.seed)
        entered = () if self._entry.kind == "stdio" else (self._entry.kind, self._entry.name)
        command = self._harness.command_of(
            text_of_modules(_CALLED if entered else _SCRIPT),
            (
                *(seed, _CODE_FILE, str(len(self._names)), _COUNTS_FILE),
                *(self._artifact.source, *entered),
            ),
            stdin=given.content,
            limits=limits,
            sources=self._files,
        )
        execution = self._pool.run(self._watched(command))
        heap = read_heap(execution.files.get(HEAP_FILE))
        ended = execution.stop is StopReason.EXITED
        left = execution.files.get(_COUNTS_FILE) if ended else None
        work = _read_counts(left, self._names)
        note = ""
        if not ended:
            how = execution.stop.value.replace("_", " ")
            note = f"the program did not exit by itself ({how})"
        elif work is None:
            note = "the program exited without writing its counts"
        return outcome_of(given, execution, work, heap, note)

    def _watched(self, command: Command) -> Command:
        """Return the command with the heap library, and with all Python objects on the heap."""
        command = dataclasses.replace(
            command,
            env={**command.env, "PYTHONMALLOC": "malloc"},
            collect=(_COUNTS_FILE,),
            fixed_addresses=True,
        )
        return with_heap_watched(command, self._pool)


def python_counter(
    toolchain: Toolchain, artifact: Artifact, entry: Entry, pool: CellPool
) -> PythonCounter | CountingUnavailable:
    """Return a counter for a Python program that compiles.

    Args:
        toolchain: The toolchain that made the artifact.
        artifact: The program; hostile.
        entry: `stdio`, `function` or `class`.
        pool: It is transformed and run in these cells.

    Raises:
        ToolchainError: if the interpreter cannot be started.
        CellError: if a cell was lost.
    """
    if artifact.harness is None:
        return CountingUnavailable(f"{toolchain.language} programs have no work counters")
    if entry.kind != "stdio" and not entry.is_call:
        return CountingUnavailable(f"work is not counted for entry {entry}")
    command = artifact.harness.command_of(
        text_of_modules(_PREPARE),
        (artifact.source, _CODE_FILE),
        stdin=b"",
        limits=toolchain.compile_limits,
        sources=artifact.files,
    )
    execution = pool.run(dataclasses.replace(command, collect=(_CODE_FILE,)))
    if execution.stop is StopReason.NOT_STARTED:
        raise ToolchainError(f"{toolchain.tool.executable}: {execution.message}")
    # The text is only read there, not run: the output is this package's own.
    if execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        why = execution.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return CountingUnavailable(f"counters cannot be added to it ({why or execution.stop})")
    places = _read_places(execution.stdout)
    code = execution.files.get(_CODE_FILE)
    if places is None or code is None:
        return CountingUnavailable("counters cannot be added to it (no code came back)")
    return PythonCounter(artifact, artifact.harness, entry, pool, places, Blob(code))


def _read_places(text: bytes) -> tuple[tuple[str, int], ...] | None:
    try:
        places = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(places, list) or len(places) > _MAX_PLACES:
        return None
    found = []
    for place in places:
        match place:
            case [str(kind), int(line)]:
                found.append((kind, line))
            case _:
                return None
    return tuple(found)


def _read_counts(data: bytes | None, names: tuple[str, ...]) -> Mapping[str, int] | None:
    """Return the counts that are not zero, by place; None if the file is malformed.

    Args:
        data: The collected file. The program could have written it: hostile.
        names: Of the places, in order.
    """
    if data is None or len(data) != _COUNT_BYTES * len(names):
        return None
    counts = struct.unpack(f"<{len(names)}q", data)
    if min(counts, default=0) < 0:
        return None
    return {name: count for name, count in zip(names, counts, strict=True) if count}
