"""What a type is and what its instances hold, found without running any code of theirs.

A class can lie: a metaclass with its own `__eq__`, a `__class__` or `__dict__` property, a
`__getattribute__` that raises. So everything is read through the descriptors of `type` and
`object` themselves, and types are told apart by `id`.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

_TYPE = type.__dict__
_MRO = _TYPE["__mro__"].__get__
_QUALNAME = _TYPE["__qualname__"].__get__
_MODULE = _TYPE["__module__"].__get__
_BASES = _TYPE["__bases__"].__get__
_NAMESPACE = _TYPE["__dict__"].__get__
_BASIC_SIZE = _TYPE["__basicsize__"].__get__
_ITEM_SIZE = _TYPE["__itemsize__"].__get__
_DICT_OFFSET = _TYPE["__dictoffset__"].__get__
_WEAKREF_OFFSET = _TYPE["__weakrefoffset__"].__get__
_MODULE_NAMES: Any = vars(types.ModuleType)["__dict__"].__get__
_POINTER = tuple.__itemsize__

_OF_ANY_CLASS = frozenset(
    {
        "__dict__",
        "__weakref__",
        "__module__",
        "__qualname__",
        "__doc__",
        "__annotations__",
        "__firstlineno__",
        "__static_attributes__",
        "__orig_bases__",
        "__parameters__",
    }
)
"""What Python itself puts into a class."""
_NOT_STATE = frozenset({"_sa_instance_state", "_attrs_cached_hash", "__weakref__"})
"""What libraries keep in an instance beside its state: sessions, cached hashes."""


class HiddenError(Exception):
    """The state of an object cannot be seen; the message says why."""


def mro(cls: type) -> tuple[type, ...]:
    """The classes that a class inherits from, itself first."""
    found: tuple[type, ...] = _MRO(cls)
    return found


def is_kind_of(cls: type, base: type) -> bool:
    """Whether a class inherits from another, whatever its metaclass says."""
    return any(one is base for one in _MRO(cls))


def namespace(cls: type) -> Any:
    """What stands in the class's own body."""
    return _NAMESPACE(cls)


def name_of(cls: type) -> str:
    """Module and qualified name; built-in types without the module."""
    try:
        module, name = _MODULE(cls), _QUALNAME(cls)
    except Exception:  # a class may have deleted its names
        return "?"
    if type(module) is not str or type(name) is not str:
        return "?"
    return name if module == "builtins" else f"{module}.{name}"


def bases(cls: type) -> tuple[type, ...]:
    """What the class is made of."""
    found: tuple[type, ...] = _BASES(cls)
    return found


def members(cls: type) -> list[tuple[str, object]]:
    """What the class itself holds, by name, less what says where it comes from."""
    held = [(name, value) for name, value in _NAMESPACE(cls).items() if type(name) is str]
    return sorted(
        (pair for pair in held if pair[0] not in _OF_ANY_CLASS), key=operator.itemgetter(0)
    )


def found_by_name(cls: type) -> bool:
    """Whether the class stands where its name says."""
    module, _, name = name_of(cls).rpartition(".")
    try:
        names = _MODULE_NAMES(sys.modules.get(module))
    except TypeError:
        return False
    return names.get(name) is cls


