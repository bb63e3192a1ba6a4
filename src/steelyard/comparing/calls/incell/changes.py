"""Calls near to recorded ones: with one part changed, or a few, or several that hang together.

A change of one part never makes two records equal in one field and different in the others; a
value of one argument that turns up in another one, a limit that is met, is hit upon by chance
only. So there are changes of several parts, too.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.comparing.calls.incell.near import Source, edited, inexact, is_record, near
from steelyard.comparing.calls.incell.parts import (
    Call,
    Path,
    at,
    build_of,
    copied,
    parts,
    places,
    put,
    rebuilt,
)

_MOST_PLACES, _ENDS = 300, 4
"""Of a call so many places are changed; of a long container the first and the last few parts."""
_COUNTS = (1, 1, 1, 1, 2, 3)
"""How many changes a call gets."""
_MOST_TIED, _MOST_REDRAWN = 64, 64
_LONGEST = 4_000
_JOINED = (list, dict, set, frozenset, deque, str, bytes)

Places = list[tuple[Path, Any]]


Method = tuple[type, str, tuple[object, ...], dict[str, object]]
"""A class, the name of one of its methods, and what it is called with."""


class Changes:
    """Recorded calls, to be changed.

    Args:
        calls: Small ones of the function; those that cannot be copied are passed over.
        methods: Calls of methods of its arguments.
        source: What the function's source points to.
    """

    def __init__(self, calls: Sequence[Call], methods: Sequence[Method], source: Source) -> None:
        self._source = source
        self._methods: dict[type, list[tuple[str, Call]]] = {}
        for kind, name, args, kwargs in methods:
            self._methods.setdefault(kind, []).append((name, (args, kwargs)))
        self._calls = [call for call in map(copied, calls) if call is not None]
        self._places = [self._places_in(call) for call in self._calls]

    def __bool__(self) -> bool:
        """Return whether there are calls to change."""
        return any(self._places)

    def draw(self, rng: random.Random) -> Call:
        """Return a changed call, which may share objects with others.

        Types are kept. Objects are changed through their class's own checks (dataclasses, attrs,
        pydantic), and those with private fields by calls of their methods.

        Args:
            rng: Picks all of it.
        """
        call = rng.choice(self._calls)
        for _ in range(rng.choice(_COUNTS)):
            for way in rng.sample(_WAYS, len(_WAYS)):
                try:
                    changed = way(self, call, rng)
                except Exception:  # noqa: S112 - an object's checks or methods refuse a value
                    continue
                if changed is not None:
                    call = changed
                    break
        return call

    def _places_in(self, call: Call) -> Places:
        """The places that are changed: nothing inside an object that only its methods change."""
        found = places(call, most=_MOST_PLACES, ends=_ENDS)
        closed = {path for path, value in found if self._is_closed(value)}
        return [
            (path, value)
            for path, value in found
            if not _names_a_field(path, value)
            and not any(path[:end] in closed for end in range(1, len(path)))
        ]

    def _is_closed(self, value: object) -> bool:
        held = getattr(value, "__dict__", {}) if type(value) in self._methods else {}
        return any(name.startswith("_") for name in held)

    def _one(self, call: Call, rng: random.Random) -> Call | None:
        """One part becomes one like it; each level of the arguments has its share.

        Deeper levels have two: there is most to change in what the arguments hold.
        """
        found = self._places_in(call)
        if not found:
            return None
        depths = sorted({len(path) for path, _ in found})
        depth = rng.choice([*depths, *depths[1:]])
        path, value = rng.choice([place for place in found if len(place[0]) == depth])
        if self._is_closed(value):
            return put(call, path, self._used(value, rng))
        made = list(near(value, self._source, rng))
        return put(call, path, made[int(len(made) * rng.random() ** 2)]) if made else None

    def _used(self, value: Any, rng: random.Random) -> Any:
        """A copy of an object after some calls like those in tests, with other arguments."""
        made = copy.deepcopy(value)
        for _ in range(rng.choice(_COUNTS)):
            name, given = rng.choice(self._methods[type(value)])
            way = rng.choice((self._one, self._doubled, None))
            args, kwargs = (way and way(given, rng)) or given
            getattr(made, name)(*args, **kwargs)
        return made

    def _doubled(self, call: Call, rng: random.Random) -> Call | None:
        """A part's value also in another place of its type, or joined to it."""
        own = self._places_in(call)
        return _with_value_of(own, call, own, rng)

    def _moved(self, call: Call, rng: random.Random) -> Call | None:
        """As `_doubled`, with a value of any call."""
        return _with_value_of(rng.choice(self._places), call, self._places_in(call), rng)

    def _without(self, call: Call, rng: random.Random) -> Call | None:
        """The call without one of its keyword arguments."""
        args, kwargs = call
        gone = rng.choice(list(kwargs)) if kwargs else ""
        return (args, {name: kwargs[name] for name in kwargs if name != gone}) if gone else None

    def _redrawn(self, call: Call, rng: random.Random) -> Call | None:
        """All numbers or texts of one type anew, each near to the old one.

        Floating numbers get digits that their sums and products have to round.
        """
        plain = [
            (path, value)
            for path, value in self._places_in(call)
            if type(value) in (int, float, str) and _keeps_its_place(path)
        ]
        if len(plain) < 2:
            return None
        kind = type(rng.choice(plain)[1])
        for path, value in plain[:_MOST_REDRAWN]:
            if type(value) is kind:
                call = put(call, path, _anew(value, rng))
        return call

    def _tied(self, call: Call, rng: random.Random) -> Call | None:
        """Elements of one container agree in one part and differ in the others.

        One part of an element (an item, a field, a key's value, or that of such a part) is copied
        to the same place in one other element, or in all. The elements come as they were,
        reversed or shuffled: what a function does with ties shows in some orders only.
        """
        groups = [
            (path, value, columns)
            for path, value in self._places_in(call)
            if path[-1][0] not in ("key", "element") and (columns := _columns(value))
        ]
        if not groups:
            return None
        path, value, columns = rng.choice(groups)
        is_dict = isinstance(value, dict)
        elements = _with_ties(_elements(value), rng.choice(columns), rng)
        items = list(zip(value, elements, strict=True)) if is_dict else elements
        order = rng.choice((items, items[::-1], rng.sample(items, len(items))))
        return put(call, path, rebuilt(value, order))


