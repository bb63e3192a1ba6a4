"""Sending data in chunks."""

from collections.abc import Iterator


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    """The data's chunks, each but the last of the given size.

    Raises:
        ValueError: Chunks have no size; raised with the first item.
    """
    if size < 1:
        raise ValueError("chunks need a size")
    rest = data
    while rest:
        yield rest[:size]
        rest = rest[size:]


def frames(data: bytes, size: int) -> list[tuple[int, bytes]]:
    return list(enumerate(chunks(data, size)))
