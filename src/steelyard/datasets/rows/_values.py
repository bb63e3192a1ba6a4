"""Split a JSON file into its values without holding the file: a list's items, or one object.

An object that holds only rows, such as `{"NAME": {"CLASS": {row}}}`, is replaced by these rows.
"""

import json
import re
from collections.abc import Iterable, Iterator

from steelyard.datasets.rows._json import decode_json
from steelyard.datasets.rows._limits import MAX_ROW_BYTES, FileError, RowError

# A string that has not ended is found as its quote. Possessive: a long string costs no stack.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
_BLANK = b" \t\r\n"
_SEPARATORS = _BLANK + b","
_MAX_DEPTH = 4
# Other values are not decoded here: a row begins with a text or a number.
_BEGINS_NESTED = re.compile(rb'\{\s*"(?:[^"\\]++|\\.)*+"\s*:\s*[{\[]', re.DOTALL)


def split_values(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the items of a list, or the objects that follow each other, each as JSON text.

    Only brackets and strings are followed. A value with another fault of syntax is yielded, and
    decoding it shows the fault.

    Raises:
        FileError: if the file ends within a value, or a value is too long.
    """
    buffer, started = bytearray(), False
    searched = depth = needed = 0

    def search() -> Iterator[bytes]:
        nonlocal searched, depth
        begin, spans = 0, []
        for match in _TOKEN.finditer(buffer, searched):
            token = match[0]
            if token == b'"':
                searched = match.start()
                break
            searched = match.end()
            if token in (b"{", b"["):
                depth += 1
            elif token in (b"}", b"]"):
                depth -= 1
                if depth <= 0:
                    spans.append((begin, match.start() if depth < 0 else match.end()))
                    begin, depth = match.end(), 0
        else:
            searched = len(buffer)
        for start, end in spans:
            if value := bytes(buffer[start:end]).strip(_SEPARATORS):
                yield value
        del buffer[:begin]
        searched -= begin

    for chunk in chunks:
        buffer += chunk
        if not started:  # the bracket that opens a list is dropped, so that its items are left
            stripped = buffer.lstrip(_BLANK)
            started = bool(stripped)
            buffer = stripped[1:] if stripped[:1] == b"[" else stripped
        # A long value is searched each time that it has doubled, so that the cost stays linear.
        if started and len(buffer) >= needed:
            yield from search()
            needed = 2 * len(buffer) if depth else 0
        if len(buffer) > MAX_ROW_BYTES:
            raise FileError(f"a value of over {MAX_ROW_BYTES >> 20} MiB; the rest is not read")
    yield from search()
    if depth or searched < len(buffer):
        raise FileError("the file ends within a value; get the whole file")
    if rest := bytes(buffer).strip(_SEPARATORS):
        yield rest


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