class Layout:
    """Where the instances of one class keep their state.

    Attributes:
        empty: they can have none.
        hidden: they hold more than their attributes, in C.
    """

    __slots__ = ("_dict", "_ignored", "_no_dict", "_public", "_slots", "empty", "hidden")

    def __init__(self, cls: type, base: type = object, *, whole: bool = False) -> None:
        """The layout of what a class adds to a base whose own content is known.

        Where the base has a dictionary for itself, what is private in it is left to the base,
        unless the whole dictionary is asked for.
        """
        self._slots: list[tuple[str, Callable[[object], object]]] = []
        ignored = set(_NOT_STATE)
        names: set[str] = set()
        own_slots = 0
        known = {id(one) for one in _MRO(base)}
        for one in _MRO(cls):
            if id(one) in known:
                continue
            for name, value in list(_NAMESPACE(one).items()):
                kind = type(value)
                if kind is types.MemberDescriptorType and name != "__dict__":
                    own_slots += 1
                    label = name if name not in names else f"{name} of {name_of(one)}"
                    names.add(name)
                    self._slots.append((label, value.__get__))
                elif kind is functools.cached_property:
                    ignored.add(name)
        self._public = not whole and bool(_DICT_OFFSET(base))
        self._dict, self._no_dict = _dictionary(cls)
        self._ignored = frozenset(ignored)
        self.empty = not (self._slots or self._dict or self._no_dict)
        size = _BASIC_SIZE(base) + _POINTER * own_slots
        if _DICT_OFFSET(cls) > 0 >= _DICT_OFFSET(base):
            size += _POINTER
        if _WEAKREF_OFFSET(cls) > 0 >= _WEAKREF_OFFSET(base):
            size += _POINTER
        self.hidden = _BASIC_SIZE(cls) > size or _ITEM_SIZE(cls) != _ITEM_SIZE(base)

    def state(self, value: object) -> list[tuple[str, object]]:
        """The attributes of one instance, by name.

        Raises:
            HiddenError: where they cannot be seen.
        """
        if self._no_dict:
            raise HiddenError("its __dict__ is hidden")
        found: list[tuple[str, object]] = []
        for name, get in self._slots:
            if name not in self._ignored:
                try:
                    found.append((f".{name}", get(value)))
                except AttributeError:
                    continue
        if self._dict is not None:
            try:
                attributes = self._dict(value)
            except AttributeError:
                attributes = None
            if attributes:
                found += self._of_dict(attributes)
        found.sort(key=_label)
        return found

    def _of_dict(self, attributes: Any) -> list[tuple[str, object]]:
        items = list(dict.items(attributes))
        if any(type(name) is not str for name, _ in items):
            return [(".__dict__", dict(items))] if _plain_keys(items) else [(".__dict__", items)]
        return [
            (f".{name}", value)
            for name, value in items
            # What a known base keeps in the same dictionary is written with the base.
            if name not in self._ignored and not (self._public and name.startswith("_"))
        ]


def _dictionary(cls: type) -> tuple[Callable[[object], object] | None, bool]:
    """The way to the dictionary of the class's instances, and whether it is there but hidden."""
    if not _DICT_OFFSET(cls):
        return None, False
    for one in _MRO(cls):
        found = _NAMESPACE(one).get("__dict__")
        if type(found) in (types.GetSetDescriptorType, types.MemberDescriptorType):
            return found.__get__, False
    return None, True


def _plain_keys(items: list[tuple[object, object]]) -> bool:
    """Whether a dictionary of them can be made without running their `__hash__`."""
    return all(type(key) in (str, int, float, bool, type(None)) for key, _ in items)


def _label(pair: tuple[str, object]) -> str:
    return pair[0]


def frozen(cls: type) -> bool:
    """Whether instances say that they never change, so that sharing one means nothing."""
    for one in _MRO(cls):
        body = _NAMESPACE(one)
        params = body.get("__dataclass_params__")
        if params is not None:
            return getattr(params, "frozen", False) is True
        config = body.get("model_config")
        if type(config) is dict and config.get("frozen") is True:
            return True
        setter = body.get("__setattr__")
        if type(setter) is types.FunctionType and setter.__name__ == "_frozen_setattrs":
            return True
    return False


def python_method(cls: type, *names: str) -> bool:
    """Whether one of these methods is written in Python, so that calling it runs their code."""
    for name in names:
        for one in _MRO(cls):
            found = _NAMESPACE(one).get(name)
            if found is not None:
                if not isinstance(found, _C_METHODS):
                    return True
                break
    return False


_C_METHODS = (
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    staticmethod,
)


def attribute(value: object, name: str) -> Any:
    """An attribute without the class's own `__getattr__` or `__getattribute__`; None if none."""
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return None
