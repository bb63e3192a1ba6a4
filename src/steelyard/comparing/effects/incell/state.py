"""Run in a cell: the data that the project's own modules and classes hold, and how calls change it.

A look costs some microseconds for each name: plain data is written by `marshal` to see whether it
changed, and only what did becomes a snapshot. What is large is not watched.
"""

from __future__ import annotations

import collections
import gc
import marshal
import operator
import sys
import types
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

from steelyard.project_runs.incell.project import PLACE, belongs
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import each_once, plain_bytes

PREFIX = "module state "
"""Begins a root of a snapshot; `pkg.module.NAME` follows."""
_ATOMS = (bool, int, float, complex, str, bytes, type(None))
_PLAIN = (*_ATOMS, list, dict, set, bytearray, tuple, frozenset)
_COLLECTIONS = (
    ContextVar,
    collections.deque,
    collections.defaultdict,
    collections.Counter,
    collections.OrderedDict,
)
_NO_DATA = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    types.MethodType,
    property,
    classmethod,
    staticmethod,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
)
_MOST_ITEMS, _MOST_BYTES, _MOST_OBJECTS = 2_000, 16 << 10, 500
_MOST_NAMES, _MOST_PLACES = 2_000, 5_000
_FIXED = (tuple, frozenset)
_Place = tuple[str, Any, str]
"""A module or class of the project: its path, itself, and the name of its module."""


class _Seen(NamedTuple):
    """A name as it was found."""

    value: object
    form: bytes | None
    """Changes with the value: a snapshot, or bytes of `plain_bytes`; None if it is not watched."""
    is_plain: bool
    is_constant: bool
    """Whether the value can never change."""


class State:
    """The data that the project's modules and classes hold, except tests' modules."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, _Seen]] = {}
        """By place and name."""
        self._still: dict[str, list[object]] = {}
        """What the names of a place hold if none of it can change."""
        self._places: list[_Place] = []
        self._count, self._left = -1, _MOST_NAMES

    def look(self) -> dict[str, tuple[bytes, bytes]]:
        """Return by name what it held at the last look and what it holds, as snapshots.

        Returns:
            Only names that have changed. What a module held when it was first seen is not a change.
        """
        if len(sys.modules) != self._count:
            self._count = len(sys.modules)
            self._places = list(_places())
            gone = self._seen.keys() - {place for place, _, _ in self._places}
            self._places += [(place, types.ModuleType(place), place) for place in gone]
        changed: dict[str, tuple[_Seen | None, _Seen | None]] = {}
        for place, holder, _ in self._places:
            names = dict(_names_of(holder))
            still = self._still.get(place, ())
            if len(still) == len(names) and all(map(operator.is_, still, names.values())):
                continue
            known = self._seen.get(place)
            before, now = known or {}, self._found_in(place, names, known or {})
            for name in {**before, **now} if known is not None else ():
                if _differs(before.get(name), now.get(name)):
                    changed[f"{place}.{name}"] = before.get(name), now.get(name)
            self._seen[place] = now
            self._still.pop(place, None)
            if all(seen.form is None or seen.is_constant for seen in now.values()):
                self._still[place] = list(names.values())
        documents = {
            path: (_document(path, was), _document(path, seen))
            for path, (was, seen) in changed.items()
        }
        return {path: (was, held) for path, (was, held) in documents.items() if was != held}

    def _found_in(
        self, place: str, names: dict[str, object], before: dict[str, _Seen]
    ) -> dict[str, _Seen]:
        found = {}
        for name, value in names.items():
            # `__dict__`, or an enum's `_member_map_`, is machinery.
            if type(name) is not str or not name.isidentifier() or name[0] == name[-1] == "_":
                continue
            seen = before.get(name)
            if seen is None and self._left <= 0:
                continue
            self._left -= seen is None
            if seen is None or seen.value is not value or not seen.is_constant:
                seen = _found(f"{place}.{name}", value)
            found[name] = seen
        return found

    def names(self) -> list[str]:
        """Those that are watched."""
        return [
            f"{place}.{name}"
            for place, held in self._seen.items()
            for name, seen in held.items()
            if seen.form is not None
        ]


def _differs(was: _Seen | None, now: _Seen | None) -> bool:
    return now is None or (now.form is not None and (was is None or was.form != now.form))


def _places() -> Iterator[_Place]:
    """The own modules and their own classes: each once, however they name each other."""
    # Not `isinstance`, which asks a weak proxy that may be dead.
    modules = [
        (name, module, name)
        for name, module in list(sys.modules.items())
        if name != "__main__"
        and issubclass(type(module), types.ModuleType)
        and belongs(module)
        and not _is_of_tests(module)
    ]
    return each_once(modules, _classes_in, most=_MOST_PLACES, key=lambda place: id(place[1]))


def _classes_in(place: _Place) -> list[_Place]:
    """The classes of a module that a place refers to."""
    path, holder, module = place
    return [
        (f"{path}.{type.__dict__['__name__'].__get__(held)}", held, module)
        for held in list(_names_of(holder).values())
        if issubclass(type(held), type) and type.__dict__["__module__"].__get__(held) == module
    ]


def _names_of(holder: Any) -> Any:
    kind: Any = type if issubclass(type(holder), type) else types.ModuleType
    return kind.__dict__["__dict__"].__get__(holder)


def _is_of_tests(module: types.ModuleType) -> bool:
    path = str(getattr(module, "__file__", None) or "").removeprefix(f"{PLACE}/")
    *folders, file = path.split("/")
    stem = file.removesuffix(".py")
    return (
        stem.startswith("test_")
        or stem.endswith("_test")
        or stem == "conftest"
        or bool({"tests", "test"} & set(folders))
    )


def _found(path: str, value: Any) -> _Seen:
    """Return a name as it is; without a form if it holds no data, or too much to be watched."""
    kind, form = type(value), None
    if kind in _PLAIN:
        is_data = kind in _ATOMS or len(value) <= _MOST_ITEMS
        form = plain_bytes(value, most=_MOST_BYTES) if is_data else None
    else:
        is_data = kind in _COLLECTIONS or _is_own(kind)
    is_plain = form is not None
    if is_data and form is None and _is_small(value):
        form = snapshot({f"{PREFIX}{path}": value.get(None) if kind is ContextVar else value})
    if form is not None and len(form) > _MOST_BYTES:
        form = None
    return _Seen(value, form, is_plain, form is None or (is_plain and _is_constant(value)))


def _is_constant(value: Any) -> bool:
    parts = each_once([value], lambda each: each if type(each) in _FIXED else (), most=_MOST_BYTES)
    return all(type(each) in (*_ATOMS, *_FIXED) for each in parts)


def _is_own(kind: type) -> bool:
    module = sys.modules.get(str(type.__dict__["__module__"].__get__(kind)))
    return module is not None and belongs(module)


def _is_small(value: object) -> bool:
    """Return if few objects can be reached from a value; nothing of theirs is run."""
    parts = each_once(
        [value],
        lambda each: [one for one in gc.get_referents(each) if not issubclass(type(one), _NO_DATA)],
        most=_MOST_OBJECTS + 1,
    )
    return sum(1 for _ in parts) <= _MOST_OBJECTS


def _document(path: str, seen: _Seen | None) -> bytes:
    """Return what a name held, as a snapshot; an empty one if there was no such name."""
    if seen is not None and seen.form is not None and not seen.is_plain:
        return seen.form
    value = marshal.loads(seen.form) if seen and seen.form else None  # noqa: S302 - written here
    return snapshot({} if seen is None else {f"{PREFIX}{path}": value})
