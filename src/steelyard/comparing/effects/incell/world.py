"""Run in a cell: note what a function changed in the process around it.

A world is remembered before a candidate is loaded. It is looked at before and after a test, cheaply
and without calling anything of the program's: names are compared by identity, and settings by text.
"""

from __future__ import annotations

import _locale
import _signal  # type: ignore[import-not-found]
import _thread
import atexit
import builtins
import copy
import datetime as dt
import decimal
import functools
import gc
import inspect
import itertools
import json
import json.decoder
import json.encoder
import math
import operator
import os
import pickle
import random
import re
import signal
import sys
import threading
import time
import types
import warnings
import weakref
import zlib
from collections.abc import Callable, Iterator
from typing import Any

_MODULES = (
    builtins,
    copy,
    functools,
    gc,
    inspect,
    itertools,
    json,
    json.decoder,
    json.encoder,
    math,
    operator,
    os,
    pickle,
    random,
    re,
    signal,
    threading,
    time,
    _thread,
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
_LISTS = ("meta_path", "path_hooks")
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type, types.MethodType)
_SKIPPED_VARIABLES = (b"PYTEST_CURRENT_TEST", b"PYTEST_VERSION")
_OF_NUMPY = "state of numpy.random"
_UNNAMED = "(none)"
_LAST_SIGNAL = 64
_DEFAULT = int(signal.SIG_DFL)
_real_time, _itimers = _signal.getitimer, (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL)
_crc32, _gone = zlib.crc32, object()


class World:
    """A process as it is at this moment, with the functions that it has."""

    def __init__(self) -> None:
        self._names: list[tuple[str, dict[str, Any], dict[str, object]]] = []
        for module in _MODULES:
            self._remember(module.__name__, vars(module))
        for kind in _TYPES:
            shown = gc.get_referents(vars(kind))[0]
            self._remember(f"{kind.__module__}.{kind.__qualname__}", shown)
        self._codes = [
            (f"{place}.{name}", value, value.__code__)
            for place, _, known in self._names
            for name, value in known.items()
            if type(value) is types.FunctionType
        ]
        self._hooks = [(name, getattr(sys, name)) for name in _HOOKS if hasattr(sys, name)]
        self._hooks_there = vars(sys)
        self._modules = [(module.__name__, module) for module in _MODULES]
        self._environ = os.environ
        self._settings = _settings()

    def observe(self) -> dict[str, str]:
        """Return by name the settings, and each function that was replaced.

        Returns:
            Texts that can be compared with those of another process. A function that is still the
            one that was remembered is left out.
        """
        seen: dict[str, str] = {}
        for place, there, known in self._names:
            for name, value in known.items():
                if there.get(name, _gone) is not value:
                    seen[f"{place}.{name}"] = _described(there.get(name, _gone))
        for name, function, code in self._codes:
            if function.__code__ is not code:
                seen[name] = f"code of {_text(function.__code__.co_qualname)}"
        for name, hook in self._hooks:
            if (now := self._hooks_there.get(name, _gone)) is not hook:
                seen[f"sys.{name}"] = _described(now)
        modules = sys.modules
        for name, module in self._modules:
            if modules.get(name) is not module:
                seen[f"sys.modules[{name!r}]"] = _described(modules.get(name, _gone))
        if os.environ is not self._environ:
            seen["os.environ"] = _described(os.environ)
        for name, get in self._settings:
            try:
                seen[name] = get()
            except Exception as error:  # such as a working directory that is gone
                seen[name] = type(error).__name__
        seen.update(_variables(self._environ))
        return seen

    def _remember(self, place: str, names: dict[str, Any]) -> None:
        known = {
            name: value
            for name, value in names.items()
            if (callable(value) or isinstance(value, (classmethod, staticmethod, property)))
            and name != "_"
        }
        self._names.append((place, names, known))


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
        was, now = before.get(name), after.get(name)
        if was == now or (name == _OF_NUMPY and not (was and now)):
            continue
        missing = "unset" if name.startswith("os.environ[") else "as it was"
        found[name] = (missing if was is None else was, missing if now is None else now)
    return found


