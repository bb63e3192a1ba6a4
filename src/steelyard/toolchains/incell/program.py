"""Run the candidate's program as a module, and end its process."""

from __future__ import annotations

import builtins
import marshal
import os
import resource
import sys
import threading
import types
from collections.abc import Callable
from typing import Any, NoReturn

from steelyard.toolchains.incell import ending

SCRIPT, LOADED = "__main__", "solution"
"""The `__name__` of a program that is run, and of one that is loaded."""

Prepare = Callable[[dict[str, Any], types.CodeType], None]
"""Gives a program's module the names that its code uses."""

_READ_BYTES = 1 << 13
_STACK_PER_LEVEL = 2_048
"""Bytes. A level of recursion through the interpreter's own C functions takes 0.2 to 1 KiB
(`lru_cache`, `max`, `__call__`, `re.sub`), and 2.5 KiB through `sorted` with a key; a plain one in
Python 3.11 or later takes none."""
_CHECKER_CRASHED = 3  # testlib's "the checker failed"; no status of a rejection


_held: dict[str, types.CodeType] = {}


def hold(code: types.CodeType, path: str) -> None:
    """Hold the code of a source that this process has checked, until `code_of` takes it."""
    _held[path] = code


def code_of(path: str) -> types.CodeType:
    """Return the candidate's code from its check; without one, compile the source."""
    if path in _held:
        return _held.pop(path)
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


def allow_deep_recursion() -> None:
    """Let functions recurse as deep as the stack limit allows, as judges of functions do."""
    stack_bytes, _ = resource.getrlimit(resource.RLIMIT_STACK)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), stack_bytes // _STACK_PER_LEVEL))


_prepared: dict[str, types.ModuleType] = {}


def prepare() -> None:
    """Prepare what every process needs, so that processes write to fewer pages.

    The first write to a page costs a forked process about two microseconds.
    """
    _take_folder()
    # A script's module is new in each process: one that is made before `gc.freeze` is never freed,
    # and its finalizers would not run.
    _prepared[LOADED] = _new_module(LOADED)
    sys.modules[LOADED] = _prepared[LOADED]  # the table grows here and not in each process
    del sys.modules[LOADED]


def make_module(name: str, path: str) -> types.ModuleType:
    """Return the module of a program, named `SCRIPT` or `LOADED`."""
    if _prepared:
        os.setsid()  # tells the cell that the setup is done: later failures are the program's
    else:
        _take_folder()
    module = _prepared.get(name) or _new_module(name)
    module.__dict__["__file__"] = f"{sys.path[0]}/{path}"
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
        ending.show_error(failure.exc_value or SystemError("no exception"))
        os._exit(_CHECKER_CRASHED)

    threading.excepthook = crash
    run_script(path, *arguments, crashed=_CHECKER_CRASHED)


def run_script(
    path: str, *arguments: str, crashed: int = 1, prepare: Prepare | None = None
) -> NoReturn:
    """Run a program as `python FILE` does, and end this process with its status.

    Args:
        path: The program's file in the work folder.
        arguments: Its arguments.
        crashed: The status of an uncaught exception.
        prepare: Gives the program names; it may recurse deep then, too.
    """
    ending.end(_status_of(path, arguments, crashed, prepare))


def _status_of(path: str, arguments: tuple[str, ...], crashed: int, prepare: Prepare | None) -> int:
    """Run the program; return its exit status. The table of modules alone holds its module then."""
    module = make_module(SCRIPT, path)
    sys.argv += arguments
    ended: BaseException | None = None
    try:
        code = code_of(path)
        if prepare is not None:
            allow_deep_recursion()
            prepare(module.__dict__, code)
        exec(code, module.__dict__)
    except BaseException as error:
        ended = error  # shown below: what its hook raises is no second error of this one
    ending.flush_after_program()
    if ended is None:
        return 0
    if isinstance(ended, SystemExit):
        return ending.exit_status(ended)
    status = ending.show_error(ended)
    if status is None:
        return ending.INTERRUPTED if type(ended) is KeyboardInterrupt else crashed
    return status
