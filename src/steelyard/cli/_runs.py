"""Runs of models that can be resumed: what all of their commands do."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from steelyard.cli._outputs import print_result, write_output
from steelyard.cli._signals import ENDING
from steelyard.errors import InfrastructureError, UsageError
from steelyard.reports import Block, Code, Text, print_blocks
from steelyard.sandbox import CellPool
from steelyard.schemas import RunReport

if TYPE_CHECKING:
    from steelyard.runs import Replay

T = TypeVar("T")


def announce_scripts(names: Iterable[str]) -> None:
    """Print a line for each script that replies instead of a model."""
    for name in dict.fromkeys(name for name in names if name.startswith("scripted:")):
        line = f"no model is asked: replies come from the script {name[9:]}"
        print_blocks([Text(line, "warn")], sys.stderr)


def head_in(folder: Path) -> int | None:
    """Return the inode of the file that begins a run's folder; None without a run."""
    try:
        return os.stat(folder / "run.json").st_ino
    except (OSError, ValueError):
        return None


def refuse_with_resume(context: typer.Context, names: Iterable[str]) -> None:
    """Refuse options that shaped the paid replies of a run that is resumed.

    Raises:
        UsageError: if one of them is given.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            flag = "TEXT" if name == "text" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} is for a run that begins; leave it out with --resume")


def interrupted(command: str, folder: Path) -> str:
    """Return what to do with a run that has not ended."""
    return f"interrupted; resume with steelyard {command} --resume {folder}"


def wait_for(
    run: Coroutine[Any, Any, T], pool: CellPool, folder: Path, command: str, *, resumed: bool
) -> T:
    """Wait for the run's end. A signal leaves a folder to resume from, and its name is printed.

    Args:
        run: The run.
        pool: Where its programs run; a signal ends them.
        folder: Where it keeps its artefacts.
        command: The command that resumes it, such as `solve`.
        resumed: The folder holds this run already, and not an earlier one.
    """
    earlier = None if resumed else head_in(folder)
    received: list[signal.Signals] = []
    try:
        return asyncio.run(_until_signal(_aborting(run, pool), received))
    except (asyncio.CancelledError, KeyboardInterrupt) as end:
        if head_in(folder) not in (None, earlier):
            line = f"nothing is lost: resume with steelyard {command} --resume {folder}"
            print_blocks([Code(line)], sys.stderr)
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


def fault_of_saving(text: str, out: Path | None) -> UsageError | None:
    """Write a result to the file of `--out`; return why it could not be written."""
    if out is None or not text:
        return None
    try:
        write_output(out, text)
    except UsageError as error:
        return error
    return None


def print_replay(
    done: "Replay[Any]", view: Iterable[Block], *, json: bool, name: str = "report"
) -> None:
    """Print a replay and what it decided differently, and end the command with its status.

    Args:
        done: The replay.
        view: The blocks of its report.
        json: Print JSON.
        name: The report's name in it.
    """
    plain = {name: done.report.to_dict(), "differences": list(done.differences)}
    found = ", ".join(done.differences)
    end = Text("the same decisions as in the run", "good")
    if found:
        end = Text(f"decided differently from the run: {found}", "bad")
    print_result(plain, [*view, end], json=json)
    raise typer.Exit(1 if done.differences else 0)


def status_of(report: RunReport) -> int:
    """Return the exit status for a report."""
    from steelyard.runs import MACHINE_FAULTS  # noqa: PLC0415

    if report.passed:
        return 0
    return InfrastructureError.exit_status if report.stop in MACHINE_FAULTS else 1
