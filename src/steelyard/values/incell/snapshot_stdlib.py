"""The standard library's plain values in a snapshot: dates, decimals, paths, patterns and so on."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import io
import ipaddress
import pathlib
import random
import re
import threading
import types
import uuid
import weakref
import zoneinfo
from collections.abc import Callable
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_types, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry


def _getters(cls: type, *names: str) -> list[Callable[[Any], Any]]:
    return [snapshot_types.namespace(cls)[name].__get__ for name in names]


_DATE = _getters(dt.date, "year", "month", "day")
_CLOCK = ("hour", "minute", "second", "microsecond", "fold", "tzinfo")
_OF_DAY = _getters(dt.datetime, *_CLOCK)
_ZONE_ARGUMENTS: Callable[[Any], Any] = vars(dt.timezone)["__getinitargs__"]
_RANDOM_STATE: Callable[[Any], Any] = vars(random.Random.__mro__[1])["getstate"]
_KEY_OF: Callable[[Any], Any] = vars(weakref.KeyedRef)["key"].__get__
_TIME = _getters(dt.time, *_CLOCK)
_DELTA = _getters(dt.timedelta, "days", "seconds", "microseconds")


def _timed(walk: Walk, numbers: list[int], zone: object) -> Entry:
    fold = numbers.pop()
    fields = [".fold", 1] if fold else []
    if zone is not None:
        fields += [".tzinfo", walk.item(zone)]
    return ["T", numbers, None, fields or None]


def _datetime(walk: Walk, value: Any) -> Entry:
    *numbers, zone = [get(value) for get in _DATE + _OF_DAY]
    return _timed(walk, numbers, zone)


def _time(walk: Walk, value: Any) -> Entry:
    *numbers, zone = [get(value) for get in _TIME]
    return _timed(walk, numbers, zone)


def _date(_walk: Walk, value: Any) -> Entry:
    return ["T", [get(value) for get in _DATE]]


def _timedelta(_walk: Walk, value: Any) -> Entry:
    return ["T", [get(value) for get in _DELTA]]


def _timezone(_walk: Walk, value: dt.timezone) -> Entry:
    offset, *name = _ZONE_ARGUMENTS(value)
    return ["T", [*(get(offset) for get in _DELTA), *name]]


def _zone(_walk: Walk, value: zoneinfo.ZoneInfo) -> Entry:
    key = snapshot_types.attribute(value, "key")
    return snapshot_plans.opaque(value, "without a key") if key is None else ["v", str(key)]


def _decimal(_walk: Walk, value: Any) -> Entry:
    sign, digits, exponent = decimal.Decimal.as_tuple(value)
    if type(exponent) is int and len(digits) <= 4000:
        return ["v", decimal.Decimal.__str__(value)]
    return ["v", [sign, "".join(map(str, digits)), exponent]]


def _fraction(walk: Walk, value: Any) -> Entry:
    top, bottom = (snapshot_types.attribute(value, name) for name in ("_numerator", "_denominator"))
    return ["o", None, None, walk.fields([(".numerator", top), (".denominator", bottom)])]


def _uuid(_walk: Walk, value: Any) -> Entry:
    return ["v", f"{snapshot_types.attribute(value, 'int'):032x}"]


def _path(_walk: Walk, value: Any) -> Entry:
    return ["v", pathlib.PurePath.__str__(value)]


def _address(_walk: Walk, value: Any) -> Entry:
    kind = next(cls for cls in _ADDRESSES if snapshot_types.is_kind_of(type(value), cls))
    return ["v", kind.__str__(value)]


_ADDRESSES = (
    ipaddress.IPv4Interface,
    ipaddress.IPv6Interface,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
)


def _pattern(walk: Walk, value: re.Pattern[Any]) -> Entry:
    return ["v", None, None, walk.fields([(".pattern", value.pattern), (".flags", value.flags)])]


def _match(walk: Walk, value: re.Match[Any]) -> Entry:
    groups = range(value.re.groups + 1)
    spans = [number for group in groups for number in value.span(group)]
    pairs = [
        (".re", value.re),
        (".string", value.string),
        (".pos", value.pos),
        (".endpos", value.endpos),
        (".spans", tuple(spans)),
    ]
    return ["v", None, None, walk.fields(pairs)]


def _string_io(walk: Walk, value: Any) -> Entry:
    kind: Any = io.StringIO
    if kind.closed.__get__(value):
        return ["o", "closed"]
    text, newline, position, _ = kind.__getstate__(value)
    pairs = [(".content", text), (".newline", newline), (".position", position)]
    return ["o", None, None, walk.fields(pairs)]


def _bytes_io(walk: Walk, value: Any) -> Entry:
    kind: Any = io.BytesIO
    if kind.closed.__get__(value):
        return ["o", "closed"]
    content, position, _ = kind.__getstate__(value)
    return ["o", None, None, walk.fields([(".content", content), (".position", position)])]


def _random(walk: Walk, value: Any) -> Entry:
    if type(value) is random.SystemRandom:
        return ["o", None]
    state = _RANDOM_STATE(value)
    following = snapshot_types.attribute(value, "gauss_next")
    return ["o", None, None, walk.fields([(".state", state), (".gauss_next", following)])]


def _reference(walk: Walk, value: Any) -> Entry:
    referent = weakref.ref.__call__(value)
    if referent is None:
        return ["v", "dead"]
    fields = walk.fields([("()", referent)])
    if snapshot_types.is_kind_of(type(value), weakref.KeyedRef):
        fields += walk.fields([(".key", _KEY_OF(value))])
    return ["v", None, None, fields]


def _cell(walk: Walk, value: types.CellType) -> Entry:
    try:
        return ["o", None, None, walk.fields([(".cell_contents", value.cell_contents)])]
    except ValueError:
        return ["o", "empty"]


def _lock(_walk: Walk, value: Any) -> Entry:
    # A built-in's own; RLock tells it in no other way.
    text: str = snapshot_types.namespace(type(value))["__repr__"](value)
    return ["o", "locked" if text.startswith("<locked") else "unlocked"]


def register() -> None:
    """Makes the walk know these types."""
    inline: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (dt.datetime, _datetime),
        (dt.date, _date),
        (dt.time, _time),
        (dt.timedelta, _timedelta),
        (dt.timezone, _timezone),
        (zoneinfo.ZoneInfo, _zone),
        (decimal.Decimal, _decimal),
        (uuid.UUID, _uuid),
        (pathlib.PurePath, _path),
        *((cls, _address) for cls in _ADDRESSES),
    ]
    lines: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (fractions.Fraction, _fraction),
        (re.Pattern, _pattern),
        (re.Match, _match),
        (io.StringIO, _string_io),
        (io.BytesIO, _bytes_io),
        (random.Random, _random),
        (weakref.ref, _reference),
        (types.CellType, _cell),
        (type(threading.Lock()), _lock),
        (type(threading.RLock()), _lock),
    ]
    for cls, write in inline:
        snapshot_plans.know(cls, write, inline=True)
    for cls, write in lines:
        snapshot_plans.know(cls, write, inline=False)
