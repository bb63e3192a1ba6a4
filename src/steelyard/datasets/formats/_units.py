"""Read limits, whose unit is in the column's name, in the text, or follows from the number."""

import re

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.rows import RowError

__all__ = ["mib_of", "ms_of"]

_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", re.IGNORECASE)
_MS = {"ms": 1.0, "s": 1000.0}
_MIB = {"b": 2.0**-20, "k": 2.0**-10, "m": 1.0, "g": 1024.0}
_LEAST_MS = 100
"""A time without a unit is in milliseconds from here on, and in seconds below."""


def ms_of(path: str, value: object) -> int | None:
    """Return a time in milliseconds: a number, `2.0 seconds`, or an object of seconds and nanos.

    Raises:
        RowError: for anything else, and for what is out of range.
    """
    if isinstance(value, dict):
        held = Fields(value)
        seconds = (held.number("seconds") or 0) + (held.number("nanos") or 0) / 1e9
        return Fields({path: seconds}).amount(path, 1000)
    if isinstance(value, str):
        return _amount(path, value, _MS, "s", "2 seconds")
    number = Fields({path: value}).number(path) or 0
    return Fields({path: number}).amount(path, 1 if number >= _LEAST_MS else 1000)


def mib_of(path: str, value: object) -> int | None:
    """Return memory in MiB: a number, or `256 megabytes`. A column named `..._bytes` has bytes.

    Raises:
        RowError: for anything else, and for what is out of range.
    """
    if isinstance(value, str):
        return _amount(path, value, _MIB, "m", "256 megabytes")
    return Fields({path: value}).amount(path, 2**-20 if path.endswith("_bytes") else 1)


def _amount(path: str, text: str, units: dict[str, float], usual: str, example: str) -> int | None:
    if not text.strip():
        return None
    match = _AMOUNT.match(text)
    unit = (match[2].lower() or usual) if match else ""
    unit = unit if unit in units else unit[:1]
    if match is None or unit not in units:
        raise RowError(f'"{path}" is {one_line(text)!r}, which is not an amount such as {example}')
    return Fields({path: float(match[1])}).amount(path, units[unit])
