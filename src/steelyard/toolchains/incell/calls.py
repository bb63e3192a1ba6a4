"""Call functions and methods of a candidate with plain arguments, and return the outcomes.

A request is one line on standard input: a JSON list of the positional arguments, the named ones
(or null), and which of them to return (`BACK_ARGS`, `BACK_KWARGS`). An outcome is one line on the
original standard output: the nanoseconds of CPU time and of wall time, a tab, and a JSON list that
starts with
    "ok"      followed by the value, and the requested arguments after the call: the positional
              ones (null if only the named ones are requested), then the named ones
    "raised"  followed by the names of the exception's classes, and its message
    "unplain" followed by a description of a value that is not plain data
    "failed"  followed by the reason why the program has nothing to call
The candidate's own output goes to standard error. It could write such lines itself, which gives
it no more than it could return.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from steelyard.schemas import values
from steelyard.toolchains.incell import ending, leetcode, program

_dumps = json.dumps  # as it is now: a candidate may replace it
_MESSAGE_CHARS = 500

SOLUTION = "Solution"
"""The class of solutions of LeetCode and others."""
BACK_ARGS, BACK_KWARGS = 1, 2
"""The arguments that a request asks to return; their sum for both."""


class NothingToCallError(Exception):
    """The program has no such function; the message names what is missing."""


def run_calls(path: str, kind: str, entry: str, *, to_the_end: bool = False) -> NoReturn:
    """Answer every request on standard input, up to the first that fails.

    Args:
        path: The program's file in the work folder.
        kind: `function`, `class` or `methods`, as in `Entry`.
        entry: The entry's name.
        to_the_end: Answer the requests after one that fails too, and show no tracebacks: that of
            an endless recursion takes longer than most calls.
    """
    requests = program.read_all(0).split(b"\n")
    result = take_output()
    clocks = _clocks()
    try:
        target = load_target(path, kind, entry)
    except NothingToCallError as error:
        outcome = _dumps(["failed", str(error)[:_MESSAGE_CHARS]])
        write_outcome(result, outcome, clocks)
        leave()
    surroundings = _Surroundings() if len(requests) > 1 else None
    for request in requests:
        clocks = _clocks()
        arguments, named, back = values.decode(request)
        outcome = outcome_of(target, arguments, named or {}, back, shows_errors=not to_the_end)
        write_outcome(result, outcome, clocks)
        failed = not (to_the_end or outcome.startswith('["ok"'))
        if failed or (surroundings and surroundings.changed()):
            break  # the next call needs a new process
    leave()


def leave() -> NoReturn:
    """Flush the candidate's output and end this process without running more of it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):  # it may be the candidate's own, or closed
            stream.flush()
    os._exit(0)


def load(path: str, entry: str = "") -> dict[str, Any]:
    """Load a program under another name than `__main__`, and return its names.

    Args:
        path: The program's file in the work folder.
        entry: The name that the program must define itself. If it is given, the program may use
            LeetCode's other names without importing them.

    Raises:
        NothingToCallError: if it cannot be loaded; the message has the exception.
    """
    try:
        module = program.make_module(program.LOADED, path)
        code = program.code_of(path)
        program.allow_deep_recursion()
        if entry:
            leetcode.give_names(module.__dict__, code, entry)
        exec(code, module.__dict__)
    except BaseException as error:
        ending.show_error(error)
        raise NothingToCallError(f"{_named(error)} while the program was loaded") from None
    return module.__dict__


def load_target(path: str, kind: str, entry: str) -> Callable[..., object]:
    """Return what a program has under this name: a function, a method, or a class in use.

    A function is taken for a method of `Solution`, and the reverse: replies have both.

    Raises:
        NothingToCallError: if it is missing.
    """
    name, _, method = entry.partition(".")
    names = load(path, name)
    if kind == "function" and name not in names and hasattr(names.get(SOLUTION), name):
        kind, method, name = "class", name, SOLUTION
    elif kind == "class" and name == SOLUTION and name not in names and method in names:
        kind, name = "function", method
    made = find(names, name)
    if kind == "function":
        return leetcode.converted(made, names)
    if not isinstance(made, type):
        raise NothingToCallError(f"{name} is not a class")
    if kind == "methods":
        return _in_turn(made, names)
    try:
        bound = getattr(made(), method, None)
    except BaseException as error:
        ending.show_error(error)
        raise NothingToCallError(f"{_named(error)} while {name}() was made") from None
    if not callable(bound):
        raise NothingToCallError(f"the class {name} has no method {method}")
    return leetcode.converted(bound, names)


