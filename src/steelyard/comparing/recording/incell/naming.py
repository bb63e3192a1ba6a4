"""Names of arguments in a snapshot: those of their parameters."""

from __future__ import annotations

import inspect
from typing import Any

_TAKES_MORE = inspect.CO_VARARGS
_NO_CODE = compile("", "", "exec")


class Names:
    """The names of a function's parameters."""

    def __init__(self, function: Any) -> None:
        code = getattr(function, "__code__", _NO_CODE)
        count = code.co_argcount
        self._positional = code.co_varnames[:count]
        rest = code.co_varnames[count + code.co_kwonlyargcount :]
        self._rest = rest[0] if code.co_flags & _TAKES_MORE else "args"

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call as roots of a snapshot, such as `arguments.items`."""
        named = dict(zip(self._positional, args, strict=False))
        if rest := args[len(self._positional) :]:
            named[f"*{self._rest}"] = rest
        named |= {f"**{name}" if name in named else name: kwargs[name] for name in kwargs}
        return {f"arguments.{name}": value for name, value in named.items()}
