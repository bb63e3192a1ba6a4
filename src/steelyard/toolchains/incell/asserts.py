"""Run assertions in one process and the candidate in another; only plain values and handles cross.

The assertions see a proxy under each name that they call, and the plain value of other data. The
proxy sends a call's arguments through the channel, and returns the answer: a value, the exception
of the same built-in name, or changes to the arguments. A value that is not plain data stays in the
candidate's process, and the assertions get a handle (handles.py). What the candidate prints goes
into a stream that the assertions put in place of `sys.stdout`. Nothing else of the candidate ever
reaches the assertions.

A request is a JSON list of the operation with its subject, the positional and the named arguments;
an answer is the outcome as in calls.py. A function of the assertions that is an argument stays in
their process too: the candidate calls it by "ask" with its number and arguments before it answers.
The answer to that has the same form; an exception has a number in addition.
"""

from __future__ import annotations

import builtins
import json
import os
from typing import Any, NoReturn

from steelyard.toolchains.incell import calls, program, suites
from steelyard.toolchains.incell.asking import Channel, Proxy, TestsError, is_data
from steelyard.toolchains.incell.channel import SHOWN_CHARS
from steelyard.toolchains.incell.tested import (
    builtins_called,
    called_at_the_top,
    names_tested,
    only_called,
    patched,
)

_NEEDS_NAME = (
    'check(candidate) needs the name of the function: give it as asserts:NAME, or as "entry" of'
    " the case"
)


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


def _outcome(patience_ms: int, setup: str, code: str, entry: str | None) -> list[str]:
    names = program.make_module("tests", "tests.py").__dict__
    channel = Channel(patience_ms / 1000)
    problem: BaseException | None = None
    try:
        prepare, body = _compiled(setup, "setup"), _compiled(code, "tests")
        if (replaced := patched(setup, code)) is not None:
            raise TestsError(f"they patch {replaced}, which the program has in its own process")
        suites.offer_solution(channel)
        names["__builtins__"] = _Names(channel)
        tested = [entry] if entry else names_tested(setup, code)
        exec(prepare, names)
        tested = tested or channel.defined(builtins_called(setup, code))
        if tested == [entry or only_called(code, tested)] and (entry or tested[0] not in names):
            names[tested[0]] = Proxy(tested[0], channel)  # needs no question
        exec(body, names)
        check = names.get("check")
        calls_it = entry is None and "check" in called_at_the_top(code)
        if callable(check) and "def check" in code and not calls_it:
            name = entry or only_called(code, tested)
            if name is None:
                raise TestsError(_NEEDS_NAME)
            check(names.get(name) or channel.named(name))
        suites.run_tests(names, code)
    except TestsError as error:
        return ["tests", str(error)]
    except BaseException as error:
        problem = error
    channel.closed = True  # nothing that follows asks the candidate
    # What the candidate did counts even if the assertions caught the exception.
    if channel.fault:
        return channel.fault
    missing = [name for name in channel.missing if name not in names]
    if missing:
        return ["candidate", f"the program defines no {missing[0]}"]
    their_own = not channel.looked or isinstance(problem, ImportError)
    if problem is not None and not channel.calls and their_own:
        return ["tests", _named(problem)]
    if problem is None:
        lacking = f"no assertion calls {entry or 'a function of the candidate'}"
        return ["passed"] if channel.calls else ["tests", lacking]
    kind = "failed" if isinstance(problem, AssertionError) else "raised"
    return [kind, _explained(problem, code, channel)]


class _Names(dict[str, object]):
    """The built-in names, and behind them those of the program."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(vars(builtins))
        self._channel = channel

    def __missing__(self, name: str) -> object:
        found = self._channel.named(name)
        if not is_data(found):  # which changes
            self[name] = found
        return found


def _compiled(code: str, name: str) -> Any:
    try:
        return compile(code, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise TestsError(f"the assertions do not compile: {_named(error)}") from None


def _explained(error: BaseException, code: str, channel: Channel) -> str:
    """Return the assertion that failed, the error, and the candidate's last answer."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "tests":
            line = trace.tb_lineno
        trace = trace.tb_next
    what = "" if isinstance(error, AssertionError) and not error.args else _named(error)
    lines = code.splitlines()
    where = lines[line - 1].strip()[:SHOWN_CHARS] if line and line <= len(lines) else ""
    return "; ".join(part for part in (where, what, channel.last) if part)


def _named(error: BaseException) -> str:
    message = str(error)[:SHOWN_CHARS]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
