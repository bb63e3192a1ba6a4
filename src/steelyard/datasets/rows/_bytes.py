"""Read a file in chunks, decompressed if it is gzip, and split them into bounded lines."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from steelyard.datasets.rows._limits import (
    CHUNK_BYTES,
    MAX_RATIO,
    MAX_ROW_BYTES,
    RATIO_FLOOR_BYTES,
    FileError,
)

_GZIP = b"\x1f\x8b"
_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x00\x00\xfe\xff": "UTF-32",
}
_UTF8_MARK = b"\xef\xbb\xbf"


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, without a byte order mark.

    Raises:
        FileError: if it is not UTF-8 by its mark, is damaged, or is a decompression bomb.
        OSError: if it cannot be read.
    """
    chunks = _plain_chunks(path)
    first = next(chunks, b"")
    for mark, encoding in _MARKS.items():
        if first.startswith(mark):
            raise FileError(f"the file is {encoding}; save it as UTF-8")
    yield first.removeprefix(_UTF8_MARK)
    yield from chunks


def _plain_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as raw:
        packed = raw.read(len(_GZIP)) == _GZIP
        raw.seek(0)
        if not packed:
            while chunk := raw.read(CHUNK_BYTES):
                yield chunk
            return
        size = 0
        with gzip.GzipFile(fileobj=raw) as unpacked:
            try:
                while chunk := unpacked.read1(CHUNK_BYTES):  # what precedes a fault is kept
                    size += len(chunk)
                    if size > RATIO_FLOOR_BYTES and size > MAX_RATIO * raw.tell():
                        raise FileError(
                            f"it expands to over {MAX_RATIO} times its size, as a decompression "
                            "bomb does; decompress it yourself if you trust it"
                        )
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise FileError(f"damaged gzip data ({error}); get the file again") from error


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes | None]:
    """Yield the lines, without their ends; None for a line that is too long."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        for piece in (first, *rest[:-1]) if rest else ():
            size += len(piece)
            parts.append(piece)
            yield None if size > MAX_ROW_BYTES else b"".join(parts)
            parts, size = [], 0
        tail = rest[-1] if rest else first
        size += len(tail)
        if size > MAX_ROW_BYTES:
            parts.clear()  # the rest of the line is counted and dropped
        else:
            parts.append(tail)
    if size:
        yield None if size > MAX_ROW_BYTES else b"".join(parts)
