"""Gives the arguments of one call the state of another call's, in place.

What keeps results by the identity of an object, or on the object, gives what was right before. So
objects that may change are changed between two calls. Objects with a hash or a `__setattr__` of
their own are taken for ones that never change, as frozen dataclasses are.
"""

from __future__ import annotations

import collections
import copyreg
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, ordered
from steelyard.project_runs.incell.digests import digest_of

TABLES = (dict, list, set)
_MAPPINGS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_SEQUENCES = (list, bytearray, collections.deque)
_MOST_DEPTH, _MOST_ITEMS = 4, 200
"""So deep, and for so many items of each container, what is inside keeps its identity, too."""
_MOST_PAIRS, _MOST_LOOKED_AT = 24, 60
_HEAP_TYPE = 1 << 9


def spots(call: Call) -> dict[str, Any]:
    """The arguments of a call that can be changed in place, by position or name."""
    args, kwargs = call
    named = {str(place): value for place, value in enumerate(args)} | kwargs
    return {name: value for name, value in named.items() if _changes(value)}


def become(call: Call, donor: Call, before: Call) -> Call | None:
    """Another call, with what it has in common with this one in this one's own objects.

    Args:
        call: The one that was made, with the arguments as it left them.
        donor: The other one; its parts become the first one's.
        before: The first call as it came: what it lacks and `call` has was put there meanwhile,
            and stays, as attributes that hold a result would.

    Returns:
        A call that is alike the other; None where it cannot be had: a buffer may be held, a slot
        may be gone.
    """
    (args, kwargs), (others, named), (first, first_named) = call, donor, before
    change = _Change()
    try:
        made = tuple(change.make(*each, 0) for each in zip(args, others, first, strict=False))
        return made + others[len(made) :], {
            name: change.make(kwargs.get(name), value, first_named.get(name), 0)
            for name, value in named.items()
        }
    except Exception:  # an object's own checks refuse the change, or a buffer is held
        return None


