"""Functions of the project: found, and replaced as their module is loaded."""

from __future__ import annotations

import collections
import contextlib
import functools
import gc
import importlib.machinery
import inspect
import types
from collections.abc import Callable
from typing import Any

Wrap = Callable[[Any], Any]
SETTER = ".setter"
_Loader = importlib.machinery.SourceFileLoader
_TABLES = (dict, list, collections.defaultdict, types.CellType)
_OF_CONTEXTS = tuple(
    vars(contextlib)[name](lambda: None).__code__
    for name in ("contextmanager", "asynccontextmanager")
)
"""The code that all functions of these decorators share."""


def watch(path: str, qualname: str, wrap: Wrap, docstring: str = "") -> None:
    """Has the function wrapped as soon as its module has been executed, under whatever name.

    So every other module that takes it by `from ... import` gets the wrapped one.

    Args:
        path: The module's file, absolute.
        qualname: The function in it.
        wrap: Gives what takes its place.
        docstring: The original's. A candidate without one gets it, as it may hold tests.
    """
    execute = _Loader.exec_module

    def documented(function: Any) -> Any:
        wrapped = wrap(function)
        if docstring and wrapped.__doc__ is None:
            wrapped.__doc__ = docstring
        return wrapped

    def exec_module(loader: Any, module: types.ModuleType) -> None:
        execute(loader, module)
        if loader.path == path:
            install(module, qualname, documented)

    _Loader.exec_module = exec_module  # type: ignore[method-assign,assignment]


def found(module: types.ModuleType, qualname: str) -> tuple[Any, str, Any]:
    """The function as its module or class holds it: the holder, its name there, and what it is.

    Args:
        module: The loaded module.
        qualname: A property's getter goes by the property's name, its setter by `name.setter`.

    Raises:
        LookupError: where it is not there.
    """
    *owners, name = qualname.removesuffix(SETTER).split(".")
    holder: Any = module
    try:
        for owner in owners:
            holder = vars(holder)[owner]
        return holder, name, inspect.getattr_static(holder, name)
    except (AttributeError, KeyError, TypeError):
        raise LookupError(f"{module.__name__} has no {qualname}") from None


def install(module: types.ModuleType, qualname: str, wrap: Wrap) -> None:
    """Puts the wrapped function in place; see `watch`."""
    holder, name, held = found(module, qualname)
    function, rebuilt = _inside(held, is_setter=qualname.endswith(SETTER))
    others = _other_places(held)
    wrapped = rebuilt(None if function is None else wrap(function))
    setattr(holder, name, wrapped)
    for place in others:
        _exchange(place, held, wrapped)


def _inside(held: Any, *, is_setter: bool) -> tuple[Any, Wrap]:
    """Return the function in a descriptor, and what makes such a descriptor of another one."""
    if isinstance(held, (staticmethod, classmethod)):
        return held.__func__, type(held)
    if isinstance(held, property):
        fget, fset, fdel, text = held.fget, held.fset, held.fdel, held.__doc__
        if is_setter:
            return fset, lambda function: property(fget, function, fdel, text)
        return fget, lambda function: property(function, fset, fdel, text)
    if isinstance(held, functools.cached_property):

        def cached(function: Any) -> Any:
            inner = functools.cached_property(function)
            inner.attrname = held.attrname
            return inner

        return held.func, cached
    return held, lambda function: function


def _other_places(held: Any) -> list[Any]:
    """Find what else holds the function: a table of handlers, a decorator's closure, another name.

    What the function itself holds is its own affair: decorators such as networkx's `argmap` keep
    it among its defaults, to set its `__code__`.
    """
    if isinstance(held, (staticmethod, classmethod, property)):
        return []
    own = {id(getattr(held, name, None)) for name in ("__dict__", "__kwdefaults__")}
    return [
        place for place in gc.get_referrers(held) if type(place) in _TABLES and id(place) not in own
    ]


def _exchange(place: Any, held: Any, wrapped: Any) -> None:
    if isinstance(place, types.CellType):
        place.cell_contents = wrapped
        return
    items: Any = enumerate(place) if isinstance(place, list) else place.items()
    keys = [key for key, value in items if value is held and key != "__wrapped__"]
    owners = [one for one in gc.get_referrers(place) if isinstance(one, type)] if keys else []
    # A class has to know of it.
    put = functools.partial(setattr, owners[0]) if owners else place.__setitem__
    for key in keys:
        put(key, wrapped)


def plain(module: types.ModuleType, qualname: str) -> Any:
    """Return what is called in the end: with the instance or class first, if there is one.

    Of a `contextlib.contextmanager` it is the generator: taking its items enters and leaves it.

    Raises:
        LookupError: where it is not there.
    """
    function, _ = _inside(found(module, qualname)[2], is_setter=qualname.endswith(SETTER))
    is_context = getattr(function, "__code__", None) in _OF_CONTEXTS
    return function.__wrapped__ if is_context else function


def plain_of(function: Any) -> Any:
    """The function that decorators were put around, as far as they tell."""
    for _ in range(20):
        inner = getattr(function, "__wrapped__", None)
        function = function if inner is None else inner
    return function
