"""Wait for a run of models that can be resumed."""

import asyncio
import os
import signal
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._signals import ENDING
from steelyard.rendering import visible
from steelyard.sandbox import CellPool

T = TypeVar("T")


def announce_scripts(names: Iterable[str]) -> None:
    """Print a line for each script that replies instead of a model."""
    for name in dict.fromkeys(name for name in names if name.startswith("scripted:")):
        said = f"no model is asked: replies come from the script {visible(name[9:])}"
        report_console(stderr=True).print(Text(said, style="yellow"))


def head_in(folder: Path) -> int | None:
    """Return the inode of the file that begins a run's folder; None without a run."""
    try:
        return os.stat(folder / "run.json").st_ino
    except (OSError, ValueError):
        return None


def wait_for(
    run: Coroutine[Any, Any, T], pool: CellPool, folder: Path, earlier: int | None, resume: str
) -> T:
    """Wait for the run's end. A signal leaves a folder to resume from, and its name is printed.

    Args:
        run: The run.
        pool: Where its programs run; a signal ends them.
        folder: Where it keeps its artefacts.
        earlier: The inode of an earlier run's head in the folder, if there is one.
        resume: The command that resumes a run, without the folder.
    """
    received: list[signal.Signals] = []
    try:
        return asyncio.run(_until_signal(_aborting(run, pool), received))
    except (asyncio.CancelledError, KeyboardInterrupt) as end:
        if head_in(folder) not in (None, earlier):
            line = f"nothing is lost: resume with {resume} {visible(str(folder))}"
            report_console(stderr=True).print(Text(line), soft_wrap=True)
        if received and received[0] != signal.SIGINT:
            signal.raise_signal(received[0])  # for which the command has a handler
        raise KeyboardInterrupt from end


async def _aborting(run: Coroutine[Any, Any, T], pool: CellPool) -> T:
    """Await a run; if it is cancelled, end what still runs in its pool."""
    try:
        return await run
    except asyncio.CancelledError:
        pool.abort()
        raise


async def _until_signal(run: Coroutine[Any, Any, T], received: list[signal.Signals]) -> T:
    """Await a run, and cancel it at the first signal; a second signal ends the wait at once.

    A handler of the loop's wakes the loop. Python's own is not run before something else wakes
    it, where the signal comes just as the loop begins to wait.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def end(number: signal.Signals) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)
        task.cancel()

    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    for number in before:
        loop.add_signal_handler(number, end, number)
    try:
        return await run
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
