"""The candidate's program as a module, and how its process ends."""

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
"""What a program that is run, and one that is loaded, finds as its `__name__`."""

_READ_BYTES = 1 << 13


def code_of(path: str) -> types.CodeType:
    """The candidate's program as its check compiled it, or compiled here without one."""
    try:
        # By the same interpreter, in a process that only compiled; and it is run right here.
        return marshal.loads(_content(compiled_name(path)))  # type: ignore[no-any-return]  # noqa: S302
    except FileNotFoundError:
        return compile(_content(path), f"{sys.path[0]}/{path}", "exec", dont_inherit=True)


def compiled_name(path: str) -> str:
    """Where a source's compiled form is put, beside it."""
    return f".{path}.code"


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    data = read_all(file)
    os.close(file)
    return data


def read_all(fd: int) -> bytes:
    """All of a descriptor that is left."""
    data = os.read(fd, _READ_BYTES)
    if len(data) < _READ_BYTES:
        return data
    parts = [data]
    while data := os.read(fd, _READ_BYTES):
        parts.append(data)
    return b"".join(parts)


_prepared: dict[str, types.ModuleType] = {}


def prepare() -> None:
    """Makes ready what every process needs, so that it need not write to as many pages.

    Each page that a forked process is the first to write to costs it some two microseconds.
    """
    _take_folder()
    for name in (SCRIPT, LOADED):
        _prepared[name] = _new_module(name)
    sys.modules[LOADED] = _prepared[LOADED]  # the table grows now, if it must
    del sys.modules[LOADED]


def make_module(name: str, path: str, **given: object) -> types.ModuleType:
    """The module of a program, under `SCRIPT` or `LOADED`, with some names given."""
    if _prepared:
        os.setsid()  # tells the cell that all is set up: what fails from now on is the program's
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
    """The work folder goes first among the places that modules are looked for."""
    sys.path.insert(0, os.getcwd())


def _new_module(name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__["__builtins__"] = builtins
    return module


def run_script(path: str, *arguments: str) -> NoReturn:
    """Runs a program the way `python FILE` does, and ends this process as that would end."""
    module = make_module(SCRIPT, path)
    sys.argv += arguments
    status = 0
    try:
        exec(code_of(path), module.__dict__)
    except SystemExit as error:
        status = exit_status(error)
    except BaseException as error:
        status = 1
        show_error(error)
    end(status, module)


def exit_status(error: SystemExit) -> int:
    """What the interpreter makes of `sys.exit(...)`."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)
    return 1


def show_error(error: BaseException) -> None:
    """The traceback of an error that nothing caught, without the frames of this package."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith("<steelyard"):
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        trace = None
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def end(status: int, module: types.ModuleType) -> NoReturn:
    """What the interpreter does at its end, in its order; freeing all memory is left out."""
    for step in (threading._shutdown, atexit._run_exitfuncs, module.__dict__.clear):  # type: ignore[attr-defined]
        try:
            step()
        except SystemExit as error:
            status = exit_status(error)
        except BaseException:  # the candidate's hooks and finalizers: shown, as Python shows them
            traceback.print_exc()
    streams = {id(stream): stream for stream in (sys.stdout, sys.__stdout__, sys.stderr)}
    for stream in streams.values():
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException:  # a stream of the candidate's making; 120 is Python's own status
            status = status or 120
    os._exit(status)
