"""What a compile gives: the result, and where it worked, something to run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.sandbox import Blob, Command, View
from steelyard.schemas import CompileResult, Limits
from steelyard.toolchains._harness import Harness

_MAX_STACK_MIB = 1_000  # the JVM takes no more
_STACK_RESERVE_KIB = 2_048
_MIN_STACK_KIB = 984  # V8's own default
_PT_INTERP = 3


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled program, or a checked source with its interpreter, ready for a cell.

    Its files are sealed in memory: nothing that a run does to them reaches another run or the
    compile cache.
    """

    argv: tuple[str, ...]
    """May hold `{stack_mib}`, `{stack_kib}` and `{heap_mib}`, filled in from a run's limits."""
    executable: Blob | None = None
    files: Mapping[str, Blob] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    view: View = field(default_factory=View)
    runnable: bool = True
    """False where it was compiled for another system."""
    runtime_mib: int = 0
    """What of a run's memory the language's own runtime needs, and no heap may use."""
    harness: Harness | None = None
    """For Python: what runs it."""

    @property
    def source(self) -> str:
        """The name of its source in the work folder, where it is run from that."""
        return next(iter(self.files), "")

    def command(
        self, *, stdin: bytes | Blob, limits: Limits, args: tuple[str, ...] = ()
    ) -> Command:
        """The command that runs it once.

        Args:
            stdin: Standard input.
            limits: The run's limits, as `Toolchain.run_limits` gives them.
            args: More arguments for the program.
        """
        stack_kib = limits.stack_mib * 1_024 - _STACK_RESERVE_KIB
        values = {
            "{stack_mib}": min(limits.stack_mib, _MAX_STACK_MIB),
            "{stack_kib}": max(stack_kib, _MIN_STACK_KIB),
            "{heap_mib}": max(limits.memory_mib - self.runtime_mib, 16),
        }
        argv = []
        for part in self.argv:
            text = part
            for name, value in values.items():
                text = text.replace(name, str(value))
            argv.append(text)
        command = Command(
            argv=(*argv, *args),
            stdin=stdin,
            limits=limits,
            env=self.env,
            files=self.files,
            executable=self.executable,
            view=self.view,
        )
        if self.harness:
            return self.harness.served(command, ("stdio", self.source, *args))
        return command


@dataclass(frozen=True, slots=True)
class Compilation:
    """What the compiler said, and the artifact where the source compiled."""

    result: CompileResult
    artifact: Artifact | None
    extras: Mapping[str, bytes] = field(default_factory=dict)
    """Of `Toolchain.extra_outputs`, those that the compiler left."""


def is_static(image: bytes | memoryview) -> bool:
    """Whether an ELF program needs no dynamic loader, and so no library of the host."""
    if len(image) < 64 or image[:4] != b"\x7fELF" or image[4] != 2:
        return False
    offset = int.from_bytes(image[32:40], "little")
    size = int.from_bytes(image[54:56], "little")
    count = int.from_bytes(image[56:58], "little")
    kinds = (
        int.from_bytes(image[offset + i * size : offset + i * size + 4], "little")
        for i in range(count)
    )
    return _PT_INTERP not in kinds
