"""Run in a cell: the data that the project's own modules and classes hold, and how calls change it.

A look costs some microseconds for each name: plain data is written by `marshal` to see whether it
changed, and only what did becomes a snapshot. What is large is not watched.
"""

from __future__ import annotations

import collections
import gc
import marshal
import sys
import types
from collections.abc import Iterator, Mapping
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
_MOST_NAMES, _MOST_CLASSES = 2_000, 2_000
_OF_SNAPSHOTS = b'{"format"'


class _Seen(NamedTuple):
    """A name as it was found."""

    value: object
    form: bytes | None
    """Changes with the value: a snapshot, or bytes of `plain_bytes`; None if it is not watched."""


class State:
    """The data that the project's modules and classes hold, except tests' modules."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._told: set[str] = set()
        self._places: list[tuple[str, Mapping[str, Any]]] = []
        self._known_places: set[str] = set()
        self._count = -1

    def look(self) -> dict[str, bytes]:
        """Return what has changed since the last look, as snapshots.

        Returns:
            By `state:NAME` what a name holds, and once by `was:NAME` what it held. What a module
            held when it was first seen is not a change.
        """
        found: dict[str, bytes] = {}
        if len(sys.modules) != self._count:
            self._count = len(sys.modules)
            self._places = list(_places())
        here = set()
        for place, names in self._places:
            known = place in self._known_places
            for name, value in list(names.items()):
                if type(name) is not str or not name.isidentifier() or _is_machinery(name):
                    continue
                path = f"{place}.{name}"
                here.add(path)
                self._look_at(path, value, found if known else None)
            self._known_places.add(place)
        for path in self._seen.keys() - here:
            self._change(path, self._seen.pop(path), None, found)
        return found

    def names(self) -> list[str]:
        """Those that are watched."""
        return [path for path, seen in self._seen.items() if seen.form is not None]

    def _look_at(self, path: str, value: object, found: dict[str, bytes] | None) -> None:
        seen = self._seen.get(path)
        if seen is not None and seen.value is value:
            if seen.form is None or _is_constant(seen):
                return
        elif len(self._seen) >= _MOST_NAMES:
            return
        now = _Seen(value, _form_of(value))
        self._seen[path] = now
        if found is not None and not (seen is not None and seen.form == now.form):
            self._change(path, seen, now, found)

    def _change(
        self, path: str, was: _Seen | None, now: _Seen | None, found: dict[str, bytes]
    ) -> None:
        one, two = _document(path, was), _document(path, now)
        if one == two or (now is not None and now.form is None):
            return
        if path not in self._told:
            self._told.add(path)
            found[f"was:{path}"] = one
        found[f"state:{path}"] = two


def _places() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The own modules and their own classes, each with its names."""
    modules: list[tuple[str, Any]] = list(sys.modules.items())
    for name, module in modules:
        # Not `isinstance`, which asks a weak proxy that may be dead.
        if name == "__main__" or not issubclass(type(module), types.ModuleType):
            continue
        if not belongs(module) or _is_of_tests(module):
            continue
        yield name, vars(module)
        for place, held in _classes_of(name, vars(module)):
            yield place, _names_of(held)


def _classes_of(module: str, names: Mapping[str, Any]) -> Iterator[tuple[str, type]]:
    """A module's own classes, and those that these hold: each once, however they name each other.

    Args:
        module: Its name.
        names: What it holds.
    """

    def inner(found: tuple[str, type]) -> list[tuple[str, type]]:
        place, held = found
        return _classes_in(place, _names_of(held), module)

    tops = _classes_in(module, names, module)
    return each_once(tops, inner, most=_MOST_CLASSES, key=lambda found: id(found[1]))


def _classes_in(place: str, names: Mapping[str, Any], module: str) -> list[tuple[str, type]]:
    """The classes of a module that some names refer to, each with its place."""
    return [
        (f"{place}.{type.__dict__['__name__'].__get__(held)}", held)
        for held in list(names.values())
        if issubclass(type(held), type) and type.__dict__["__module__"].__get__(held) == module
    ]


def _names_of(held: type) -> Mapping[str, Any]:
    names: Mapping[str, Any] = type.__dict__["__dict__"].__get__(held)
    return names


def _is_machinery(name: str) -> bool:
    """Such as `__dict__`, or an enum's `_member_map_`."""
    return name.startswith("_") and name.endswith("_")


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


def _form_of(value: Any) -> bytes | None:
    """Return bytes that change with a value; None if it is not data, or too large to be watched."""
    kind, form = type(value), None
    if kind in _PLAIN:
        if kind not in _ATOMS and len(value) > _MOST_ITEMS:
            return None
        form = plain_bytes(value, most=_MOST_BYTES)
    elif kind not in _COLLECTIONS and not _is_own(kind):
        return None
    if form is None and _is_small(value):
        form = snapshot({"": value.get(None) if kind is ContextVar else value})
    return form if form is not None and len(form) <= _MOST_BYTES else None


def _is_constant(seen: _Seen) -> bool:
    """Return if the value can never change."""
    if type(seen.value) in _ATOMS:
        return True
    try:
        return type(seen.value) in (tuple, frozenset) and _is_plain(seen) and bool(hash(seen.value))
    except TypeError:
        return False


def _is_plain(seen: _Seen) -> bool:
    return seen.form is not None and not seen.form.startswith(_OF_SNAPSHOTS)


def _is_own(kind: type) -> bool:
    module = sys.modules.get(str(type.__dict__["__module__"].__get__(kind)))
    return module is not None and belongs(module)


def _is_small(value: object) -> bool:
    """Return if few objects can be reached from a value; nothing of theirs is run."""

    def inner(each: object) -> list[object]:
        return [one for one in gc.get_referents(each) if not issubclass(type(one), _NO_DATA)]

    return sum(1 for _ in each_once([value], inner, most=_MOST_OBJECTS + 1)) <= _MOST_OBJECTS


def _document(path: str, seen: _Seen | None) -> bytes:
    """Return what a name held, as a snapshot; an empty one if there was no such name."""
    root = f"{PREFIX}{path}"
    if seen is None or seen.form is None:
        return snapshot({root: None} if seen else {})
    if _is_plain(seen):
        return snapshot({root: marshal.loads(seen.form)})  # noqa: S302 - written a moment ago, here
    return seen.form.replace(b'"roots":["",', f'"roots":["{root}",'.encode(), 1)
