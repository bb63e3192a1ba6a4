"""Replaces a callable object, so that its calls are recorded."""

from __future__ import annotations

import functools
import types
from typing import Any

from steelyard.project_runs.incell.project import PLACE
from steelyard.values.incell import snapshot_plans


class StandIn:
    """Is called in the place of an object, and is that object in all else."""

    def __init__(self, held: Any, call: Any) -> None:
        names = [name for name in functools.WRAPPER_ASSIGNMENTS if hasattr(held, name)]
        vars(self).update({name: getattr(held, name) for name in names})
        vars(self).update(_held=held, _call=call, __wrapped__=held)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The recorded call."""
        return self._call(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None or not hasattr(type(self._held), "__get__"):
            return self
        return types.MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_held"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_held"), name, value)


snapshot_plans.know(StandIn, lambda walk, value: walk.entry(value._held), inline=False)


def is_made_by_a_call(result: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether a result is a function that the project's code made, and no argument."""
    return (
        type(result) is types.FunctionType
        and "<locals>" in result.__qualname__
        and result.__code__.co_filename.startswith(f"{PLACE}/")
        and all(each is not result for each in (*args, *kwargs.values()))
    )
