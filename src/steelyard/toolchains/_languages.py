"""The languages of this process: the built-in table with the user's rows.

1. `languages.toml` is read as records. The user's file extends them: a known name is replaced, a
   new one is appended.
2. A name, an alias or a file's ending leads to a row.
3. `filled`, `report_options` and `given_files` turn a row into a command's arguments and files.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from steelyard._arguments import checks_arguments
from steelyard._installation import install_command
from steelyard.errors import LanguageError, SettingsError, UsageError
from steelyard.sandbox import DEFAULT_ENV
from steelyard.schemas import Limits, Record
from steelyard.settings import user_languages_file

DiagnosticsFormat = Literal["gcc", "clang", "rustc", "javac", "node", "go", "python", "text"]
_COMPILE_WALL_GRACE_MS = 30_000
_PLACEHOLDERS = frozenset(
    {
        "compiler",
        "crash",
        "flags",
        "header",
        "heap_mib",
        "machine",
        "main_class",
        "output",
        "report",
        "root",
        "source",
        "stack_kib",
        "stack_mib",
    }
)
_OF_LANGUAGE = {
    "syntax",
    "mislabelled",
    "final_print",
    "before_main",
    "in_prompts",
    "counts",
    "peers",
}
"""Facts that hold for a language however it is compiled: a row that replaces another keeps them."""
_WHAT_TO_DO = "fix the file, or remove it to use the built-in languages only"
_SARIF_SINCE_GCC = 15


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
    title: str = ""
    """Its name for people; empty if the language's name is enough."""
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


class Syntax(Record):
    """The strings and comments of a language: a fence in one of them ends no block of a reply."""

    tokens: tuple[re.Pattern[str], ...] = tuple(
        map(re.compile, (r"//[^\n]*", r'"[^"\n]*"', r"'[^'\n]{1,10}'"))
    )
    """Patterns of those that end on their line. The text has two blanks for an escape."""
    spans: dict[str, str] = Field(default={"/*": "*/"})
    """The end of each of those that may take several lines, by its start."""
    raw: re.Pattern[str] | None = None
    """The start of a string without escapes."""
    raw_end: str = ""
    """The end of such a string; `{}` is the group of `raw`."""


class Peers(Record):
    """The names and numbers of a language in the interfaces of other judges."""

    judge0: dict[int, str] = Field(default={})
    """A compiler's name by the peer's id of the language; an empty name is any compiler."""
    piston: str = ""
    """The peer's name, if it differs from the language's."""
    piston_aliases: tuple[str, ...] | None = None
    """The peer's other names, if they differ from the language's."""
    piston_runtime: str = ""
    sandboxfusion_s: float = 20
    """The time limit of a submission that sets none, in seconds."""
    code_contests: int | None = None
    """Its number in the rows of CodeContests."""


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
    syntax: Syntax = Syntax()
    mislabelled: tuple[str, ...] = ()
    """Languages by whose names models label its programs by mistake."""
    final_print: str = ""
    """A statement that prints `{line}`; tests in the language itself end with it."""
    in_prompts: str = ""
    """Its name in prompts for models; empty if it is the title."""
    before_main: str = ""
    """The lines that such tests need before their function `main`."""
    counts: Literal["", "blocks", "instructions"] = ""
    """The unit in which the work of its programs is counted; empty if it is not."""
    peers: Peers = Peers()

    @property
    def has_main(self) -> bool:
        """True if a program of the language has a function `main`."""
        return re.search(r"\bmain\s*\(", self.probe) is not None

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
def language_table() -> LanguageTable:
    """Return the built-in table with the rows of the user's `languages.toml`.

    Raises:
        SettingsError: if that file cannot be used; the message names the file and the key.
    """
    return with_user_rows(shipped_table(), user_languages_file())


@cache
def shipped_table() -> LanguageTable:
    """Return the built-in table."""
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return LanguageTable.model_validate(tomllib.loads(text))


def language_called(name: str) -> str | None:
    """Return the language with this name, alias or file ending (without its dot), if any."""
    wanted = name.lower()
    for row in language_table().languages:
        if wanted in row.names or f".{wanted}" in row.extensions:
            return row.name
    return None


