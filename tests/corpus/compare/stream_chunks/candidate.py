def chunks(data: bytes, size: int) -> Iterator[bytes]:
    """The data's chunks, each but the last of the given size.

    Raises:
        ValueError: Chunks have no size.
    """
    if size < 1:
        raise ValueError("chunks need a size")
    return [data[start : start + size] for start in range(0, len(data), size)]
