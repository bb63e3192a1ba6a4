"""Fill in the argument lists of the language table."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from steelyard.toolchains._table import CompilerRow

_SARIF_SINCE_GCC = 15


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
