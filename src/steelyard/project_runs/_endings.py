"""How a run ended."""

from typing import Literal

from steelyard.project_runs._runs import Run
from steelyard.project_runs.incell.project import PLACE
from steelyard.project_runs.incell.task import Ended as EndOfRun
from steelyard.project_runs.incell.task import Failed
from steelyard.schemas import Execution, StopReason

Ended = Literal["finished", "timed-out", "memory-limit", "crashed", "left", "failed"]
"""`left`: the process ended itself. `failed`: our own part of it failed."""

_WATCHDOG = b"Timeout ("
_INTERNAL_ERROR, _USAGE_ERROR = 3, 4
"""Statuses of pytest: it broke down; its options, its configuration or a conftest.py are wrong."""
_BROKEN = "INTERNALERROR>"
_MOST_CHARS = 300


def end_of(run: Run) -> tuple[Ended, str]:
    """How a run ended, and why in words where it did not finish."""
    execution, told = run.execution, run.told
    failed = told.last(Failed)
    if failed is not None:
        return "failed", failed.what
    if execution.stop.out_of_time:
        return "timed-out", "it did not finish in time"
    if execution.stop is StopReason.MEMORY_LIMIT:
        return "memory-limit", "it exceeded the memory limit"
    if execution.stop is StopReason.SIGNALED:
        return "crashed", f"it was ended by signal {execution.signal}"
    end = told.last(EndOfRun)
    if end is not None and execution.stop is StopReason.EXITED:
        if end.status == _USAGE_ERROR:
            return "failed", _told_by_pytest(execution)
        if end.status == _INTERNAL_ERROR:
            return "crashed", f"pytest crashed: {_told_by_pytest(execution)}"
        return "finished", ""
    if _WATCHDOG in execution.stderr:
        return "timed-out", "it did not finish in time"
    if execution.stop is not StopReason.EXITED:
        return "crashed", execution.stop.value.replace("_", " ")
    return "left", f"its process exited with status {execution.exit_code}"


def _told_by_pytest(execution: Execution) -> str:
    """The line of pytest's last words that says what it was."""
    text = (execution.stdout + b"\n" + execution.stderr).decode("utf-8", "replace")
    lines = text.replace(f"{PLACE}/", "").splitlines()
    broken = [line.removeprefix(_BROKEN)[1:] for line in lines if line.startswith(_BROKEN)]
    at = max((i for i, line in enumerate(broken) if line.startswith(" ")), default=-1)
    raised = [line.removeprefix("E").strip() for line in lines if line.startswith("E   ")]
    complaints = [line.rpartition("rror: ")[2].strip() for line in lines if "error: " in line]
    complaints += [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    said = [*broken[at + 1 : at + 2], *raised[-1:], *complaints[:1]]
    return said[0][:_MOST_CHARS] if said else "no message"
