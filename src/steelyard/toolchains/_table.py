"""The language table, `languages.toml`, as records."""

import hashlib
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field

from steelyard._installation import install_command
from steelyard.errors import LanguageError
from steelyard.schemas import Limits, Record

DiagnosticsFormat = Literal["gcc", "clang", "rustc", "javac", "node", "go", "python", "text"]

_COMPILE_WALL_GRACE_MS = 30_000


class CompileLimits(Record):
    """What a compile may use: `Limits` with the defaults of a compiler."""

    cpu_ms: int = 30_000
    memory_mib: int = 1_024
    output_mib: int = 16
    file_mib: int = 50
    processes: int = 64

    def as_limits(self) -> Limits:
        """The same as `Limits`, with room for a loaded machine in the wall time."""
        return Limits(wall_ms=self.cpu_ms + _COMPILE_WALL_GRACE_MS, **self.model_dump())


class RunLimits(Record):
    """How a language's own runtime shifts the limits that a program is held to."""

    processes_min: int = 1
    """A runtime starts threads of its own: never allow fewer than this."""
    memory_add_mib: int = 0
    """What the runtime needs before the program has a byte."""


class WarmUp(Record):
    """How a compiler that builds its own libraries keeps them from one compile to the next."""

    source: str
    """A program that makes it build what most programs need."""
    folder: str
    """Where in a cell it keeps what it built."""
    keep: tuple[str, ...] = ()
    """The parts of that folder that are worth keeping; all where it names none."""
    lay_out: str
    """A constant script that makes the folder again from the kept parts, at `$1`, and runs the
    compiler with the arguments after that. Nothing of a candidate's is in it."""


class CompilerRow(Record):
    """One tool that turns source text into something that runs."""

    name: str
    executables: tuple[str, ...]
    find: Literal["path", "python", "root", "zig"] = "path"
    root_args: tuple[str, ...] = ()
    package: str = ""
    """The Debian package that brings it."""
    extra: str = ""
    """The extra of Steelyard that brings it, if no package does."""
    version: tuple[str, ...] = ("--version",)
    flags: tuple[str, ...] = ()
    diagnostics: DiagnosticsFormat
    header: Literal["", "gcc", "clang"] = ""
    """How it takes a precompiled header; empty where it takes none."""
    compile: tuple[str, ...] = ()
    """Empty where a harness of ours checks the source."""
    view: tuple[str, ...]
    scratch_mib: int = 512
    env: dict[str, str] = Field(default_factory=dict)
    output: str = ""
    """The compiled file's name where it is not the language's."""
    given: dict[str, str] = Field(default_factory=dict)
    """Files of this package that a compile finds in its work folder, by their names there."""
    warm_up: WarmUp | None = None
    runnable: bool = True

    @property
    def brought_by(self) -> str:
        """The package that brings it, such as `clang` or `steelyard[zig]`."""
        return self.package or f"steelyard[{self.extra}]"

    @property
    def install_command(self) -> str:
        """The shell command that installs it."""
        return f"apt-get install {self.package}" if self.package else install_command(self.extra)


class LanguageRow(Record):
    """One language: its names, its files, how it runs, and the compilers that serve it."""

    name: str
    title: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    source: str
    output: str = ""
    """The compiled file's name; empty where the source itself is run."""
    probe: str
    """An empty program: a toolchain that fails on it is broken."""
    run: tuple[str, ...]
    run_env: dict[str, str] = Field(default_factory=dict)
    run_view: tuple[str, ...]
    compile_limits: CompileLimits = CompileLimits()
    run_limits: RunLimits = RunLimits()
    compilers: tuple[CompilerRow, ...] = Field(alias="compiler")

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the row: another digest means that compiled results may differ."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class LanguageTable(Record):
    """All rows, and the lists of paths that they share."""

    views: dict[str, tuple[str, ...]]
    languages: tuple[LanguageRow, ...] = Field(alias="language")
    files: dict[str, str] = Field(default_factory=dict)
    """The user's file, for each language whose row comes from one."""

    def row(self, language: str) -> LanguageRow:
        """The row of a name or alias, whatever its case.

        Raises:
            LanguageError: where there is none; the message lists the names.
        """
        wanted = language.strip().lower()
        for row in self.languages:
            if wanted in row.names:
                return row
        known = ", ".join(row.name for row in self.languages)
        raise LanguageError(f"unknown language {language!r}; choose one of: {known}")

    def paths(self, entries: tuple[str, ...]) -> tuple[str, ...]:
        """A view's entries with each `@name` replaced by the list that it names."""
        expanded: list[str] = []
        for entry in entries:
            if entry.startswith("@"):
                expanded.extend(self.paths(self.views[entry[1:]]))
            else:
                expanded.append(entry)
        return tuple(dict.fromkeys(expanded))


@cache
def shipped_table() -> LanguageTable:
    """Return the table as it is shipped."""
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return LanguageTable.model_validate(tomllib.loads(text))
