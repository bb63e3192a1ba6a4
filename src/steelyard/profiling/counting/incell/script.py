"""Run a program on standard input with counters."""

from __future__ import annotations

from typing import NoReturn

from steelyard.profiling.counting.incell import start
from steelyard.toolchains.incell import program


def main(arguments: list[str]) -> NoReturn:
    """Return what `start.begin` takes, and the source's name."""
    *given, source = arguments
    start.begin(*given)
    program.run_script(source)