def language_names() -> list[str]:
    """Return the names of all languages, for completion."""
    return [row.name for row in language_table().languages]


def compilers_of(language: str | None) -> list[str]:
    """Return the names of a language's compilers, or of all; none for an unknown language."""
    rows = language_table().languages
    chosen = [row for row in rows if language is None or language.lower() in row.names]
    return list(dict.fromkeys(each.name for row in chosen for each in row.compilers))


@checks_arguments
def language_of(path: Path) -> str:
    """Return the language of a file, by its extension.

    Raises:
        LanguageError: if no language has the extension; the message lists the known ones.
    """
    suffix = path.suffix.lower()
    for row in language_table().languages:
        if suffix in row.extensions:
            return row.name
    known = ", ".join(
        extension for row in language_table().languages for extension in row.extensions
    )
    raise LanguageError(
        f"{path.name}: no language has the extension {suffix!r} (known: {known}); "
        "give the language explicitly"
    )


def source_bytes(text: str | bytes) -> bytes:
    """Return a program's text, byte for byte.

    Raises:
        UsageError: if it is neither `str` nor bytes.
    """
    if isinstance(text, str):
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half a character, which the compiler will refuse
            return text.encode("utf-8", "surrogatepass")
    if isinstance(text, bytes | bytearray | memoryview):
        return bytes(text)
    raise UsageError(f"program must be str, bytes or a Path, got {type(text).__name__}")


def read_source(program: str | bytes | Path, language: str | None) -> tuple[bytes, str]:
    """Return the text of a program, byte for byte, and its language.

    Args:
        program: The text itself, or the path of a file with it.
        language: A name from the language table. None: by the file's ending; Python for a text.

    Raises:
        UsageError: if the file cannot be read.
        LanguageError: if no language has the file's ending.
    """
    if isinstance(program, Path):
        language = language or language_of(program)
        try:
            return program.read_bytes(), language
        except OSError as error:
            raise UsageError(
                f"{program!s} cannot be read: {error.strerror}; give a file that you can read"
            ) from error
    if isinstance(program, str) and "\n" not in program and os.path.isfile(program):
        raise UsageError(f"got the name of a file, {program}; give Path({program!r}) or its text")
    return source_bytes(program), language or "python"


def with_user_rows(table: LanguageTable, file: Path) -> LanguageTable:
    """Return the table with a file's rows: a known name is replaced, a new one is appended.

    A file that does not exist changes nothing.

    Raises:
        SettingsError: if the file cannot be used; the message names the file and the key.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return table
    except (OSError, UnicodeDecodeError) as error:
        raise _fault(file, f"cannot be read ({error})") from error
    try:
        data = tomllib.loads(text)
        own = UserTable.model_validate(data)
    except tomllib.TOMLDecodeError as error:
        raise _fault(file, f"is not TOML ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        key, got = _key(first["loc"], data), first["input"]
        what = first["msg"][:1].lower() + first["msg"][1:]
        shown = "" if isinstance(got, dict) else f" (got {got!r})"
        raise _fault(file, f"{key}: {what}{shown}") from error
    rows = {row.name: row for row in table.languages}
    written = [_inheriting(rows.get(row.name, row), row) for row in own.languages]
    rows |= {row.name: row for row in written}
    merged = LanguageTable(
        views={**table.views, **own.views},
        language=tuple(rows.values()),
        files={row.name: str(file) for row in written},
    )
    for fault in _faults(table, own.views, written, merged):
        raise _fault(file, fault)
    return merged


def _inheriting(replaced: LanguageRow, row: LanguageRow) -> LanguageRow:
    """Return a row with the facts of the language from the row that it replaces."""
    missing = _OF_LANGUAGE - row.model_fields_set
    return row.model_copy(update={name: getattr(replaced, name) for name in missing})


class UserTable(Record):
    """A user's file: the schema of the built-in one, with nothing required."""

    views: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    languages: tuple[LanguageRow, ...] = Field(default=(), alias="language")


def _fault(file: Path, what: str) -> SettingsError:
    return SettingsError(f"{file}: {what}; {_WHAT_TO_DO}")


