"""The candidate's side of assertions: answer calls, and call what functions it was lent."""

from __future__ import annotations

import functools
import io
import json
import os
import threading
import time
import types
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout, suppress
from typing import Any, NoReturn

from steelyard.toolchains.incell import calls, check, handles, program
from steelyard.toolchains.incell.channel import exception_of, receive, send
from steelyard.toolchains.incell.tested import class_called, module_called

_BACK = calls.BACK_ARGS | calls.BACK_KWARGS
_MOST_PRINTED = 1 << 20  # characters of one call
_QUICK_NS = 20_000_000
"""CPU time of a check that may be part of a run: a longer one would change what the run is."""


def check_and_serve(path: str, *examine: check.Examine) -> NoReturn:
    """Check the program, and serve it if it has no errors.

    The report is written to standard output before anything of the program runs, and nothing of it
    can write there: the status, the nanoseconds of CPU time and of wall time, and the findings as
    JSON. After a check that took long there is none, and the program does not run.

    Args:
        path: The program's file in the work folder.
        examine: As for `check.check`.
    """
    output = calls.take_output()
    cpu_ns, wall_ns = time.process_time_ns(), time.monotonic_ns()
    status, findings = check.check(path, *examine, keep=program.hold)
    cpu_ns, wall_ns = time.process_time_ns() - cpu_ns, time.monotonic_ns() - wall_ns
    if cpu_ns > _QUICK_NS:
        os._exit(0)
    calls.write_all(output, f"{status} {cpu_ns} {wall_ns} {json.dumps(findings)}".encode())
    os.close(output)
    if status:
        os._exit(status)
    _serve(path)


def serve_candidate(path: str) -> NoReturn:
    """Load a program that was checked, and answer calls until the assertions' side ends."""
    os.close(calls.take_output())
    _serve(path)


def _serve(path: str) -> NoReturn:
    try:
        names, lacking = calls.load(path), ""
    except calls.NothingToCallError as error:
        names, lacking = {}, str(error)
    with suppress(OSError):  # the other side has ended
        _Service(names, lacking).serve()
    calls.leave()


class _Service:
    """The candidate's side of the channel."""

    def __init__(self, names: dict[str, Any], lacking: str) -> None:
        self._names, self._lacking = names, lacking
        self._kept = handles.Kept(self._ask, self._find)
        self._lock = threading.RLock()
        self._printed = io.StringIO()

    def serve(self) -> None:
        """Answer requests until the assertions' side ends."""
        while (message := receive()) is not None:
            self._answer(message)

    def _answer(self, message: bytes) -> None:
        try:
            (operation, subject, captures), arguments, named = self._kept.decode(message)
            if operation == "look":
                looks = self._kept.encode([self._look(name) for name in subject])
                send(f'["ok",{looks},[],{self._kept.encode({})}]')
                return
            if type(subject) is str:
                subject = self._find(subject)
        except calls.NothingToCallError as error:
            send(json.dumps(["failed", str(error)]))
        else:
            target = functools.partial(handles.OPERATIONS[operation], subject)
            kept = self._kept
            with redirect_stdout(self._printed) if captures else nullcontext():
                outcome = calls.outcome_of(
                    target, arguments, named, _BACK, kept.encode, kept.raised
                )
            self._send(outcome)

    def _send(self, message: str) -> None:
        """Send a message after what the program has printed."""
        text = self._printed.getvalue()
        if text:
            send(json.dumps(["printed", text[:_MOST_PRINTED]]))
            self._printed.seek(0)
            self._printed.truncate()
        send(message)

    def _look(self, name: str) -> tuple[str, object]:
        """Return the kind of what the program has under a name, and its value or classes."""
        if self._lacking:
            raise calls.NothingToCallError(self._lacking)
        if name not in self._names:
            return "missing", None
        value = self._names[name]
        if isinstance(value, types.ModuleType):
            with suppress(ImportError):
                if module_called(name) is value:
                    return "module", None
        elif isinstance(value, type) and issubclass(value, Exception):
            return "exception", [kind.__name__ for kind in value.__mro__[:-1]]
        elif value is class_called(name):
            return "class", None
        return ("callable", None) if callable(value) else ("value", value)

    def _find(self, name: str) -> Callable[..., object]:
        if self._lacking:
            raise calls.NothingToCallError(self._lacking)
        return calls.find(self._names, name)

    def _ask(self, number: int, name: str, arguments: list[object], named: object) -> object:
        """Call a function of the assertions, and answer their requests in the meantime."""
        with self._lock:
            kept = self._kept
            self._send(f'["ask",{number},{kept.encode(arguments)},{kept.encode(named)}]')
            while True:
                message = receive()
                if message is None:
                    calls.leave()
                if message[:2] == b'["':  # a request begins with a list
                    break
                self._answer(message)
            answer = self._kept.decode(message)
        if answer[0] == "ok":
            return answer[1]
        _, kinds, text, place = answer
        error = exception_of(name, kinds, text, {})
        error.__dict__[handles.LENT] = place
        raise error
