"""Count the instructions of a run with valgrind's cachegrind in a cell.

The count is the same in every run of a native program, and within 0.2 % in those of an
interpreter; a run takes 10 to 20 times as long.
"""

import dataclasses
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

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
