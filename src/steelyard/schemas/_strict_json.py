"""Decode JSON from strangers: no key twice, and integers of any length.

Decoders of JSON and YAML keep the last value of a repeated key silently, and Python reads no
integer of more than 4,300 decimal digits.
"""

import json
from collections.abc import Sequence
from typing import Any

from steelyard._printable import printable

_SHOWN = 80
_MOST_DIGITS = 1_000_000
_DIGITS_AT_ONCE = 4_000


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


def decode_json(text: str) -> Any:
    """Return a JSON value. An integer of thousands of digits is as `values.encode` writes it.

    Infinity and NaN are accepted, since Python writes them.

    Raises:
        ValueError: for anything else than JSON, a repeated key, or a number of a million digits.
        RecursionError: if it nests too deep.
    """
    try:
        return _decode(text)
    except (json.JSONDecodeError, RepeatedKeyError):
        raise
    except ValueError:  # only long integers are left
        return json.loads(text, object_pairs_hook=no_repeats, parse_int=_integer)


_decode = json.JSONDecoder(object_pairs_hook=no_repeats).decode


def _integer(digits: str) -> object:
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits; write at most {_MOST_DIGITS:,}")
    sign, positive = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    return {"$": "int", "v": f"{sign}{_long(positive):#x}"}


def _long(digits: str) -> int:
    """Return an integer in less than quadratic time, from its halves."""
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    half = len(digits) // 2
    tens: int = 10**half
    return _long(digits[:-half]) * tens + _long(digits[-half:])
