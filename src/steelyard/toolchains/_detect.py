"""Find the table's compilers on this machine."""

import glob
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from steelyard.sandbox import DEFAULT_ENV, Mount, View
from steelyard.toolchains._languages import language_table
from steelyard.toolchains._table import CompilerRow, LanguageRow

_PROBE_TIMEOUT_S = 60
_WRAPPERS = frozenset({"ccache", "distcc", "icecc", "sccache"})
_SHARED_PREFIXES = frozenset({"/", "/usr", "/usr/local"})
_PREFIX_FOLDERS = ("bin", "include", "lib", "lib64", "libexec")


@dataclass(frozen=True, slots=True)
class Tool:
    """One compiler or interpreter on this machine."""

    executable: str
    """The path that starts it: its name can decide what it does (g++ and gcc are one file)."""
    root: str
    """The folder in which it is installed."""
    version: str
    """The first line of its version output."""
    identity: str
    """Changes if the file is replaced, even if the version line does not."""


@dataclass(frozen=True, slots=True)
class LanguageStatus:
    """One compiler of the language table, and its state on this machine."""

    language: str
    title: str
    compiler: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    installed: bool
    executable: str
    """Empty if it is not installed."""
    version: str
    package: str
    """The package that contains it, such as `clang` or `steelyard[zig]`."""
    command: str
    """The shell command that installs it; empty if it is installed."""
    runnable: bool
    """False if its programs cannot run on this machine."""
    origin: str
    """The user's file with this row; empty for a built-in row."""
    problem: str = ""
    """Why an installed tool cannot be used, with the version that can; else empty."""


def languages() -> tuple[LanguageStatus, ...]:
    """Return the state of every compiler of the table on this machine, in the table's order."""
    return tuple(
        _status(row, compiler) for row in language_table().languages for compiler in row.compilers
    )


def _status(row: LanguageRow, compiler: CompilerRow) -> LanguageStatus:
    tool = find_tool(row.name, compiler.name)
    problem = "" if tool else outdated(row.name, compiler.name)
    return LanguageStatus(
        language=row.name,
        title=row.title,
        compiler=compiler.name,
        aliases=row.aliases,
        extensions=row.extensions,
        installed=tool is not None,
        executable=tool.executable if tool else "",
        version=tool.version if tool else "",
        package=compiler.brought_by,
        command="" if tool or problem else compiler.install_command,
        runnable=compiler.runnable,
        origin=language_table().files.get(row.name, ""),
        problem=problem,
    )


@cache
def find_tool(language: str, compiler: str, executable: str = "") -> Tool | None:
    """Return the tool of one compiler row, or None if it is not installed or does not start.

    Args:
        language: The name of a row, not an alias.
        compiler: The name of one of its compilers.
        executable: Another name or an absolute path to look for, such as `g++-11`.
    """
    for tool in _installed(language, compiler, executable):
        if not _is_outdated(tool, _compiler_row(language, compiler)):
            return tool
    return None


def outdated(language: str, compiler: str) -> str:
    """Return why an installed tool cannot be used: its version is too old; else an empty string.

    Args:
        language: The name of a row, not an alias.
        compiler: The name of one of its compilers.
    """
    row = _compiler_row(language, compiler)
    tools = _installed(language, compiler, "") if row.oldest else ()
    if not tools or any(not _is_outdated(tool, row) for tool in tools):
        return ""
    return f"{tools[0].version} is too old; install {row.oldest} or later"


def _compiler_row(language: str, compiler: str) -> CompilerRow:
    row = language_table().row(language)
    return next(each for each in row.compilers if each.name == compiler)


def _is_outdated(tool: Tool, row: CompilerRow) -> bool:
    found = re.search(r"\d+(?:\.\d+)+", tool.version)
    return bool(row.oldest and found and _numbers(found.group()) < _numbers(row.oldest))


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _installed(language: str, compiler: str, executable: str) -> tuple[Tool, ...]:
    """Return the installed tools of a row: the first, and later ones if that one is too old."""
    return tuple(_tools(_compiler_row(language, compiler), executable))


