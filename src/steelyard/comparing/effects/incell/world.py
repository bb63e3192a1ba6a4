"""Run in a cell: note what a function changed in the process around it.

A world is remembered before a candidate is loaded. It is looked at before and after a test, cheaply
and without calling anything of the program's: names are compared by identity, and settings by text.
"""

from __future__ import annotations

import _locale
import _signal  # type: ignore[import-not-found]
import _thread
import atexit
import datetime as dt
import decimal
import functools
import gc
import importlib
import json
import os
import pickle
import random
import signal
import sys
import types
import warnings
import weakref
import zlib
from collections.abc import Callable
from typing import Any

_MODULES = (
    "builtins",
    "copy",
    "functools",
    "gc",
    "inspect",
    "itertools",
    "json",
    "json.decoder",
    "json.encoder",
    "math",
    "operator",
    "os",
    "pickle",
    "random",
    "re",
    "signal",
    "threading",
    "time",
    "_thread",
)
_TYPES: tuple[type, ...] = (
    dt.date,
    dt.datetime,
    random.Random,
    json.JSONEncoder,
    json.JSONDecoder,
)
_HOOKS = (
    "audit",
    "breakpointhook",
    "displayhook",
    "excepthook",
    "exit",
    "getrecursionlimit",
    "getswitchinterval",
    "setprofile",
    "setrecursionlimit",
    "setswitchinterval",
    "settrace",
    "stderr",
    "stdin",
    "stdout",
    "unraisablehook",
    "__stderr__",
    "__stdin__",
    "__stdout__",
    "_getframe",
)
_FUNCTIONS = (types.FunctionType, type)
_BUILT_IN = (types.BuiltinFunctionType, types.MethodDescriptorType)
_BINDINGS = (classmethod, staticmethod, types.MethodType)
_SKIPPED_VARIABLES = (b"PYTEST_CURRENT_TEST", b"PYTEST_VERSION")
_OF_DECIMAL = ("prec", "rounding", "Emin", "Emax", "capitals")
_OF_NUMPY = "state of numpy.random"
_UNNAMED = "(none)"
_LAST_SIGNAL = 64
_DEFAULT = int(signal.SIG_DFL)
_FILES = "/proc/self/fd"
_handler, _real_time = _signal.getsignal, _signal.getitimer
_itimers = _signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL
_crc32, _dumps, _gone = zlib.crc32, pickle.dumps, object()


class World:
    """A process as it is at this moment, with the functions that it has."""

    def __init__(self) -> None:
        spaces = [(name, vars(importlib.import_module(name))) for name in _MODULES]
        spaces += [
            (f"{kind.__module__}.{kind.__qualname__}", gc.get_referents(vars(kind))[0])
            for kind in _TYPES
        ]
        names: list[tuple[str, dict[str, Any], str]] = [
            (f"{space}.{name}", names, name)
            for space, names in spaces
            for name, value in names.items()
            if (callable(value) or isinstance(value, (classmethod, staticmethod, property)))
            and name != "_"
        ]
        names += [(f"sys.{name}", vars(sys), name) for name in _HOOKS if hasattr(sys, name)]
        names += [(f"sys.modules[{name!r}]", sys.modules, name) for name in _MODULES]
        names.append(("os.environ", vars(os), "environ"))
        self._held = [
            (label, held, name, held[name], getattr(held[name], "__code__", None))
            for label, held, name in names
        ]
        self._variables = os.environ._data  # type: ignore[attr-defined]
        self._settings = _settings()

    def observe(self) -> dict[str, str]:
        """Return by name the settings, and each function that was replaced.

        Returns:
            Texts that can be compared with those of another process. A function that is still the
            one that was remembered is left out.
        """
        seen: dict[str, str] = {}
        for label, held, name, value, code in self._held:
            now = held.get(name, _gone)
            if now is not value:
                seen[label] = _described(now)
            elif code is not None and value.__code__ is not code:
                seen[label] = f"code of {_text(value.__code__.co_qualname)}"
        for name, get in self._settings.items():
            try:
                seen[name] = str(get())
            except Exception as error:  # such as a working directory that is gone
                seen[name] = type(error).__name__
        for variable, text in self._variables.items():
            if variable not in _SKIPPED_VARIABLES:
                seen[f"os.environ[{os.fsdecode(variable)}]"] = os.fsdecode(text)
        return seen


