"""Run assertions in one process and the candidate in another; only plain values and handles cross.

The assertions see a proxy under each name that they test. The proxy sends a call's arguments
through the channel, and returns the answer: a value, the exception of the same built-in name, or
changes to the arguments. A value that is not plain data stays in the candidate's process, and the
assertions get a handle (handles.py). Nothing else of the candidate ever reaches the assertions.

A message is its length in eight bytes and then text: a request is a JSON list of the operation with
its subject, the positional and the named arguments; an answer is the outcome as in calls.py.
"""

from __future__ import annotations

import builtins
import functools
import json
import os
import select
import struct
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn

from steelyard.schemas import values
from steelyard.toolchains.incell import calls, handles, program
from steelyard.toolchains.incell.tested import (
    builtins_called,
    calls_check,
    names_tested,
    only_called,
)

CHANNEL_FD = 3
_LENGTH = struct.Struct("<Q")
_MOST_BYTES = 1 << 30  # in a message; the harness never sends longer ones
_SHOWN_CHARS = 300
_MOST_RECURSION = 10_000  # in reading an answer, whose nesting the candidate controls
_BACK = calls.BACK_ARGS | calls.BACK_KWARGS
_NEEDS_NAME = (
    'check(candidate) needs the name of the function: give it as asserts:NAME, or as "entry" of'
    " the case"
)
_MODULES = frozenset(getattr(sys, "stdlib_module_names", ())) | {"np", "numpy", "pd", "pandas"}
_ENDS_LOOPS = ("StopIteration", "StopAsyncIteration", "GeneratorExit")


def serve_candidate(path: str) -> NoReturn:
    """Load the program and answer calls until the assertions' side ends."""
    os.close(calls.take_output())
    try:
        names, lacking = calls.load(path), ""
    except calls.NothingToCallError as error:
        names, lacking = {}, str(error)
    with suppress(OSError):  # the other side has ended
        _answer_calls(names, lacking)
    calls.leave()


def _answer_calls(names: dict[str, Any], lacking: str) -> None:
    kept = handles.Kept()
    while (request := _receive()) is not None:
        (operation, subject), arguments, named = kept.decode(request)
        if operation == "defined":
            _send(
                json.dumps(
                    [
                        "ok",
                        [name for name in subject if name in names or lacking],
                        [],
                        {"$": "dict", "v": []},
                    ]
                )
            )
            continue
        try:
            if lacking:
                raise calls.NothingToCallError(lacking)
            if type(subject) is str:
                subject = calls.find(names, subject)
        except calls.NothingToCallError as error:
            _send(json.dumps(["failed", str(error)]))
        else:
            target = functools.partial(handles.OPERATIONS[operation], subject)
            _send(calls.outcome_of(target, arguments, named, _BACK, kept.encode))


def run_asserts(patience_ms: int) -> NoReturn:
    """Run the assertions from standard input, and print the outcome.

    `patience_ms` is the wall time that the candidate may take for all its answers together.
    Standard input is a JSON object with `setup`, `code`, and `entry`, the name under test; if it is
    null, the name is found in `code`. The outcome is one line of JSON on standard output:
        "passed"    every assertion held
        "failed"    an assertion failed; the message
        "raised"    the assertions raised another exception after a call; the message
        "candidate" the candidate raised, lacks the name or returned no plain data; the message
        "gone"      the candidate ended during a call
        "slow"      the candidate did not answer in time
        "tests"     the assertions themselves are wrong; the message
    """
    task = json.loads(program.read_all(0))
    output = calls.take_output()
    calls.write_all(output, json.dumps(_outcome(patience_ms, **task)).encode())
    os._exit(0)


class _CandidateError(BaseException):
    """The candidate returned neither a value nor an exception."""


class _TestsError(BaseException):
    """The assertions are wrong themselves."""


