"""Describe how a run of the program failed."""

import json
from collections.abc import Callable

from steelyard.rendering import milliseconds, visible
from steelyard.schemas import Execution, StopReason

MOST_FAILURES = 3
"""How many of the smallest inputs a program may fail before it is abandoned."""
_MOST_CHARS = 120
_TEXTS = {
    StopReason.CPU_LIMIT: "did not finish in time",
    StopReason.WALL_LIMIT: "did not finish in time",
    StopReason.MEMORY_LIMIT: "ran out of memory",
    StopReason.OUTPUT_LIMIT: "wrote too much",
    StopReason.NOT_STARTED: "could not be started",
}

_WAITED = 4
"""A run with less CPU time than its wall time divided by this was waiting."""

FaultOf = Callable[[Execution], str]


def fault_of(execution: Execution) -> str:
    """Return the fault, as the end of the sentence `the program ...`; empty if none."""
    if execution.stop is StopReason.WALL_LIMIT and execution.cpu_ms * _WAITED < execution.wall_ms:
        return (
            f"{_TEXTS[execution.stop]}: it used {milliseconds(execution.cpu_ms)} of CPU time "
            f"in {milliseconds(execution.wall_ms)} and waited for the rest"
        )
    if execution.stop in _TEXTS:
        return _TEXTS[execution.stop]
    if execution.stop is StopReason.SIGNALED:
        return f"was ended by signal {execution.signal}"
    if not execution.exit_code:
        return ""
    lines = execution.stderr.decode(errors="replace").rstrip().splitlines()
    message = _short(lines[-1]) if lines else ""
    return f"ended with status {execution.exit_code}" + (f" ({message})" if message else "")


def fault_of_call(outcome: bytes) -> str:
    """Return the fault of one call by the harness's record, which the program may have forged."""
    if outcome.startswith((b'["ok"', b'["unplain"')):
        return ""
    try:
        record = json.loads(outcome)
    except (ValueError, RecursionError):
        record = None
    match record:
        case ["raised", [str(kind), *_], str(message)]:
            return _short(f"raised {kind}: {message}")
        case ["failed", str(reason)]:
            return _short(f"could not be called: {reason}")
    return "could not be called"


def _short(text: str) -> str:
    text = visible(text.strip())
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."
