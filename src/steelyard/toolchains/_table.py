"""The language table, `languages.toml`, as records."""

import hashlib
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field

from steelyard._installation import install_command
from steelyard.errors import LanguageError
from steelyard.sandbox import DEFAULT_ENV
from steelyard.schemas import Limits, Record

DiagnosticsFormat = Literal["gcc", "clang", "rustc", "javac", "node", "go", "python", "text"]

_COMPILE_WALL_GRACE_MS = 30_000


class CompileLimits(Record):
    """Limits of a compile: `Limits` with the defaults of a compiler."""

    cpu_ms: int = 30_000
    memory_mib: int = 1_024
    output_mib: int = 16
    file_mib: int = 50
    processes: int = 64

    def as_limits(self) -> Limits:
        """Return these limits as `Limits`, with a wall time that allows for a loaded machine."""
        return Limits(wall_ms=self.cpu_ms + _COMPILE_WALL_GRACE_MS, **self.model_dump())


class RunLimits(Record):
    """Additions to a program's limits for the language's own runtime."""

    processes_min: int = 1
    """The smallest limit of processes, as the runtime starts threads of its own."""
    memory_add_mib: int = 0
    """Memory that the runtime itself needs, in MiB."""
    start_mib: int = 2
    """What a program has used at its start, of its limit, in MiB."""
    heap_add_mib: int = 0
    """What `{heap_mib}` has beyond the program's limit, in MiB, such as a young generation."""
    heap_full: tuple[str, ...] = ()
    """What the runtime writes to standard error when a program has filled `{heap_mib}`."""


class WarmUp(Record):
    """Keep the libraries that a compiler builds, from one compile to the next."""

    source: str
    """A program that makes the compiler build what most programs need."""
    folder: str
    """The folder in a cell that holds the built libraries."""
    keep: tuple[str, ...] = ()
    """The parts of `folder` to keep; all if it is empty."""
    lay_out: str
    """A constant script that makes `folder` again from the kept parts at `$1`, and runs the
    compiler with the other arguments. It contains nothing of a candidate."""


class CompilerRow(Record):
    """One tool that turns source text into something that runs."""

    name: str
    executables: tuple[str, ...]
    find: Literal["path", "python", "root", "zig"] = "path"
    root_args: tuple[str, ...] = ()
    package: str = ""
    """The Debian package that contains it."""
    extra: str = ""
    """The extra of Steelyard that contains it, if no package does."""
    version: tuple[str, ...] = ("--version",)
    """The arguments that print its version; empty if there are none, so it is not asked."""
    oldest: str = ""
    """The oldest version that works, such as `1.21`; empty if any does."""
    flags: tuple[str, ...] = ()
    diagnostics: DiagnosticsFormat
    header: Literal["", "gcc", "clang"] = ""
    """The form of its precompiled headers; empty if it takes none."""
    compile: tuple[str, ...] = ()
    """Empty if the harness of this package checks the source, or if nothing does."""
    view: tuple[str, ...]
    scratch_mib: int = 512
    env: dict[str, str] = Field(default_factory=dict)
    output: str = ""
    """The compiled file's name, if it differs from the language's."""
    given: dict[str, str] = Field(default_factory=dict)
    """Files of this package to put into a compile's work folder, by their names there."""
    warm_up: WarmUp | None = None
    runnable: bool = True

    @property
    def macros(self) -> tuple[str, ...]:
        """The options that define macros in every compile."""
        return tuple(part for part in self.compile if part.startswith("-D"))

    @property
    def brought_by(self) -> str:
        """The package that contains it, such as `clang` or `steelyard[zig]`."""
        return self.package or f"steelyard[{self.extra}]"

    @property
    def install_command(self) -> str:
        """The shell command that installs it."""
        return f"apt-get install {self.package}" if self.package else install_command(self.extra)


class LanguageRow(Record):
    """One language: its names, its files, its run command, and its compilers."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    extensions: tuple[str, ...]
    source: str
    output: str = ""
    """The compiled file's name; empty if the source itself runs."""
    probe: str
    """An empty program: a toolchain that fails on it is broken."""
    run: tuple[str, ...]
    run_env: dict[str, str] = Field(default_factory=dict)
    crash: tuple[str, ...] = ()
    """Replaces `{crash}` in `run` for a checker program. An uncaught exception must end it by a
    signal, or with a status that rejects no output."""
    crash_env: dict[str, str] = Field(default_factory=dict)
    """More variables for a checker program, for the same reason."""
    run_view: tuple[str, ...]
    compile_limits: CompileLimits = CompileLimits()
    run_limits: RunLimits = RunLimits()
    compilers: tuple[CompilerRow, ...] = Field(alias="compiler")

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a run; as on other judges, programs can tell that it is one."""
        return {**DEFAULT_ENV, "ONLINE_JUDGE": "1", **self.run_env}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the row: if the digest differs, compiled results may differ."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class LanguageTable(Record):
    """All rows, and the lists of paths that they share."""

    views: dict[str, tuple[str, ...]]
    languages: tuple[LanguageRow, ...] = Field(alias="language")
    files: dict[str, str] = Field(default_factory=dict)
    """The user's file of each language whose row comes from one."""

    def row(self, language: str) -> LanguageRow:
        """Return the row of a name or alias, in upper or lower case.

        Raises:
            LanguageError: if the name is unknown; the message lists the names.
        """
        wanted = language.strip().lower()
        for row in self.languages:
            if wanted in row.names:
                return row
        known = ", ".join(row.name for row in self.languages)
        raise LanguageError(f"unknown language {language!r}; choose one of: {known}")

    def paths(self, entries: tuple[str, ...]) -> tuple[str, ...]:
        """Return a view's entries with each `@name` replaced by the list that it names."""
        expanded: list[str] = []
        for entry in entries:
            if entry.startswith("@"):
                expanded.extend(self.paths(self.views[entry[1:]]))
            else:
                expanded.append(entry)
        return tuple(dict.fromkeys(expanded))


@cache
def shipped_table() -> LanguageTable:
    """Return the built-in table."""
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return LanguageTable.model_validate(tomllib.loads(text))
