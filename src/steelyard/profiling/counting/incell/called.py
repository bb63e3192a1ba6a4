"""Run a function or method with counters."""

from __future__ import annotations

from typing import NoReturn

from steelyard.profiling.counting.incell import start
from steelyard.toolchains.incell import calls


def main(arguments: list[str]) -> NoReturn:
    """Return what `start.begin` takes, the source's name, the kind of the entry, and its name."""
    *given, source, kind, name = arguments
    start.begin(*given)
    calls.run_calls(source, kind, name)