def _settings() -> list[tuple[str, Callable[[], str]]]:
    """Settings of a process, each with a function that reads it."""
    settings: dict[str, Callable[[], object]] = {
        "working directory": os.getcwd,
        "sys.path": lambda: [each for each in sys.path if type(each) is str],
        "sys.argv": lambda: [each for each in sys.argv if type(each) is str],
        "recursion limit": sys.getrecursionlimit,
        "switch interval": sys.getswitchinterval,
        "digits of an int": sys.get_int_max_str_digits,
        "trace function": lambda: _described(sys.gettrace()),
        "profile function": lambda: _described(sys.getprofile()),
        "locale": functools.partial(_locale.setlocale, _locale.LC_ALL),
        "decimal context": lambda: _decimal_text(decimal.getcontext()),
        "warnings filters": lambda: len(warnings.filters),
        "warnings.showwarning": lambda: _described(warnings.showwarning),
        "signal handlers": _handlers,
        "timers": lambda: [bool(_real_time(kind)[0]) for kind in _itimers],
        "threads": _thread._count,
        "descriptors": lambda: list(_descriptors()),
        "garbage collection": lambda: (gc.isenabled(), *gc.get_threshold(), gc.get_debug()),
        "gc.callbacks": lambda: [_described(each) for each in gc.callbacks],
        "functions at exit": _functions_at_exit,
        "processors": lambda: sorted(os.sched_getaffinity(0)),
        "state of random": functools.partial(_random_state, random.getstate),
        _OF_NUMPY: _numpy_state,
        **{f"sys.{name}": functools.partial(_kinds_in, name) for name in _LISTS},
    }
    if hasattr(sys, "monitoring"):
        tool = sys.monitoring.get_tool
        settings["monitoring tools"] = lambda: [_text(tool(each)) for each in range(6)]
    return [(name, _as_text(get)) for name, get in settings.items()]


def _functions_at_exit() -> int:
    """Return their number; `weakref.finalize` has one of its own, from its first use on."""
    count: int = atexit._ncallbacks()
    return count - bool(getattr(weakref.finalize, "_registered_with_atexit", False))


def _as_text(get: Callable[[], object]) -> Callable[[], str]:
    return lambda: str(get())


def _handlers() -> str:
    """Each signal whose handler is not the system's."""
    get, named = _signal.getsignal, []
    for number in range(1, _LAST_SIGNAL + 1):
        handler = get(number)
        if handler is not None and handler is not _DEFAULT:
            named.append(f"{number}: {_described(handler)}")
    return ", ".join(named)


def _descriptors() -> Iterator[int]:
    for number in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            os.fstat(number)
        except OSError:  # the one that the listing itself opened
            continue
        yield number


def _decimal_text(context: decimal.Context) -> str:
    return f"{context.prec} {context.rounding} {context.Emin} {context.Emax} {context.capitals}"


def _kinds_in(name: str) -> list[str]:
    return [_described(each) for each in getattr(sys, name)]


def _variables(environ: Any) -> dict[str, str]:
    data = getattr(environ, "_data", {})
    return {
        f"os.environ[{os.fsdecode(name)}]": os.fsdecode(value)
        for name, value in data.items()
        if name not in _SKIPPED_VARIABLES
    }


def _random_state(get_state: Callable[[], object]) -> int:
    return hash(get_state())  # of numbers, hence the same in each process


def _numpy_state() -> str:
    """The state of numpy's own generator, where numpy is here."""
    module: Any = sys.modules.get("numpy.random.mtrand")
    generator = getattr(module, "_rand", None)
    if generator is None:
        return ""
    kind, words, *rest = generator.get_state()
    return f"{kind} {_crc32(words.tobytes())} {rest}"


def _described(value: object) -> str:
    """A name for a value, without running anything of its type, as `isinstance` may."""
    if value is _gone:
        return "missing"
    if value is None or type(value) in (int, bool):
        return str(value)
    if type(value) in (classmethod, staticmethod, types.MethodType):
        value = getattr(value, "__func__", None)
    if type(value) in (types.BuiltinFunctionType, types.MethodDescriptorType):
        return f"builtin {_text(getattr(value, '__name__', ''))}"
    if type(value) is types.FunctionType or type(value) is type:
        return f"{_text(value.__module__)}.{_text(value.__qualname__)}"
    kind = type(value)
    name = type.__dict__["__qualname__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    return f"a {_text(module)}.{_text(name)}"


def _text(value: object) -> str:
    return value if type(value) is str else _UNNAMED
