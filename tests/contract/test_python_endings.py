"""A forked Python script ends as in a new interpreter: its output, its errors and its status."""

import dataclasses
import re
from pathlib import Path

import pytest

from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits
from steelyard.toolchains import find_toolchain

PROGRAMS = (Path(__file__).parent / "programs" / "endings.txt").read_text("utf-8")
SECTIONS = dict(part.split("\n", 1) for part in PROGRAMS.split("=== ")[1:])
ENDINGS = {
    name: re.sub(r"(?m)^<(.+)>\n", lambda found: SECTIONS[found[1]], text)
    for name, text in SECTIONS.items()
}
LIMITS = Limits(cpu_ms=10_000, wall_ms=60_000)
INPUT = b"1 2\n3 4\n"
OWN_FRAMES = r'(Traceback \(most recent call last\):\n)?  File "<steelyard.*\n'
"""Frames of the harness, where the interpreter has none or C functions."""
UNLIKE = {
    r"\b0x[0-9a-f]+": "0x",
    r"(?m)^    .*\n": "",  # lines of the source, which a dying interpreter cannot read
    rf"(?m){OWN_FRAMES}": "",
    r"repeated \d+ more times": "repeated",  # the harness's frames count for the limit
    r"refcount : \d+": "refcount",
}
LATE_ERRORS = re.compile(r"exit (-?\(?1 << [67]|type\('S', \(\))")
"""Python 3.12 and later show errors in reading a status or a message at a later step."""


def ending(pool: CellPool, command: Command) -> tuple[object, ...]:
    execution = pool.run(command)
    errors = execution.stderr.decode("utf-8", "replace")
    for pattern, common in UNLIKE.items():
        errors = re.sub(pattern, common, errors)
    if execution.signal == 11:  # each version describes a crash in other words
        errors = ""
    return execution.exit_code, execution.signal, execution.stdout, errors


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] if number % 8 else [])
        for number, name in enumerate(ENDINGS)
    ],
)
def test_ends_as_in_a_new_interpreter(name: str, pool: CellPool) -> None:
    toolchain = find_toolchain("python")
    artifact = toolchain.compile(ENDINGS[name].encode(), pool).artifact
    assert artifact
    forked = artifact.command(stdin=INPUT, limits=toolchain.run_limits(LIMITS))
    if not pool.forks:
        pytest.skip("no process namespace here: runs are started, not forked")
    started = dataclasses.replace(forked, server=None)
    expected, found = ending(pool, started), ending(pool, forked)
    if LATE_ERRORS.match(name):
        expected, found = expected[:3], found[:3]
    assert found == expected
