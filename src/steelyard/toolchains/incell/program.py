"""Run the candidate's program as a module, and end its process."""

from __future__ import annotations

import atexit
import builtins
import marshal
import os
import sys
import threading
import traceback
import types
from typing import NoReturn

SCRIPT, LOADED = "__main__", "solution"
"""The `__name__` of a program that is run, and of one that is loaded."""

_READ_BYTES = 1 << 13
_CHECKER_CRASHED = 3  # testlib's "the checker failed"; no status of a rejection


def code_of(path: str) -> types.CodeType:
    """Return the candidate's code from its check; without one, compile the source."""
    try:
        # The same interpreter wrote it in a process that only compiled, and it runs here anyway.
        return marshal.loads(_content(compiled_name(path)))  # type: ignore[no-any-return]  # noqa: S302
    except FileNotFoundError:
        return compile(_content(path), f"{sys.path[0]}/{path}", "exec", dont_inherit=True)


def compiled_name(path: str) -> str:
    """Return the name of the file with a source's code, next to the source."""
    return f".{path}.code"


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    data = read_all(file)
    os.close(file)
    return data


def read_all(fd: int) -> bytes:
    """Return the rest of a descriptor's data."""
    data = os.read(fd, _READ_BYTES)
    if len(data) < _READ_BYTES:
        return data
    parts = [data]
    while data := os.read(fd, _READ_BYTES):
        parts.append(data)
    return b"".join(parts)


_prepared: dict[str, types.ModuleType] = {}


def prepare() -> None:
    """Prepare what every process needs, so that processes write to fewer pages.

    The first write to a page costs a forked process about two microseconds.
    """
    _take_folder()
    for name in (SCRIPT, LOADED):
        _prepared[name] = _new_module(name)
    sys.modules[LOADED] = _prepared[LOADED]  # the table grows here and not in each process
    del sys.modules[LOADED]


def make_module(name: str, path: str, **given: object) -> types.ModuleType:
    """Return the module of a program, named `SCRIPT` or `LOADED`, with the given names."""
    if _prepared:
        os.setsid()  # tells the cell that the setup is done: later failures are the program's
    else:
        _take_folder()
    module = _prepared.get(name) or _new_module(name)
    names = module.__dict__
    names["__file__"] = f"{sys.path[0]}/{path}"
    if given:
        names.update(given)
    sys.argv = [path]
    sys.modules[name] = module
    return module


def _take_folder() -> None:
    """Put the work folder first into the module search path."""
    sys.path.insert(0, os.getcwd())


def _new_module(name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__["__builtins__"] = builtins
    return module


def run_checker(path: str, *arguments: str) -> NoReturn:
    """Run a checker program: an uncaught exception must not look like a rejected output."""

    def crash(failure: threading.ExceptHookArgs) -> None:
        if failure.exc_type is SystemExit:
            return
        show_error(failure.exc_value or SystemError("no exception"))
        os._exit(_CHECKER_CRASHED)

    threading.excepthook = crash
    run_script(path, *arguments, crashed=_CHECKER_CRASHED)


def run_script(path: str, *arguments: str, crashed: int = 1) -> NoReturn:
    """Run a program as `python FILE` does, and end this process with its status.

    Args:
        path: The program's file in the work folder.
        arguments: Its arguments.
        crashed: The status of an uncaught exception.
    """
    module = make_module(SCRIPT, path)
    sys.argv += arguments
    status = 0
    try:
        exec(code_of(path), module.__dict__)
    except SystemExit as error:
        status = exit_status(error)
    except BaseException as error:
        status = crashed
        show_error(error)
    end(status, module)


def exit_status(error: SystemExit) -> int:
    """Return the exit status of `sys.exit(...)`, and print its message."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)
    return 1


def show_error(error: BaseException) -> None:
    """Print the traceback of an uncaught error, without the frames of this package."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith("<steelyard"):
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        trace = None
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def end(status: int, module: types.ModuleType) -> NoReturn:
    """Do what the interpreter does at its end, in its order, without freeing all memory."""
    for step in (threading._shutdown, atexit._run_exitfuncs, module.__dict__.clear):  # type: ignore[attr-defined]
        try:
            step()
        except SystemExit as error:
            status = exit_status(error)
        except BaseException:  # from the candidate's hooks and finalizers: printed as Python does
            traceback.print_exc()
    streams = {id(stream): stream for stream in (sys.stdout, sys.__stdout__, sys.stderr)}
    for stream in streams.values():
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException:  # the candidate may have replaced the stream; Python exits with 120
            status = status or 120
    os._exit(status)