def _outcome(patience_ms: int, setup: str, code: str, entry: str | None) -> list[str]:
    names = program.make_module("tests", "tests.py").__dict__
    channel = _Channel(patience_ms / 1000)
    problem: BaseException | None = None
    try:
        exec(_compiled(setup, "setup"), names)
        body = _compiled(code, "tests")
        tested = [entry] if entry else names_tested(setup, code)
        if not tested:
            tested = channel.defined(builtins_called(setup, code))
        names.update((name, _Proxy(name, channel)) for name in tested)
        exec(body, names)
        check = names.get("check")
        calls_it = entry is None and calls_check(code)
        if callable(check) and "def check" in code and not calls_it:
            name = entry or only_called(code, tested)
            if name is None:
                raise _TestsError(_NEEDS_NAME)
            check(names[name])
    except _TestsError as error:
        return ["tests", str(error)]
    except BaseException as error:
        problem = error
    channel.closed = True  # nothing that follows asks the candidate
    if not channel.fault and isinstance(problem, NameError) and problem.name in _MODULES:
        return ["tests", f"they use {problem.name}; import it in setup"]
    # What the candidate did counts even if the assertions caught the exception.
    if channel.fault:
        return channel.fault
    if problem is not None and not channel.calls:
        return ["tests", _named(problem)]
    if not channel.calls:
        return ["tests", f"no assertion calls {entry or 'a function of the candidate'}"]
    if problem is None:
        return ["passed"]
    kind = "failed" if isinstance(problem, AssertionError) else "raised"
    return [kind, _explained(problem, code, channel)]


