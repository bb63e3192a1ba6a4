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
from steelyard.toolchains._detect import Tool, tool_env
from steelyard.toolchains._diagnostics_text import one_line
from steelyard.toolchains._languages import CompilerRow, LanguageRow, WarmUp, given_files

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
_unusable: set[str] = set()
"""The keys of headers that did not precompile in this process, and are not tried again."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder that makes a compile faster, and the command's changes to use it."""

    shown_at: str
    """The folder's path in a cell."""
    view: View
    """A compile's view, with the folder in it."""
    options: tuple[str, ...] = ()
    """Options for the compiler."""
    wrapper: tuple[str, ...] = ()
    """A prefix of the whole command."""


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


def precompiled_header(
    row: LanguageRow,
    compiler: CompilerRow,
    tool: Tool,
    flags: tuple[str, ...],
    view: View,
    pool: CellPool,
    cache: CompileCache,
) -> Prepared | None:
    """Return the header for a compiler and its flags, made now if the cache has none.

    Args:
        row: The language.
        compiler: One of its compilers, with `header` set.
        tool: The compiler as it was found.
        flags: The flags that it will be called with.
        view: What a compile sees.
        pool: The header is compiled in one of its cells.
        cache: The cache that keeps it.

    Returns:
        None if it cannot be made (unusual flags, a full disk); then compile without it.
    """
    described = "\0".join((tool.identity, compiler.header, row.digest, *flags))
    key = hashlib.sha256(described.encode()).hexdigest()
    if key in _unusable:
        return None
    folder = cache.headers / key
    shown_at = place_in_cell(pool, folder)
    if shown_at is None:
        return None
    view = replace(view, mounts=(*view.mounts, Mount(str(folder), shown_at)))
    stub, text = _STUBS[compiler.header]
    target = folder / _PRECOMPILED[compiler.header]
    try:
        with locked_folder(folder):
            if not target.exists():
                cache.account(_HEADER_MIB << 18)  # a quarter of the most that it may take
                write_for_cells(folder / stub, text.encode())
                made = _precompile(row, compiler, tool, flags, view, pool, shown_at)
                if made is None:
                    _unusable.add(key)
                    return None
                write_for_cells(target, made)
    except OSError:
        _unusable.add(key)
        return None
    if compiler.header == "gcc":
        options = ("-isystem", shown_at)
    else:
        options = ("-include-pch", f"{shown_at}/{_PRECOMPILED[compiler.header]}")
    return Prepared(shown_at, view, options=options)


def _precompile(
    row: LanguageRow,
    compiler: CompilerRow,
    tool: Tool,
    flags: tuple[str, ...],
    view: View,
    pool: CellPool,
    shown_at: str,
) -> bytes | None:
    if compiler.header == "gcc":
        given, files = "first.hpp", {"first.hpp": _STUBS["clang"][1].encode()}
    else:  # Clang records the path of the text, and checks later that the text is still there
        given, files = f"{shown_at}/first.hpp", {}
    limits = row.compile_limits.as_limits().replace(
        file_mib=_HEADER_MIB, memory_mib=_HEADER_MEMORY_MIB
    )
    execution = pool.run(
        Command(
            # Without -c, a flag for the linker would have the header linked, which fails.
            argv=(
                tool.executable,
                *compiler.macros,
                *flags,
                "-c",
                "-x",
                "c++-header",
                given,
                "-o",
                "header.out",
            ),
            limits=limits,
            env=tool_env(compiler),
            files=files,
            collect=("header.out",),
            view=view,
        )
    )
    if execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        return None
    return execution.files.get("header.out")


def warm_folder(
    row: LanguageRow,
    compiler: CompilerRow,
    warm_up: WarmUp,
    tool: Tool,
    flags: tuple[str, ...],
    argv: tuple[str, ...],
    view: View,
    pool: CellPool,
    cache: CompileCache,
) -> Prepared | None:
    """Return the library of a compiler and its flags, built now if the cache has none.

    Args:
        row: The language.
        compiler: The compiler's row.
        warm_up: The program that makes it build its library.
        tool: The compiler as it was found.
        flags: The flags that it will be called with.
        argv: The command of a whole compile of the row's source file.
        view: What a compile sees.
        pool: Where candidates are compiled.
        cache: The cache that keeps the library. Building it can take minutes.

    Returns:
        None if the pool's cells cannot see a folder of the host.

    Raises:
        ToolchainError: if the compiler fails on its own library, or the disk is full.
    """
    described = "\0".join((tool.identity, row.digest, compiler.name, *flags))
    key = hashlib.sha256(described.encode()).hexdigest()
    folder = cache.headers / key
    shown_at = place_in_cell(pool, folder)
    if shown_at is None:
        return None
    try:
        with locked_folder(folder):
            if not (folder / "kept").exists():
                cache.account(_BUILD_BYTES)
                _build_library(row, compiler, warm_up, argv, folder)
    except OSError as error:
        raise ToolchainError(
            f"the library of {tool.executable} cannot be stored: {error}; free disk space, or "
            "set cache.dir to another folder"
        ) from error
    return Prepared(
        shown_at,
        wrapper=("/bin/sh", "-c", warm_up.lay_out, "sh", f"{shown_at}/kept"),
        view=replace(view, mounts=(*view.mounts, Mount(str(folder), shown_at))),
    )


def _build_library(
    row: LanguageRow,
    compiler: CompilerRow,
    warm_up: WarmUp,
    argv: tuple[str, ...],
    folder: Path,
) -> None:
    """Let the compiler build its library in a folder, and move the reusable parts to `kept`."""
    scratch = folder / "unfinished"
    shutil.rmtree(scratch, ignore_errors=True)
    work = scratch / "work"
    for name, text in {row.source: warm_up.source.encode(), **given_files(compiler)}.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(text)
    environment = {
        name: value.replace(_SCRATCH, str(scratch), 1) if value.startswith(_SCRATCH) else value
        for name, value in tool_env(compiler).items()
    }
    _run_compiler(row, compiler, argv, work, environment)
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


def _run_compiler(
    row: LanguageRow,
    compiler: CompilerRow,
    argv: tuple[str, ...],
    work: Path,
    environment: Mapping[str, str],
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
            f"{compiler.name} for {row.title} does not build its own library ({why}); "
            f"install {compiler.brought_by} again, or choose another compiler"
        ) from error
