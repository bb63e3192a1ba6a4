"""Folders that make compiles faster, made once and mounted read-only in later cells.

1. A precompiled `<bits/stdc++.h>`, made once per compiler and flags. It must change only the time
   that a compile takes:

   - GCC looks for `bits/stdc++.h.gch` next to a stub that includes the real header. It checks that
     flags and macros defined so far agree; else it reads the stub.
   - Clang takes a precompiled header only before the first line, so it is used only if the
     source's first directive includes the header; Clang then only reads the header twice.
   - A pragma before the include turns both off: the header would undo what the pragma sets.

2. The standard library of compilers that build it at first use. It is built outside of a cell, from
   a source of this package: nothing hostile is involved, and zig opens more files at once than a
   cell allows. Candidates are compiled in cells, which see the result read-only.
"""

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import re2

from steelyard._replaced_files import replacing
from steelyard.errors import ToolchainError
from steelyard.sandbox import CellPool, Command, Mount, View
from steelyard.schemas import StopReason
from steelyard.toolchains._cache import CompileCache, open_own_folder
from steelyard.toolchains._detect import Tool, tool_env, view_of
from steelyard.toolchains._diagnostics_text import one_line
from steelyard.toolchains._languages import (
    CompilerRow,
    LanguageRow,
    WarmUp,
    filled,
    given_files,
    report_options,
)

_SHOWN_AT = "/prepared"
_HEADER = b"bits/stdc++.h"
_HEADER_MIB = 512
_HEADER_MEMORY_MIB = 2_048
_FIRST_DIRECTIVE = re2.compile(
    rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/)*#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"
)
_SPLICE = re2.compile(rb"(?:\\|\?\?/)[ \t\r]*\n")
_STUBS = {
    "gcc": ("bits/stdc++.h", "#include_next <bits/stdc++.h>\n"),
    "clang": ("first.hpp", "#include <bits/stdc++.h>\n"),
}
_PRECOMPILED = {"gcc": "bits/stdc++.h.gch", "clang": "first.pch"}
_BUILD_TIMEOUT_S = 1_800
_BUILD_BYTES = 100 << 20
_SCRATCH = "/tmp"  # noqa: S108 - a cell's scratch folder; outside, a folder of this package
_unusable: set[Path] = set()
"""The folders of headers that did not precompile in this process, and are not tried again."""


@dataclass(frozen=True, slots=True)
class PreparedFolder:
    """A folder that makes a compile faster, and the command's changes to use it."""

    shown_at: str
    """The folder's path in a cell."""
    view: View
    """A compile's view, with the folder in it."""
    options: tuple[str, ...] = ()
    """Options for the compiler."""
    wrapper: tuple[str, ...] = ()
    """A prefix of the whole command."""


