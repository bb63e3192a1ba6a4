"""More calls than the tests make: recorded ones changed and mixed, and others made up."""

from __future__ import annotations

import pickle
import signal
import types
from collections.abc import Iterator, Sequence
from typing import Any

from assayer.equivalence.incell.concolic import witnesses
from assayer.equivalence.incell.generate import generated, varied
from assayer.equivalence.incell.mutants import crossed, mutants
from assayer.equivalence.incell.running.calling import load_function, make_call
from assayer.equivalence.incell.running.records import Tell
from assayer.equivalence.incell.running.sides import Call, Side
from assayer.equivalence.incell.running.task import Clocks, Task
from assayer.equivalence.incell.running.versions import texts_of

_MOST_BYTES = 1 << 18
_SPARE = 3
"""So many times as many calls are tried as are kept: some hang, many fail alike."""


class _TooLongError(BaseException):
    """A call of the original's takes longer than it may."""


def run_making(task: Task, tell: Tell, _clocks: Clocks) -> int:
    """Tells calls that the original gets through quickly, none of them one that is known."""
    said, function = task.said, load_function(task.said)
    recorded = _loaded(task.calls)
    count, seed = said["count"], said["seed"]
    constants = list(_literals_of(getattr(function, "__code__", None)))
    made: list[Call] = []
    for place, call in enumerate(recorded):
        share = max(4, count // len(recorded))
        made += mutants(call, count=share, seed=seed + place, constants=constants)
    made += crossed(recorded, count=count // 4, seed=seed)
    drawn = generated(function, recorded, count=count, seed=seed, seconds=said["seconds"])
    mixed = _in_turns(made, drawn.calls)[: _SPARE * count]
    _tell_chosen(task, tell, function, mixed, count)
    tell("notes", notes=list(drawn.notes))
    return 0


def run_concolic(task: Task, tell: Tell, clocks: Clocks) -> int:
    """Tells calls that a solver found to take other paths, or to differ."""
    original, candidate = (Side(task.said, text, [], clocks.cpu_ns) for text in texts_of(task))
    found = witnesses(
        original.function, candidate.function, seconds=task.said["seconds"],
        recorded=_loaded(task.calls),
    )  # fmt: skip
    original.enter()
    _tell_chosen(task, tell, original.function, found.calls, task.said["count"])
    tell("notes", notes=list(found.notes))
    return 0


def _tell_chosen(task: Task, tell: Tell, function: Any, calls: Sequence[Call], count: int) -> None:
    quick: list[tuple[bytes, str | None]] = []
    for call in calls:
        data = _pickled(call)
        if data is not None:
            how = _outcome_of(function, data, task.said["call_seconds"])
            if how != "too long":
                quick.append((data, how))
    # The pickled calls stand in for the calls themselves.
    pickled: list[Call] = [((data,), {}) for data, _ in quick]
    for (data,), _ in varied(pickled, [how for _, how in quick], count=count):
        tell("made", {"call": data})


def _outcome_of(function: Any, data: bytes, seconds: float) -> str | None:
    """How a call ends: None where it returns, else what tells its failure from others."""

    def stop(*_: object) -> None:
        raise _TooLongError

    kept = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        args, kwargs = pickle.loads(data)  # noqa: S301 - made right here
        roots, _ = make_call(function, args, kwargs)
    except _TooLongError:
        return "too long"
    except BaseException as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)
    raised = roots.get("raised")
    if isinstance(raised, _TooLongError):
        return "too long"
    if raised is None:
        return None
    trace = raised.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{type(raised).__name__} in line {trace.tb_lineno if trace else 0}"


def _loaded(pickles: Sequence[bytes]) -> list[Call]:
    calls = []
    for data in pickles:
        try:
            calls.append(pickle.loads(data))  # noqa: S301 - made in such a cell, read in one
        except Exception:  # noqa: S112 - it is told where it is called
            continue
    return calls


def _pickled(call: Call) -> bytes | None:
    try:
        data = pickle.dumps(call, 5)
    except Exception:
        return None
    return data if len(data) <= _MOST_BYTES else None


def _literals_of(code: types.CodeType | None) -> Iterator[object]:
    for constant in code.co_consts if code else ():
        if isinstance(constant, types.CodeType):
            yield from _literals_of(constant)
        elif isinstance(constant, (int, float, str, bytes)) and constant is not None:
            yield constant
        elif isinstance(constant, (tuple, frozenset)):
            yield from (each for each in constant if isinstance(each, (int, float, str, bytes)))


def _in_turns(one: list[Call], two: list[Call]) -> list[Call]:
    mixed = []
    for place in range(max(len(one), len(two))):
        mixed += one[place : place + 1] + two[place : place + 1]
    return mixed
