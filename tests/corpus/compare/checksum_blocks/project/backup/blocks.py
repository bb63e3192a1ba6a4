"""Files in blocks."""

import hashlib


def digests(data: bytes, size: int) -> list[str]:
    """The SHA-256 of each block, in hexadecimal.

    Raises:
        ValueError: Blocks have no size.
    """
    if size < 1:
        raise ValueError("blocks need a size")
    result = []
    for start in range(0, len(data), size):
        block = data[start : start + size]
        result.append(hashlib.sha256(block).hexdigest())
    return result


def changed(old: list[str], new: list[str]) -> list[int]:
    return [i for i, digest in enumerate(new) if i >= len(old) or old[i] != digest]
