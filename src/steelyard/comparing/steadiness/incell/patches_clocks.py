"""Run in a cell: clocks that stand still, or go on by a millisecond a question; and the date.

What a program sleeps is added to each: a loop that polls until a deadline comes to its end, and a
test that asks whether enough time has passed hears yes. A thread hears of its own sleep and of the
main thread's, so that threads at work behind do not move the main thread's clocks.

The methods of `datetime` and `date` are replaced in the types themselves, so that every import,
subclass and pickle keeps meaning the same type. A method that was taken from its type before, such
as a `default_factory`, is an object of its own: each of them is looked for and taken over.
"""

from __future__ import annotations

import _thread
import ctypes
import datetime as dt
import functools
import gc
import sys
import time
import types
import warnings
from collections.abc import Callable
from typing import Any

from steelyard.comparing.steadiness.incell.patches_worlds import here, shown
from steelyard.project_runs.incell import taken_over

_TIME_NS = 1761717605_108106000
TIME = _TIME_NS / 10**9
_PRESENT_NS = 1609466710 * 10**9  # 2021-01-01 02:05:10 UTC: what `datetime` shows
_STEP_NS = 1_000_000
_STARTS_NS = {
    "perf_counter": 0,
    "monotonic": 100_000 * 10**9,  # some programs take 0 for long ago
    "process_time": 0,
    "thread_time": 0,
}
_KINDS = {
    time.CLOCK_REALTIME: "time",
    time.CLOCK_MONOTONIC: "monotonic",
    time.CLOCK_MONOTONIC_RAW: "monotonic",
    time.CLOCK_BOOTTIME: "monotonic",
    time.CLOCK_PROCESS_CPUTIME_ID: "process_time",
    time.CLOCK_THREAD_CPUTIME_ID: "thread_time",
}
"""The function that reads each of the system's clocks."""
_CALENDAR = {"localtime": 0, "gmtime": 0, "ctime": 0, "strftime": 1, "asctime": 0}
"""At which place each takes a moment; without it, it takes the present one."""
_TAKES_FIELDS = ("strftime", "asctime")
_DEPRECATED = (
    "datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version."
    " Use timezone-aware objects to represent datetimes in UTC:"
    " datetime.datetime.now(datetime.UTC)."
)
_get_ident = _thread.get_ident


def apply() -> None:
    """Take over the clocks of the module `time`, and the methods that give the present date."""
    real = {
        name: taken_over.kept(function)
        for name, function in vars(time).items()
        if type(function) is type(time.time)
    }
    fakes: dict[str, Callable[..., object]] = {"sleep": _sleep}
    for ending, unit_ns in (("", 10**9), ("_ns", 1)):
        fakes[f"clock_gettime{ending}"] = functools.partial(_of_kind, unit_ns)
        for name in ("time", *_STARTS_NS):
            fakes[f"{name}{ending}"] = functools.partial(_reading, name, unit_ns)
    for name in _CALENDAR:
        fakes[name] = functools.partial(_of_the_present, real, name)
    for name, fake in fakes.items():
        taken_over.replace(getattr(time, name), shown(real[name], fake))
    _replace_dates()


def _slept_ns() -> int:
    """What the calling thread has slept, and the main thread too."""
    slept: int = here.main_slept_ns + getattr(here.own, "slept_ns", 0)
    return slept


def _sleep(_: None, seconds: Any) -> None:
    ns = round(seconds * 10**9)
    if _get_ident() == here.main:
        here.main_slept_ns += ns
    else:
        here.own.slept_ns = getattr(here.own, "slept_ns", 0) + ns


def _present_ns(usual_ns: int) -> int:
    here.is_asked = True
    return (here.moment_ns or usual_ns) + _slept_ns()


def _reading(name: str, unit_ns: int, _: object) -> float:
    if name == "time":
        ns = _present_ns(_TIME_NS)
    else:
        ns = _STARTS_NS[name] + next(here.questions[name]) * _STEP_NS
    if name == "monotonic":  # the others only tell how long something took
        here.is_asked = True
        ns += here.monotonic_ns
    if name in ("monotonic", "perf_counter"):
        ns += _slept_ns()
    return ns if unit_ns == 1 else ns / unit_ns


def _of_kind(unit_ns: int, value: object, kind: int) -> object:
    return _reading(_KINDS[kind], unit_ns, value) if kind in _KINDS else value


def _of_the_present(real: dict[str, Any], name: str, value: object, *given: Any) -> object:
    place = _CALENDAR[name]
    if given[place:] not in ((), (None,)):
        return value
    moment: Any = _present_ns(_TIME_NS) // 10**9
    if name in _TAKES_FIELDS:
        moment = real["localtime"](moment)
    return real[name](*given[:place], moment)


def _replace_dates() -> None:
    date, moment = dt.date, dt.datetime
    now, utcnow, of_moment = (vars(moment)[name] for name in ("now", "utcnow", "fromtimestamp"))
    today = vars(date)["today"]

    def warned(cls: Any) -> object:
        if sys.version_info < (3, 12):
            return utcnow(cls)
        # The original would warn of this line.
        warnings.warn(_DEPRECATED, DeprecationWarning, stacklevel=3)
        return now(cls, dt.UTC).replace(tzinfo=None)

    def in_utc(_: object, cls: Any) -> object:
        at = moment.fromtimestamp(_present_s(), dt.UTC)
        return cls(*at.timetuple()[:6], at.microsecond, None)

    stand_ins = {
        (moment, "now"): shown(now, lambda _, cls, tz=None: of_moment(cls, _present_s(), tz)),
        (moment, "utcnow"): shown(warned, in_utc),
        (date, "today"): shown(today, lambda _, cls: cls.fromtimestamp(_present_s())),
    }
    by_name = {name: stand_in for (_, name), stand_in in stand_ins.items()}
    for each in _taken_before(date, by_name):
        taken_over.replace(each, functools.partial(by_name[each.__name__], each.__self__))
    for (kind, name), stand_in in stand_ins.items():
        stand_in.__name__ = name  # a method is pickled by its name
        # A built-in type shows its names read-only; what it shows is an ordinary dictionary.
        gc.get_referents(vars(kind))[0][name] = classmethod(stand_in)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _present_s() -> float:
    return _present_ns(_PRESENT_NS) / 10**9


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
