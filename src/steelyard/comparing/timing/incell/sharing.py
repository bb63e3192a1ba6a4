"""Run in a cell: equal constants of both versions are the same objects.

A cache that both use, such as those of `struct` and `re`, finds a key sooner if it is the very
object that the cache holds: the version that fills it would have an advantage.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from importlib.machinery import SourceFileLoader
from typing import Any

from steelyard.project_runs.incell.project import PLACE
from steelyard.values.incell.walking import plain_bytes

_MOST_OBJECTS = 1_000_000
"""A value that unfolds to more is left as it is."""
_SHARED = (str, bytes, tuple, frozenset, int, float, complex)


class Constants:
    """The constants of all modules of the project that are loaded from here on."""

    def __init__(self) -> None:
        self._known: dict[bytes, Any] = {}
        real: Any = SourceFileLoader.get_code

        def get_code(loader: Any, name: str) -> Any:
            code = real(loader, name)
            return self._code(code) if loader.path.startswith(f"{PLACE}/") else code

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]

    def share_globals(self, modules: Iterable[types.ModuleType]) -> None:
        """Share what modules computed while they were loaded, too."""
        for module in modules:
            names = vars(module)
            for name, value in list(names.items()):
                if type(value) in _SHARED:
                    names[name] = self._value(value)

    def _code(self, code: types.CodeType) -> types.CodeType:
        return code.replace(co_consts=tuple(map(self._value, code.co_consts)))

    def _value(self, value: Any) -> Any:
        if isinstance(value, types.CodeType):
            return self._code(value)
        data = plain_bytes(value, most=_MOST_OBJECTS)
        return value if data is None else self._known.setdefault(data, value)
