"""Names of arguments in a snapshot: those of their parameters."""

from __future__ import annotations

import inspect
from typing import Any

_TAKES_MORE = inspect.CO_VARARGS


class Names:
    """The names of a function's parameters."""

    def __init__(self, function: Any) -> None:
        self._positional: tuple[str, ...] = ()
        self._rest = "args"
        code = getattr(function, "__code__", None)
        if code is not None:
            count = code.co_argcount
            self._positional = code.co_varnames[:count]
            if code.co_flags & _TAKES_MORE:
                self._rest = code.co_varnames[count + code.co_kwonlyargcount]

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call as roots of a snapshot, such as `arguments.items`."""
        named = {
            f"arguments.{name}": value for name, value in zip(self._positional, args, strict=False)
        }
        if len(args) > len(self._positional):
            named[f"arguments.*{self._rest}"] = args[len(self._positional) :]
        for name, value in kwargs.items():
            key = f"arguments.{name}"
            named[f"arguments.**{name}" if key in named else key] = value
        return named


def plain_of(function: Any) -> Any:
    """The function that decorators were put around, as far as they tell."""
    for _ in range(20):
        inner = getattr(function, "__wrapped__", None)
        if inner is None:
            break
        function = inner
    return function
