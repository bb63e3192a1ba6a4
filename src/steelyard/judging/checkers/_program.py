"""`program`: a checker program, as untrusted as the candidates."""

import dataclasses
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, get_args

from steelyard.errors import CheckerError, UsageError
from steelyard.judging.checkers._outcome import ACCEPTED, Checker, Outcome, one_line
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Execution, Limits, StopReason, TestCase
from steelyard.toolchains import Artifact

Convention = Literal["testlib", "icpc"]
"""The way a checker program is called and answers."""

CHECKER_LIMITS = Limits(cpu_ms=10_000, wall_ms=60_000, memory_mib=1_024, output_mib=1)
"""The wall time leaves room for a loaded machine: a late checker is an error, not a verdict."""

_INPUT, _OUTPUT, _ANSWER = "input.txt", "output.txt", "answer.txt"
_JUDGE_MESSAGE = "judgemessage.txt"
_MESSAGE_BYTES = 300
_MIB = 1 << 20
_SCRATCH_ROOM_MIB = 64
_KEPT_FROM, _KEPT_TO = 1 << 16, 8 * _MIB
"""Inputs and answers of a size between these stay in memory files for the next candidate:
a smaller file is cheap to write, a larger file costs less than the checker's own work."""

_STATUSES: Mapping[Convention, tuple[int, ...]] = {"testlib": (0, 1, 2, 4, 8), "icpc": (42, 43)}
"""By convention: the exit status of a right answer, then those of wrong ones."""
_POINTS = 7
_STOPPED_AT = {
    StopReason.CPU_LIMIT: "its CPU limit",
    StopReason.WALL_LIMIT: "its wall time limit",
    StopReason.MEMORY_LIMIT: "its memory limit",
    StopReason.OUTPUT_LIMIT: "its output limit",
}


class ProgramChecker(Checker):
    """A compiled checker program, run for each output in a cell.

    The cell holds the program, the case's input and answer and the candidate's output, and
    nothing else. The program's message is cut to one printable line.

    `testlib`: called with `input.txt output.txt answer.txt`. Exit status 0 is right; 1 (wrong
    answer), 2 (presentation), 4 (something left over) and 8 (ended too early) are wrong; 7 awards
    the points that open the message on standard error (`points 0.5 nearly`), which must be in
    0..1, and 1 point is right; 3 is a failure of the checker.

    `icpc`: called with `input.txt answer.txt ./`, the candidate's output on standard input. Exit
    status 42 is right, 43 is wrong; the message is what it wrote to `./judgemessage.txt`.

    Any other end, a limit included, is a `CheckerError` and not a verdict.

    Args:
        artifact: The compiled program.
        pool: Runs it.
        convention: The way it is called and answers.
        limits: Its limits; by default 10 s of CPU time and 1 GiB. The size of its files is added
            to the memory.

    Raises:
        UsageError: for an unknown convention, or a program that is for another system.
    """

    def __init__(
        self,
        artifact: Artifact,
        pool: CellPool,
        *,
        convention: Convention = "testlib",
        limits: Limits = CHECKER_LIMITS,
    ) -> None:
        if convention not in get_args(Convention):
            raise UsageError(
                f"unknown checker convention '{convention}'; use one of "
                + ", ".join(get_args(Convention))
            )
        if not artifact.runnable:
            raise UsageError("the checker program cannot run on this system; compile it for it")
        self._artifact = artifact
        self._pool = pool
        self._convention = convention
        self._limits = limits

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Run the program on this output.

        Raises:
            CheckerError: if it failed, crashed, met a limit or broke the convention.
        """
        files = {_INPUT: _shared(case.input), _ANSWER: _shared(case.expected)}
        if self._convention == "testlib":
            execution = self._run((_INPUT, _OUTPUT, _ANSWER), files | {_OUTPUT: output}, b"")
        else:
            execution = self._run((_INPUT, _ANSWER, "./"), files, output)
        return self._outcome(case, execution)

    def _outcome(self, case: TestCase, execution: Execution) -> Outcome:
        printed = execution.stderr
        if self._convention == "icpc":
            printed = execution.files.get(_JUDGE_MESSAGE, b"")
        message = one_line(printed, _MESSAGE_BYTES)
        status = _exit_status(case, execution, message)
        right, *wrong = _STATUSES[self._convention]
        if status == right:
            return Outcome(True, message) if message else ACCEPTED
        if status in wrong:
            return Outcome(False, message or "the checker program reports: wrong answer")
        if status == _POINTS and self._convention == "testlib":
            points = _points(case, message)
            return Outcome(points == 1, message, points=points)
        reason = message or one_line(execution.stderr, _MESSAGE_BYTES)
        raise _failed(case, f"ended with exit status {status}", reason)

    def _run(
        self, args: tuple[str, ...], files: Mapping[str, bytes | Blob], stdin: bytes
    ) -> Execution:
        sizes = (each.size if isinstance(each, Blob) else len(each) for each in files.values())
        room_mib = sum(sizes) // _MIB + 1
        limits = self._limits.replace(memory_mib=self._limits.memory_mib + room_mib)
        command = self._artifact.checker_command(stdin=stdin, limits=limits, args=args)
        scratch_mib = command.view.scratch_mib
        while scratch_mib < room_mib + _SCRATCH_ROOM_MIB:
            scratch_mib *= 2  # few sizes: a pool keeps a cell for each view
        view = dataclasses.replace(command.view, scratch_mib=scratch_mib)
        return self._pool.run(
            dataclasses.replace(
                command,
                files={**command.files, **files},
                collect=(_JUDGE_MESSAGE,) if self._convention == "icpc" else (),
                view=view,
            )
        )


def _exit_status(case: TestCase, execution: Execution, message: str) -> int:
    if execution.stop is StopReason.EXITED and execution.exit_code is not None:
        return execution.exit_code
    if execution.stop is StopReason.NOT_STARTED:
        raise _failed(case, "could not be started", execution.message)
    if execution.stop is StopReason.SIGNALED:
        raise _failed(case, f"was ended by signal {execution.signal}", message)
    raise _failed(case, f"was stopped at {_STOPPED_AT[execution.stop]}", message)


def _points(case: TestCase, message: str) -> float:
    words = message.split()
    if words and words[0].lower() == "points":
        del words[0]
    try:
        points = float(words[0]) if words else math.nan
    except ValueError:
        points = math.nan
    if not 0 <= points <= 1:
        raise _failed(case, "awarded points that are not a number in 0..1", message)
    return points


def _failed(case: TestCase, what: str, message: str) -> CheckerError:
    quoted = f" (it reported: {message})" if message else ""
    return CheckerError(
        f"test case '{case.name}': the checker program {what}{quoted}; fix the checker, or name "
        "the convention that it follows"
    )


def _shared(data: bytes) -> bytes | Blob:
    return _kept_blob(data) if _KEPT_FROM <= len(data) <= _KEPT_TO else data


@lru_cache(maxsize=32)
def _kept_blob(data: bytes) -> Blob:
    return Blob(data)
