"""Functions, methods, classes and modules in a snapshot: by name where that tells all."""

from __future__ import annotations

import functools
import os
import types
import typing
from collections.abc import Callable
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_types, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
Handler = snapshot_plans.Handler
_OWN_FILES = os.path.abspath(f"{__file__}/../../..") + os.sep
"""The package's folder: its wrappers record a project's functions."""


def _class(walk: Walk, value: type) -> Entry:
    """By its name; one that was made in a function also by all that it holds."""
    name = snapshot_types.name_of(value)
    if "<locals>" not in name:
        return ["v", name]
    pairs: list[tuple[str, object]] = [(".<bases>", snapshot_types.bases(value))]
    pairs += [(f".{key}", held) for key, held in snapshot_types.members(value)]
    return ["v", name, None, walk.fields(pairs)]


def _metaclassed(cls: type) -> tuple[Handler, bool] | None:
    return (_class, False) if snapshot_types.is_kind_of(cls, type) else None


def _function(walk: Walk, value: types.FunctionType) -> Entry:
    if value.__code__.co_filename.startswith(_OWN_FILES):
        wrapped = value.__dict__.get("__wrapped__")
        if wrapped is not None:  # what records the calls of a function is no data of the project
            return walk.entry(wrapped)
    name = f"{value.__module__}.{value.__qualname__}"
    made_here = value.__closure__ is not None or "<" in value.__qualname__
    if not made_here:
        return ["v", name]
    pairs: list[tuple[str, object]] = [(".__code__", value.__code__)]
    if value.__defaults__ is not None:
        pairs.append((".__defaults__", value.__defaults__))
    if value.__kwdefaults__ is not None:
        pairs.append((".__kwdefaults__", value.__kwdefaults__))
    for cell_name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=False):
        pairs.append((f".<closure>.{cell_name}", cell))
    return ["v", name, None, walk.fields(pairs)]


def _code(walk: Walk, value: types.CodeType) -> Entry:
    """Code that differs is another text, which may do the same."""
    body = [
        value.co_code.hex(),
        value.co_flags,
        value.co_argcount,
        value.co_posonlyargcount,
        value.co_kwonlyargcount,
        *map(list, (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)),
    ]
    return ["C", body, None, walk.fields([(".co_consts", value.co_consts)])]


def _method(walk: Walk, value: types.MethodType) -> Entry:
    pairs = [(".__func__", value.__func__), (".__self__", value.__self__)]
    return ["v", None, None, walk.fields(pairs)]


def _builtin(walk: Walk, value: types.BuiltinFunctionType) -> Entry:
    owner = value.__self__
    if owner is None or type(owner) is types.ModuleType:
        return ["v", f"{value.__module__}.{value.__qualname__}"]
    return ["v", value.__name__, None, walk.fields([(".__self__", owner)])]


def _descriptor(_walk: Walk, value: Any) -> Entry:
    return ["v", f"{snapshot_types.name_of(value.__objclass__)}.{value.__name__}"]


def _wrapping(walk: Walk, value: Any) -> Entry:
    return ["v", None, None, walk.fields([(".__func__", value.__func__)])]


def _property(walk: Walk, value: Any) -> Entry:
    parts = [(f".{name}", property.__dict__[name].__get__(value)) for name in _ACCESSORS]
    return ["v", None, None, walk.fields(pair for pair in parts if pair[1] is not None)]


_ACCESSORS = ("fget", "fset", "fdel")


def _partial(walk: Walk, value: Any) -> Entry:
    names = ("func", "args", "keywords")
    parts = [functools.partial.__dict__[name].__get__(value) for name in names]
    pairs = [(f".{name}", part) for name, part in zip(names, parts, strict=True)]
    return ["v", None, None, walk.fields(pairs)]


def _cached(walk: Walk, value: Any) -> Entry:
    wrapped = snapshot_types.attribute(value, "__wrapped__")
    return ["v", None, None, walk.fields([(".__wrapped__", wrapped)])]


def _module(_walk: Walk, value: types.ModuleType) -> Entry:
    names: Any = vars(types.ModuleType)["__dict__"].__get__(value)
    return ["v", str.__str__(names["__name__"])]


def _alias(walk: Walk, value: Any) -> Entry:
    pairs = [(".__origin__", value.__origin__), (".__args__", value.__args__)]
    return ["v", None, None, walk.fields(pairs)]


def _union(walk: Walk, value: Any) -> Entry:
    """By its members in no order: `int | str` equals `str | int`."""
    return ["v", None, None, [".__args__", ["f", walk.ordered(list(value.__args__))]]]


def register() -> None:
    """Makes the walk know these types."""
    snapshot_plans.FIRST.append(_metaclassed)
    lines: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (types.FunctionType, _function),
        (types.CodeType, _code),
        (types.MethodType, _method),
        (types.BuiltinFunctionType, _builtin),
        (staticmethod, _wrapping),
        (classmethod, _wrapping),
        (property, _property),
        (functools.partial, _partial),
        (types.GenericAlias, _alias),
        (types.UnionType, _union),
        (type(typing.Union[int, str]), _union),  # noqa: UP007 - a type of its own until 3.14
        (type(functools.lru_cache(len)), _cached),
        (types.MethodWrapperType, _bound_wrapper),
    ]
    for cls, write in lines:
        snapshot_plans.know(cls, write, inline=False)
    named = (
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
        types.ClassMethodDescriptorType,
    )
    for cls in named:
        snapshot_plans.know(cls, _descriptor, inline=True)
    snapshot_plans.know(types.ModuleType, _module, inline=True)


def _bound_wrapper(walk: Walk, value: Any) -> Entry:
    return ["v", value.__name__, None, walk.fields([(".__self__", value.__self__)])]
