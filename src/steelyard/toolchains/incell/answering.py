"""The candidate's side of assertions: answer calls, and call what functions it was lent."""

from __future__ import annotations

import functools
import io
import json
import os
import threading
import types
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout, suppress
from typing import Any, NoReturn

from steelyard.toolchains.incell import calls, handles
from steelyard.toolchains.incell.channel import exception_of, receive, send
from steelyard.toolchains.incell.tested import class_called, module_called

_BACK = calls.BACK_ARGS | calls.BACK_KWARGS
_MOST_PRINTED = 1 << 20  # characters of one call


def serve_candidate(path: str) -> NoReturn:
    """Load the program and answer calls until the assertions' side ends."""
    os.close(calls.take_output())
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
