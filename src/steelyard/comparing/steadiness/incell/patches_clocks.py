"""Run in a cell: clocks that stand still, or go on by a millisecond a question.

What a program sleeps is added to each: a loop that polls until a deadline comes to its end, and a
test that asks whether enough time has passed hears yes. A thread hears of its own sleep and of the
main thread's, so that threads at work behind do not move the main thread's clocks.
"""

from __future__ import annotations

import _thread
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from steelyard.comparing.steadiness.incell import (
    patches_callers,
    patches_worlds,
)
from steelyard.project_runs.incell import taken_over

TIME = 1761717605.108106
_TIME_NS = 1761717605_108106000
_STEP_NS = 1_000_000
_STARTS_NS = {
    "perf_counter": 0,
    "monotonic": 100_000 * 10**9,  # some programs take 0 for long ago
    "process_time": 0,
    "thread_time": 0,
}
_CALENDAR = {"localtime": 0, "gmtime": 0, "ctime": 0, "strftime": 1, "asctime": 0}
"""At which place each takes a moment; without it, it takes the present one."""
_served, _getframe = patches_callers.is_served_really, sys._getframe
_get_ident, _here = _thread.get_ident, patches_worlds.here


class _Clocks:
    """How far each clock has gone."""

    def __init__(self) -> None:
        self.main = _get_ident()
        self.main_slept_ns = 0
        self.own: Any = _thread._local()
        self.questions: dict[str, Iterator[int]] = {name: itertools.count(1) for name in _STARTS_NS}


_clocks = _Clocks()


def restart() -> None:
    """All clocks begin anew; the thread that calls counts as the main one."""
    _clocks.__init__()  # type: ignore[misc]


def slept_ns() -> int:
    """What the calling thread has slept, and the main thread too."""
    return _clocks.main_slept_ns + getattr(_clocks.own, "slept_ns", 0)


def _present_ns() -> int:
    _here.is_asked = True
    return (_here.moment_ns or _TIME_NS) + slept_ns()


def apply() -> None:
    """Takes over the clocks of the module `time`."""
    real = {
        name: taken_over.kept(function)
        for name, function in vars(time).items()
        if type(function) is type(time.time)
    }
    made: dict[str, Callable[..., object]] = {
        "time": _still(real["time"], lambda ns: TIME if ns == _TIME_NS else ns / 10**9),
        "time_ns": _still(real["time_ns"], lambda ns: ns),
        "sleep": _sleeping(real["sleep"]),
    }
    for name in _STARTS_NS:
        made[name] = _going(name, real[name], lambda ns: ns / 10**9)
        made[f"{name}_ns"] = _going(name, real[f"{name}_ns"], lambda ns: ns)
    for name, place in _CALENDAR.items():
        made[name] = _of_the_present(real[name], place, real["localtime"])
    of_kind = _by_kind()
    for name, ending in (("clock_gettime", ""), ("clock_gettime_ns", "_ns")):
        made[name] = _chosen(real[name], {kind: made[of_kind[kind] + ending] for kind in of_kind})
    for name, stand_in in made.items():
        taken_over.replace(getattr(time, name), stand_in)


def _still(real: Any, shown: Callable[[int], object]) -> Callable[[], object]:
    def still() -> object:
        value = real()
        if _served(_getframe(1)):
            return value
        return shown(_present_ns())

    return still


def _going(name: str, real: Any, shown: Callable[[int], object]) -> Callable[[], object]:
    start = _STARTS_NS[name]
    adds_sleep = name in ("perf_counter", "monotonic")
    is_of_the_world = name == "monotonic"  # the others only tell how long something took

    def going() -> object:
        value = real()
        if _served(_getframe(1)):
            return value
        gone = start + next(_clocks.questions[name]) * _STEP_NS
        if is_of_the_world:
            _here.is_asked = True
            gone += _here.monotonic_ns
        return shown(gone + (slept_ns() if adds_sleep else 0))

    return going


def _sleeping(real: Any) -> Callable[[Any], None]:
    def sleeping(seconds: Any) -> None:
        real(seconds)
        if _served(_getframe(1)):
            return
        ns = round(seconds * 10**9)
        if _get_ident() == _clocks.main:
            _clocks.main_slept_ns += ns
        else:
            _clocks.own.slept_ns = getattr(_clocks.own, "slept_ns", 0) + ns

    return sleeping


def _of_the_present(real: Any, place: int, localtime: Any) -> Callable[..., object]:
    takes_fields = real.__name__ in ("strftime", "asctime")

    def of_the_present(*given: Any) -> object:
        value = real(*given)
        if given[place:] not in ((), (None,)):
            return value
        if _served(_getframe(1)):
            return value
        moment = _present_ns() // 10**9
        return real(*given[:place], localtime(moment) if takes_fields else moment)

    return of_the_present


def _chosen(real: Any, by_kind: dict[int, Callable[[], object]]) -> Callable[[Any], object]:
    def chosen(*given: Any) -> object:
        value = real(*given)
        if _served(_getframe(1)):
            return value
        fake = by_kind.get(given[0])
        return value if fake is None else fake()

    return chosen


def _by_kind() -> dict[int, str]:
    """The function that tells what each of the system's clocks tells."""
    functions = {
        "CLOCK_REALTIME": "time",
        "CLOCK_MONOTONIC": "monotonic",
        "CLOCK_MONOTONIC_RAW": "monotonic",
        "CLOCK_BOOTTIME": "monotonic",
        "CLOCK_PROCESS_CPUTIME_ID": "process_time",
        "CLOCK_THREAD_CPUTIME_ID": "thread_time",
    }
    return {getattr(time, kind): name for kind, name in functions.items() if hasattr(time, kind)}