@dataclass(frozen=True)
class InstalledCompiler:
    """A compiler (or a checker and interpreter) that this machine has, with its flags."""

    row: LanguageRow
    compiler_row: CompilerRow
    tool: Tool
    flags: tuple[str, ...]

    @property
    def output(self) -> str:
        """The name of the file that a compile makes; empty if it makes none."""
        return self.compiler_row.output or self.row.output

    def argv(self, source: str, header: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the command that compiles a source file, with options for a precompiled header."""
        return filled(
            self.compiler_row.compile,
            {
                "{compiler}": (self.tool.executable,),
                "{root}": (self.tool.root,),
                "{machine}": (platform.machine(),),
                "{flags}": self.flags,
                "{header}": header,
                "{report}": report_options(self.compiler_row, self.tool.version),
                "{source}": (source,),
                "{output}": (self.output,),
            },
        )

    @property
    def view(self) -> View:
        """The files that a compile sees."""
        return view_of(self.compiler_row.view, self.tool.root, self.compiler_row.scratch_mib)

    def header(
        self, source: bytes, pool: CellPool, cache: CompileCache | None
    ) -> PreparedFolder | None:
        """Return the precompiled header for a source, made now if the cache has none.

        Returns:
            None if the source cannot use it or it cannot be made (unusual flags, a full disk); then
            compile without it.
        """
        kind = self.compiler_row.header
        if not kind or cache is None or not cache.holds_headers:
            return None
        if not is_header_usable(kind, source):
            return None
        found = self._place(pool, cache, kind, self.row.digest)
        if found is None or found[0] in _unusable:
            return None
        folder, prepared = found
        stub, text = _STUBS[kind]
        target = folder / _PRECOMPILED[kind]
        try:
            with locked_folder(folder):
                if not target.exists():
                    cache.account(_HEADER_MIB << 18)  # a quarter of the most that it may take
                    write_for_cells(folder / stub, text.encode())
                    made = self._precompile(prepared, pool)
                    if made is None:
                        _unusable.add(folder)
                        return None
                    write_for_cells(target, made)
        except OSError:
            _unusable.add(folder)
            return None
        if kind == "gcc":
            return replace(prepared, options=("-isystem", prepared.shown_at))
        header = f"{prepared.shown_at}/{_PRECOMPILED[kind]}"
        return replace(prepared, options=("-include-pch", header))

    def runtime(self, pool: CellPool, cache: CompileCache | None) -> PreparedFolder | None:
        """Return the compiler's own library for its flags, built now if the cache has none.

        Args:
            pool: Where candidates are compiled.
            cache: The cache that keeps the library; None for the default one. Building the library
                can take minutes.

        Returns:
            None if the compiler has its library, or the pool's cells cannot see a folder of the
            host.

        Raises:
            ToolchainError: if the compiler fails on its own library, or the disk is full.
        """
        warm_up = self.compiler_row.warm_up
        if warm_up is None:
            return None
        cache = cache or CompileCache()
        found = self._place(pool, cache, self.row.digest, self.compiler_row.name)
        if found is None:
            return None
        folder, prepared = found
        try:
            with locked_folder(folder):
                if not (folder / "kept").exists():
                    cache.account(_BUILD_BYTES)
                    self._build_library(warm_up, self.argv(self.row.source), folder)
        except OSError as error:
            raise ToolchainError(
                f"the library of {self.tool.executable} cannot be stored: {error}; free disk "
                "space, or set cache.dir to another folder"
            ) from error
        kept = f"{prepared.shown_at}/kept"
        return replace(prepared, wrapper=("/bin/sh", "-c", warm_up.lay_out, "sh", kept))

    def _place(
        self, pool: CellPool, cache: CompileCache, *key: str
    ) -> tuple[Path, PreparedFolder] | None:
        """Return a folder of the cache, and how a compile sees it; None if cells cannot see it."""
        described = "\0".join((self.tool.identity, *key, *self.flags))
        folder = cache.headers / hashlib.sha256(described.encode()).hexdigest()
        shown_at = place_in_cell(pool, folder)
        if shown_at is None:
            return None
        view = self.view
        mounts = (*view.mounts, Mount(str(folder), shown_at))
        return folder, PreparedFolder(shown_at, replace(view, mounts=mounts))

    def _precompile(self, prepared: PreparedFolder, pool: CellPool) -> bytes | None:
        if self.compiler_row.header == "gcc":
            given, files = "first.hpp", {"first.hpp": _STUBS["clang"][1].encode()}
        else:  # Clang records the path of the text, and checks later that the text is still there
            given, files = f"{prepared.shown_at}/first.hpp", {}
        limits = self.row.compile_limits.as_limits().replace(
            file_mib=_HEADER_MIB, memory_mib=_HEADER_MEMORY_MIB
        )
        # Without -c, a flag for the linker would have the header linked, which fails.
        kind = ("-c", "-x", "c++-header")
        flags = (*self.compiler_row.macros, *self.flags, *kind)
        execution = pool.run(
            Command(
                argv=(self.tool.executable, *flags, given, "-o", "header.out"),
                limits=limits,
                env=tool_env(self.compiler_row),
                files=files,
                collect=("header.out",),
                view=prepared.view,
            )
        )
        if execution.stop is not StopReason.EXITED or execution.exit_code != 0:
            return None
        return execution.files.get("header.out")

    def _build_library(self, warm_up: WarmUp, argv: tuple[str, ...], folder: Path) -> None:
        """Let the compiler build its library, and move the reusable parts to `kept`."""
        scratch = folder / "unfinished"
        shutil.rmtree(scratch, ignore_errors=True)
        work = scratch / "work"
        files = {self.row.source: warm_up.source.encode(), **given_files(self.compiler_row)}
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes(text)
        environment = {
            name: value.replace(_SCRATCH, str(scratch), 1) if value.startswith(_SCRATCH) else value
            for name, value in tool_env(self.compiler_row).items()
        }
        self._run_outside(argv, work, environment)
        built = scratch / Path(warm_up.folder).name
        for part in built.iterdir():
            if warm_up.keep and part.name not in warm_up.keep:
                shutil.rmtree(part) if part.is_dir() else part.unlink()
        for path, _, names in os.walk(built):
            os.chmod(path, 0o755)  # noqa: S103 - a cell reads it as another user
            for name in names:
                os.chmod(os.path.join(path, name), 0o644)
        built.rename(folder / "kept")
        shutil.rmtree(scratch)

    def _run_outside(
        self, argv: tuple[str, ...], work: Path, environment: Mapping[str, str]
    ) -> None:
        try:
            subprocess.run(
                argv,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_BUILD_TIMEOUT_S,
                check=True,
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            why = one_line((error.stderr or b"").decode(errors="replace")) or type(error).__name__
            raise ToolchainError(
                f"{self.compiler_row.name} for {self.row.title} does not build its own library "
                f"({why}); install {self.compiler_row.brought_by} again, or choose another compiler"
            ) from error


def place_in_cell(pool: CellPool, folder: Path) -> str | None:
    """Return the path at which a pool's cells see a folder of the host, or None if they cannot."""
    match pool.isolation.filesystem:
        case "view":  # a path of its own: the folder may be under /tmp, which a cell hides
            return _SHOWN_AT
        case "container":
            return None
        case _:
            return str(folder)


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder against other threads and processes, make it if missing, mark it as used.

    Raises:
        OSError: if it cannot be made, or belongs to another user, who could put files into it.
    """
    descriptor = open_own_folder(folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o755)  # in spite of the umask: a cell reads it as another user
        yield
        os.utime(descriptor)
    finally:
        # Closing alone could leave it locked: a process forked meanwhile holds a copy.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def write_for_cells(path: Path, data: bytes) -> None:
    """Write a file atomically, and make it and its folder readable by a cell's user."""
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    with replacing(path) as file:
        os.fchmod(file.fileno(), 0o644)
        file.buffer.write(data)


def is_header_usable(kind: str, source: bytes) -> bool:
    """Return True if precompiling `<bits/stdc++.h>` does not change the source's meaning.

    Args:
        kind: `gcc` or `clang`.
        source: The source text.
    """
    at = source.find(_HEADER)
    if at < 0:
        return False
    before = source[:at]
    if _SPLICE.search(before) or b"ragma" in before:
        return False
    return kind == "gcc" or _FIRST_DIRECTIVE.match(source[: at + len(_HEADER) + 1]) is not None
