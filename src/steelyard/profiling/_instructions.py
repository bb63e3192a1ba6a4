"""Count the instructions of runs with valgrind's cachegrind in a cell.

The count is the same in every run of a native program, and within 0.2 % in those of an
interpreter; a run takes 10 to 20 times as long. So only some sizes are run again
(`CountedInstructions`), and their cost is kept within a budget. Valgrind is one of the optional
`instruments` of a machine.
"""

import dataclasses
import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from steelyard._installation import install_command, rebuild_command
from steelyard.profiling._records import Point
from steelyard.profiling._timing import TimedSize
from steelyard.profiling.counting import heap_library
from steelyard.sandbox import SYSTEM_VIEW, CellPool, Command, Mount, View
from steelyard.schemas import Execution, StopReason

_RESULT = "cachegrind.out"
_PROGRAM = "program"
_OWN_MIB = 512
"""Valgrind's own memory: its translations and symbol tables."""
_OWN_FILES_MIB = 64
_PATIENCE = 2
"""Wall time over CPU time: a loaded machine must not end a count."""
_SUMMARY = re.compile(rb"^summary:\s*([0-9]+)\s*$", re.MULTILINE)
_PROBE_TIMEOUT_S = 20
_PREFIX_FOLDERS = ("bin", "lib", "lib64", "libexec")
_MISSING = "valgrind is not installed, so instructions are not counted; install valgrind"
_NO_PROC = (
    "valgrind reads /proc, which cells without namespaces do not show, so instructions are not "
    "counted; allow namespaces (see `steelyard doctor`)"
)


@dataclass(frozen=True)
class Valgrind:
    """The valgrind of this machine."""

    executable: str
    version: str


@dataclass(frozen=True)
class InstructionCount:
    """The instructions of one run."""

    instructions: int | None
    """Of the process and its threads, not of its children; None if not counted."""
    note: str = ""
    """One line: why the instructions were not counted."""
    execution: Execution | None = dataclasses.field(default=None, repr=False)
    """The run under valgrind, many times slower than by itself; None if it was not started."""


