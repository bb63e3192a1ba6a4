"""What takes the place of a callable object that is no function, so that its calls are recorded."""

from __future__ import annotations

import functools
import types
from typing import Any


class StandIn:
    """Is called in the place of an object that is no function, and is that object in all else."""

    def __init__(self, held: Any, call: Any) -> None:
        object.__setattr__(self, "_held", held)
        object.__setattr__(self, "_call", call)
        functools.update_wrapper(self, held, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The recorded call."""
        return object.__getattribute__(self, "_call")(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None or not hasattr(type(self._held), "__get__"):
            return self
        return types.MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_held"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_held"), name, value)
