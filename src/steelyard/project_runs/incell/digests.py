"""One short name for some bytes."""

from __future__ import annotations

import hashlib

_BYTES = 16


def digest_of(data: bytes) -> bytes:
    """16 bytes that stand for these."""
    return hashlib.blake2b(data, digest_size=_BYTES).digest()