@functools.cache
def made_world() -> World:
    """The world of this process, remembered at the first call; a fork finds it made."""
    return World()


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return what has changed between two looks.

    Returns:
        By name, what was there and what is there, such as `"time.perf_counter": ("as it was",
        "pkg.mod.fake")`. A library that came between them is not a change.
    """
    found: dict[str, tuple[str, str]] = {}
    for name in sorted(before.keys() | after.keys()):
        missing = "unset" if name.startswith("os.environ[") else "as it was"
        was, now = before.get(name, missing), after.get(name, missing)
        if was != now and not (name == _OF_NUMPY and "" in (was, now)):
            found[name] = was, now
    return found


def _settings() -> dict[str, Callable[[], object]]:
    """Settings of a process, each with a function that reads it."""
    state = random.getstate
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12
    tool: Callable[[int], object] = getattr(monitoring, "get_tool", int)
    return {
        "working directory": os.getcwd,
        "sys.path": lambda: [each for each in sys.path if type(each) is str],
        "sys.argv": lambda: [each for each in sys.argv if type(each) is str],
        "sys.meta_path": lambda: [_described(each) for each in sys.meta_path],
        "sys.path_hooks": lambda: [_described(each) for each in sys.path_hooks],
        "recursion limit": sys.getrecursionlimit,
        "switch interval": sys.getswitchinterval,
        "digits of an int": sys.get_int_max_str_digits,
        "trace function": lambda: _described(sys.gettrace()),
        "profile function": lambda: _described(sys.getprofile()),
        "monitoring tools": lambda: [_text(tool(each)) for each in range(6)],
        "locale": functools.partial(_locale.setlocale, _locale.LC_ALL),
        "decimal context": lambda: [getattr(decimal.getcontext(), name) for name in _OF_DECIMAL],
        "warnings filters": lambda: len(warnings.filters),
        "warnings.showwarning": lambda: _described(warnings.showwarning),
        "signal handlers": _handlers,
        "timers": lambda: [bool(_real_time(kind)[0]) for kind in _itimers],
        "threads": _thread._count,
        "descriptors": _descriptors,
        "garbage collection": lambda: (gc.isenabled(), *gc.get_threshold(), gc.get_debug()),
        "gc.callbacks": lambda: [_described(each) for each in gc.callbacks],
        "functions at exit": _functions_at_exit,
        "processors": lambda: sorted(os.sched_getaffinity(0)),
        # A hash of numbers, hence the same in each process.
        "state of random": lambda: hash(state()),
        _OF_NUMPY: _numpy_state,
    }


def _functions_at_exit() -> int:
    """Return their number; `weakref.finalize` has one of its own, from its first use on."""
    has_own = getattr(weakref.finalize, "_registered_with_atexit", False)
    return int(atexit._ncallbacks()) - bool(has_own)


def _handlers() -> str:
    """Each signal whose handler is not the system's."""
    found = [(number, _handler(number)) for number in range(1, _LAST_SIGNAL + 1)]
    return ", ".join(
        f"{number}: {_described(each)}"
        for number, each in found
        if each is not None and each is not _DEFAULT
    )


def _descriptors() -> list[int]:
    """Those that are open, without the one that the listing itself opened."""
    return sorted(int(name) for name in os.listdir(_FILES) if os.path.lexists(f"{_FILES}/{name}"))


def _numpy_state() -> str:
    """The state of numpy's own generator; empty if numpy is not loaded."""
    generator: Any = getattr(sys.modules.get("numpy.random.mtrand"), "_rand", None)
    return "" if generator is None else f"{_crc32(_dumps(generator.get_state()))}"


def _described(value: object) -> str:
    """A name for a value, without running anything of its type, as `isinstance` may."""
    if value is _gone:
        return "missing"
    if value is None or type(value) in (int, bool):
        return str(value)
    if type(value) in _BINDINGS:
        value = getattr(value, "__func__", None)
    if type(value) in _BUILT_IN:
        return f"builtin {_text(getattr(value, '__name__', ''))}"
    if type(value) in _FUNCTIONS:
        return f"{_text(value.__module__)}.{_text(getattr(value, '__qualname__', None))}"
    module, name = (
        type.__dict__[each].__get__(type(value)) for each in ("__module__", "__qualname__")
    )
    return f"a {_text(module)}.{_text(name)}"


def _text(value: object) -> str:
    return value if type(value) is str else _UNNAMED