@cache
def find_valgrind() -> Valgrind | None:
    """Return the valgrind on PATH, or None if none responds."""
    executable = shutil.which("valgrind")
    if executable is None:
        return None
    try:
        done = subprocess.run(
            [executable, "--version"], capture_output=True, timeout=_PROBE_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return Valgrind(os.path.abspath(executable), done.stdout.decode(errors="replace").strip())


def why_not_counted(pool: CellPool) -> str:
    """Return why instructions cannot be counted in a pool's cells; empty if they can."""
    if find_valgrind() is None:
        return _MISSING
    return _NO_PROC if pool.isolation.filesystem == "landlock" else ""


def count_instructions(
    command: Command, pool: CellPool, *, cpu_ms: int = 30_000
) -> InstructionCount:
    """Run a command once under cachegrind. Failures are recorded, never raised.

    Args:
        command: An ordinary run of the program; one that a fork server would serve is started
            on its own.
        pool: Where it runs.
        cpu_ms: CPU time for the run under valgrind, in ms. The other limits are the command's,
            with what valgrind needs on top.

    Raises:
        InfrastructureError: if the machine failed.
    """
    valgrind, why_not = find_valgrind(), why_not_counted(pool)
    if valgrind is None or why_not:
        return InstructionCount(None, why_not)
    execution = pool.run(_under(valgrind, command, cpu_ms))
    found = _SUMMARY.search(execution.files.get(_RESULT, b""))
    if found is not None:
        return InstructionCount(int(found[1]), "", execution)
    return InstructionCount(None, _why_not(execution, cpu_ms), execution)


def _under(valgrind: Valgrind, command: Command, cpu_ms: int) -> Command:
    limits = command.limits
    files = dict(command.files)
    argv = command.argv
    if command.executable is not None:  # valgrind loads a program from a file
        files[_PROGRAM] = command.executable
        argv = (f"./{_PROGRAM}", *argv[1:])
    return dataclasses.replace(
        command,
        argv=(
            valgrind.executable,
            "--tool=cachegrind",
            "--cache-sim=no",
            f"--cachegrind-out-file={_RESULT}",
            # Without it a program has 16 MiB of stack, whatever its limit.
            f"--main-stacksize={limits.stack_mib << 20}",
            *argv,
        ),
        executable=None,
        files=files,
        collect=(*command.collect, _RESULT),
        limits=limits.replace(
            cpu_ms=cpu_ms,
            wall_ms=_PATIENCE * cpu_ms,
            memory_mib=limits.memory_mib + _OWN_MIB,
            file_mib=max(limits.file_mib, _OWN_FILES_MIB),
        ),
        view=_view(command.view, valgrind),
        server=None,
        forked_argv=(),
    )


def _view(view: View, valgrind: Valgrind) -> View:
    """Return the command's view with the system's and valgrind's own files added."""
    prefix = os.path.dirname(os.path.dirname(valgrind.executable))
    own = (Mount(os.path.join(prefix, folder)) for folder in _PREFIX_FOLDERS)
    mounts = {each.target or each.source: each for each in own}
    mounts |= {each.target or each.source: each for each in (*SYSTEM_VIEW.mounts, *view.mounts)}
    return View(tuple(mounts.values()), view.scratch_mib + _OWN_FILES_MIB)


def _why_not(execution: Execution, cpu_ms: int) -> str:
    match execution.stop:
        case StopReason.CPU_LIMIT | StopReason.WALL_LIMIT:
            return f"under valgrind the program did not finish within {cpu_ms / 1000:g} s"
        case StopReason.MEMORY_LIMIT:
            return "under valgrind the program needs more memory than its limit"
        case StopReason.NOT_STARTED:
            return f"valgrind does not start in a cell: {execution.message}"
        case _:
            return f"valgrind left no count ({execution.stop})"


_FACTOR = 20.0
"""How many times as long a run usually takes under valgrind."""
_RUN_MS, _LAST_RUN_MS = 1_500.0, 6_000.0
_LEAST_MS = 500.0
"""Valgrind needs about this long to start."""
_DRIFT_SIZES, _MIDDLE = 5, -3
"""With more sizes, only three are run under valgrind; the second is at this index."""
_CLASS_SIZES = 8
_SPENT = "instructions were not counted at every size: they take too much CPU time to count"


class CountedInstructions:
    """Run some of the timed sizes once more, under valgrind.

    Args:
        command_at: The ordinary run of a size.
        pool: Where the runs take place.
        budget_ms: CPU time of all runs together under valgrind, in ms.
        notify: Receives each size before it is run.
    """

    def __init__(
        self,
        command_at: Callable[[Point], Command],
        pool: CellPool,
        budget_ms: float,
        notify: Callable[[Point], None],
    ) -> None:
        self._command_at, self._pool, self._notify = command_at, pool, notify
        self._left_ms = budget_ms
        self.notes: list[str] = []
        """Why instructions were not counted, one line each."""

    def for_class(self, timed: Sequence[TimedSize]) -> Mapping[Point, int]:
        """Return the instructions at the smallest size and at several large ones."""
        affordable = self._affordable(timed)
        return self._at([*affordable[:1], *affordable[1:][-_CLASS_SIZES:]])

    def for_drift(self, timed: Sequence[TimedSize]) -> Mapping[Point, int]:
        """Return the instructions at the smallest size and at two large ones.

        Valgrind is many times slower on some programs, such as those that move memory: the run
        at the first of the two shows whether a larger one is affordable for the second.
        """
        affordable = self._affordable(timed)
        if len(affordable) <= _DRIFT_SIZES:
            return self._at(affordable)
        smallest, middle = affordable[0], affordable[_MIDDLE]
        start, half = self._run(smallest), self._run(middle)
        if half.execution is None or start.execution is None:
            return {}
        slower = (half.execution.cpu_ms - start.execution.cpu_ms) / max(
            middle.cpu_ms - smallest.cpu_ms, 0.1
        )
        most_ms = min(_LAST_RUN_MS, self._left_ms)
        larger = [
            size
            for size in affordable[_MIDDLE + 1 :]
            if (size.cpu_ms - smallest.cpu_ms) * slower < most_ms
        ]
        last = larger[-1] if larger else affordable[_MIDDLE - 2]
        counts = ((smallest, start), (middle, half), (last, self._run(last)))
        return {
            size.point: count.instructions
            for size, count in counts
            if count.instructions is not None
        }

    def _affordable(self, timed: Sequence[TimedSize]) -> list[TimedSize]:
        """Return the sizes that valgrind should finish in time; none if it cannot count here."""
        why_not = why_not_counted(self._pool)
        if why_not:
            self.notes.append(why_not)
            return []
        most_ms = min(_RUN_MS, self._left_ms)
        return [size for size in timed if size.cpu_ms * _FACTOR < most_ms]

    def _at(self, sizes: Sequence[TimedSize]) -> Mapping[Point, int]:
        counts = {size.point: self._run(size).instructions for size in sizes}
        return {point: count for point, count in counts.items() if count is not None}

    def _run(self, size: TimedSize) -> InstructionCount:
        """Run once under valgrind, within what is left of the budget."""
        if self._left_ms < _LEAST_MS:
            self.notes.append(_SPENT)
            return InstructionCount(None, _SPENT)
        self._notify(size.point)
        done = count_instructions(
            self._command_at(size.point), self._pool, cpu_ms=math.ceil(self._left_ms)
        )
        if done.execution is not None:
            self._left_ms -= done.execution.cpu_ms
        if done.instructions is None and done.note:
            self.notes.append(done.note)
        return done


@dataclass(frozen=True)
class Instrument:
    """An optional tool that profiles use if it is installed."""

    name: str
    purpose: str
    found: bool
    command: str
    """How to install it; empty if it is installed."""


def instruments() -> tuple[Instrument, ...]:
    """Return all instruments. The block counters of C and C++ come with their compilers."""
    every = (
        (
            "valgrind",
            "instruction counts, used when times and counted work disagree",
            find_valgrind() is not None,
            "apt-get install valgrind",
        ),
        (
            "heap hook",
            "exact peaks of heap memory",
            heap_library() is not None,
            rebuild_command(),
        ),
        (
            "matplotlib",
            "profile --plot",
            find_spec("matplotlib") is not None,
            install_command("plots"),
        ),
    )
    return tuple(
        Instrument(name, purpose, found, "" if found else command)
        for name, purpose, found, command in every
    )
