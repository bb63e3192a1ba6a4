"""Find the table's compilers on this machine."""

import glob
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from steelyard.sandbox import DEFAULT_ENV, Mount, View
from steelyard.toolchains._languages import CompilerRow, LanguageRow, language_table

_PROBE_TIMEOUT_S = 60
_WRAPPERS = frozenset({"ccache", "distcc", "icecc", "sccache"})
_SHARED_PREFIXES = frozenset({"/", "/usr", "/usr/local"})
_MOST_CHARS = 80
_PREFIX_FOLDERS = ("bin", "include", "lib", "lib64", "libexec")


@dataclass(frozen=True, slots=True)
class Tool:
    """One compiler or interpreter on this machine."""

    executable: str
    """The path that starts it: its name can decide what it does (g++ and gcc are one file)."""
    root: str
    """The folder in which it is installed."""
    version: str
    """The first line of its version output; its file's name if it is not asked."""
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
    """True if it is there and can be used."""
    executable: str
    """Empty if it is not `installed`."""
    version: str
    package: str
    """The package that contains it, such as `clang` or `steelyard[zig]`."""
    command: str
    """The shell command that installs it; empty if it is there."""
    runnable: bool
    """False if its programs cannot run on this machine."""
    origin: str
    """The user's file with this row; empty for a built-in row."""
    start_mib: int
    """What a program of the language has used of its memory limit at its start, in MiB."""
    problem: str = ""
    """Why the tool cannot be used though it is there, and what to do; else empty."""


def languages() -> tuple[LanguageStatus, ...]:
    """Return the state of every compiler of the table on this machine, in the table's order."""
    return tuple(
        _status(row, compiler) for row in language_table().languages for compiler in row.compilers
    )


def _status(row: LanguageRow, compiler: CompilerRow) -> LanguageStatus:
    tool = find_tool(row.name, compiler.name)
    problem = "" if tool else why_unusable(row.name, compiler.name)
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
        start_mib=row.run_limits.start_mib,
        problem=problem,
    )


@cache
def find_tool(language: str, compiler: str, executable: str = "") -> Tool | None:
    """Return the tool of one compiler row, or None if it is not installed or cannot be used.

    Args:
        language: The name of a row, not an alias.
        compiler: The name of one of its compilers.
        executable: Another name or an absolute path to look for, such as `g++-11`.
    """
    found = _tools(language, compiler, executable)
    return next((each for each in found if isinstance(each, Tool)), None)


def why_unusable(language: str, compiler: str, executable: str = "") -> str:
    """Return why an installed tool cannot be used, and what to do.

    Args:
        language: As for `find_tool`.
        compiler: As for `find_tool`.
        executable: As for `find_tool`.

    Returns:
        An empty string if a tool can be used, or if none is installed.
    """
    found = list(_tools(language, compiler, executable))
    usable = any(isinstance(each, Tool) for each in found)
    return "" if usable or not found else str(found[0])


def _tools(language: str, compiler: str, executable: str) -> Iterator[Tool | str]:
    """Yield the tool of each candidate on this machine, or why that candidate cannot be used.

    Nothing is yielded if there is no candidate: the tool is not installed.
    """
    row = language_table().row(language)
    compiler_row = next(each for each in row.compilers if each.name == compiler)
    file = language_table().files.get(language, "")
    if compiler_row.find == "python" and not executable:
        yield _tool(_base_interpreter(), "", compiler_row, file)
        return
    for name in (executable,) if executable else compiler_row.executables:
        bundled = _bundled_zig() if compiler_row.find == "zig" and not executable else []
        yield from (_tool(path, os.path.dirname(path), compiler_row, file) for path in bundled)
        for path in _candidates(name):
            if compiler_row.find == "root":
                yield _tool_in_root(path, compiler_row, file)
            elif _is_shim(path):
                yield f"{path} only starts another program, which a cell cannot see"
            else:
                yield _tool(path, "", compiler_row, file)


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
    answer = _ask([interpreter, "-s", "-c", "import sys; print(':'.join(sys.path[1:]))"])
    return tuple(path for path in answer.line.split(":") if path)


def _tool_in_root(proxy: str, compiler: CompilerRow, file: str) -> Tool | str:
    """Return the tool in the folder that a proxy names, such as the `rustc` of rustup."""
    answer = _ask([proxy, *compiler.root_args])
    if answer.fault:
        return _refusal(answer, "root_args", compiler, file)
    real = os.path.join(answer.line, "bin", os.path.basename(proxy))
    if not os.path.isfile(real):
        fault = f"`{answer.command}` names a folder without it ({_short(answer.line)})"
        return _refusal(replace(answer, fault=fault), "root_args", compiler, file)
    return _tool(real, answer.line, compiler, file)


def _tool(executable: str, root: str, compiler: CompilerRow, file: str) -> Tool | str:
    real = os.path.realpath(executable)
    version = os.path.basename(real)
    if compiler.version:
        answer = _ask([executable, *compiler.version])
        if answer.fault:
            return _refusal(answer, "version", compiler, file)
        version = answer.line
    status = os.stat(real)
    if _is_outdated(version, compiler):
        return f"{version} is too old; install {compiler.oldest} or later"
    return Tool(
        executable=executable,
        root=root or os.path.dirname(os.path.dirname(real)),
        version=version,
        identity=f"{real} {status.st_size} {status.st_mtime_ns} {version}",
    )


def _is_outdated(version: str, row: CompilerRow) -> bool:
    found = re.search(r"\d+(?:\.\d+)+", version)
    return bool(row.oldest and found and _numbers(found.group()) < _numbers(row.oldest))


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The first line that a command printed, or why there is none."""

    command: str
    line: str = ""
    fault: str = ""
    """The command refused (it failed), or was silent; empty if there is a line."""


def _refusal(answer: _Answer, key: str, compiler: CompilerRow, file: str) -> str:
    """Return why a tool that did not answer cannot be used, and what to do."""
    remedy = f"set `{key}` in {file}" if file else f"repair {compiler.brought_by}"
    return f"{answer.fault}; {remedy}"


def _ask(argv: list[str]) -> _Answer:
    """Return the first line that a command prints; some tools print it to standard error."""
    command = shlex.join(argv)
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
            cwd="/",
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        return _Answer(command, fault=f"`{command}` cannot be started ({error.strerror})")
    except subprocess.TimeoutExpired:
        return _Answer(command, fault=f"`{command}` did not end within {_PROBE_TIMEOUT_S} s")
    text = done.stdout.strip() or done.stderr.strip()
    line = text.decode(errors="replace").partition("\n")[0].strip()
    if done.returncode != 0:
        reason = f" ({_short(line)})" if line else ""
        return _Answer(command, fault=f"`{command}` failed with status {done.returncode}{reason}")
    if not line:
        return _Answer(command, fault=f"`{command}` printed nothing")
    return _Answer(command, line)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."


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
