"""Show the arguments of a call in one short line."""

import reprlib
from collections.abc import Sequence
from typing import Any

__all__ = ["shown_call", "shown_value"]

_CHARS = 200
_short = reprlib.Repr()
_short.maxlist = _short.maxtuple = _short.maxdict = 12
_short.maxstring = _short.maxlong = 60
_short.maxlevel = 4


def shown_value(value: Any) -> str:
    """Return a value as Python writes it, shortened."""
    text = _short.repr(value)
    return text if len(text) <= _CHARS else f"{text[: _CHARS - 3]}..."


def shown_call(args: Sequence[Any]) -> str:
    """Return a call with these arguments, shortened: `solve([1, 2], 3)`."""
    return f"solve({', '.join(map(shown_value, args))})"
