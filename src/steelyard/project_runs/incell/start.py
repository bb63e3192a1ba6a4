"""The beginning of a cell's process: as the fork server, or as one run.

A plan, a line of JSON, names functions as `module:function`: the kinds of runs, and what prepares
the process for them. So each room keeps its own runs, and this module knows none.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn, get_type_hints

from steelyard.project_runs.incell import plugins, project
from steelyard.project_runs.incell.channel import teller
from steelyard.project_runs.incell.records import unpacked
from steelyard.project_runs.incell.sessions import BLOCKED, FIRST_ARGUMENTS
from steelyard.project_runs.incell.taken_over import kept
from steelyard.project_runs.incell.task import Clocks, Context, Failed, NotSetUp, read_task
from steelyard.toolchains.incell import server

CHANNEL_FD = 3
SEED = 42
FAILED = 70
"""The status of a run that could not be carried out: its `Failed` tells why."""
_MOST_FRAMES, _MOST_CHARS = 12, 4_000


def main(arguments: list[str]) -> NoReturn:
    """`server PLAN PATHS LIBRARY MODULE...`, or `run PLAN PATHS` and a run's arguments.

    What the fork server cannot import it leaves to the run that asks for it.
    """
    del sys.path[:2]  # where this package lies, and the working folder
    kind, plan, paths, *rest = arguments
    named = json.loads(plan)
    known = {name: _found(name) for part in ("knows", "prepares") for name in named[part]}
    _forget_the_package()
    sys.path.extend(path for path in paths.split(os.pathsep) if path not in sys.path)
    clocks = Clocks(kept(time.thread_time_ns), kept(time.monotonic_ns))

    def prepare() -> None:
        for name in named["prepares"]:
            known[name]()

    def begin(argv: list[str]) -> NoReturn:
        enter(argv[0], known, clocks)

    if kind == "run":
        begin(rest)
    library, *modules = rest
    for name in modules:
        with suppress(BaseException):
            importlib.import_module(name)
    plugins.load(BLOCKED)
    plugins.prepare(FIRST_ARGUMENTS)
    prepare()
    server.serve(begin, library, SEED)


def enter(kind: str, known: dict[str, Callable[..., Any]], clocks: Clocks) -> NoReturn:
    """One run: what it is asked for comes on its standard input."""
    with suppress(OSError):
        os.setsid()  # tells the cell that all is set up
    task = read_task()
    tell = teller(CHANNEL_FD, task.key)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (task.address_bytes,) * 2)
        project.lay_out(task.layout)
        project.edit(task.edits)
        project.settle(task.import_roots)
    except Exception as error:  # whatever hinders it: no code of the project has run yet
        tell(NotSetUp(f"{type(error).__name__}: {error}"[:_MOST_CHARS]))
        raise
    sys.path.extend(path for path in task.sys_path if path not in sys.path)
    for name in task.first:
        known[name]()
    run = known[kind]
    asked = unpacked(next(iter(get_type_hints(run).values())), task.asked)
    context = Context(task.function, tell, clocks)
    del task  # the key is in no frame that a candidate finds
    try:
        status = run(asked, context)
    except BaseException as error:
        status = FAILED
        told = traceback.format_exc(limit=-_MOST_FRAMES)
        what = f"{type(error).__name__}: {error}"[:_MOST_CHARS]
        tell(Failed(what, told[-_MOST_CHARS:]))
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(status & 0xFF)


def _found(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


def _forget_the_package() -> None:
    """What a candidate imports under this name is not for it to find."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "steelyard"]:
        del sys.modules[name]
