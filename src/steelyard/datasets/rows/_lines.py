"""Split chunks of bytes into lines of bounded length."""

from collections.abc import Iterable, Iterator

from steelyard.datasets.rows._limits import MAX_ROW_BYTES

__all__ = ["split_lines"]


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
