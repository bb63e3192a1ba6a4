"""Time one program on inputs of a size, within a budget."""

import math
from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.judging import as_entry
from steelyard.profiling import Input, Point, Subject
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits, StopReason, values
from steelyard.toolchains import find_toolchain, source_bytes

_MEMORY_MIB = 1_024
_TOO_MUCH = (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT, StopReason.MEMORY_LIMIT)


class SizedInputs(Protocol):
    """Inputs of growing size, of one or several kinds."""

    def kinds(self, n: int) -> Sequence[str]:
        """Return the kinds of inputs of a size, at least one."""
        ...

    def args(self, n: int, kind: str) -> Sequence[JsonValue]:
        """Return the arguments of a size and a kind, as `solve` gets them.

        If this size has no such input, it is one of another kind.
        """
        ...


class Timed:
    """The CPU time that several programs have taken in all."""

    def __init__(self, inputs: SizedInputs, entry: str, pool: CellPool, seed: int) -> None:
        self.inputs, self.entry, self.pool, self.seed = inputs, entry, pool, seed
        self.spent_ms = 0.0

    def program(self, source: str | bytes, name: str) -> "TimedProgram":
        """Return a program, compiled.

        Raises:
            UsageError: if it does not compile.
        """
        subject = Subject.compiled(
            find_toolchain("python", seed=self.seed),
            source_bytes(source),
            as_entry(self.entry),
            self.pool,
            name=name,
        )
        return TimedProgram(self, subject, name)


class TimedProgram:
    """One program, run on inputs of any size."""

    def __init__(self, timed: Timed, subject: Subject, name: str) -> None:
        self._timed, self._subject, self._name = timed, subject, name

    def ms(self, n: int, kind: str, most_ms: float, runs: int = 1) -> float:
        """Return the least CPU time of several runs; infinite if it is more than a bound.

        Raises:
            UsageError: if the program fails.
        """
        given = OneKind(self._timed.inputs, kind).get(Point(n), 0)
        limits = Limits(cpu_ms=math.ceil(most_ms), memory_mib=_MEMORY_MIB)
        return min(self._run(given, limits) for _ in range(runs))

    def _run(self, given: Input, limits: Limits) -> float:
        execution = self._subject.pool.run(self._subject.command(given, limits))
        self._timed.spent_ms += execution.cpu_ms
        if execution.stop in _TOO_MUCH:
            return math.inf
        if fault := self._subject.fault(execution):
            raise UsageError(
                f"{self._name} fails at n = {given.point.n:,}: it {fault}; "
                "give a program that is right at this size"
            )
        return execution.cpu_ms


class OneKind:
    """Inputs of one kind, as the profiler takes them."""

    description = "inputs of growing size"

    def __init__(self, inputs: SizedInputs, kind: str) -> None:
        self._inputs, self._kind = inputs, kind

    def get(self, point: Point, seed: int) -> Input:  # noqa: ARG002 - the same for every seed
        """Return the call of this size."""
        args = list(self._inputs.args(point.n, self._kind))
        return Input(point, Blob(values.encode([args, None, 0]).encode()))
