"""Puts a watched function in the place of the one that a module defines, as it is loaded."""

from __future__ import annotations

import collections
import contextlib
import functools
import gc
import importlib.abc
import importlib.machinery
import os
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

Wrap = Callable[[Any], Any]
SETTER = ".setter"
_TABLES = (dict, list, collections.defaultdict, types.CellType)
_OF_CONTEXTS = tuple(
    vars(contextlib)[name](lambda: None).__code__
    for name in ("contextmanager", "asynccontextmanager")
)
"""The code that all functions of these decorators share."""


class MissingFunctionError(Exception):
    """The module does not hold the function."""


def watch(path: str, qualname: str, wrap: Wrap, docstring: str = "") -> None:
    """Has the function wrapped as soon as its module has been executed, under whatever name.

    So every other module that takes it by `from ... import` gets the wrapped one.

    Args:
        path: The module's file, absolute.
        qualname: The function in it.
        wrap: Gives what takes its place.
        docstring: The original's. A candidate without one gets it, as it may hold tests.
    """

    def documented(function: Any) -> Any:
        wrapped = wrap(function)
        if docstring and wrapped.__doc__ is None:
            wrapped.__doc__ = docstring
        return wrapped

    sys.meta_path.insert(0, _Finder(path, qualname, documented))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, path: str, qualname: str, wrap: Wrap) -> None:
        self._path, self._qualname, self._wrap = path, qualname, wrap
        stem = os.path.basename(path).removesuffix(".py")
        folder = os.path.basename(os.path.dirname(path))
        self._last = folder if stem == "__init__" else stem

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.rpartition(".")[2] != self._last:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None or spec.origin != self._path:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            install(module, self._qualname, self._wrap)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def found(module: types.ModuleType, qualname: str) -> tuple[Any, str, Any]:
    """The function as its module or class holds it: the holder, its name there, and what it is.

    Args:
        module: The loaded module.
        qualname: A property's getter goes by the property's name, its setter by `name.setter`.

    Raises:
        MissingFunctionError: where it is not there.
    """
    *owners, name = qualname.removesuffix(SETTER).split(".")
    holder: Any = module
    for owner in owners:
        holder = vars(holder).get(owner)
        if not isinstance(holder, type):
            raise MissingFunctionError(f"{module.__name__} has no class {owner}")
    for place in (holder, *getattr(holder, "__mro__", ())):
        if name in vars(place):
            return holder, name, vars(place)[name]
    raise MissingFunctionError(f"{module.__name__} has no {qualname}")


def install(module: types.ModuleType, qualname: str, wrap: Wrap) -> None:
    """Puts the wrapped function in place; see `watch`."""
    holder, name, held = found(module, qualname)
    if qualname.endswith(SETTER) and isinstance(held, property):
        fset = wrap(held.fset) if held.fset else None
        setattr(holder, name, property(held.fget, fset, held.fdel, held.__doc__))
        return
    others = _other_places(held)
    wrapped = _wrapped(held, wrap)
    setattr(holder, name, wrapped)
    for place in others:
        _exchange(place, held, wrapped)


def _other_places(held: Any) -> list[Any]:
    """Find what else holds the function: a table of handlers, a decorator's closure, another name.

    What the function itself holds is its own affair: decorators such as networkx's `argmap` keep
    it among its defaults, to set its `__code__`.
    """
    if isinstance(held, (staticmethod, classmethod, property)):
        return []
    own = {id(getattr(held, name, None)) for name in ("__dict__", "__kwdefaults__")}
    places = [place for place in gc.get_referrers(held) if type(place) in _TABLES]
    return [place for place in places if id(place) not in own]


def _exchange(place: Any, held: Any, wrapped: Any) -> None:
    if isinstance(place, types.CellType):
        place.cell_contents = wrapped
        return
    if isinstance(place, list):
        place[:] = [wrapped if item is held else item for item in place]
        return
    names = [name for name, value in place.items() if value is held and name != "__wrapped__"]
    owners = [one for one in gc.get_referrers(place) if isinstance(one, type)] if names else []
    for name in names:
        if owners:  # a class has to know of it
            setattr(owners[0], name, wrapped)
        else:
            place[name] = wrapped


def _wrapped(held: Any, wrap: Wrap) -> Any:
    if isinstance(held, (staticmethod, classmethod)):
        return type(held)(wrap(held.__func__))
    if isinstance(held, property):
        fget = wrap(held.fget) if held.fget else None
        return property(fget, held.fset, held.fdel, held.__doc__)
    if isinstance(held, functools.cached_property):
        inner = functools.cached_property(wrap(held.func))
        inner.attrname = held.attrname
        return inner
    return wrap(held)


def plain(module: types.ModuleType, qualname: str) -> Any:
    """Return what is called in the end: with the instance or class first, if there is one.

    Of a `contextlib.contextmanager` it is the generator: taking its items enters and leaves it.

    Raises:
        MissingFunctionError: where it is not there.
    """
    _, _, held = found(module, qualname)
    if isinstance(held, (staticmethod, classmethod)):
        return _generator_of(held.__func__)
    if isinstance(held, property):
        return held.fset if qualname.endswith(SETTER) else held.fget
    if isinstance(held, functools.cached_property):
        return held.func
    return _generator_of(held)


def _generator_of(function: Any) -> Any:
    if getattr(function, "__code__", None) in _OF_CONTEXTS:
        return function.__wrapped__
    return function