_WAYS: tuple[Callable[[Changes, Call, random.Random], Call | None], ...] = (
    *[Changes._one] * 6,
    *[Changes._moved] * 2,
    *[Changes._doubled] * 2,
    Changes._without,
    Changes._redrawn,
    *[Changes._tied] * 2,
)


def _names_a_field(path: Path, value: object) -> bool:
    """Whether a value is a key of a record: with another one the record is only incomplete."""
    inside = len(path) > 2 and path[-1][0] == "key"
    return inside and isinstance(value, str) and value.isidentifier()


def _keeps_its_place(path: Path) -> bool:
    """Whether a value can change without a change of where others are."""
    return not {"key", "element"} & {kind for kind, _ in path}


def _with_value_of(source: Places, call: Call, own: Places, rng: random.Random) -> Call | None:
    _, value = rng.choice(source)
    fitting = [place for place in own if _takes(place[1], value)]
    if not fitting:
        return None
    path, old = rng.choice(fitting)
    if isinstance(old, _JOINED) and len(old) + len(value) <= _LONGEST and rng.random() < 0.5:
        value = _joined(old, value, rng)
    return put(call, path, value)


def _takes(old: object, value: object) -> bool:
    """Whether a value is of the kind of an old one, and its first part too: rows are no tables."""
    if build_of(old) != build_of(value):
        return False
    one, two = parts(old, ends=1), parts(value, ends=1)
    return not (one and two) or build_of(one[0][1]) == build_of(two[0][1])


def _joined(old: Any, value: Any, rng: random.Random) -> Any:
    if isinstance(old, dict):
        return rebuilt(old, [*old.items(), *value.items()])
    start = rng.choice((0, len(old), len(old) // 2))
    if isinstance(old, (str, bytes)):
        return old[:start] + value + old[start:]
    items = list(old)
    return rebuilt(old, [*items[:start], *value, *items[start:]])


def _anew(value: Any, rng: random.Random) -> Any:
    if isinstance(value, str):
        return edited(value, rng) if value else value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 0, 1, 2))
    return inexact(value, rng)


def _elements(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _columns(value: object) -> list[Path]:
    """The places that all elements of a container have, as paths from an element on."""
    if not isinstance(value, (list, tuple, deque, dict)) or len(value) < 2 or is_record(value):
        return []
    elements = _elements(value)[:_MOST_TIED]
    first, *others = [_inside(element) for element in elements]
    shared = set(first).intersection(*others)
    # Whole elements that are equal: for a dict, keys with the same value.
    return [path for path in first if path in shared] or [()]


def _inside(element: object) -> list[Path]:
    """Where parts of an element are, and theirs, but for keys and elements of sets."""
    found = places(((element,), {}), most=_MOST_PLACES, ends=_ENDS)
    return [path for path, _ in found if 1 < len(path) <= 3 and _keeps_its_place(path)]


def _with_ties(elements: list[Any], column: Path, rng: random.Random) -> list[Any]:
    source, target = rng.sample(range(len(elements)), 2)
    targets = range(min(len(elements), _MOST_TIED)) if rng.random() < 0.5 else (target,)
    part = at(((elements[source],), {}), column) if column else elements[source]
    for i in targets:
        elements[i] = put(((elements[i],), {}), column, part)[0][0] if column else part
    return elements
