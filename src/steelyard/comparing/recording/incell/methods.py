"""Notes the methods that tests call on objects of the kinds that the function takes.

An object with private fields cannot be changed field by field: it would be in a state that no
program reaches. By calls such as those that tests make it gets into states that programs do reach.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import Counter
from collections.abc import Callable
from typing import Any

from steelyard.comparing.incell.told import MethodCall
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.values.incell.walking import pickle_bytes

_MOST_CALLS, _MOST_BYTES = 12, 2_000
_OPERATORS = frozenset({"__setitem__", "__delitem__"})


class Methods:
    """Watches the public methods of the project's own classes, from their first object on.

    Args:
        tell: Takes each call that ended well, a few of each method.
        is_busy: Whether the function itself is running, whose calls are its own affair.
    """

    def __init__(self, tell: Tell, is_busy: Callable[[], bool]) -> None:
        self._tell, self._is_busy = tell, is_busy
        self._kinds: set[type] = set()
        self._counts: Counter[tuple[type, str]] = Counter()
        self._is_inside = False

    def look(self, values: tuple[object, ...]) -> None:
        """Watch the methods of these values' classes, those of the project's own."""
        for base in {base for value in values for base in type(value).__mro__} - self._kinds:
            self._kinds.add(base)
            home = sys.modules.get(base.__module__)
            if home is None or not project.belongs(home):
                continue
            for name, held in list(vars(base).items()):
                is_public = not name.startswith("_") or name in _OPERATORS
                if is_public and type(held) is types.FunctionType:
                    setattr(base, name, self._watched(held))

    def _watched(self, method: types.FunctionType) -> Any:
        @functools.wraps(method)
        def watched(self_: Any, /, *args: Any, **kwargs: Any) -> Any:
            if self._is_inside or self._is_busy():
                return method(self_, *args, **kwargs)
            key = type(self_), method.__name__
            self._counts[key] += 1
            self._is_inside = True
            try:
                is_noted = self._counts[key] <= _MOST_CALLS
                call = (*key, args, kwargs)
                data = pickle_bytes(call, most=_MOST_BYTES) if is_noted else None
                result = method(self_, *args, **kwargs)
            finally:
                self._is_inside = False
            if data is not None:
                self._tell(MethodCall(data))
            return result

        return watched
