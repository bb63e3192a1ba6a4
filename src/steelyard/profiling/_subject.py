"""Hold the program under profile, compiled once and run often, and describe how a run failed."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.judging import outcomes_in
from steelyard.profiling._records import Counter, Input
from steelyard.profiling.counting import CountingUnavailable, native_counter, python_counter
from steelyard.reports import milliseconds, visible
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Entry, Execution, Limits, StopReason
from steelyard.toolchains import Artifact, CompileCache, Toolchain


@dataclass(frozen=True)
class Subject:
    """A compiled program, and how it is run."""

    toolchain: Toolchain
    source: bytes
    entry: Entry
    artifact: Artifact
    pool: CellPool
    cache: CompileCache

    @classmethod
    def compiled(
        cls,
        toolchain: Toolchain,
        source: bytes,
        entry: Entry,
        pool: CellPool,
        *,
        name: str = "the program",
    ) -> "Subject":
        """Compile the program; messages use `name` for it.

        Raises:
            UsageError: if it does not compile, or has no such entry.
            InfrastructureError: if the machine failed.
        """
        if entry.kind != "stdio" and not entry.is_call:
            raise UsageError(f"entry {entry} cannot be profiled; use stdio, a function or a method")
        if entry.is_call and toolchain.harness is None:
            raise UsageError(f"entry {entry} is for Python; use stdio for {toolchain.row.title}")
        cache = CompileCache()
        compilation = toolchain.compile(source, pool, cache=cache)
        artifact = compilation.artifact
        if artifact is None:
            first = compilation.result.errors[0]
            raise UsageError(f"{name} does not compile: {first}; fix the program")
        if not artifact.runnable:
            raise UsageError(
                f"{name} was compiled for another system and cannot run here; use another compiler"
            )
        return cls(toolchain, source, entry, artifact, pool, cache)

    @property
    def is_called(self) -> bool:
        """Tell whether the program is a function or method, called with arguments."""
        return self.entry.is_call

    def command(self, given: Input, limits: Limits) -> Command:
        """Return the command of one ordinary run on this input."""
        limits = self.toolchain.run_limits(limits)
        harness = self.artifact.harness
        if not self.is_called or harness is None:
            return self.artifact.command(stdin=given.content, limits=limits)
        return harness.command(
            (self.entry.kind, self.artifact.source, self.entry.name),
            stdin=given.content,
            limits=limits,
            sources=self.artifact.files,
        )

    def fault(self, execution: Execution) -> str:
        """Return a run's fault, as the end of `the program ...`; empty if none."""
        fault = fault_of(execution)
        if fault or not self.is_called:
            return fault
        found = outcomes_in(execution.stdout, 1)
        if len(found) != 1:
            return "ended before it returned"
        return fault_of_call(found[0][2])

    def counter(self) -> Counter | CountingUnavailable:
        """Return the program's work counter, or why it has none."""
        if self.artifact.harness is not None:
            return python_counter(self.toolchain, self.artifact, self.entry, self.pool)
        if self.toolchain.row.counts == "blocks":
            return native_counter(self.toolchain, self.source, self.pool, self.cache)
        return CountingUnavailable(f"{self.toolchain.row.title} programs have no work counters")


MOST_FAILURES = 3
"""How many of the smallest inputs a program may fail before it is abandoned."""
_MOST_CHARS = 120
_TEXTS = {
    StopReason.CPU_LIMIT: "did not finish in time",
    StopReason.WALL_LIMIT: "did not finish in time",
    StopReason.MEMORY_LIMIT: "ran out of memory",
    StopReason.OUTPUT_LIMIT: "wrote too much",
    StopReason.NOT_STARTED: "could not be started",
}
_WAITED = 4
"""A run with less CPU time than its wall time divided by this was waiting."""
FaultOf = Callable[[Execution], str]


def fault_of(execution: Execution) -> str:
    """Return the fault, as the end of the sentence `the program ...`; empty if none."""
    if execution.stop is StopReason.WALL_LIMIT and execution.cpu_ms * _WAITED < execution.wall_ms:
        return (
            f"{_TEXTS[execution.stop]}: it used {milliseconds(execution.cpu_ms)} of CPU time "
            f"in {milliseconds(execution.wall_ms)} and waited for the rest"
        )
    if execution.stop in _TEXTS:
        return _TEXTS[execution.stop]
    if execution.stop is StopReason.SIGNALED:
        return f"was ended by signal {execution.signal}"
    if not execution.exit_code:
        return ""
    lines = execution.stderr.decode(errors="replace").rstrip().splitlines()
    message = _short(lines[-1]) if lines else ""
    return f"ended with status {execution.exit_code}" + (f" ({message})" if message else "")


def fault_of_call(outcome: bytes) -> str:
    """Return the fault of one call by the harness's record, which the program may have forged."""
    if outcome.startswith((b'["ok"', b'["unplain"')):
        return ""
    try:
        record = json.loads(outcome)
    except (ValueError, RecursionError):
        record = None
    match record:
        case ["raised", [str(kind), *_], str(message)]:
            return _short(f"raised {kind}: {message}")
        case ["failed", str(reason)]:
            return _short(f"could not be called: {reason}")
    return "could not be called"


def _short(text: str) -> str:
    text = visible(text.strip())
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."
