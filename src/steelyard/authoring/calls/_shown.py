"""Show the arguments of a call in one short line."""

import reprlib
from collections.abc import Sequence
from typing import Any

_CHARS = 200
_MOST_BITS = 10_000


class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Return an integer; Python does not write one of thousands of digits."""
        if x.bit_length() > _MOST_BITS:
            return f"an integer of {x.bit_length():,} bits"
        return super().repr_int(x, level)


_short = _Short()
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
