"""Where a cell's process begins: as the fork server, or as one run."""

from __future__ import annotations

import importlib
import os
import resource
import sys
import time
import traceback
from contextlib import suppress
from typing import NoReturn

from steelyard.equivalence.incell import generate, patches
from steelyard.equivalence.incell.running import (
    apart,
    calling,
    covering,
    looping,
    making,
    measuring,
    pairing,
    plugins,
    project,
    shrinking,
    suites,
    testing,
)
from steelyard.equivalence.incell.running.records import teller
from steelyard.equivalence.incell.running.task import PROJECT, Clocks, read_task
from steelyard.equivalence.incell.world import made_world
from steelyard.toolchains.incell import server

CHANNEL_FD = 3
SEED = 42
FAILED = 70
"""The status of a run that could not be carried out: its `failed` says why."""
_UNPATCHED = ("concolic", "outside", "suite")
"""The solver times itself by the clocks, what is outside of the harness is, and a suite must do
without fixed clocks and random values."""
_MOST_FRAMES, _MOST_CHARS = 12, 4_000
_RUNS = {
    "nothing": lambda _task, _tell, _clocks: 0,
    "tests": testing.run_tests,
    "outside": testing.run_outside,
    "script": testing.run_script,
    "calls": calling.run_calls,
    "making": making.run_making,
    "concolic": making.run_concolic,
    "planting": making.run_planting,
    "shrinking": shrinking.run_shrinking,
    "suite": suites.run_suite,
    "covering": covering.run_covering,
    "measuring": measuring.run_measuring,
    "pairs": pairing.run_pairs,
    "apart": apart.run_apart,
    "loops": looping.run_loops,
}


def main(arguments: list[str]) -> NoReturn:
    """`server LIBRARY PATHS MODULE...`, or `run PATHS` and a run's arguments.

    An `unpatched-server` serves runs that see the real clocks and random values.

    What the fork server cannot import it leaves to the run that asks for it.
    """
    del sys.path[:2]  # where this package lies, and the working folder
    _forget_the_package()
    kind, *rest = arguments
    library = rest.pop(0) if kind != "run" else ""
    paths, *names = rest
    sys.path.extend(path for path in paths.split(os.pathsep) if path not in sys.path)
    clocks = Clocks(patches.kept(time.thread_time_ns), patches.kept(time.monotonic_ns))

    def begin(argv: list[str]) -> NoReturn:
        enter(argv, clocks)

    if kind == "run":
        if names[0] not in _UNPATCHED:
            patches.apply()
        begin(names)
    for name in names:
        with suppress(BaseException):
            importlib.import_module(name)
    plugins.load(testing.BLOCKED)
    plugins.prepare(testing.FIRST_ARGUMENTS)
    if kind == "server":
        if os.environ.get("PYTHONHASHSEED") == "0":  # the seed under which calls are drawn
            generate.prepare()
        patches.apply()
        made_world()
    server.serve(begin, library, SEED)


def enter(argv: list[str], clocks: Clocks) -> NoReturn:
    """One run: what it is asked for stands on its standard input."""
    with suppress(OSError):
        os.setsid()  # tells the cell that all is set up
    task = read_task()
    said = task.said
    tell = teller(CHANNEL_FD, bytes.fromhex(said.pop("key")))
    resource.setrlimit(resource.RLIMIT_AS, (said["address_bytes"],) * 2)
    project.lay_out(said, task.blobs.pop(PROJECT))
    project.edit(task.edits)
    project.settle(said["import_roots"])
    sys.path.extend(path for path in said["sys_path"] if path not in sys.path)
    if said.get("draws_anew"):
        patches.draw_anew()
    try:
        status = _RUNS[argv[0]](task, tell, clocks)
    except BaseException as error:
        status = FAILED
        told = traceback.format_exc(limit=-_MOST_FRAMES)
        tell(
            "failed",
            what=f"{type(error).__name__}: {error}"[:_MOST_CHARS],
            trace=told[-_MOST_CHARS:],
        )
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(status & 0xFF)


def _forget_the_package() -> None:
    """What a candidate imports under this name is not for it to find."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "steelyard"]:
        del sys.modules[name]