def _tools(compiler_row: CompilerRow, executable: str) -> Iterator[Tool]:
    if compiler_row.find == "python" and not executable:
        tool = _tool(_base_interpreter(), "", compiler_row)
        if tool is not None:
            yield tool
        return
    for name in (executable,) if executable else compiler_row.executables:
        bundled = _bundled_zig() if compiler_row.find == "zig" and not executable else []
        for path in (*bundled, *_candidates(name)):
            if compiler_row.find == "root":
                root = _first_line([path, *compiler_row.root_args], errors=subprocess.DEVNULL)
                real = os.path.join(root, "bin", os.path.basename(path))
                tool = _tool(real, root, compiler_row) if os.path.isabs(root) else None
            else:
                root = os.path.dirname(path) if path in bundled else ""
                tool = None if _is_shim(path) else _tool(path, root, compiler_row)
            if tool is not None:
                yield tool
                if not _is_outdated(tool, compiler_row):
                    return


def _candidates(name: str) -> list[str]:
    if os.path.isabs(name):
        return [name] if os.access(name, os.X_OK) else []
    found = []
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            found.append(path)
    return found


def _bundled_zig() -> list[str]:
    """Return the program in the Python package `ziglang`, without importing the package."""
    spec = importlib.util.find_spec("ziglang")
    folders = (spec and spec.submodule_search_locations) or ()
    found = (os.path.realpath(os.path.join(folder, "zig")) for folder in folders)
    return [path for path in found if os.access(path, os.X_OK)]


def _is_shim(path: str) -> bool:
    """Return True if this is only a wrapper of the real tool, which a cell cannot follow."""
    if os.path.basename(os.path.realpath(path)) in _WRAPPERS:
        return True
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def _base_interpreter() -> str:
    """Return the interpreter from which the current virtual environment, if any, was made."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path = os.path.join(sys.base_prefix, "bin", name)
    return os.path.realpath(path if os.path.exists(path) else sys.executable)


@cache
def package_paths(interpreter: str) -> tuple[str, ...]:
    """Return the folders in which a Python interpreter looks for modules."""
    line = _first_line([interpreter, "-s", "-c", "import sys; print(':'.join(sys.path[1:]))"])
    return tuple(path for path in line.split(":") if path)


def _tool(executable: str, root: str, compiler: CompilerRow) -> Tool | None:
    version = _first_line([executable, *compiler.version])
    if not version:
        return None
    real = os.path.realpath(executable)
    status = os.stat(real)
    return Tool(
        executable=executable,
        root=root or os.path.dirname(os.path.dirname(real)),
        version=version,
        identity=f"{real} {status.st_size} {status.st_mtime_ns} {version}",
    )


def _first_line(argv: list[str], errors: int = subprocess.STDOUT) -> str:
    """Return the first line that a tool prints, or "" if it cannot be started or fails.

    Args:
        argv: The command.
        errors: Where standard error goes. Some tools print their version there; a path is
            printed on standard output only, and a warning must not come before it.
    """
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
            cwd="/",
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    if done.returncode != 0:
        return ""
    return done.stdout.decode(errors="replace").strip().partition("\n")[0].strip()


def view_of(entries: tuple[str, ...], root: str, scratch_mib: int = 256) -> View:
    """Return the host paths that a row's view names and this machine has.

    Args:
        entries: Paths, `{root}`, `@name` of a shared list; `*` is a wildcard.
        root: The tool's own folder. If other software shares the folder, only its folders for
            programs, libraries and headers are in the view.
        scratch_mib: Limit on the files that a run writes, in MiB.
    """
    paths: list[str] = []
    for entry in language_table().paths(entries):
        if entry == "{root}":
            if root in _SHARED_PREFIXES:
                paths.extend(os.path.join(root, folder) for folder in _PREFIX_FOLDERS)
            else:
                paths.append(root)
        elif "*" in entry:
            paths.extend(sorted(glob.glob(entry)))
        else:
            paths.append(entry)
    present = sorted({path for path in paths if os.path.exists(path)})
    outermost = [
        path for path in present if not any(path.startswith(f"{other}/") for other in present)
    ]
    return View(tuple(Mount(path) for path in outermost), scratch_mib)


def tool_env(compiler: CompilerRow) -> dict[str, str]:
    """Return the environment of a compiler, which is fixed so that its output is too."""
    return {**DEFAULT_ENV, "SOURCE_DATE_EPOCH": "0", **compiler.env}
