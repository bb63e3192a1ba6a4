"""Read a file in chunks, decompressed if it is gzip."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from steelyard.datasets.rows._limits import (
    CHUNK_BYTES,
    MAX_RATIO,
    RATIO_FLOOR_BYTES,
    FileError,
)

__all__ = ["read_chunks"]

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
    first = True
    for chunk in _plain_chunks(path):
        if first:
            first = False
            for mark, encoding in _MARKS.items():
                if chunk.startswith(mark):
                    raise FileError(f"the file is {encoding}; save it as UTF-8")
            yield chunk.removeprefix(_UTF8_MARK)
        else:
            yield chunk


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
