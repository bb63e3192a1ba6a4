"""Compile source text with one compiler and its flags."""

import dataclasses
import hashlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from steelyard.errors import ForkServerError, LanguageError, ToolchainError
from steelyard.sandbox import Blob, CellPool, Command, View
from steelyard.schemas import CompileResult, Diagnostic, Execution, Limits, Policy, StopReason
from steelyard.toolchains._artifact import (
    Artifact,
    Compilation,
    CompileOutcome,
    is_static,
    pack,
    unpack,
)
from steelyard.toolchains._cache import CompileCache
from steelyard.toolchains._detect import tool_env, view_of
from steelyard.toolchains._diagnostics import is_answer, read_diagnostics, silences_warnings
from steelyard.toolchains._harness import Harness, harness_text
from steelyard.toolchains._languages import (
    filled,
    given_files,
)
from steelyard.toolchains._prepared import InstalledCompiler, PreparedFolder

MAX_SOURCE_BYTES = 4 << 20
_ELF, _ELF_PROGRAMS = b"\x7fELF", (2, 3)  # ET_EXEC, and ET_DYN for a position-independent one
_RUN_SCRATCH_MIB = 256
_MAIN_CLASS = "{main_class}"
"""In the run of a language whose source is named after its class, as in Java."""
_NO_FILES: Mapping[str, bytes] = MappingProxyType({})
_REPORT = re.compile(rb"([01]) (\d{1,15}) (\d{1,15}) ")
"""The head of a report of `incell.answering.check_and_serve`."""
_QUICK_CHECK_MS = 1_000
"""A check that is part of a run is far quicker, or gives up."""
_LIMIT_STOPS = frozenset(
    {
        StopReason.CPU_LIMIT,
        StopReason.WALL_LIMIT,
        StopReason.MEMORY_LIMIT,
        StopReason.OUTPUT_LIMIT,
    }
)
_LIMIT_WORDS = (
    b"No space left on device",
    b"File size limit",
    b"File too large",
    b"Killed signal",
    b"out of memory",
    b"Cannot allocate memory",
    b"virtual memory exhausted",
    b"Resource temporarily unavailable",
)
"""A compiler's messages if a limit stopped one of its processes or files and it then exited."""