def _compiled(code: str, name: str) -> Any:
    try:
        return compile(code, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _TestsError(f"the assertions do not compile: {_named(error)}") from None


class _Channel:
    """The channel to the candidate, and the fault that occurred on it."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self.calls = 0
        self.closed = False
        self.fault: list[str] = []
        self.last = ""

    def defined(self, names: list[str]) -> list[str]:
        """Return which of the names the program defines, if it is one of them."""
        if not names:
            return []
        answer = self._exchange(f'[["defined",{values.encode(names)}],[],{values.encode({})}]')[1]
        found = [name for name in names if type(answer) is list and name in answer]
        if len(found) > 1:
            self._end("candidate", f"the program replaces {' and '.join(found)}")
        return found

    def ask(
        self,
        operation: str,
        subject: Any,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> object:
        """Return the outcome of one operation on the candidate's function or value.

        Args:
            operation: One of `handles.OPERATIONS`.
            subject: The name of a function, or a handle.
            arguments: Its positional arguments after the subject.
            named: Its named arguments.

        Raises:
            Exception: if the candidate raised a built-in exception.
            BaseException: if there is no value; `fault` has the reason.
        """
        if self.closed:  # for a message
            return subject._kind
        is_name = type(subject) is str
        name: str = subject if is_name else subject._kind
        try:
            items = ",".join([values.encode(each, handles.reference) for each in arguments])
            head = values.encode([operation, subject], handles.reference)
            request = f"[{head},[{items}],{values.encode(named, handles.reference)}]"
        except values.NotPlainError as error:
            if self.calls and values.TOO_DEEP in str(error):
                # Only a value of the candidate can nest so deeply; the tests pass it back.
                self._end("candidate", f"the tests pass {name} its own result, {error}")
            raise _TestsError(f"the assertions pass {name} {error}") from None
        self.calls += 1
        kind, *rest = self._exchange(request)
        if kind == "ok":
            value, after, named_after = rest
            _put_back(arguments, after)
            _put_back(named.values(), map(named_after.get, named))
            if operation == "call":
                self.last = f"{name} returned {_short(value)}"
            return value
        if kind == "raised":
            kinds, message = rest
            self.last = f"{name} raised {kinds[0][:_SHOWN_CHARS]}: {message[:_SHOWN_CHARS]}"
            raise _exception(name, kinds, message)
        reason = rest[0][:_SHOWN_CHARS]
        if kind == "unplain":
            reason = f"{name} returned {reason}"
        return self._end("candidate", reason)

    def _exchange(self, request: str) -> list[Any]:
        """Return the outcome of one call, in the form that calls.py defines."""
        answer = None
        begun = time.monotonic()
        try:
            with suppress(ConnectionError):  # the candidate has ended
                _send(request)
                answer = _receive(begun + self._patience_s)
        except TimeoutError:
            self._end("slow", "")
        self._patience_s -= time.monotonic() - begun
        if answer is None:
            self._end("gone", "")
        try:
            outcome = _decoded(answer, self._handle)
        except values.UnreadableError:
            outcome = None
        if not _is_outcome(outcome):
            self._end("candidate", "the candidate's answer cannot be read")
        return list(outcome)

    def _handle(self, given: Any) -> handles.Handle:
        number, kind = given
        if type(number) is not int or type(kind) is not str:
            raise ValueError("no handle")
        return handles.Handle(self.ask, number, kind[:_SHOWN_CHARS])

    def _end(self, kind: str, why: str) -> NoReturn:
        self.fault = [kind, why]
        raise _CandidateError(why)


def _decoded(answer: bytes, handle: Callable[[Any], object]) -> Any:
    """Return the answer's value, read with a limited depth of recursion."""
    limit = sys.getrecursionlimit()
    with suppress(RecursionError):  # the assertions' own stack is deeper
        sys.setrecursionlimit(min(limit, _MOST_RECURSION))
    try:
        return values.decode(answer, handle)
    finally:
        sys.setrecursionlimit(limit)


def _is_outcome(outcome: Any) -> bool:
    if type(outcome) is not list or not outcome:
        return False
    kind, rest = outcome[0], outcome[1:]
    if kind == "ok":
        return [type(part) for part in rest[1:]] == [list, dict]
    if kind == "raised":
        texts = [*rest[0], rest[1]] if len(rest) == 2 and type(rest[0]) is list else []
        return len(texts) > 1 and all(type(text) is str for text in texts)
    return kind in ("unplain", "failed") and len(rest) == 1 and type(rest[0]) is str


class _Proxy:
    """Call one function of the candidate through the channel."""

    def __init__(self, name: str, channel: _Channel) -> None:
        self.__name__ = name
        self._channel = channel

    def __call__(self, *arguments: object, **named: object) -> object:
        return self._channel.ask("call", self.__name__, arguments, named)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(f"{name} of {self.__name__} stays in the program's process")
        if self.__name__ in _MODULES:
            raise _TestsError(f"they use {self.__name__}; import it in setup")
        return self._channel.ask("attribute", self.__name__, (name,), {})


class _RaisedByCandidateError(Exception):
    """An exception of a class that the assertions cannot raise."""


def _exception(name: str, kinds: list[str], message: str) -> BaseException:
    """Return the built-in exception that is closest to the candidate's exception.

    An exception that would end the assertions' own loops is replaced: with `StopIteration`,
    `all(map(candidate, ...))` would hold without a single answer.
    """
    for kind in kinds:
        if kind in _ENDS_LOOPS:
            break
        found = getattr(builtins, kind, None)
        if isinstance(found, type) and issubclass(found, Exception):
            with suppress(Exception):  # UnicodeDecodeError and similar need more arguments
                return found(message)
    message = message[:_SHOWN_CHARS]
    return _RaisedByCandidateError(f"{name} raised {kinds[0][:_SHOWN_CHARS]}: {message}")


def _put_back(arguments: Iterable[Any], after: Iterable[Any]) -> None:
    """Apply the candidate's changes to the caller's own arguments."""
    for mine, theirs in zip(arguments, after, strict=False):
        if type(mine) is not type(theirs) or mine is theirs:
            continue
        if isinstance(mine, (list, bytearray)):
            if mine != theirs:
                mine[:] = theirs
        elif isinstance(mine, (dict, set)) and mine != theirs:
            mine.clear()
            mine.update(theirs)


def _explained(error: BaseException, code: str, channel: _Channel) -> str:
    """Return the assertion that failed, the error, and the candidate's last answer."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "tests":
            line = trace.tb_lineno
        trace = trace.tb_next
    what = "" if isinstance(error, AssertionError) and not error.args else _named(error)
    lines = code.splitlines()
    where = lines[line - 1].strip()[:_SHOWN_CHARS] if line and line <= len(lines) else ""
    return "; ".join(part for part in (where, what, channel.last) if part)


def _named(error: BaseException) -> str:
    message = str(error)[:_SHOWN_CHARS]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _short(value: object) -> str:
    if type(value) is handles.Handle:
        return value._kind
    if not _is_plain(value):
        return f"{values.kind_of(value)} with values that are not plain data"
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than may be shown
        text = "a very long integer"
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def _is_plain(value: object) -> bool:
    if type(value) not in (list, tuple, dict):
        return type(value) is not handles.Handle
    if type(value) is dict:
        return all(map(_is_plain, value.values()))
    return all(map(_is_plain, value))  # type: ignore[call-overload]  # a list or a tuple


def _send(text: str) -> None:
    data = text.encode()
    calls.write_all(CHANNEL_FD, _LENGTH.pack(len(data)) + data)


def _receive(deadline: float | None = None) -> bytes | None:
    """Return the next message; None if the other side has ended, empty if the length is invalid.

    Raises:
        TimeoutError: if it is not complete by the deadline.
    """
    head = _exactly(_LENGTH.size, deadline)
    if head is None:
        return None
    (size,) = _LENGTH.unpack(head)
    return _exactly(size, deadline) if size <= _MOST_BYTES else b""


def _exactly(size: int, deadline: float | None) -> bytes | None:
    parts = []
    while size:
        if deadline is not None:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([CHANNEL_FD], [], [], left_s)[0]:
                raise TimeoutError
        part = os.read(CHANNEL_FD, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