def chosen_pairs(calls: Sequence[bytes], load: Callable[[bytes], Call]) -> list[tuple[int, int]]:
    """Which calls' arguments become which others': places of both, a few of all there are.

    Args:
        calls: Pickled calls.
        load: Unpickles one; what it raises leaves the call out.
    """
    groups: dict[object, list[_Looked]] = {}
    for place in range(0, len(calls), max(1, len(calls) // _MOST_LOOKED_AT)):
        with suppress(Exception):  # what cannot be loaded, or pickled again, is left as it is
            looked = _Looked(place, load(calls[place]))
            if looked.changing:
                groups.setdefault(looked.kind, []).append(looked)
    pairs = list(_spread([list(_pairs_in(group)) for group in groups.values()]))
    return sorted(pairs[:_MOST_PAIRS])


@contextmanager
def turned(tables: Sequence[Any]) -> Iterator[None]:
    """Give each key of a dict another one's value, and others another order; put all back then.

    Args:
        tables: Dicts, lists and sets that are not empty. One without other values is emptied.
    """
    kept = [copy(table) for table in tables]
    for table, was in zip(tables, kept, strict=True):
        items = ordered(was) if type(was) is set else list(was)
        values = list(was.values()) if type(was) is dict else items
        if len(set(map(id, values))) == 1:
            table.clear()
        elif type(was) is dict:
            table.update(zip(items, [*values[1:], values[0]], strict=True))
        elif type(was) is set:
            table.remove(items[0])
        else:
            table.append(table.pop(0))
    try:
        yield
    finally:
        for table, was in zip(tables, kept, strict=True):
            table.clear()
            (table.extend if type(table) is list else table.update)(was)


class _Looked:
    """What tells a call's arguments from those of another."""

    def __init__(self, place: int, call: Call) -> None:
        self.place = place
        args, kwargs = call
        held = spots(call)
        self.kind = tuple((name, type(value)) for name, value in held.items())
        pickled = [pickle.dumps(value) for value in held.values()]
        self.changing = [digest_of(data) for data in pickled]
        self.size = sum(map(len, pickled))
        named = [(str(place), value) for place, value in enumerate(args)] + list(kwargs.items())
        self.others = digest_of(pickle.dumps([each for each in named if each[0] not in held]))


def _pairs_in(group: list[_Looked]) -> Iterator[tuple[int, int]]:
    """For each call one whose arguments are others; for every second one of about the same size."""
    for at, one in enumerate(group):
        others = [two for two in (*group[at + 1 :], *group[:at]) if two.changing != one.changing]
        if not others:
            continue
        weight = at % 2
        ranks = [
            (two.others != one.others, weight * abs(two.size - one.size), place)
            for place, two in enumerate(others)
        ]
        yield one.place, others[min(ranks)[2]].place


def _spread(rows: Sequence[Sequence[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """One of each row, then another of each."""
    for at in range(max(map(len, rows), default=0)):
        yield from (row[at] for row in rows if at < len(row))


class _Change:
    """One change of a graph of objects, each of which is changed once."""

    def __init__(self) -> None:
        self._done: set[int] = set()

    def make(self, value: Any, donor: Any, before: Any, depth: int) -> Any:
        """Return the value itself if it could become the donor, else the donor."""
        kind = type(value)
        if value is donor or kind is not type(donor) or depth > _MOST_DEPTH or not _changes(value):
            return donor
        if id(value) in self._done:
            return value
        self._done.add(id(value))
        if kind in _SEQUENCES:
            items = self._items(list(value), list(donor), before, depth)
            value.clear()
            value.extend(items)
        elif kind is set:
            value.clear()
            value.update(donor)
        elif kind in _MAPPINGS:
            now = self._named(value, donor, before if type(before) is kind else {}, depth)
            value.clear()
            value.update(now)
        elif _is_array(value):
            if value.shape != donor.shape or value.dtype != donor.dtype:
                return donor
            value[...] = donor
        else:
            self._become_object(value, donor, before, depth)
        return value

    def _items(self, items: list[Any], donors: list[Any], before: Any, depth: int) -> Iterable[Any]:
        if not any(_changes(each) for each in items[:_MOST_ITEMS]):
            return donors
        was = list(before) if type(before) in _SEQUENCES else []
        for at in range(min(len(items), len(donors), _MOST_ITEMS)):
            first = was[at] if at < len(was) else None
            donors[at] = self.make(items[at], donors[at], first, depth + 1)
        return donors

    def _named(self, now: Any, donor: Any, before: Any, depth: int) -> dict[Any, Any]:
        found = dict(donor)
        for name in list(donor)[:_MOST_ITEMS]:
            if name in now:
                found[name] = self.make(now[name], donor[name], before.get(name), depth + 1)
        return found

    def _become_object(self, value: Any, donor: Any, before: Any, depth: int) -> None:
        was = _attributes(before) if type(before) is type(value) else {}
        now, then = _attributes(value), _attributes(donor)
        for name in was:
            if name in now and name not in then:
                object.__delattr__(value, name)
        for name, each in self._named(now, then, was, depth).items():
            object.__setattr__(value, name, each)


def _changes(value: object) -> bool:
    """Whether a value can be changed in place, and may be by its type's own rules."""
    kind = type(value)
    if kind in _SEQUENCES or kind in _MAPPINGS or kind is set:
        return True
    if _is_array(value):
        return bool(value.flags.writeable) and not value.dtype.hasobject  # type: ignore[attr-defined]
    return (
        next(each for each in kind.__mro__ if not each.__flags__ & _HEAP_TYPE) is object
        and kind.__setattr__ is object.__setattr__
        and kind.__hash__ in (object.__hash__, None)
        and bool(_attributes(value))
    )


def _is_array(value: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is getattr(numpy, "ndarray", None)


def _attributes(value: object) -> dict[str, Any]:
    """What an object holds by name, in its dictionary and its slots."""
    try:
        held = dict(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        held = {}
    for name in copyreg._slotnames(type(value)):  # type: ignore[attr-defined]
        try:
            held[name] = object.__getattribute__(value, name)
        except AttributeError:
            continue
    return held
