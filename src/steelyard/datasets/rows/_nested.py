"""Find the rows in objects that hold only rows, such as `{"NAME": {"CLASS": {row}}}`."""

import json
import re
from collections.abc import Iterable, Iterator

from steelyard.datasets.rows._json import decode_json
from steelyard.datasets.rows._limits import RowError

__all__ = ["nested_rows"]

_MAX_DEPTH = 4
# Other values are not decoded here: a row begins with a text or a number.
_BEGINS_NESTED = re.compile(rb'\{\s*"(?:[^"\\]++|\\.)*+"\s*:\s*[{\[]', re.DOTALL)


def nested_rows(values: Iterable[bytes]) -> Iterator[bytes]:
    """Yield JSON values, with each object whose fields all hold rows replaced by these rows.

    A row has a field that is neither an object nor a list of objects, such as its id.
    """
    for value in values:
        rows = _rows_in(value) if _BEGINS_NESTED.match(value) else None
        if rows is None:
            yield value
        else:
            yield from (json.dumps(row).encode() for row in rows)


def _rows_in(value: bytes) -> list[object] | None:
    """Return the rows in an object; None if it is a row itself."""
    try:
        found = decode_json(value)
    except RowError:
        return None  # whoever decodes it again reports the fault
    return list(_rows(found, _MAX_DEPTH)) if _held(found) else None


def _rows(value: object, depth: int) -> Iterator[object]:
    held = _held(value)
    if not held or not depth:
        yield value
        return
    for each in held:
        yield from _rows(each, depth - 1)


def _held(value: object) -> list[object]:
    """Return the objects in the fields of an object; none if a field holds anything else."""
    if not isinstance(value, dict):
        return []
    lists = [each if isinstance(each, list) and each else [each] for each in value.values()]
    held = [item for each in lists for item in each]
    return held if all(isinstance(item, dict) for item in held) else []