@dataclass(frozen=True)
class Toolchain(InstalledCompiler):
    """A compiler (or a checker and interpreter) that this machine has, with its flags."""

    harness: Harness | None = None
    """For Python: the harness that runs its programs, with every kind of entry."""
    extra_outputs: tuple[str, ...] = ()
    """Further files that the flags make the compiler write, for `Compilation.extras`."""

    @property
    def language(self) -> str:
        """The language's name in the table."""
        return self.row.name

    @property
    def compiler(self) -> str:
        """The compiler's name in the table, such as `gcc`."""
        return self.compiler_row.name

    @property
    def version(self) -> str:
        """The compiler's own version line."""
        return self.tool.version

    @property
    def runnable(self) -> bool:
        """False if its programs cannot run on this machine."""
        return self.compiler_row.runnable

    @property
    def compile_limits(self) -> Limits:
        """The limits of a compile if `compile` gets none."""
        return self.row.compile_limits.as_limits()

    @property
    def builds(self) -> bool:
        """True if the compiler makes the file that runs; False if it only checks the source."""
        return bool(self.output)

    def run_limits(self, limits: Limits) -> Limits:
        """Return a run's limits plus what the language's own runtime needs."""
        shift = self.row.run_limits
        return limits.replace(
            processes=max(limits.processes, shift.processes_min),
            memory_mib=min(limits.memory_mib + shift.memory_add_mib, 1 << 20),
        )

    def compile(
        self,
        source: bytes,
        pool: CellPool,
        *,
        limits: Limits | None = None,
        cache: CompileCache | None = None,
        policy: Policy | None = None,
        files: Mapping[str, bytes] = _NO_FILES,
    ) -> Compilation:
        """Compile a source text in a cell, or take the result from the cache.

        Args:
            source: The text, byte for byte; it may be hostile.
            pool: The pool in which the compiler runs.
            limits: The compile's limits; None for `compile_limits`.
            cache: Keeps results and precompiled headers; None for no cache.
            policy: For Python, restrictions that the source must follow too.
            files: Further files of the compiler's work folder, such as headers, by relative path.

        Raises:
            CommandError: if a file's name is not a path in the work folder.
            ToolchainError: if the compiler cannot be started, or fails on an empty program.
            LanguageError: if the flags make it fail on an empty program, or a policy is given
                for a language that has none.
        """
        if policy is not None:
            self.check_policy()
        if len(source) > MAX_SOURCE_BYTES:
            message = f"the source is larger than {MAX_SOURCE_BYTES >> 20} MiB"
            error = Diagnostic(severity="error", message=message)
            return Compilation(CompileResult(ok=False, errors=(error,)), None)
        self._prove_flags(pool)
        started_ns = time.monotonic_ns()
        if self.harness and pool.forks:
            cache = None  # a check costs less than keeping its outcome
        key = self._key(source, policy, files) if cache else ""
        stored = cache.get(key) if cache else None
        outcome = unpack(stored) if stored is not None else None
        cached = outcome is not None
        if outcome is None:
            limits = limits or self.compile_limits
            outcome = self._compile(source, pool, limits, cache, policy, files)
            if cache and outcome.result.ok:  # what a program lacks may be installed later
                cache.put(key, pack(outcome))
        wall_ms = (time.monotonic_ns() - started_ns) / 1e6
        result = outcome.result.model_copy(update={"cached": cached, "wall_ms": wall_ms})
        if not result.ok:
            return Compilation(result, None, stop=outcome.stop)
        extras = {n: bytes(outcome.outputs[n]) for n in self.extra_outputs if n in outcome.outputs}
        return Compilation(result, self._artifact(source, outcome), extras)

    def unchecked(self, source: bytes, pool: CellPool, limits: Limits | None) -> Artifact | None:
        """Return a source that its first run checks; None if it must be compiled before.

        A check in a process of its own costs as much as a short run.

        Args:
            source: As for `compile`.
            pool: The pool in which it runs.
            limits: As for `compile`.

        Raises:
            LanguageError: as for `compile`.
        """
        patient = (limits or self.compile_limits).cpu_ms >= _QUICK_CHECK_MS
        if self.harness is None or not pool.forks or not patient or len(source) > MAX_SOURCE_BYTES:
            return None
        self._prove_flags(pool)
        return self._artifact(source, CompileOutcome(CompileResult(ok=True)))

    def checked(
        self, artifact: Artifact, execution: Execution, pool: CellPool
    ) -> Compilation | None:
        """Return what the run of an unchecked artifact found; None if it must be compiled alone.

        Args:
            artifact: As `unchecked` returned it.
            execution: A run of the harness's entry `checked-and-served`.
            pool: The pool in which it ran.

        Raises:
            ToolchainError: as for `compile`.
        """
        report = _REPORT.match(execution.stdout)
        if report is None or not is_answer(execution.stdout[report.end() :]):
            return None
        status, cpu_ns, wall_ns = map(int, report.groups())
        alone = execution.model_copy(
            update={
                "stop": StopReason.EXITED,
                "exit_code": status,
                "signal": None,
                "stderr": b"",
                "stdout": execution.stdout[report.end() :],
                "stderr_truncated": False,
            }
        )
        outcome = self._outcome(b"", artifact.source, alone, self.compile_limits)
        if not outcome.result.ok:
            self._prove_sound(pool, None)
        return Compilation(
            outcome.result.model_copy(update={"wall_ms": wall_ns / 1e6}),
            artifact if outcome.result.ok else None,
            cpu_ms=cpu_ns / 1e6,
        )

    def check_policy(self) -> None:
        """Refuse a policy if the language does not support policies.

        Raises:
            LanguageError: if the language is not Python.
        """
        if self.harness is None:
            raise LanguageError(f"a policy is for Python, not for {self.row.title}; omit it")

    def _key(
        self,
        source: bytes,
        policy: Policy | None = None,
        files: Mapping[str, bytes] = _NO_FILES,
    ) -> str:
        total = hashlib.sha256()
        shaped_by = [_FORMAT, self.row.digest, self.compiler, self.tool.identity, *self.flags]
        if self.extra_outputs:
            shaped_by += ["with", *self.extra_outputs]
        if self.harness:
            shaped_by += [harness_text(), policy.to_text() if policy else ""]
        given = [part for name in sorted(files) for part in (name.encode(), files[name])]
        for part in (*(each.encode() for each in shaped_by), source, *given):
            total.update(len(part).to_bytes(8, "little"))
            total.update(part)
        return total.hexdigest()

    def _compile(
        self,
        source: bytes,
        pool: CellPool,
        limits: Limits,
        cache: CompileCache | None,
        policy: Policy | None,
        files: Mapping[str, bytes],
    ) -> CompileOutcome:
        if self.harness is None and not self.compiler_row.compile:
            self._prove_runs(pool)
            return CompileOutcome(CompileResult(ok=True, compiler=self.tool.version))
        prepared = self.runtime(pool, cache) or self.header(source, pool, cache)
        outcome, execution = self._run(source, pool, limits, prepared, policy, files)
        header_failed = (
            prepared is not None
            and prepared.options
            and not outcome.result.ok
            and prepared.shown_at.encode() in execution.stderr
        )
        if header_failed:
            outcome, execution = self._run(source, pool, limits, None, files=files)
        if outcome.result.ok:
            return outcome
        if execution.stop in _LIMIT_STOPS or any(w in execution.stderr for w in _LIMIT_WORDS):
            return outcome
        self._prove_sound(pool, cache)
        ended = execution.stop is StopReason.EXITED
        if self.harness and ended and not is_answer(execution.stdout):
            reason = outcome.result.errors[0].message
            raise ToolchainError(
                f"the check of a Python source failed: {reason}; see `steelyard doctor`"
            )
        return outcome

    def _run(
        self,
        source: bytes,
        pool: CellPool,
        limits: Limits,
        prepared: PreparedFolder | None,
        policy: Policy | None = None,
        files: Mapping[str, bytes] = _NO_FILES,
    ) -> tuple[CompileOutcome, Execution]:
        name = self._source_name(source)
        if self.harness:
            entry = ("check", name, policy.to_text()) if policy else ("check", name)
            check = self.harness.command(entry, stdin=b"", limits=limits, sources={name: source})
            command = dataclasses.replace(check, collect=self._collected)
        else:
            argv = self.argv(name, prepared.options if prepared else ())
            command = Command(
                argv=(*prepared.wrapper, *argv) if prepared else argv,
                limits=limits,
                env=tool_env(self.compiler_row),
                files={**files, name: source, **given_files(self.compiler_row)},
                collect=self._collected,
                view=prepared.view if prepared else self.view,
            )
        execution = self._in_cell(command, pool)
        if execution.stop is StopReason.NOT_STARTED:
            raise ToolchainError(
                f"{self.tool.executable} cannot be started in a cell: {execution.message}; "
                "see `steelyard doctor`"
            )
        return self._outcome(source, name, execution, limits), execution

    def _in_cell(self, command: Command, pool: CellPool) -> Execution:
        try:
            return pool.run(command)
        except ForkServerError as error:
            if _NOT_PRELOADED not in str(error):
                raise
            advice = f"install it for {self.tool.executable}, or leave it out of preload"
            what = str(error).partition(_NOT_PRELOADED)[2]
            raise LanguageError(f"{_NOT_PRELOADED}{what}; {advice}") from error

    def _outcome(
        self, source: bytes, name: str, execution: Execution, limits: Limits
    ) -> CompileOutcome:
        findings = read_diagnostics(self.compiler_row.diagnostics, execution, name, limits)
        errors = findings.errors
        if findings.succeeded and self.output and not self._is_program(execution.files):
            message = f"the compiler wrote no program; its flags were {' '.join(self.flags)}"
            errors = [Diagnostic(severity="error", message=message[:500])]
        ok = not errors
        if ok and self._takes_pragmas and not findings.warnings and silences_warnings(source):
            findings.add("warning", "the source turns warnings off, which counts as a warning")
        result = CompileResult(
            ok=ok,
            warnings=tuple(findings.warnings),
            errors=tuple(errors),
            compiler=self.tool.version,
        )
        return CompileOutcome(result, execution.files if ok else {}, execution.stop)

    def _is_program(self, files: Mapping[str, bytes]) -> bool:
        """Return True if the compiler wrote a program, and not an object file or a listing."""
        image = files.get(self.output, b"")
        if not self.runnable or self.row.run[0] != self.output:
            return self.output in files
        return image[:4] == _ELF and int.from_bytes(image[16:18], "little") in _ELF_PROGRAMS

    @property
    def _collected(self) -> tuple[str, ...]:
        if self.harness:
            return (self.harness.compiled_name(self.row.source),)
        return (self.output, *self.extra_outputs) if self.output else ()

    @property
    def _takes_pragmas(self) -> bool:
        return self.compiler_row.diagnostics in ("gcc", "clang")

    def _source_name(self, source: bytes) -> str:
        if _MAIN_CLASS not in self.row.run:
            return self.row.source
        from steelyard.toolchains import _java  # its patterns take long to load  # noqa: PLC0415

        return _java.source_name(source)

    def _artifact(self, source: bytes, outcome: CompileOutcome) -> Artifact:
        output = outcome.outputs.get(self.output)
        native = self.row.run[0] == self.row.output
        main_class = ""
        if _MAIN_CLASS in self.row.run and output is not None:
            from steelyard.toolchains import _java  # noqa: PLC0415

            main_class = _java.main_class(bytes(output), self._source_name(source))
        files: Mapping[str, Blob] = {}
        if output is None:
            kept = {name: Blob(bytes(data)) for name, data in outcome.outputs.items()}
            files = {self.row.source: Blob(source), **kept}
        elif not native:
            files = {self.output: Blob(output)}
        view = View(scratch_mib=_RUN_SCRATCH_MIB)
        if self.harness is not None:
            view = self.harness.view
        elif output is None or not native or not is_static(output):
            view = view_of(self.row.run_view, self.tool.root, _RUN_SCRATCH_MIB)
        return Artifact(
            argv=filled(
                self.row.run,
                {
                    "{compiler}": (self.tool.executable,),
                    "{root}": (self.tool.root,),
                    "{flags}": self.flags,
                    "{source}": (self.row.source,),
                    _MAIN_CLASS: (main_class,),
                },
            ),
            executable=Blob(output) if native and output is not None else None,
            files=files,
            env=self.row.environment,
            crash=self.row.crash,
            crash_env=self.row.crash_env,
            view=view,
            runnable=self.runnable,
            runtime_mib=self.row.run_limits.memory_add_mib,
            heap_add_mib=self.row.run_limits.heap_add_mib,
            heap_full=tuple(text.encode() for text in self.row.run_limits.heap_full),
            harness=self.harness,
        )

    def _prove_flags(self, pool: CellPool) -> None:
        """Check once that an interpreter runs a program with the caller's flags.

        A compiler refuses a wrong flag itself. An interpreter may print its help, or read another
        program: the probe must do the same with the flags as without them.
        """
        default = self.compiler_row.flags
        if self.flags == default or "{flags}" in self.compiler_row.compile:
            return
        if "{flags}" not in self.row.run:
            raise LanguageError(f"{self.row.title} takes no flags; omit {' '.join(self.flags)!r}")
        key = f"flags {self._key(self.row.probe.encode())}"
        if key in _proved:
            return
        harness = self.harness and self.harness.without(self.flags)
        plain = dataclasses.replace(self, flags=default, harness=harness)
        usual = plain._probed(pool)  # noqa: SLF001
        try:
            sound = self._probed(pool) == usual
        except ForkServerError:
            sound = False
        if not sound:
            raise LanguageError(
                f"{self.tool.executable} cannot run a program with the flags "
                f"{' '.join(self.flags)!r}; fix or omit them: they are options of the interpreter"
            )
        _proved.add(key)

    def _probed(self, pool: CellPool) -> tuple[object, ...]:
        """Return how the probe ends, and what it prints."""
        done = self._execution_of_probe(pool)
        return done.stop, done.exit_code, done.stdout

    def _execution_of_probe(self, pool: CellPool) -> Execution:
        artifact = self._artifact(self.row.probe.encode(), CompileOutcome(CompileResult(ok=True)))
        limits = self.run_limits(self.compile_limits)
        return self._in_cell(artifact.command(stdin=b"", limits=limits), pool)

    def _prove_runs(self, pool: CellPool) -> None:
        """Check once that an interpreter whose row has no `compile` runs the probe."""
        key = f"runs {self._key(self.row.probe.encode())}"
        if key in _proved:
            return
        done = self._execution_of_probe(pool)
        if done.stop is not StopReason.EXITED or done.exit_code != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            reason = lines[0] if lines else done.message or str(done.stop)
            raise ToolchainError(
                f"{self.tool.executable} cannot run the probe of {self.row.title} ({reason}); "
                "check `probe`, `run` and `run_view` of its row"
            )
        _proved.add(key)

    def _prove_sound(self, pool: CellPool, cache: CompileCache | None) -> None:
        """Check once that the toolchain itself works: its failure must never become a verdict."""
        probe = self.row.probe.encode()
        key = self._key(probe)
        if key in _proved:
            return
        outcome, _ = self._run(probe, pool, self.compile_limits, self.runtime(pool, cache))
        if not outcome.result.ok:
            reason = str(outcome.result.errors[0])
            if self.flags != self.compiler_row.flags:
                raise LanguageError(
                    f"{self.tool.executable} cannot compile an empty program with the flags "
                    f"{' '.join(self.flags)!r} ({reason}); fix the flags"
                )
            raise ToolchainError(
                f"{self.tool.executable} cannot compile an empty program ({reason}); "
                f"install {self.compiler_row.brought_by} completely, or choose other flags"
            )
        _proved.add(key)


_NOT_PRELOADED = "cannot preload "
_proved: set[str] = set()
"""The keys of toolchains and flags that were proved by a probe in this process."""
_FORMAT = "2"
"""Increase it if the same compiler output is read in another way."""
