"""Hold the program under profile: compiled once, run and counted often."""

from dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.judging import outcomes_in
from steelyard.profiling._fault import fault_of, fault_of_call
from steelyard.profiling._records import Counter, Input
from steelyard.profiling.counting import CountingUnavailable, native_counter, python_counter
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Entry, Execution, Limits
from steelyard.toolchains import Artifact, CompileCache, Toolchain

CALL_KINDS = ("function", "class")


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
        if entry.kind not in ("stdio", *CALL_KINDS):
            raise UsageError(f"entry {entry} cannot be profiled; use stdio, a function or a method")
        if entry.kind in CALL_KINDS and toolchain.harness is None:
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
        return self.entry.kind in CALL_KINDS

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
        if self.toolchain.language in ("c", "cpp"):
            return native_counter(self.toolchain, self.source, self.pool, self.cache)
        return CountingUnavailable(f"{self.toolchain.row.title} programs have no work counters")
