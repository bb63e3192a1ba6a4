"""Find the toolchain for a language, a compiler's name and flags."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.errors import LanguageError
from steelyard.toolchains._detect import Tool, find_tool, package_paths, view_of, why_unusable
from steelyard.toolchains._harness import STANDARD_MODULES, Harness, with_environment
from steelyard.toolchains._languages import CompilerRow, LanguageRow, language_table
from steelyard.toolchains._toolchain import Toolchain


@checks_arguments
def find_toolchain(
    language: str,
    *,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    preload: Sequence[str] = (),
    seed: int | None = 0,
) -> Toolchain:
    """Return the toolchain for a language, if it is installed.

    Args:
        language: A name or alias from the language table.
        compiler: One of the language's compilers by name (`clang`), by program (`g++-11`) or by
            absolute path; None for the first that is installed.
        flags: Flags of the compiler, or of the interpreter if there is no compiler; None for the
            table's defaults.
        preload: For Python, modules to load before a program starts, such as `numpy`, in addition
            to the usual ones of the standard library.
        seed: For Python, seed for hashing and `random`; None picks a new seed per run and starts
            a new interpreter.

    Raises:
        LanguageError: if the language or compiler is unknown, not installed or unusable; the
            message names the package that contains it, or the command that failed.
    """
    if isinstance(preload, str):
        raise LanguageError(f"preload must be a list, got {preload!r}; give {[preload]}")
    if isinstance(flags, str):
        raise LanguageError(f"flags must be a list, got {flags!r}; give {flags.split()}")
    row = language_table().row(language)
    for compiler_row, executable in _choices(row, compiler):
        tool = find_tool(row.name, compiler_row.name, executable)
        if tool is not None:
            chosen = compiler_row.flags if flags is None else tuple(flags)
            if compiler_row.diagnostics != "python":
                _refuse_options(row, preload, seed)
                return Toolchain(row, compiler_row, tool, chosen)
            harness = _harness(row.name, row.digest, tool, chosen, tuple(preload), seed)
            return Toolchain(row, compiler_row, tool, chosen, harness)
    choices = _choices(row, compiler)
    problems = [why_unusable(row.name, each.name, named) for each, named in choices]
    if any(problems):
        raise LanguageError(f"{row.title} is not available: {next(filter(None, problems))}")
    tried = ", ".join(each or " or ".join(one.executables) for one, each in choices)
    commands = ", or: ".join(dict.fromkeys(each.install_command for each, _ in choices))
    missing = f"{tried} is not" if len(choices) == 1 else f"none of {tried} is"
    raise LanguageError(f"{row.title} is not available: {missing} installed; run: {commands}")


@lru_cache(maxsize=64)  # verifiers are made by the thousand, and their harnesses are few
def _harness(
    language: str,
    _digest: str,
    tool: Tool,
    flags: tuple[str, ...],
    preload: tuple[str, ...],
    seed: int | None,
) -> Harness:
    row = language_table().row(language)
    if seed is not None and type(seed) is not int:
        raise LanguageError(f"seed must be a whole number or None, got {seed!r}")
    for name in preload:
        if not all(part.isidentifier() for part in name.split(".")):
            raise LanguageError(f"{name!r} is not a module's name; give names such as numpy")
    view = with_environment(view_of(row.run_view, tool.root), tool.executable)
    options = tuple(part for part in row.run if part.startswith("-"))
    return Harness(
        interpreter=(tool.executable, *options, *flags),
        view=view,
        env=row.environment,
        preload=(*STANDARD_MODULES, *preload),
        paths=package_paths(tool.executable),
        seed=seed,
    )


def _refuse_options(row: LanguageRow, preload: Sequence[str], seed: int | None) -> None:
    if preload or seed != 0:
        name = "preload" if preload else "seed"
        raise LanguageError(f"{name}: only for Python, not for {row.title}; leave it out")


def _choices(row: LanguageRow, compiler: str | None) -> list[tuple[CompilerRow, str]]:
    """Return the compilers to look for, in order, each with the executable that was named."""
    if compiler is None:
        return [(each, "") for each in row.compilers if each.runnable]
    for each in row.compilers:
        if compiler == each.name or compiler in each.executables:
            return [(each, "")]
    program = Path(compiler).name
    for each in row.compilers:
        for executable in each.executables:
            if re.fullmatch(re.escape(executable) + r"(?:-?[0-9][0-9.]*)?", program):
                return [(each, compiler)]
    known = ", ".join(each.name for each in row.compilers)
    raise LanguageError(f"unknown compiler {compiler!r} for {row.title}; choose one of: {known}")