def _in_turn(made: type, names: dict[str, Any]) -> Callable[..., object]:
    """Return a function that makes an object and calls its methods in turn.

    It takes the names, the first of which is the class's, and a list of arguments for each; it
    returns their values, None for the object.
    """

    def call(methods: list[str], arguments: list[list[object]]) -> list[object]:
        held = leetcode.converted(made, names)(*arguments[0])
        rest = zip(methods[1:], arguments[1:], strict=True)
        return [
            None,
            *(leetcode.converted(getattr(held, name), names)(*given) for name, given in rest),
        ]

    return call


def find(names: dict[str, Any], name: str) -> Callable[..., object]:
    """Return the program's function of this name.

    Raises:
        NothingToCallError: if it is missing, or cannot be called.
    """
    found = names.get(name)
    if name not in names:
        raise NothingToCallError(f"the program defines no {name}")
    if not callable(found):
        raise NothingToCallError(f"{name} is {type(found).__name__}, which cannot be called")
    return found  # type: ignore[no-any-return]  # checked above


def outcome_of(
    target: Callable[..., object],
    arguments: list[object],
    named: dict[str, object],
    back: int,
    encode: Callable[[object], str] = values.encode,
    on_error: Callable[[BaseException], str] | None = None,
    *,
    shows_errors: bool = True,
) -> str:
    """Call the target; return the outcome as a line, with the requested arguments.

    Args:
        target: The function.
        arguments: Its positional arguments.
        named: Its named arguments.
        back: The arguments to return.
        encode: Returns a value as text.
        on_error: Returns the outcome for an exception; None: `raised`.
        shows_errors: Write the traceback of an exception to standard error.
    """
    try:
        value = target(*arguments, **named)
    except BaseException as error:
        if shows_errors:
            ending.show_error(error)
        return (on_error or raised)(error)
    try:
        text = encode(value)
        if back:
            items = ",".join(map(encode, arguments))
            text += f",[{items}]" if back & BACK_ARGS else ",null"
        if back & BACK_KWARGS:
            text += f",{encode(named)}"
    except values.NotPlainError as error:
        return _dumps(["unplain", str(error)])
    except BaseException as error:  # too deep, or too large
        return _dumps(["unplain", f"a value that cannot be read ({_named(error)})"])
    return f'["ok",{text}]'


def write_outcome(fd: int, outcome: str, since: tuple[int, int]) -> None:
    """Write one outcome as a whole line."""
    cpu_ns, wall_ns = time.thread_time_ns() - since[0], time.monotonic_ns() - since[1]
    try:
        write_all(fd, f"{cpu_ns} {wall_ns}\t{outcome}\n".encode())
    except OSError as error:
        with suppress(OSError):
            os.write(2, f"the program closed the channel of its results ({error})\n".encode())
        os._exit(1)


def _clocks() -> tuple[int, int]:
    return time.thread_time_ns(), time.monotonic_ns()


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes, in as many writes as necessary."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def take_output() -> int:
    """Return a descriptor for outcomes, and redirect standard output to standard error."""
    result = os.dup(1)
    os.dup2(2, 1)
    return result


def raised(error: BaseException, place: int | None = None) -> str:
    """Return the outcome for an exception, with its place if it has one."""
    names = [kind.__name__[:100] for kind in type(error).__mro__[:-1]]
    return _dumps(["raised", names, _message(error), *([] if place is None else [place])])


def _named(error: BaseException) -> str:
    message = _message(error)
    name = type(error).__name__[:100]
    return f"{name}: {message}" if message else name


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_MESSAGE_CHARS]
    except BaseException:  # `__str__` is the candidate's, and may raise anything
        return ""


class _Surroundings:
    """State that one call could leave for the next in the same process, if it is cheap to check."""

    def __init__(self) -> None:
        self._builtins = dict(builtins.__dict__)
        self._streams = (sys.stdin, sys.stdout, sys.stderr)

    def changed(self) -> bool:
        """Return True if a thread is left, or a built-in or a stream was replaced."""
        return (
            len(threading._active) != 1  # type: ignore[attr-defined]
            or (sys.stdin, sys.stdout, sys.stderr) != self._streams
            or sys.gettrace() is not None
            or builtins.__dict__ != self._builtins
        )
