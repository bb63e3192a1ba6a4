"""End a program's process as the interpreter does: the steps of `Py_FinalizeEx` in its order.

The interpreter's own function would also free all that the fork server has loaded, which takes
longer than most programs run.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` loads more modules
import atexit
import gc
import os
import sys
import types
import weakref
from contextlib import suppress
from typing import Any, NoReturn

INTERRUPTED = 130
"""Status of a program that ends with `KeyboardInterrupt`: SIGINT ends its process if it can."""

_FLUSH_FAILED = 120
_LONGS = range(-1 << 63, 1 << 63)
_OWN = "<steelyard"
_display, _hook = sys.__excepthook__, sys.__unraisablehook__
_modules, _collect = sys.modules, gc.collect  # a candidate may replace them
_run_handlers, _getpid, _kill, _exit = atexit._run_exitfuncs, os.getpid, os.kill, os._exit


def exit_status(error: SystemExit) -> int:
    """Return the exit status of `sys.exit(...)`, and print its message."""
    try:
        code: object = error.code
    except BaseException:  # of a subclass: its text is the message
        code = error
    if code is None:
        return 0
    if issubclass(type(code), int):
        number = int.__index__(code)  # type: ignore[arg-type]  # checked above
        return (number if number in _LONGS else -1) & 0xFF
    with suppress(BaseException):  # `__str__` is the candidate's, and may raise anything
        _write_error(str(code))
    _write_error("\n")
    return 1


def show_error(error: BaseException) -> int | None:
    """Show an uncaught error as the interpreter does.

    Returns:
        The exit status of the program's own hook if it exits; else None.
    """
    trace = trace_of(error)
    error = error.with_traceback(trace)
    kind = type(error)
    for name, value in (("type", kind), ("value", error), ("traceback", trace)):
        setattr(sys, f"last_{name}", value)
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    hook = getattr(sys, "excepthook", _missing)
    try:
        hook(kind, error, trace)
    except SystemExit as other:
        return exit_status(other)
    except BaseException as other:
        _write_error("Error in sys.excepthook:\n")
        _display(type(other), other.with_traceback(trace_of(other)), other.__traceback__)
        _write_error("\nOriginal exception was:\n")
        _display(kind, error, trace)
    return None


def _missing(*error: Any) -> None:
    _write_error("sys.excepthook is missing\n")
    _display(*error)


def trace_of(error: BaseException) -> types.TracebackType | None:
    """Return an error's traceback without the frames of this package at its start."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OWN):
        trace = trace.tb_next
    return trace


def flush_after_program() -> None:
    """Flush standard error and output as after a script's last line; what fails is ignored."""
    for name in ("stderr", "stdout"):
        with suppress(BaseException):  # it is tried again at the end, and reported then
            getattr(sys, name).flush()


def end(status: int) -> NoReturn:
    """Wait for threads, run exit handlers, flush, finalize the program, and end this process.

    Args:
        status: The exit status, or `INTERRUPTED`.
    """
    threading = _modules.get("threading")
    if threading is not None:
        try:
            threading._shutdown()
        except BaseException as error:
            _ignore(error, threading, "on threading shutdown")
    with suppress(BaseException):  # Python 3.9 raises what it has printed
        _run_handlers()
    if not _flush():
        status = status if status == INTERRUPTED else _FLUSH_FAILED
    with suppress(BaseException):  # from a signal's handler
        _clear_program()
        flush_after_program()
        if status == INTERRUPTED:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
            _kill(_getpid(), _signal.SIGINT)
    _exit(status)


def _flush() -> bool:
    """Flush both streams; return False and show the error if one cannot be flushed."""
    flushed = True
    out, errors = getattr(sys, "stdout", None), getattr(sys, "stderr", None)
    if out is not None and not _is_closed(out):
        try:
            out.flush()
        except BaseException as error:
            _ignore(error, out, "on flushing sys.stdout")
            flushed = False
    if errors is not None and not _is_closed(errors):
        try:
            errors.flush()
        except BaseException:  # there is nowhere to show it
            flushed = False
    return flushed


def _is_closed(stream: Any) -> bool:
    try:
        return bool(stream.closed)
    except BaseException:  # a stream of the candidate's own
        return False


def _clear_program() -> None:
    """Run the finalizers of what the program has left, while its global names still exist."""
    if sys.gettrace() or sys.getprofile():
        sys.settrace(None)
        sys.setprofile(None)
    for name in ("stdin", "stdout", "stderr"):
        first = getattr(sys, f"__{name}__", None)
        if getattr(sys, name, None) is not first:  # a write to a shared page costs time
            setattr(sys, name, first)
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        vars(sys).pop(name, None)
    module = _modules.pop("__main__", None)
    alive = weakref.ref(module) if isinstance(module, types.ModuleType) else None
    module = None
    _collect()
    module = alive() if alive else None
    if module is not None:
        _clear_names(vars(module))


def _clear_names(names: dict[str, Any]) -> None:
    """Set the names of a module that is still in use to None, the private ones first."""
    private = [name for name in names if name[:1] == "_" and name[1:2] != "_"]
    for name in private + [name for name in names if name != "__builtins__"]:
        names[name] = None


def _ignore(error: BaseException, source: object, when: str) -> None:
    """Show an error that nothing handles, as the interpreter does."""
    details = (None, source) if sys.version_info < (3, 13) else (f"Exception ignored {when}", None)
    hook = getattr(sys, "unraisablehook", _hook)
    kinds: list[Any] = []
    sys.unraisablehook = lambda given: kinds.append(type(given))
    _Raises()
    sys.unraisablehook = hook
    with suppress(BaseException):  # the hook is the candidate's
        hook(kinds[0]((type(error), error, trace_of(error), *details)))


class _Raises:
    """Raise where nothing handles it: only such an error has the class that hooks take."""

    def __del__(self) -> None:
        raise ValueError


def _write_error(text: str) -> None:
    """Write to standard error, or to its descriptor if the stream is missing or broken."""
    try:
        sys.stderr.write(text)
    except BaseException:  # the stream may be the candidate's
        with suppress(OSError):
            os.write(2, text.encode("utf-8", "backslashreplace"))
