"""Read counts by source line from gcov, for compilers whose file format is unknown here.

Source: gcov's manual, `--json-format`, since GCC 9.
"""

import json
import os
from collections.abc import Mapping
from typing import Self

from steelyard.profiling.counting._gcov_words import MalformedError
from steelyard.profiling.counting._memory import HeapUse
from steelyard.sandbox import SYSTEM_VIEW, CellPool, Command
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import Toolchain

_LIMITS = Limits(cpu_ms=10_000, wall_ms=40_000, memory_mib=512, output_mib=32)
_MOST = 1 << 62


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
    def beside(
        cls, toolchain: Toolchain, notes: bytes, source: bytes, pool: CellPool
    ) -> Self | None:
        """With the gcov of the toolchain's compiler; None if it is not installed.

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