def _key(location: tuple[int | str, ...], data: object) -> str:
    """Return the key of a fault, with names instead of list positions if the rows have names."""
    parts: list[str] = []
    value = data
    for part in location:
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
            name = value.get("name") if isinstance(value, dict) else None
            parts.append(f"{parts.pop()} {name!r}" if name else f"{parts.pop()} number {part + 1}")
        else:
            value = value.get(part) if isinstance(value, dict) else None
            parts.append(part)
    return ", ".join(parts)


def _faults(
    table: LanguageTable, views: Iterable[str], own: Sequence[LanguageRow], merged: LanguageTable
) -> Iterator[str]:
    """Yield faults that no schema finds: name clashes, unknown lists and placeholders."""
    for name in views:
        if name in table.views:
            yield f"views, {name}: this list is built in; choose another name"
    names = [row.name for row in own]
    for name in names:
        if names.count(name) > 1:
            yield f"language {name!r}: it is defined twice"
    for row in own:
        for other in merged.languages:
            if other is row:
                continue
            for key, mine, theirs in (
                ("aliases", row.names, other.names),
                ("extensions", row.extensions, other.extensions),
            ):
                for clash in sorted(set(mine) & set(theirs)):
                    yield f"language {row.name!r}, {key}: {clash!r} belongs to {other.name!r}"
        yield from _row_faults(row, merged)


def _row_faults(row: LanguageRow, merged: LanguageTable) -> Iterator[str]:
    where = f"language {row.name!r}"
    if not row.compilers:
        yield f"{where}, compiler: give at least one"
    if row.names != tuple(name.lower() for name in row.names):
        yield f"{where}: write the name and the aliases in lower case"
    for extension in row.extensions:
        if not re.fullmatch(r"\.[^./A-Z\s]+", extension):
            yield f"{where}, extensions: {extension!r} is not an ending such as '.pas'"
    templates = [("run", row.run), ("run_view", row.run_view)]
    for compiler in row.compilers:
        own = f"compiler {compiler.name!r}, "
        templates += [(f"{own}compile", compiler.compile), (f"{own}view", compiler.view)]
        for given in compiler.given.values():
            yield f"{where}, {own}given: {given!r} is not a file of the package; leave it out"
    for key, template in templates:
        for part in template:
            if key.endswith("view") and part.startswith("@") and part[1:] not in merged.views:
                known = ", ".join(f"@{name}" for name in merged.views)
                yield f"{where}, {key}: there is no list {part!r}; use one of {known}"
            for name in re.findall(r"\{([^{}]*)\}", part):
                if name not in _PLACEHOLDERS:
                    known = ", ".join(sorted(_PLACEHOLDERS))
                    yield f"{where}, {key}: {{{name}}} is not a placeholder; use one of {known}"


def report_options(compiler: CompilerRow, version: str) -> tuple[str, ...]:
    """Return the options that make a compiler's diagnostics readable for `read_diagnostics`."""
    if compiler.diagnostics == "gcc":
        found = re.search(r"\)\s+([0-9]{1,3})\b", version)
        if found and int(found.group(1)) >= _SARIF_SINCE_GCC:
            return ("-fdiagnostics-format=sarif-stderr",)
        return ("-fdiagnostics-format=json",)
    if compiler.diagnostics == "clang":
        return (
            "-fno-caret-diagnostics",
            "-fno-color-diagnostics",
            "-fno-diagnostics-fixit-info",
            "-fmessage-length=0",
            "-ferror-limit=100",
        )
    return ()


def filled(template: tuple[str, ...], values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return a row's arguments with its placeholders filled in.

    A part that is a placeholder becomes all of its values; inside a longer part it becomes its
    only value.
    """
    argv: list[str] = []
    for part in template:
        if part in values:
            argv.extend(values[part])
            continue
        text = part
        for name, value in values.items():
            if name in text:
                text = text.replace(name, value[0])
        argv.append(text)
    return tuple(argv)


def given_files(compiler: CompilerRow) -> dict[str, bytes]:
    """Return the files of this package that a compile needs in its work folder."""
    return {name: _shipped(shipped) for name, shipped in compiler.given.items()}


@cache
def _shipped(name: str) -> bytes:
    return Path(__file__).parent.joinpath(name).read_bytes()
