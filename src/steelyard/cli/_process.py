"""The process around a command: its standard streams, signals, errors, warnings, exit status."""

import io
import os
import re
import sys
import traceback
import warnings
from contextlib import suppress
from typing import TextIO

from steelyard.cli._outputs import error_object, json_is_printed, one_line, print_json
from steelyard.cli._signals import (
    INTERRUPTED,
    ending_status,
    handle_signals,
    say_interrupted,
)
from steelyard.errors import SteelyardError, SteelyardWarning, UsageError

_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells have it


def run() -> int:
    """Run the command line and return its exit status."""
    handle_signals()
    _open_streams()
    _show_warnings_as_lines()
    status: object
    try:
        from steelyard.cli._app import app  # noqa: PLC0415

        status = app(standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001  (a signal may come out as any exception)
        status = ending_status() or _failed(error)
    status = ending_status() or status
    if status == INTERRUPTED:  # also as Typer ends a command at Ctrl-C
        say_interrupted()
    return status if isinstance(status, int) else 0


def _open_streams() -> None:
    """Make the standard streams writable: a closed one is `/dev/null`.

    A file that the command opens must not get the number of a standard stream.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show must not end a run
            stream.reconfigure(errors="backslashreplace")


def _show_warnings_as_lines() -> None:
    """Show each `SteelyardWarning` as one line on standard error; others as Python does."""
    before = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, SteelyardWarning):
            print(f"steelyard: warning: {one_line(str(message))}", file=file or sys.stderr)
        else:
            before(message, category, filename, lineno, file, line)

    warnings.showwarning = show


def _failed(error: BaseException) -> int:
    """Report an error on standard error, and with `--json` on standard output; give the status."""
    from typer import Abort, BadParameter  # noqa: PLC0415

    usage_error = BadParameter.__mro__[1]  # of the Click that Typer runs on
    if isinstance(error, KeyboardInterrupt | Abort):
        return INTERRUPTED
    if isinstance(error, SystemExit | BrokenPipeError):  # Rich and Typer end so at a broken pipe
        _drop_output()
        return _BROKEN_PIPE
    if isinstance(error, OSError) and error.filename is None:  # writing to our own output
        _drop_output()
        status = SteelyardError.exit_status
        return _complain(f"the output cannot be written: {error.strerror}", status)
    if isinstance(error, SteelyardError):
        return _complain(str(error), error.exit_status, type(error).__name__)
    if isinstance(error, usage_error):
        return _complain(_usage(error), UsageError.exit_status, UsageError.__name__)
    traceback.print_exception(error)
    return _complain(
        f"unexpected {type(error).__name__}: {error}; please report it with the lines above",
        SteelyardError.exit_status,
        type(error).__name__,
    )


_NUMBERS = {"integer": "must be a whole number", "number": "must be a number"}
_NOT_A_NUMBER = re.compile(
    r"Input should be a valid (integer|number), unable to parse string as an? \1"
)


def _usage(error: BaseException) -> str:
    """The message of an error that Typer found, and where to look."""
    from pydantic import ValidationError  # noqa: PLC0415

    from steelyard.cli._groups import called_as  # noqa: PLC0415

    message = str(getattr(error, "message", "")) or str(error)
    format_message = getattr(error, "format_message", None)
    if format_message is not None:
        message = format_message().replace("Value error, ", "")  # as Pydantic begins it
        message = _NOT_A_NUMBER.sub(lambda found: _NUMBERS[found[1]], message)
    message = message.rstrip(".")
    for cause in (error.__cause__, error.__context__):
        if isinstance(cause, ValidationError):
            value = repr(cause.errors()[0]["input"])
            message += "" if value in message else f", got {value}"
            break
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message}; see {called_as(context)} --help"


def _complain(message: str, status: int, kind: str | None = None) -> int:
    """Write one line; with a kind of error and `--json`, also an object."""
    line = one_line(message)
    if kind is not None and "--json" in sys.argv[1:] and not json_is_printed():
        with suppress(OSError):
            print_json(error_object(kind, line, status))
    encoding = sys.stderr.encoding or "utf-8"
    with suppress(OSError):
        os.write(2, f"steelyard: {line}\n".encode(encoding, "backslashreplace"))
    return status


def _drop_output() -> None:
    """Keep Python from writing what is left in its buffer as it ends."""
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.close(nothing)
