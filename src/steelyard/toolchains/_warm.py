"""Cache the standard library of compilers that build it at first use.

The library is built outside of a cell, from a source of this package: nothing hostile is
involved, and zig opens more files at once than a cell allows. Candidates are compiled in cells,
which see the result read-only.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from steelyard.errors import ToolchainError
from steelyard.sandbox import CellPool, Mount, View
from steelyard.toolchains._argv import given_files
from steelyard.toolchains._cache import CompileCache
from steelyard.toolchains._detect import Tool, tool_env
from steelyard.toolchains._findings import one_line
from steelyard.toolchains._prepared import Prepared, locked_folder, place_in_cell
from steelyard.toolchains._table import CompilerRow, LanguageRow, WarmUp

_TIMEOUT_S = 1_800
_EXPECTED_BYTES = 100 << 20
_SCRATCH = "/tmp"  # noqa: S108 - a cell's scratch folder; outside, a folder of this package


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
                cache.account(_EXPECTED_BYTES)
                _build(row, compiler, warm_up, argv, folder)
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


def _build(
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
    _run(row, compiler, argv, work, environment)
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


def _run(
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
            timeout=_TIMEOUT_S,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        why = one_line((error.stderr or b"").decode(errors="replace")) or type(error).__name__
        raise ToolchainError(
            f"{compiler.name} for {row.title} does not build its own library ({why}); "
            f"install {compiler.brought_by} again, or choose another compiler"
        ) from error
