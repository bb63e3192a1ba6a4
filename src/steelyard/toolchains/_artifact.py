"""The result of a compile: its diagnostics, a program if it succeeded, and its cached form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from steelyard.sandbox import Blob, Command, Heap, View
from steelyard.schemas import CompileResult, Limits, StopReason
from steelyard.toolchains._harness import Harness

_MAX_STACK_MIB = 1_000  # the JVM takes no more
_STACK_RESERVE_KIB = 2_048
_MIN_STACK_KIB = 984  # V8's own default
_MIN_HEAP_MIB = 16
_PT_INTERP = 3


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled program, or a checked source with its interpreter, ready for a cell.

    Its files are sealed in memory: nothing that a run does to them reaches another run or the
    compile cache.
    """

    argv: tuple[str, ...]
    """May have `{stack_mib}`, `{stack_kib}` and `{heap_mib}`, filled in from a run's limits, and
    `{crash}`."""
    executable: Blob | None = None
    files: Mapping[str, Blob] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    crash: tuple[str, ...] = ()
    """Replaces `{crash}` in `argv` for a checker program."""
    crash_env: Mapping[str, str] = field(default_factory=dict)
    """More variables for a checker program."""
    view: View = field(default_factory=View)
    runnable: bool = True
    """False if it was compiled for another system."""
    runtime_mib: int = 0
    """Memory that the language's runtime needs, in MiB, and the heap may not use."""
    heap_add_mib: int = 0
    """What the heap may have beyond the limit."""
    heap_full: tuple[bytes, ...] = ()
    """What the runtime writes to standard error when its heap is full."""
    harness: Harness | None = None
    """For Python: the harness that runs it."""

    @property
    def source(self) -> str:
        """The name of its source in the work folder; empty if it does not run from source."""
        return next(iter(self.files), "")

    def command(
        self,
        *,
        stdin: bytes | Blob,
        limits: Limits,
        args: tuple[str, ...] = (),
        usual_names: bool = False,
    ) -> Command:
        """Return the command that runs it once.

        Args:
            stdin: Standard input.
            limits: The run's limits, from `Toolchain.run_limits`.
            args: More arguments for the program.
            usual_names: For Python: it may use the names of contest sites without importing them,
                and recurse as deep as its stack.
        """
        if self.harness and usual_names:
            entry = ("named", self.source)
            return self.harness.command(entry, stdin=stdin, limits=limits, sources=self.files)
        command = Command(
            argv=(*self._argv(limits), *args),
            stdin=stdin,
            limits=limits,
            env=self.env,
            files=self.files,
            executable=self.executable,
            heap=Heap(self._given_mib(limits), self.heap_full) if self.heap_full else None,
            view=self.view,
        )
        if self.harness:
            return self.harness.served(command, ("stdio", self.source, *args))
        return command

    def checker_command(
        self, *, stdin: bytes | Blob, limits: Limits, args: tuple[str, ...]
    ) -> Command:
        """Return the command that runs it once as a checker program.

        An uncaught exception ends it by a signal, or with a status that rejects no output.

        Args:
            stdin: Standard input.
            limits: The run's limits.
            args: The program's arguments.
        """
        if self.harness:
            entry = ("checker", self.source, *args)
            return self.harness.command(entry, stdin=stdin, limits=limits, sources=self.files)
        return Command(
            argv=(*self._argv(limits, self.crash), *args),
            stdin=stdin,
            limits=limits,
            env={**self.env, **self.crash_env},
            files=self.files,
            executable=self.executable,
            view=self.view,
        )

    def _given_mib(self, limits: Limits) -> int:
        """Return the limit that the user gave, without the runtime's own memory."""
        return max(limits.memory_mib - self.runtime_mib, _MIN_HEAP_MIB)

    def _argv(self, limits: Limits, crash: tuple[str, ...] = ()) -> list[str]:
        stack_kib = limits.stack_mib * 1_024 - _STACK_RESERVE_KIB
        values = {
            "{stack_mib}": min(limits.stack_mib, _MAX_STACK_MIB),
            "{stack_kib}": max(stack_kib, _MIN_STACK_KIB),
            "{heap_mib}": self._given_mib(limits) + self.heap_add_mib,
        }
        argv: list[str] = []
        for part in self.argv:
            if part == "{crash}":
                argv += crash
                continue
            text = part
            for name, value in values.items():
                text = text.replace(name, str(value))
            argv.append(text)
        return argv


@dataclass(frozen=True, slots=True)
class Compilation:
    """The compiler's result, and the artifact if the source compiled."""

    result: CompileResult
    artifact: Artifact | None
    extras: Mapping[str, bytes] = field(default_factory=dict)
    """Those of `Toolchain.extra_outputs` that the compiler wrote."""
    stop: StopReason = StopReason.EXITED
    """The reason why the compiler ended: by itself, or at a limit."""
    cpu_ms: float = 0.0
    """CPU time of a check that was part of a run (`Toolchain.checked`)."""


def is_static(image: bytes | memoryview) -> bool:
    """Return True if an ELF program needs no dynamic loader, and so no host library."""
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


@dataclass(frozen=True, slots=True)
class CompileOutcome:
    """The result of a compile, and the files that it made."""

    result: CompileResult
    outputs: Mapping[str, bytes | memoryview] = field(default_factory=dict)
    stop: StopReason = StopReason.EXITED
    """The reason why the compiler ended. It is not stored: a failure never is."""


def pack(outcome: CompileOutcome) -> list[bytes]:
    """Return a length, a JSON head with the files' names and sizes, and the files."""
    files = {name: bytes(data) for name, data in outcome.outputs.items()}
    head = json.dumps(
        {
            "result": outcome.result.model_dump_json(),
            "files": {name: len(data) for name, data in files.items()},
        }
    ).encode()
    return [len(head).to_bytes(4, "little"), head, *files.values()]


def unpack(body: memoryview) -> CompileOutcome | None:
    """Return the packed outcome, or None if another version packed it in another format."""
    length = int.from_bytes(body[:4], "little")
    position = 4 + length
    try:
        head = json.loads(bytes(body[4:position]))
        result = CompileResult.model_validate_json(head["result"])
        outputs = {}
        for name, size in head["files"].items():
            outputs[name] = body[position : position + size]
            position += size
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
    return CompileOutcome(result, outputs)
