"""Split a JSON file into its values without holding the file: a list's items, or one object."""

import re
from collections.abc import Iterable, Iterator

from steelyard.datasets.rows._limits import MAX_ROW_BYTES, FileError

__all__ = ["split_values"]

# A string that has not ended is found as its quote. Possessive: a long string costs no stack.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
_BLANK = b" \t\r\n"
_SEPARATORS = _BLANK + b","


def split_values(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the items of a list, or the objects that follow each other, each as JSON text.

    Only brackets and strings are followed. A value with another fault of syntax is yielded, and
    decoding it shows the fault.

    Raises:
        FileError: if the file ends within a value, or a value is too long.
    """
    splitter = _Splitter()
    for chunk in chunks:
        yield from splitter.feed(chunk)
    yield from splitter.end()


class _Splitter:
    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = self._depth = self._needed = 0
        self._started = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        self._buffer += chunk
        if not self._started:
            self._start()
        # A long value is searched each time that it has doubled, so that the cost stays linear.
        if self._started and len(self._buffer) >= self._needed:
            yield from self._search()
            self._needed = 2 * len(self._buffer) if self._depth else 0
        if len(self._buffer) > MAX_ROW_BYTES:
            raise FileError(f"a value of over {MAX_ROW_BYTES >> 20} MiB; the rest is not read")

    def end(self) -> Iterator[bytes]:
        yield from self._search()
        if self._depth or self._searched < len(self._buffer):
            raise FileError("the file ends within a value; get the whole file")
        if rest := bytes(self._buffer).strip(_SEPARATORS):
            yield rest

    def _start(self) -> None:
        """Drop the bracket that opens a list, so that its items are what is left."""
        stripped = self._buffer.lstrip(_BLANK)
        self._started = bool(stripped)
        self._buffer = stripped[1:] if stripped[:1] == b"[" else stripped

    def _search(self) -> Iterator[bytes]:
        begin = 0
        spans = []
        for match in _TOKEN.finditer(self._buffer, self._searched):
            token = match[0]
            if token == b'"':
                self._searched = match.start()
                break
            self._searched = match.end()
            if token in (b"{", b"["):
                self._depth += 1
            elif token in (b"}", b"]"):
                self._depth -= 1
                if self._depth <= 0:
                    spans.append((begin, match.start() if self._depth < 0 else match.end()))
                    begin = match.end()
                    self._depth = 0
        else:
            self._searched = len(self._buffer)
        for start, end in spans:
            if value := bytes(self._buffer[start:end]).strip(_SEPARATORS):
                yield value
        del self._buffer[:begin]
        self._searched -= begin
