"""Limits that keep memory bounded, and the errors for what exceeds them."""

from typing import Final

__all__ = [
    "CHUNK_BYTES",
    "MAX_RATIO",
    "MAX_ROW_BYTES",
    "RATIO_FLOOR_BYTES",
    "FileError",
    "RowError",
]

CHUNK_BYTES: Final = 1 << 20
MAX_ROW_BYTES: Final = 256 << 20
"""Longest row, as JSON text. The rows of LiveCodeBench and CodeContests+ reach tens of MiB."""
MAX_RATIO: Final = 200
"""Compressed data may expand to this many times its size. Test data reaches about 100; deflate's
own limit is 1,032, which only a decompression bomb uses."""
RATIO_FLOOR_BYTES: Final = 16 << 20
"""Data up to this size may have any ratio."""


class RowError(ValueError):
    """A row cannot be read; the rows after it can."""


class FileError(Exception):
    """The rest of a file cannot be read."""
