"""Refuse objects that repeat a key: decoders of JSON and YAML keep its last value silently."""

from collections.abc import Sequence
from typing import Any

from steelyard._printable import printable

__all__ = ["RepeatedKeyError", "no_repeats"]

_SHOWN = 80


class RepeatedKeyError(ValueError):
    """A key appears twice in one object."""

    def __init__(self, key: str) -> None:
        shown = key if len(key) <= _SHOWN else f"{key[:_SHOWN]}..."
        super().__init__(f'the key "{printable(shown)}" appears twice in one object; keep one')


def no_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of these fields; an `object_pairs_hook` of `json`.

    Raises:
        RepeatedKeyError: if a key appears twice.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen = set[str]()
        for key, _ in pairs:
            if key in seen:
                raise RepeatedKeyError(key)
            seen.add(key)
    return fields
