"""List the profiling instruments of this machine and how to install the missing ones."""

from dataclasses import dataclass
from importlib.util import find_spec

from steelyard._installation import install_command, rebuild_command
from steelyard.profiling._instructions import find_valgrind
from steelyard.profiling.counting import heap_library


@dataclass(frozen=True)
class Instrument:
    """An optional tool that profiles use if it is installed."""

    name: str
    purpose: str
    found: bool
    command: str
    """How to install it; empty if it is installed."""


def instruments() -> tuple[Instrument, ...]:
    """Return all instruments. The block counters of C and C++ come with their compilers."""
    every = (
        (
            "valgrind",
            "instruction counts, used when times and counted work disagree",
            find_valgrind() is not None,
            "apt-get install valgrind",
        ),
        (
            "heap hook",
            "exact peaks of heap memory",
            heap_library() is not None,
            rebuild_command(),
        ),
        (
            "matplotlib",
            "profile --plot",
            find_spec("matplotlib") is not None,
            install_command("plots"),
        ),
    )
    return tuple(
        Instrument(name, purpose, found, "" if found else command)
        for name, purpose, found, command in every
    )
