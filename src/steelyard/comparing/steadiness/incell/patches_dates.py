"""Run in a cell: `datetime` and `date` take one moment for the present.

Their methods are replaced in the types themselves, so that every import, subclass and pickle keeps
meaning the same type. A method that was taken from its type before, such as a `default_factory`,
is an object of its own: each of them is looked for and taken over.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import functools
import gc
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from steelyard.comparing.steadiness.incell import (
    patches_callers,
    patches_clocks,
    patches_worlds,
)
from steelyard.project_runs.incell import taken_over

_PRESENT = 1609466710  # 2021-01-01 02:05:10 UTC
_DEPRECATED = (
    "datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version."
    " Use timezone-aware objects to represent datetimes in UTC:"
    " datetime.datetime.now(datetime.UTC)."
)
_served, _getframe = patches_callers.is_served_really, sys._getframe
_here = patches_worlds.here


def apply() -> None:
    """Takes over what tells the present date."""
    date, moment = dt.date, dt.datetime
    stand_ins: dict[tuple[type, str], Callable[..., object]] = {
        (moment, "now"): _now(vars(moment)["now"], vars(moment)["fromtimestamp"]),
        (moment, "utcnow"): _utcnow(vars(moment)["now"], vars(moment)["utcnow"]),
        (date, "today"): _today(vars(date)["today"]),
    }
    by_name = {name: stand_in for (_, name), stand_in in stand_ins.items()}
    for each in _taken_before(date, by_name):
        taken_over.replace(each, functools.partial(by_name[each.__name__], each.__self__))
    for (kind, name), stand_in in stand_ins.items():
        # A built-in type shows its names read-only; what it shows is an ordinary dictionary.
        gc.get_referents(vars(kind))[0][name] = classmethod(stand_in)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _now(real: Any, of_moment: Any) -> Callable[..., object]:
    def now(cls: Any, tz: Any = None) -> object:
        value = real.__get__(None, cls)(tz)
        if _served(_getframe(1)):
            return value
        return of_moment.__get__(None, cls)(_present(), tz)

    return now


def _utcnow(now: Any, real: Any) -> Callable[..., object]:
    def utcnow(cls: Any) -> object:
        if sys.version_info < (3, 12):
            value = real.__get__(None, cls)()
        else:  # the original would warn of this line
            value = now.__get__(None, cls)(dt.UTC).replace(tzinfo=None)
            warnings.warn(_DEPRECATED, DeprecationWarning, stacklevel=2)
        if _served(_getframe(1)):
            return value
        at = dt.datetime.fromtimestamp(_present(), dt.UTC)
        return cls(*at.timetuple()[:6], at.microsecond, None)

    return utcnow


def _today(real: Any) -> Callable[..., object]:
    def today(cls: Any) -> object:
        value = real.__get__(None, cls)()
        if _served(_getframe(1)):
            return value
        return cls.fromtimestamp(_present())  # what the original calls too

    return today


def _present() -> float:
    _here.is_asked = True
    slept_ns = patches_clocks.slept_ns()
    if _here.moment_ns:
        return (_here.moment_ns + slept_ns) / 10**9
    return _PRESENT + slept_ns / 10**9 if slept_ns else _PRESENT


def _taken_before(date: type, names: dict[str, Callable[..., object]]) -> list[Any]:
    """The methods that were taken from their types, and are held somewhere."""
    gc.unfreeze()  # what is frozen is not shown
    return [
        each
        for each in gc.get_objects()
        if type(each) is types.BuiltinMethodType
        and each.__name__ in names
        and isinstance(each.__self__, type)
        and issubclass(each.__self__, date)
    ]
